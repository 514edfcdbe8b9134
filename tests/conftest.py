"""One profile for all property tests: the same examples in every run."""

import hypothesis

hypothesis.settings.register_profile(
    "same_examples", deadline=None, derandomize=True, database=None
)
hypothesis.settings.load_profile("same_examples")

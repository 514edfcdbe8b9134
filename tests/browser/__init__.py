"""The page of ``tabletop play`` in a headless browser; see ``make test-browser``."""

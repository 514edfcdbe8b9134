"""Both recipes are trained, judged and written down."""

import itertools
import json
import statistics

import pytest

from benchmarks.studies.tutorial_comparison import COLOURS, JUDGES, MODES, ROLLOUT, main
from tests.games import REPOSITORY

pytestmark = pytest.mark.slow

SMALL = 200_000
"""Bytes that a picture of the docs may have."""


def test_both_are_judged_on_the_way_and_drawn(tmp_path, capsys):
    main(steps=ROLLOUT, every=ROLLOUT, seeds=1, games=4, out=tmp_path / "both")
    figures = json.loads((tmp_path / "both.json").read_text())
    assert figures["settings"]["ppo"]["n_epochs"] == 10
    assert figures["recipes"].keys() == COLOURS.keys()
    for curves in figures["recipes"].values():
        (curve,) = curves
        assert curve["steps"] == [0, ROLLOUT]
        assert set(curve["games_won"]) == {f"{j}, {m}" for j in JUDGES for m in MODES}
        for scores in curve["games_won"].values():
            assert len(scores) == 2
            assert all(0 <= score <= 1 for score in scores)
    picture = (tmp_path / "both.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < SMALL
    assert "of processor time" in capsys.readouterr().out


def test_what_the_page_says_is_what_is_stored():
    folder = REPOSITORY / "docs"
    assert (folder / "tutorial_comparison.png").stat().st_size < SMALL
    figures = json.loads((folder / "tutorial_comparison.json").read_text())
    page = (folder / "guides" / "train_a_policy.md").read_text()
    for judge, mode in itertools.product(JUDGES, MODES):
        cells = [f"`{judge}`", mode]
        for curves in figures["recipes"].values():
            ends = [curve["games_won"][f"{judge}, {mode}"][-1] for curve in curves]
            low, mean, high = (
                f"{100 * f(ends):.0f}" for f in (min, statistics.mean, max)
            )
            cells.append(f"{mean} % ({low} to {high})")
        assert f"| {' | '.join(cells)} |" in page


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ({"steps": 100}, "steps=100"),
        ({"steps": 3 * ROLLOUT, "every": 2 * ROLLOUT}, "not a multiple"),
        ({"every": ROLLOUT + 1}, "not a multiple"),
        ({"seeds": 0}, "seeds=0"),
        ({"games": 1}, "games=1"),
    ],
    ids=str,
)
def test_wrong_values_are_refused(values, match, tmp_path):
    with pytest.raises(SystemExit, match=match):
        main(**values, out=tmp_path / "both")


def test_a_folder_that_is_missing_is_told_before_training(tmp_path):
    with pytest.raises(SystemExit, match="there is no folder"):
        main(out=tmp_path / "nowhere" / "both")

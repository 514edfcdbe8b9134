"""A mistyped subcommand or flag: the last line says what was probably meant."""

import pytest

from benchmarks.cli.app import main

TRAINED = "cant_stop, azul, icecool, icecool_ppo, icecool_sac, resume"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (
            "tournamnt azul",
            "unknown subcommand 'tournamnt'; did you mean 'tournament'? Known "
            "subcommands: tournament, compare, replay, agents, train, play, watch, "
            "render",
        ),
        (
            "train cant-stop",
            "unknown subcommand 'cant-stop'; did you mean 'cant_stop'?",
        ),
        ("frobnicate", "unknown subcommand 'frobnicate'; known subcommands: "),
        (
            "train azull --steps 10",
            "unknown subcommand 'azull'; did you mean 'azul'? Known subcommands: "
            f"{TRAINED}",
        ),
        (
            "tournament azul --agnets random greedy",
            "unknown flag '--agnets'; did you mean '--agents'? 'tabletop tournament "
            "--help' lists all",
        ),
        (
            "train azul --self_play.shar=1",
            "unknown flag '--self_play.shar=1'; did you mean '--self-play.share'? "
            "'tabletop train azul --help' lists all",
        ),
        ("replay games.jsonl --verbose", "unknown flag '--verbose'; 'tabletop replay "),
    ],
)
def test_what_was_probably_meant_is_said(command, says, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(command.split())
    out, err = capsys.readouterr()
    assert not out
    assert err.splitlines()[-1].startswith(f"tabletop: {says}")


@pytest.mark.parametrize(
    "command",
    [
        "tournament azul --num_players 2",
        "tournament azul --num-players=two --agents random greedy",
        "train cant_stop --steps few",
    ],
)
def test_nothing_is_said_of_what_is_written_right(command, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(command.split())
    assert "tabletop: " not in capsys.readouterr().err

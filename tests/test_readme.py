"""What the README shows works as printed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
BOTS = {block.split()[1]: block for block in BLOCKS if block.startswith("# my_")}
SNIPPETS = [block for block in BLOCKS if block not in BOTS.values()]


def run(arguments, folder):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("snippet", SNIPPETS, ids=range(len(SNIPPETS)))
def test_snippet_runs(snippet, tmp_path):
    (tmp_path / "snippet.py").write_text(snippet)
    result = run(["snippet.py"], tmp_path)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("file", BOTS)
def test_bot_plays_the_tournament_as_printed(file, tmp_path):
    (tmp_path / file).write_text(BOTS[file])
    bot = file.removesuffix(".py")
    command = re.search(rf"^tabletop (tournament .*{bot}.*)$", README, re.MULTILINE)
    assert command is not None
    shorter = re.sub("--games [0-9]+", "--games 20", command[1]).split()
    out = ["--out", "results.jsonl"]
    result = run(["-m", "benchmarks.cli", *shorter, *out], tmp_path)
    assert result.returncode == 0, result.stderr
    lines = (tmp_path / "results.jsonl").read_text().splitlines()
    games = [json.loads(line) for line in lines if "actions" in json.loads(line)]
    assert len(games) == 3 * 20
    assert any(bot in "".join(game["agents"]) for game in games)
    assert all(game["ended"] == "terminated" for game in games)


@pytest.mark.parametrize("target", ["demo", "test"])
def test_command_of_the_first_screen_is_a_make_target(target):
    first_screen = "\n".join(README.splitlines()[:25])
    assert f"make {target}" in first_screen
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)

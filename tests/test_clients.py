"""The scripts of ``docs/clients`` fit what there is of ours.

``make test-clients`` runs them beside the libraries that they are for.
"""

import ast
import importlib
import inspect
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from packaging.requirements import Requirement

from tests.clients import CLIENTS
from tests.games import REPOSITORY
from tests.test_architecture import PACKAGES, is_in

FOLDER = REPOSITORY / "docs" / "clients"
SCRIPTS = {
    name: ast.parse((FOLDER / f"with_{name}.py").read_text(encoding="utf-8"))
    for name in CLIENTS
}
FEW_LINES = 130
OTHER_VERSIONS = {"rllib": {"gymnasium"}, "agilerl": {"pettingzoo"}}
"""Packages of which a library allows no version that ours are tested with."""


def ours(tree: ast.Module) -> dict[str, Any]:
    """Return what a script imports from our packages: name -> object.

    Raises:
        ImportError: If something is not there.
    """
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and is_in(node.module or "", PACKAGES):
            module = importlib.import_module(f"{node.module}")
            for alias in node.names:
                if not hasattr(module, alias.name):
                    importlib.import_module(f"{node.module}.{alias.name}")
                found[alias.name] = getattr(module, alias.name)
    return found


def calls(tree: ast.Module, objects: dict[str, Any]) -> Iterator[tuple[ast.Call, Any]]:
    """Yield the calls of these objects and of their attributes, with what is called."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        path = ast.unparse(node.func).split(".")
        if path[0] in objects and len(path) <= 2:
            target = objects[path[0]]
            yield node, getattr(target, path[1]) if len(path) == 2 else target


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_calls_what_there_is(name):
    objects = ours(SCRIPTS[name])
    assert objects, "nothing of ours is used"
    found = list(calls(SCRIPTS[name], objects))
    assert found
    for node, target in found:
        keywords = {f"{keyword.arg}": None for keyword in node.keywords}
        inspect.signature(target).bind(*node.args, **keywords)


def test_gymnasium_knows_the_ids():
    """Only Tianshou's script names one; the others call ``env`` of our modules."""
    ids = {
        name: node.value
        for name, tree in SCRIPTS.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.startswith("tabletop/")
    }
    assert ids == {"tianshou": "tabletop/Azul-v0"}
    ours(SCRIPTS["tianshou"])  # registers it
    assert gymnasium.spec(ids["tianshou"])


def pins(file: Path) -> dict[str, str]:
    """Return the versions that a file asks for, which are exact: name -> version."""
    lines = file.read_text(encoding="utf-8").splitlines()
    asked = [Requirement(line) for line in lines if line and not line.startswith("#")]
    versions = {one.name: str(one.specifier).removeprefix("==") for one in asked}
    assert [v for v in versions.values() if not re.fullmatch("[0-9.a-z]+", v)] == []
    return versions


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_is_short_and_says_how_to_run_it(name: str):
    text = (FOLDER / f"with_{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= FEW_LINES
    description = ast.get_docstring(SCRIPTS[name])
    assert description is not None
    assert f"pip install -r docs/clients/requirements-{name}.txt ." in description
    assert f"python docs/clients/with_{name}.py" in description
    versions = pins(FOLDER / f"requirements-{name}.txt")
    for library in ({"rllib": "ray"}.get(name, name), "pettingzoo", "gymnasium"):
        assert f"{library} {versions[library]}" in description


@pytest.mark.parametrize("name", SCRIPTS)
def test_versions_are_allowed_by_ours_and_mostly_those_of_the_other_tests(name):
    versions = pins(FOLDER / f"requirements-{name}.txt")
    assert {"gymnasium", "numba", "pettingzoo", "torch"} <= versions.keys()
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    for need in map(Requirement, project["dependencies"]):
        if need.name in versions:
            assert need.specifier.contains(versions[need.name]), need
    tested = pins(REPOSITORY / "constraints.txt")
    others = {p for p in versions.keys() & tested if versions[p] != tested[p]}
    assert others == OTHER_VERSIONS.get(name, set())


def test_make_runs_them_all():
    makefile = (REPOSITORY / "Makefile").read_text()
    listed = re.search("^CLIENTS := (.*)$", makefile, re.MULTILINE)
    assert listed is not None
    assert listed[1].split() == list(CLIENTS)
    assert sorted(f"with_{name}.py" for name in CLIENTS) == sorted(
        path.name for path in FOLDER.glob("*.py")
    )

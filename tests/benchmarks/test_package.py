"""What the package says of itself."""

import importlib.metadata
import tomllib

import pytest

from benchmarks import package
from benchmarks.package import version_in_words
from tests.games import REPOSITORY


@pytest.fixture
def not_installed(monkeypatch):
    def version(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", version)


def test_an_installed_package_has_the_version_of_its_installation(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "7.8.9")
    assert version_in_words() == "tabletop-marl 7.8.9"


def test_a_checkout_has_the_version_that_it_would_install(not_installed):
    about = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    version = about["project"]["version"]
    assert version_in_words() == f"tabletop-marl {version} (a checkout)"


@pytest.mark.parametrize("text", [None, "[project", "[project]\n"])
def test_a_checkout_of_unknown_version_says_so(
    text, not_installed, monkeypatch, tmp_path
):
    file = tmp_path / "pyproject.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(package, "PYPROJECT", file)
    assert version_in_words() == "tabletop-marl (a checkout)"

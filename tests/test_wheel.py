"""The wheel, not the checkout, is what users install."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
PACKAGES = (
    "game_core",
    "cant_stop_env",
    "azul_env",
    "icecool_env",
    "baselines",
    "benchmarks",
)


def run(arguments, folder, **environment):
    result = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment or None,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr + result.stdout
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", *PACKAGES):
        (source / name).symlink_to(ROOT / name)
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", folder]
    run(["-m", "pip", "wheel", *map(str, options), str(source)], folder)
    (built,) = folder.glob("*.whl")
    return built


def test_wheel_holds_every_package_and_its_types(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for package in PACKAGES:
        assert f"{package}/__init__.py" in names
        assert f"{package}/py.typed" in names
    assert {
        "game_core/render/fonts/inter-500.ttf",
        "game_core/render/fonts/LICENSE.txt",
    } <= {*names}
    assert not any(name.startswith(("tests/", "docs/")) for name in names)


def test_installed_wheel_plays_and_draws_outside_the_checkout(wheel, tmp_path):
    site = tmp_path / "site"
    options = ["--no-deps", "--quiet", "--target", site, wheel]
    run(["-m", "pip", "install", *map(str, options)], tmp_path)
    program = (
        "import cant_stop_env, azul_env, icecool_env, benchmarks.cli;"
        "assert 'site' in cant_stop_env.__file__;"
        "from cant_stop_env import cant_stop_v0;"
        "env = cant_stop_v0.env(render_mode='rgb_array'); env.reset(seed=0);"
        "print(env.agent_selection, env.render().shape)"
    )
    found = run(["-c", program], tmp_path, PYTHONPATH=str(site), HOME=str(tmp_path))
    assert found.startswith("player_")
    assert found.endswith("(508, 600, 3)\n")
    entry_points = next(site.glob("*.dist-info/entry_points.txt")).read_text()
    assert "tabletop = benchmarks.cli:main" in entry_points

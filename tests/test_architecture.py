"""The shape of the code: who may import whom, and what every part has."""

import ast
import functools
import graphlib
import io
import tokenize
from pathlib import Path

import pytest

from game_core.catalog import GAMES, game_packages
from tests.games import REPOSITORY, run_python

ENV_PACKAGES = sorted(game_packages())
PACKAGES = ["game_core", *ENV_PACKAGES, "baselines", "benchmarks"]

MAX_LINES = 60
MAX_ARGUMENTS = 6

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)


@functools.cache
def modules(package: str) -> dict[str, ast.Module]:
    """Return the modules of a package: dotted name -> syntax tree."""
    found = {}
    for file in sorted((REPOSITORY / package).rglob("*.py")):
        parts = file.relative_to(REPOSITORY).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        found[name] = ast.parse(file.read_text(encoding="utf-8"))
    assert found, f"{package} has no modules"
    return found


@functools.cache
def imports(name: str, tree: ast.Module) -> frozenset[str]:
    """Return all modules that a module may import, and names it takes from them."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} has a relative import"
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(found)


def is_in(module: str, packages) -> bool:
    """Tell whether a module or name belongs to one of the packages or modules."""
    return any(module == one or module.startswith(f"{one}.") for one in packages)


def offending_imports(package: str, forbidden) -> list[str]:
    """Return the imports in a package that lead into forbidden packages."""
    return [
        f"{name} imports {target}"
        for name, tree in modules(package).items()
        for target in sorted(imports(name, tree))
        if is_in(target, forbidden)
    ]


@functools.cache
def arrows() -> dict[str, set[str]]:
    """Return which of our modules each of them imports, for whatever reason."""
    trees = {
        name: tree for package in PACKAGES for name, tree in modules(package).items()
    }

    def owner(target: str) -> str:
        while target and target not in trees:
            target = target.rpartition(".")[0]
        return target

    return {
        name: {owner(target) for target in imports(name, tree)} - {"", name}
        for name, tree in trees.items()
    }


def room(module: str) -> str:
    """Return the folder that a module is in, or itself where it is in none."""
    top = ".".join(module.split(".")[:2])
    return top if (REPOSITORY / top.replace(".", "/")).is_dir() else module


def test_no_module_is_in_a_circle_of_imports():
    """Not even by an import within a function, or one for types alone."""
    graphlib.TopologicalSorter(arrows()).prepare()  # or CycleError, with the circle


def test_arrows_between_rooms_go_one_way():
    between: dict[str, set[str]] = {}
    for name, targets in arrows().items():
        rooms = {room(target) for target in targets} - {room(name)}
        between.setdefault(room(name), set()).update(rooms)
    assert "game_core.compiled" in between["game_core.agents"]
    graphlib.TopologicalSorter(between).prepare()


def test_imports_are_seen_wherever_they_stand():
    """Else the tests below would hold for any code."""
    tree = ast.parse("import a.b\ndef f():\n    from c.d import e as g\n")
    assert imports("x", tree) == {"a.b", "c.d.e"}
    assert is_in("c.d.e", ["c.d"])
    assert not is_in("c.de", ["c.d"])
    assert offending_imports("cant_stop_env", ["game_core.compiled.rng"])


PARTS_OF_RULES = tuple(
    f"icecool_env.{file}" for file in ("cards", "geometry", "school", "spots")
)
"""What the rules of ICECOOL are made of beside ``rules.py``; none knows physics."""


@pytest.mark.parametrize("package", ENV_PACKAGES)
def test_rules_import_only_state_compiler_and_random_stream(package):
    name = f"{package}.rules"
    allowed = [
        f"{package}.state",
        "game_core.compiled.jit",
        "game_core.compiled.payoffs",
        "game_core.compiled.rng",
        *PARTS_OF_RULES,
    ]
    allowed += ["math", "numpy", "typing"]
    targets = imports(name, modules(package)[name])
    assert [t for t in sorted(targets) if not is_in(t, allowed)] == []


def test_parts_of_rules_know_no_physics_and_not_the_whole():
    above = [f"icecool_env.{room}" for room in ("physics", "rules", "turn", "game")]
    for name in PARTS_OF_RULES:
        targets = imports(name, modules("icecool_env")[name])
        assert [t for t in sorted(targets) if is_in(t, above)] == []


def test_only_worlds_of_icecool_know_pymunk():
    found = {text.partition(" ")[0] for text in offending("pymunk")}
    assert found == {"icecool_env.physics.pymunk_world"}  # munk2d takes its C library


def test_only_training_knows_torch():
    for package in ("torch", "stable_baselines3", "sb3_contrib"):
        found = {text.partition(" ")[0] for text in offending(package)}
        outside = {n for n in found if not is_in(n, ["baselines.training"])}
        assert found
        assert outside == set()


def offending(target: str) -> list[str]:
    """Return the imports of a package anywhere in ours."""
    return [
        text for package in PACKAGES for text in offending_imports(package, [target])
    ]


@pytest.mark.parametrize("package", ENV_PACKAGES)
def test_the_record_imports_no_rules(package):
    name = f"{package}.state"
    targets = imports(name, modules(package)[name])
    assert [t for t in sorted(targets) if is_in(t, [package])] == []


def test_the_core_names_games_only_as_strings():
    above = [*ENV_PACKAGES, "baselines", "benchmarks", "tests"]
    assert offending_imports("game_core", above) == []


@pytest.mark.parametrize("package", ENV_PACKAGES)
def test_no_game_imports_another_or_what_is_built_on_it(package):
    others = {*ENV_PACKAGES, "baselines", "benchmarks", "tests"} - {package}
    assert offending_imports(package, others) == []


def test_baselines_import_no_benchmarks():
    assert offending_imports("baselines", ["benchmarks", "tests"]) == []


def test_benchmarks_import_no_tests():
    assert offending_imports("benchmarks", ["tests"]) == []


@pytest.mark.parametrize("package", [*ENV_PACKAGES, "game_core"])
def test_importing_an_environment_loads_nothing_heavy(package):
    heavy = [
        "torch",
        "stable_baselines3",
        "sb3_contrib",
        "pymunk",
        "matplotlib",
        "rich",
        "tyro",
        "pygame",
        "pylunasvg",
        "PIL",
        "baselines",
        "benchmarks",
    ]
    code = f"""
import sys
import {package}
print([name for name in {heavy!r} if name in sys.modules])
"""
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def public_definitions(tree: ast.Module):
    """Yield public functions, classes and methods with their qualified names."""
    stack = [("", node) for node in tree.body]
    while stack:
        prefix, node = stack.pop()
        if isinstance(node, DEFINITIONS) and not node.name.startswith("_"):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                stack.extend((f"{prefix}{node.name}.", child) for child in node.body)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_and_all_that_is_public_is_documented(package):
    undocumented = []
    for module, tree in modules(package).items():
        if not ast.get_docstring(tree):
            undocumented.append(module)
        undocumented += [
            f"{module}.{name}"
            for name, node in public_definitions(tree)
            if not ast.get_docstring(node)
        ]
    assert undocumented == []


def exported(tree: ast.Module) -> list[str] | None:
    """Return ``__all__`` of a module, or None if it has none."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return ast.literal_eval(node.value)
    return None


def is_private(module: str) -> bool:
    return any(part.startswith("_") for part in module.split("."))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_module_says_what_is_public(package):
    without = [
        name
        for name, tree in modules(package).items()
        if not is_private(name) and exported(tree) is None
        if next(public_definitions(tree), None) is not None
    ]
    assert without == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_package_takes_what_another_does_not_offer(package):
    trees = {name: tree for one in PACKAGES for name, tree in modules(one).items()}
    taken = []
    for name, tree in modules(package).items():
        for target in imports(name, tree):
            home, _, thing = target.rpartition(".")
            offered = exported(trees[home]) if home in trees else None
            kept_back = offered is not None and thing not in offered
            if target.split(".")[0] != package and is_private(target):
                kept_back |= target.split(".")[0] in PACKAGES
            if kept_back and target not in trees:
                taken.append(f"{name} takes {target}")
    assert taken == []


def lines_of(node: ast.stmt) -> range:
    """Return the numbers of the lines that a statement takes."""
    assert node.end_lineno is not None
    return range(node.lineno, node.end_lineno + 1)


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_are_short_and_take_few_arguments(package):
    offenders = []
    for module, tree in modules(package).items():
        for node in ast.walk(tree):
            if not isinstance(node, FUNCTIONS):
                continue
            lines = len(lines_of(node))
            taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            count = sum(argument.arg not in ("self", "cls") for argument in taken)
            if lines > MAX_LINES:
                offenders.append(f"{module}.{node.name} has {lines} lines")
            if count > MAX_ARGUMENTS:
                offenders.append(f"{module}.{node.name} takes {count} arguments")
    assert offenders == []


def unnamed_arrays(tree: ast.Module) -> list[int]:
    """Return lines of functions that make an array and at once take an entry of it."""
    functions = [node for node in tree.body if isinstance(node, FUNCTIONS)]
    return [
        node.lineno
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) in ("np.zeros", "np.empty", "np.ones")
    ]


def test_no_record_outlives_its_array():
    """Compiled code frees an array after its last mention, records of it or not."""
    assert unnamed_arrays(ast.parse("def f():\n    a = np.zeros(1, KIND)[0]"))
    assert not unnamed_arrays(ast.parse("def f():\n    b = np.zeros(1)\n    a = b[0]"))
    found = [
        f"{name}, line {line}"
        for package in [*ENV_PACKAGES, "game_core", "baselines"]
        for name, tree in modules(package).items()
        for line in unnamed_arrays(tree)
    ]
    assert found == []


def record_fields(file: Path) -> dict[str, bool]:
    """Return the fields of the record in a file: name -> has a comment in its line."""
    text = file.read_text(encoding="utf-8")
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    commented = {t.start[0] for t in tokens if t.type == tokenize.COMMENT}
    fields = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call):
            assert ast.unparse(node.value.func) == "field"
            fields[ast.unparse(node.target)] = not commented.isdisjoint(lines_of(node))
    return fields


@pytest.mark.parametrize("package", ENV_PACKAGES)
def test_every_field_of_the_record_has_a_comment(package):
    fields = record_fields(REPOSITORY / package / "state.py")
    fields |= record_fields(REPOSITORY / "game_core" / "compiled" / "record.py")
    state = __import__(f"{package}.state", fromlist=["STATE"]).STATE
    names = [name for name in state.names if not name.startswith("_gap_")]
    assert set(names) <= set(fields)
    assert [name for name in names if not fields[name]] == []


def test_each_game_has_its_rooms():
    for package in ENV_PACKAGES:
        names = set(modules(package))
        rooms = ("state", "rules", "observe", "text", "draw", "game")
        assert {f"{package}.{room}" for room in rooms} <= names
    assert {target.partition(":")[2] for target in GAMES.values()} == {"make_game"}

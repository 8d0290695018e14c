"""Imports have one direction: stages import the model and shared modules, never each other. A name
in the code has one meaning."""

import ast
import importlib
import importlib.util
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "generator"
STAGES = ("load", "validate", "render", "impose", "export", "preflight")
# Other code imports these packages through their `__init__` only, never a module inside.
CLOSED = (*STAGES, "build", "edits", "sandbox", "text", "tracks", "outlets", "importing", "cli")


@pytest.fixture(autouse=True, scope="module")
def _trees_are_let_go() -> Iterator[None]:
    """Free the parsed files: they are large, and a large process takes long to copy."""
    yield
    tree.cache_clear()
    text.cache_clear()


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(text(path))


@cache
def parts(path: Path) -> set[str]:
    """Return the stages and modules of the package that a file imports from."""
    split = (name.split(".") for name in imported(path))
    return {name[1] for name in split if name[0] == "generator" and len(name) > 1}


@cache
def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in statements(tree(path)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                below = path.parent.relative_to(PACKAGE).parts if PACKAGE in path.parents else ()
                near = ("generator", *below)[: len(below) + 2 - node.level]
                module = ".".join((*near, module)).rstrip(".")
            names.add(module)
            names.update(f"{module}.{alias.name}" for alias in node.names)
    return names


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements of a tree, without their expressions."""
    for below in ast.iter_child_nodes(node):
        if isinstance(below, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield below
            yield from statements(below)


def dotted(node: ast.expr) -> str:
    """Return a name with its attributes as written; another expression is a question mark."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"


def uses(path: Path, part: str) -> bool:
    return part in parts(path)


def test_no_floor_of_the_house_imports_from_one_above() -> None:
    spec = importlib.util.spec_from_file_location("house", PACKAGE.parent / "docs/house.py")
    assert spec
    assert spec.loader
    house = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(house)
    rooms = {
        path: house.room_of(path.relative_to(PACKAGE).with_suffix("").parts[0])
        for path in PACKAGE.rglob("*.py")
    }
    doors = {(room, house.room_of(part)) for path, room in rooms.items() for part in parts(path)}
    doors = {(here, there) for here, there in doors if here != there}
    assert len(doors) > 20
    assert list(house.upwards(doors)) == []
    assert list(house.upwards({("text", "render"), ("load", "render")})) == [
        "load imports from render, which is no floor below it",
        "text imports from render, which is no floor below it",
    ]


def taken_past_the_init(path: Path, package: str) -> list[str]:
    """Return the names that a file takes from a package past its `__init__`. These are modules or
    their contents, and names that it does not offer. They count when imported, read as an attribute
    or named in the string of a late import."""
    own = f"generator.{package}."
    given = set(importlib.import_module(f"generator.{package}").__all__)
    taken = {name.removeprefix(own) for name in imported(path) if name.startswith(own)}
    nodes = list(ast.walk(tree(path)))
    of_all = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    bound = any(n.module == "generator" and package in [a.name for a in n.names] for n in of_all)
    called = {own[:-1], package if bound else ""}
    for node in nodes:
        if isinstance(node, ast.Attribute) and dotted(node.value) in called:
            taken.add(node.attr)
        elif isinstance(node, ast.Constant) and str(node.value).startswith(own):
            taken.add(str(node.value).removeprefix(own))
    return sorted(taken - given)


@pytest.mark.parametrize("package", CLOSED)
def test_of_a_package_others_import_what_its_init_gives(package: str) -> None:
    offenders = [
        (str(path.relative_to(PACKAGE.parent)), name)
        for folder in (PACKAGE, PACKAGE.parent / "games")
        for path in sorted(folder.rglob("*.py"))
        if PACKAGE / package not in path.parents and "tests" not in path.parts
        if uses(path, package) or f"generator.{package}." in text(path)
        for name in taken_past_the_init(path, package)
    ]
    assert offenders == []


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("from generator.render import Deck", []),
        ("from generator import render\nrender.Deck", []),
        ("from generator.render import renderer", ["renderer"]),
        ("from generator.render.renderer import Renderer", ["renderer", "renderer.Renderer"]),
        ("import generator.render.renderer", ["renderer"]),
        (
            "def later():\n    from generator.render.dependencies import Tracker",
            ["dependencies", "dependencies.Tracker"],
        ),
        ("from .render.dependencies import Tracker", ["dependencies", "dependencies.Tracker"]),
        ("from .render import dependencies", ["dependencies"]),
        ("from generator.render import Tracker", ["Tracker"]),
        ("from generator import render\nrender.dependencies", ["dependencies"]),
        ("import generator.render\ngenerator.render.dependencies", ["dependencies"]),
        ("import_module('generator.render.dependencies')", ["dependencies"]),
    ],
)
def test_what_is_taken_past_an_init_is_found(tmp_path: Path, line: str, taken: list[str]) -> None:
    path = tmp_path / "module.py"
    path.write_text(line, encoding="utf-8")
    assert taken_past_the_init(path, "render") == taken


@pytest.mark.parametrize("package", ["cli", "export", "outlets", "preflight", "tracks"])
def test_what_an_init_gives_on_first_use_is_there(package: str) -> None:
    offered = importlib.import_module(f"generator.{package}")
    assert [name for name in offered.__all__ if not hasattr(offered, name)] == []


def standing_twice(folders: Iterable[Path]) -> dict[str, list[str]]:
    """Return the public functions, classes, modules and packages whose name occurs twice or more in
    these folders, with their places."""
    places: dict[str, set[str]] = {}
    for folder in folders:
        for path in folder.rglob("*.py"):
            is_package = path.name == "__init__.py"
            where = str(path.relative_to(folder.parent))
            names = [path.parent.name if is_package else path.stem, *own_names(path)]
            for kind, name in enumerate(names):
                key = f"{name}()" if kind else name
                if not name.startswith("_"):
                    places.setdefault(key, set()).add(where)
    return {name: sorted(found) for name, found in sorted(places.items()) if len(found) > 1}


def own_names(path: Path) -> list[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [node.name for node in tree(path).body if isinstance(node, kinds)]


def test_one_word_means_one_thing() -> None:
    """No name is defined twice: functions that do the same are shared, and others have other
    names."""
    games = sorted((PACKAGE.parent / "games").glob("*/gridpress_*"))
    assert games
    assert standing_twice([PACKAGE, *games]) == {}


def test_a_word_for_two_things_is_found(tmp_path: Path) -> None:
    for path, written in {
        "core/__init__.py": "def _own(): ...",
        "core/marks.py": "def shown(): ...\nclass Mark:\n    def text(self): ...",
        "core/text/__init__.py": "from core.marks import shown",
        "core/text/fit.py": "def _own(): ...\ndef text(): ...",
        "game/marks.py": "async def shown(): ...",
        "game/fit.py": "",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(written, encoding="utf-8")
    assert standing_twice([tmp_path / "core", tmp_path / "game"]) == {
        "fit": ["core/text/fit.py", "game/fit.py"],
        "marks": ["core/marks.py", "game/marks.py"],
        "shown()": ["core/marks.py", "game/marks.py"],
    }


def test_only_the_command_line_prints_or_exits() -> None:
    offenders = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] in ("cli", "guard.py", "limits.py", "__main__.py"):
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call):
                called = dotted(node.func)
                if called in ("print", "exit", "quit", "sys.exit", "os._exit", "click.echo"):
                    offenders.append((path.name, node.lineno, called))
    assert offenders == []


def test_nothing_but_pull_connects_to_a_network() -> None:
    """Only `fetching` does, and only the command `pull` calls it."""
    ways_out = {"ftplib", "http", "imaplib", "requests", "smtplib", "socket", "ssl", "urllib"}
    offenders = [
        (path.name, name)
        for path in sorted(PACKAGE.rglob("*.py"))
        for name in sorted(imported(path))
        if name.partition(".")[0] in ways_out and path != PACKAGE / "fetching.py"
    ]
    assert offenders == []
    callers = [path for path in sorted(PACKAGE.rglob("*.py")) if uses(path, "fetching")]
    assert callers == [PACKAGE / "cli/pull_command.py"]


def test_modules_that_the_page_on_the_architecture_names_are_there() -> None:
    page = (PACKAGE.parent / "docs/architecture.md").read_text("utf-8")
    named = set(re.findall(r"`(\w[\w/]*(?:\.py|\.md|/))`", page))
    assert len(named) > 30
    roots = (PACKAGE.parent, PACKAGE, *(PACKAGE / p for p in ("render", "preflight", "studio")))
    assert [name for name in named if not any((root / name).exists() for root in roots)] == []

"""Holds the direction of imports: stages import the model and shared modules, never each other."""

import ast
import importlib
import importlib.util
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "generator"
STAGES = ("load", "validate", "render", "impose", "export", "preflight")
# Of these packages other code imports what their `__init__` gives, and no module.
CLOSED = ("load", "sandbox", "text", "tracks", "validate", "export", "preflight", "outlets")
ABOVE = (
    "standing",
    "print_runs",
    "prepress",
    "press",
    "gallery",
    "outlets",
    "session",
    "cli",
    "guard",
)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def parts(path: Path) -> set[str]:
    """The stages and modules of the package that a file imports something of."""
    split = (name.split(".") for name in imported(path))
    return {name[1] for name in split if name[0] == "generator" and len(name) > 1}


@cache
def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def uses(path: Path, part: str) -> bool:
    return part in parts(path)


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_imports_no_other_stage(stage: str) -> None:
    files = sorted((PACKAGE / stage).rglob("*.py"))
    assert files
    others = [other for other in (*STAGES, *ABOVE) if other != stage]
    assert [(f.name, other) for f in files for other in others if uses(f, other)] == []


def test_shared_modules_and_the_model_import_no_stage() -> None:
    shared = [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        not in (*STAGES, *ABOVE, "__main__")
    ]
    assert len(shared) > 10
    assert [(f.name, s) for f in shared for s in (*STAGES, *ABOVE) if uses(f, s)] == []


def test_no_floor_of_the_house_imports_from_one_above() -> None:
    spec = importlib.util.spec_from_file_location("house", PACKAGE.parent / "docs/house.py")
    assert spec
    assert spec.loader
    house = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(house)
    _, doors = house.surveyed()
    assert len(doors) > 20
    assert list(house.upwards(doors)) == []
    assert list(house.upwards({("text", "render"), ("load", "render")})) == [
        "load imports from render, which is no floor below it",
        "text imports from render, which is no floor below it",
    ]


@pytest.mark.parametrize("package", CLOSED)
def test_of_a_package_others_import_what_its_init_gives(package: str) -> None:
    modules = {path.stem for path in (PACKAGE / package).glob("*.py")}
    own = f"generator.{package}."
    offenders = [
        (str(path.relative_to(PACKAGE.parent)), name)
        for folder in (PACKAGE, PACKAGE.parent / "games")
        for path in sorted(folder.rglob("*.py"))
        if PACKAGE / package not in path.parents and "tests" not in path.parts
        for name in sorted(imported(path))
        if name.startswith(own) and name.removeprefix(own).partition(".")[0] in modules
    ]
    assert modules > {"__init__"}
    assert offenders == []


@pytest.mark.parametrize("package", ["export", "preflight", "tracks"])
def test_what_an_init_gives_on_first_use_is_there(package: str) -> None:
    offered = importlib.import_module(f"generator.{package}")
    assert [name for name in offered.__all__ if not hasattr(offered, name)] == []


def test_only_the_command_line_prints_or_exits() -> None:
    offenders = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] in ("cli", "guard.py", "__main__.py"):
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                if called in ("print", "exit", "quit", "sys.exit", "os._exit", "click.echo"):
                    offenders.append((path.name, node.lineno, called))
    assert offenders == []


def test_nothing_connects_to_a_network() -> None:
    ways_out = {"ftplib", "http", "imaplib", "requests", "smtplib", "socket", "ssl", "urllib"}
    offenders = [
        (path.name, name)
        for path in sorted(PACKAGE.rglob("*.py"))
        for name in sorted(imported(path))
        if name.partition(".")[0] in ways_out
    ]
    assert offenders == []


def test_no_module_is_longer_than_five_hundred_lines() -> None:
    long = {
        str(path.relative_to(PACKAGE)): lines
        for path in sorted(PACKAGE.rglob("*.py"))
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 500
    }
    assert long == {}


def test_the_page_on_the_architecture_names_every_module_and_folder() -> None:
    page = (PACKAGE.parent / "docs/architecture.md").read_text("utf-8")
    hidden = ("_", "py.typed")
    entries = [path for path in PACKAGE.iterdir() if not path.name.startswith(hidden)]
    names = [path.name if path.is_file() else f"{path.name}/" for path in entries]
    assert [name for name in names if name not in page] == []

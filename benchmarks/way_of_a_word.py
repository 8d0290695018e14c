"""List the modules that a card's title passes through, from YAML to PDF, and those of a text that
does not fit, from YAML to the screen.

    python benchmarks/way_of_a_word.py [--calls]

A function counts if its arguments or its result hold the word: as text, or in a value at most three
levels deep. `--calls` lists the functions, with how often each was called. Other processes, which
draw art, do not count.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any

from generator import cli

ROOT = Path(cli.__file__).parent.parent
WORD = "Quillwhistle"
DEEP, WIDE = 3, 40
CONTENT = "render/painting"
TOO_LONG = " ".join([WORD, *["and all her very many sisters"] * 30])

FILES = {
    "cards/way/pack.yaml": """\
title: The way
version: 1.0.0
prints:
  cards: {kinds: [card], papers: [a4], backs: none}
""",
    "cards/way/kinds/card.yaml": """\
kind: card
title: Card
stock: poker
faces: {front: card.svg.j2}
fields:
  name: {type: text}
""",
    "cards/way/cards.yaml": """\
kind: card
components:
  - {id: one, name: NAME}
""",
    "templates/way/styles.yaml": """\
fonts: {body: Noto Sans}
colours: {ink: "#102030"}
styles:
  title: {font: body, size: 12pt, colour: ink}
""",
    "templates/way/card.svg.j2": """\
<rect x="-9" y="-9" width="99" height="199" fill="#eeddcc"/>
{{ text_box(c.name, x=6, y=10, w=stock.w - 12, h=12, style="title") }}
""",
}


def main(words: list[str]) -> int:
    for what, name, status in (
        ("A title, from YAML to the PDF", WORD, 0),
        ("A text that does not fit, from YAML to the screen", TOO_LONG, 1),
    ):
        way, ended, said = followed(name)
        if ended != status:
            sys.stderr.write(said)
            return 1
        modules = list(dict.fromkeys(module for module, _ in way))
        print(f"{what}: {len(modules)} modules, {len(way)} functions, {way.total()} calls")
        if status == 0:
            written = modules.index(CONTENT) + 1
            rest = len(modules) - written
            print(f"  {written} to the content stream, {rest} to lay it out and write it")
        for module in modules:
            names = [(name, calls) for (where, name), calls in way.items() if where == module]
            told = ", ".join(f"{name} × {calls}" for name, calls in names)
            print(f"  {module}" + (f": {told}" if "--calls" in words else ""))
    return 0


def followed(name: str) -> tuple[Counter[tuple[str, str]], int, str]:
    """Build a pack of one card. Return the calls with its name, the exit status and the output."""
    way: Counter[tuple[str, str]] = Counter()
    said = StringIO()
    with tempfile.TemporaryDirectory() as folder:
        for path, text in FILES.items():
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text.replace("NAME", name), encoding="utf-8")
        command = ["build", folder, "--jobs", "1", "--no-cache", "-o", str(Path(folder, "out"))]
        with redirect_stdout(said), redirect_stderr(said), listening(way):
            status = cli.run(command)
    return way, status, said.getvalue()


@contextmanager
def listening(way: Counter[tuple[str, str]]) -> Iterator[None]:
    """Count the calls with the word while the block runs."""
    inside: set[FrameType] = set()

    def heard(frame: FrameType, event: str, given: Any) -> None:
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(str(ROOT)):
            return
        key = (module_of(code.co_filename), code.co_qualname)
        if event == "call":
            arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            if any(holds(frame.f_locals.get(argument)) for argument in arguments):
                inside.add(frame)
                way[key] += 1
        elif frame in inside:
            inside.discard(frame)
        elif holds(given):
            way[key] += 1

    sys.setprofile(heard)
    try:
        yield
    finally:
        sys.setprofile(None)


def module_of(file: str) -> str:
    return Path(file).relative_to(ROOT).with_suffix("").as_posix()


def holds(value: Any, deep: int = DEEP) -> bool:
    """Tell whether the word is in a value."""
    if isinstance(value, str):
        return WORD in value
    if isinstance(value, bytes):
        return WORD.encode() in value
    if deep == 0 or isinstance(value, (type, int, float, Callable)):  # type: ignore[arg-type]
        return False
    return any(holds(part, deep - 1) for part in parts(value))


def parts(value: Any) -> Iterator[Any]:
    """Yield the first parts of a value."""
    if isinstance(value, Mapping):
        if type(value) is dict:
            yield from list(value.values())[:WIDE]
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield from list(value)[:WIDE]
    elif type(value).__module__.startswith("generator"):
        names = {*getattr(type(value), "__slots__", ()), *getattr(value, "__dict__", ())}
        for name in sorted(names)[:WIDE]:
            if not isinstance(getattr(type(value), name, None), property):
                yield getattr(value, name, None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

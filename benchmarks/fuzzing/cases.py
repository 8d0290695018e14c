"""Hypothesis strategies for what is tried: a broken project and a command to run in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, Final

from hypothesis import strategies as st

from fuzzing import binaries
from fuzzing.edits import broken_file, words
from fuzzing.projects import Entry, Link, Project, Special, project

Command = tuple[str, ...]
Breaks = Callable[[bytes], st.SearchStrategy[bytes]]


@dataclass(frozen=True, slots=True)
class Case:
    """A project, the command to run in its folder, and which files were changed."""

    kind: str
    project: Project
    command: Command
    changed: tuple[str, ...]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Tell Hypothesis not to show whole projects."""
        printer.text(f"Case({self.kind}, {self.command}, {self.changed})")


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to break a project: its files, the strategy, the commands to try, and a weight."""

    base: str
    files: tuple[str, ...]
    breaks: Breaks
    commands: tuple[Command, ...]
    weight: int = 4


def _commands(*lines: str) -> tuple[Command, ...]:
    return tuple(tuple(line.split()) for line in lines)


_CHECK: Final = _commands(
    *("check . --jobs 1",) * 6,
    *("check . --format json",) * 2,
    *("check . --strict --jobs 2", "list .", "list . --players 3", "schema . -o output"),
)
_PRINT: Final = _commands(
    "build . --jobs 1",
    "build . --only ember --ink mono",
    "build . --paper leaf --backs gutterfold --ink low --players 2",
    "preview . --dpi 72",
    "preview . --only c* --locale de --dpi 50",
)
_BOTH: Final = (*_CHECK * 2, *_PRINT)
_LOCALE: Final = _commands(
    "preview . --locale de --only ember --dpi 40",
    "check .",
    "build . --locale de --only ember --paper leaf",
)
_TRACK: Final = _commands(
    *("track show ./oval", "check ."),
    *("track show ./oval -o output/t.svg", "track show ./oval -o output/t.png"),
    *("track shorten ./oval --most 2", "track solve --tiles . --limit 1 --length 12"),
)
_RING: Final = _commands(
    *("track show ./ring", "track shorten ./ring", "check ."),
    *("track show ./ring -o output/t.svg", "track solve --tiles . --limit 2 --format json"),
)
_VEHICLE: Final = _commands(
    *("vehicle check .", "vehicle check ./basic --format json", "check ."),
    *("vehicle show ./basic --track oval", "new vehicle chariot-dash/comet --from basic"),
)
_NEW: Final = _commands(
    *("new token pearl", "new kind score-token", "new pack other", "schema ."),
    *("new token pearl --from coin", "new kind card"),
)
_EXPORT: Final = _commands(
    *("export . --for images --dpi 50", "export . --for images --dpi 40 --transparent"),
    *(
        f"export . --for {name} --jobs 1"
        for name in "svg tts corner mill pcio ttpg tabletopia press cutter pnp".split()
    ),
    *("export . --for tgc --only [cg]*", "export . --for printninja --only [cg]*"),
)
_IMPORT: Final = _commands(
    *("import sheet.csv", "import sheet.csv --kind token", "import book.xlsx"),
    "import book.xlsx --sheet Sheet --pack other",
)
_ARCHIVE: Final = _commands(
    *("check game.zip", "check game.zip --format json"),
    "build game.zip --only ember --paper leaf",
)
_PREFLIGHT: Final = _commands(
    *("preflight FILE", "preflight FILE --format json", "preflight FILE --report output/report"),
    *("preflight FILE --profile own", "preflight FILE --profile home", "preflight FILE"),
    *(f"preflight FILE --profile {name}" for name in ("drivethru", "mpc", "press-eu")),
)
_CALIBRATE: Final = _commands(
    *("calibrate --picture cards/mini/art/field.png", "calibrate . --back 1,0,nan", "calibrate"),
    *("calibrate --front 0.5,-0.25 --printer ../x", "calibrate --front 0,0 --paper leaf"),
)


def _text(form: str) -> Breaks:
    return partial(broken_file, form=form)


def _as_it_is(content: bytes) -> st.SearchStrategy[bytes]:
    return st.just(content)


def _by_content(content: bytes) -> st.SearchStrategy[bytes]:
    """Break a file by what it is."""
    for start, breaks in (
        (b"%PDF", binaries.broken_pdf),
        (b"PK", binaries.broken_workbook),
        (b"{", _text("json")),
        (b"Card Name", _text("table")),
        (b"\x89PNG", binaries.broken_picture),
    ):
        if content.startswith(start):
            return breaks(content)
    return broken_file(content, "yaml")


KINDS: Final[Mapping[str, Kind]] = {
    "components": Kind("mini", ("cards/mini/*s.yaml",), _text("yaml"), _BOTH, 8),
    "pack": Kind("mini", ("cards/mini/pack.yaml",), _text("formula"), _BOTH, 5),
    "kind": Kind("mini", ("cards/mini/kinds/*.yaml",), _text("formula"), _BOTH, 8),
    "template": Kind("mini", ("templates/mini/*.j2",), _text("template"), _BOTH, 10),
    "face": Kind("scrap", ("templates/*.j2",), _text("template"), _CHECK[:1], 2),
    "svg": Kind("mini", ("templates/mini/*.j2",), _text("svg"), (*_CHECK, *_PRINT), 5),
    "art": Kind("mini", ("templates/mini/*/*.svg",), _text("svg"), _BOTH, 6),
    "style": Kind("mini", ("templates/mini/styles.yaml",), _text("yaml"), _BOTH),
    "locale": Kind("mini", ("cards/mini/locales/*.yaml",), _text("yaml"), _LOCALE, 2),
    "shared": Kind("mini", ("cards/shared/*.yaml", "printer.yaml"), _text("yaml"), _BOTH, 8),
    "table": Kind("mini", ("cards/mini/*.csv",), _text("table"), _CHECK),
    "workbook": Kind("mini", ("cards/mini/more.xlsx",), binaries.broken_workbook, _CHECK),
    "picture": Kind("mini", ("cards/mini/art/*",), binaries.broken_picture, _BOTH, 5),
    "font": Kind("mini", ("fonts/own/own.ttf",), binaries.broken_font, _BOTH, 6),
    "ring": Kind(
        "mini", ("cards/mini/rings.yaml", "cards/mini/*segment*.yaml"), _text("formula"), _RING, 3
    ),
    "track": Kind("race", ("cards/*/track*.yaml",), _text("yaml"), _TRACK, 3),
    "vehicle": Kind("race", ("cards/*/*s.yaml",), _text("yaml"), _VEHICLE, 5),
    "outlet": Kind(
        "mini",
        ("cards/mini/pack.yaml", "cards/shared/shops.yaml", "cards/mini/[ct]*s.yaml"),
        _text("yaml"),
        _EXPORT,
        8,
    ),
    "import": Kind("sheets", ("sheet.csv", "book.xlsx"), _by_content, _IMPORT, 8),
    "zip": Kind("archive", ("game.zip",), binaries.broken_archive, _ARCHIVE),
    "new": Kind("mini", ("cards/mini/starters/*", "cards/mini/pack.yaml"), _text("yaml"), _NEW, 5),
    "printed": Kind("printed", ("*",), _by_content, _PREFLIGHT, 10),
    "calibrate": Kind("mini", ("printer.yaml", "*/field.png"), _by_content, _CALIBRATE, 3),
    "tree": Kind("mini", ("*",), _as_it_is, _BOTH, 5),
    "requires": Kind("mini", ("cards/mini/pack.yaml",), _as_it_is, _CHECK, 2),
    "words": Kind("mini", ("cards/mini/pack.yaml",), _as_it_is, _BOTH, 5),
}


@st.composite
def cases(draw: st.DrawFn, name: str) -> Case:
    """Draw a case of a kind."""
    kind = KINDS[name]
    files: dict[str, Entry] = {**project(kind.base)}
    known = sorted(p for p in files if any(fnmatchcase(p, pattern) for pattern in kind.files))
    changed = draw(st.lists(st.sampled_from(known), min_size=1, max_size=2, unique=True))
    command = draw(st.sampled_from(kind.commands))
    if "FILE" in command:
        pdf = draw(st.sampled_from([path for path in known if path.endswith(".pdf")]))
        files = {path: files[path] for path in files if not path.endswith(".pdf") or path == pdf}
        changed = [path for path in changed if path in files] or [pdf]
        command = tuple(pdf if word == "FILE" else word for word in command)
    for path in changed:
        content = files[path]
        assert isinstance(content, bytes)
        files[path] = draw(kind.breaks(content))
    if name == "tree":
        changed = [_break_folder(draw, files) for _ in range(draw(st.integers(1, 3)))]
    if name == "requires":
        changed = _require_each_other(draw, files)
    if name == "words":
        command = _broken_command(draw, command)
    return Case(name, files, command, tuple(changed))


_NAMES: Final = (
    *("a" * 255, "a" * 200 + ".yaml", "\udcff.yaml", "\x1b[31mred.yaml", "new\nline.yaml"),
    *("\u202egnp.yaml", " .yaml", "-rf.yaml", "..yaml", "con.yaml", "e\u0301.yaml", "%s.yaml"),
    *("{{ x }}.yaml", "a:b.yaml", "a\\b.yaml", "*.yaml", ".hidden.yaml", "x.YAML", "x.yml"),
    *("json.py", "struct.py", "click.py", "d/" * 60 + "deep.yaml", "d/" * 400 + "deep.yaml"),
)
_TARGETS: Final = (
    *("/", "/etc", "/etc/passwd", "/dev/zero", "/dev/null", "/proc/self/mem", ".", "..", "self"),
    *("../canary", "../../canary", "../../../canary", "nosuch", "../cards", "../../.."),
    *("../canary/secret.yaml", "../../canary/secret.yaml", "../../../canary/secret.png"),
)
_PLACES: Final = (
    *("output", "output/mini", "output/mini/manifest.json", "output/mini/preview", "fonts"),
    *("fonts/own", "fonts/more.ttf", "templates", "templates/mini", "templates/mini/icons"),
    *("templates/shared", "cards", "cards/mini", "cards/mini/kinds", "cards/mini/art"),
    *("cards/mini/locales", "cards/shared", "cards/other", "cards/mini/starters"),
)


def _break_folder(draw: st.DrawFn, files: dict[str, Entry]) -> str:
    """Put a link, a special file or an odd name into a project, or take a file away."""
    place = draw(st.sampled_from((*_PLACES, *sorted(files))))
    match draw(st.integers(0, 5)):
        case 0 | 1:
            _put(files, place, Link(draw(st.sampled_from(_TARGETS))))
        case 2:
            _put(files, place, Special(draw(st.sampled_from(("fifo", "socket", "folder")))))
        case 3:
            files.pop(place, None)
        case _:
            folder = place.rpartition("/")[0] or "cards/mini"
            place = f"{folder}/{draw(st.sampled_from(_NAMES))}"
            trap = b"open('trapped', 'w').close()\n"
            _put(files, place, trap if place.endswith(".py") else b"kind: card\n")
    return place


def _put(files: dict[str, Entry], place: str, entry: Entry) -> None:
    """Put an entry in the place of a file, or of a folder with all that is in it."""
    parts = place.split("/")
    outer = {"/".join(parts[:size]) for size in range(1, len(parts))}
    for path in list(files):
        if path == place or path.startswith(f"{place}/") or path in outer:
            del files[path]
    files[place] = entry


def _require_each_other(draw: st.DrawFn, files: dict[str, Entry]) -> list[str]:
    """Add packs that require each other, `mini`, and what is not there."""
    names = ["mini", *(f"p{number}" for number in range(draw(st.sampled_from((1, 3, 60)))))]
    elsewhere = ("../../canary/secret", "/etc", "..", "", "shared", "CON", "a" * 300, "nosuch")
    others = st.sampled_from((*names, *names, *elsewhere))
    bounds = st.sampled_from(("'>= 1'", "'>= 1'", "'>= 9'", "''", "[]", "'" + ">=1," * 900 + "'"))
    for name in names:
        head = files["cards/mini/pack.yaml"] if name == "mini" else b"title: P\nversion: 1.0.0\n"
        required = draw(st.dictionaries(others, bounds, min_size=1, max_size=4))
        lines = "".join(f'  "{other}": {bound}\n' for other, bound in required.items())
        assert isinstance(head, bytes)
        files[f"cards/{name}/pack.yaml"] = head + f"requires:\n{lines}".encode()
    return [f"cards/{name}/pack.yaml" for name in names]


_OPTIONS: Final = (
    *(("--only", "*"), ("--only", "[" * 99), ("--only", "\udcff"), ("--locale", "../../x")),
    *(("--locale", ""), ("--players", "99"), ("--paper", "a" * 5000), ("--backs", "none")),
    *(("--ink", "low"), ("--dpi", "36"), ("-o", "cards"), ("-o", "output/../../out")),
    *(("-o", "printer.yaml"), ("-o", ""), ("--strict",), ("--format", "json"), ("mini",)),
    *(("cards/mini",), ("nosuch",), ("\udcff",), ("..",), ("/",), ("",), ("../canary",)),
    *(("./cards/mini/.",), ("-h",), ("--", "-x"), ("\x1b]0;x\x07",), ("mini", "."), ("CON",)),
)


def _broken_command(draw: st.DrawFn, command: Command) -> Command:
    """Give a command odd words, or make another one of `new`."""
    if draw(st.integers(0, 6)) == 6:
        what = draw(st.sampled_from(("pack", "kind", "token", "nosuch")))
        names = ("-", "a" * 300, "a/b", "../x", "é", "con", "shared", "\udcff", "mini/x")
        return ("new", what, draw(st.sampled_from(names)))
    more = draw(st.lists(st.sampled_from(_OPTIONS), min_size=1, max_size=2))
    odd = draw(st.none() | st.sampled_from(words("yaml")))
    return (*command, *(word for option in more for word in option), *([odd] if odd else ()))

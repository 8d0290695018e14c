"""A seed, a sort and a number in, one broken project with a command to run in it out: always the
same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from random import Random
from typing import Final

from fuzzing import binaries, pdf, texts, words
from fuzzing.corpus import PARTS, Entry, Link, Project, Special, part_of, project

Broken = Callable[[bytes, Random], bytes]
Command = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Input:
    """A project, the command to run in its folder, and which of its files were changed."""

    sort: str
    index: int
    project: Project
    command: Command
    changed: tuple[str, ...]
    real: bool = False
    """Whether to start the command as a user does, rather than in a copy of this process."""

    @property
    def races(self) -> bool:
        """Whether the command needs the engine of races."""
        return _races(self.command)

    @property
    def name(self) -> str:
        """`SORT:INDEX`, by which it can be made again."""
        return f"{self.sort}:{self.index}"


@dataclass(frozen=True, slots=True)
class Sort:
    """What is broken: which files of which project, how, and the commands to try with it."""

    base: str
    files: tuple[str, ...]
    breaks: Broken
    commands: tuple[Command, ...]
    weight: int = 4


_CHECK: Final[tuple[Command, ...]] = (
    *(("check", ".", "--jobs", "1"),) * 12,
    *(("check", ".", "--format", "json"),) * 4,
    ("check", ".", "--strict", "--jobs", "2"),
    ("list", "."),
    ("list", ".", "--players", "3"),
    ("schema", ".", "-o", "output"),
)
_PRESS: Final[tuple[Command, ...]] = (
    ("build", ".", "--jobs", "1"),
    ("build", ".", "--only", "ember", "--ink", "mono"),
    ("build", ".", "--paper", "leaf", "--backs", "gutterfold", "--ink", "low", "--players", "2"),
    ("preview", ".", "--dpi", "72"),
    ("preview", ".", "--only", "c*", "--locale", "de", "--dpi", "50"),
)
_BOTH: Final = (*_CHECK * 2, *_PRESS)
_MANY: Final[tuple[Command, ...]] = (
    *(("check", "cards/mini"), ("list", "cards/mini"), ("check", ".", "--jobs", "1")),
    *(("build", "cards/mini", "--locale", "de"), ("schema", "cards/mini", "-o", "output")),
    *(("new", "kind", "p"), ("vehicle", "check", "."), ("track", "check", ".")),
)
_LOCALE: Final[tuple[Command, ...]] = (
    ("preview", ".", "--locale", "de", "--only", "ember", "--dpi", "40"),
    ("check", "."),
    ("build", ".", "--locale", "de", "--only", "ember", "--paper", "leaf"),
)
_TRACK: Final[tuple[Command, ...]] = (
    *(("track", "check", "."), ("track", "show", "./oval"), ("track", "show", "./long-way-home")),
    *(
        ("track", "check", ".", "--format", "json"),
        ("track", "show", "./oval", "-o", "output/t.svg"),
    ),
    *(
        ("track", "show", "./oval", "-o", "output/t.png"),
        ("track", "shorten", "./oval", "--most", "2"),
    ),
    *(("track", "solve", "--tiles", ".", "--limit", "1", "--length", "12"), ("check", ".")),
)
_RING: Final[tuple[Command, ...]] = (
    *(("track", "check", "."), ("track", "show", "./ring"), ("track", "show", "./circle")),
    *(("track", "shorten", "./ring"), ("track", "show", "./ring", "-o", "output/t.svg")),
    *(("track", "solve", "--tiles", ".", "--limit", "2", "--format", "json"), *_CHECK[::4]),
)
_VEHICLE: Final[tuple[Command, ...]] = (
    *(("vehicle", "check", "."), ("vehicle", "check", "./basic", "--format", "json")),
    *(("vehicle", "show", "./basic"), ("vehicle", "show", ".", "--format", "json")),
    *(("vehicle", "show", "./gatecrasher", "--html", "output/g.html"), ("check", ".")),
    ("new", "vehicle", "chariot-dash/comet", "--from", "basic"),
)
_NEW: Final[tuple[Command, ...]] = (
    *(("new", "token", "pearl"), ("new", "kind", "score-token"), ("new", "pack", "other")),
    *(("new", "token", "pearl", "--from", "coin"), ("new", "kind", "card"), ("schema", ".")),
)
_EXPORT: Final[tuple[Command, ...]] = (
    ("export", ".", "--for", "images", "--dpi", "50"),
    ("export", ".", "--for", "images", "--dpi", "40", "--transparent", "--only", "ember"),
    *(
        ("export", ".", "--for", name, "--jobs", "1")
        for name in (
            *("svg", "tts", "corner", "mill", "pcio", "ttpg", "tabletopia"),
            *("press", "cutter", "pnp"),
        )
    ),
    *(("export", ".", "--for", name, "--only", "[cg]*") for name in ("tgc", "printninja")),
    *(("export", "--list"), ("check", "."), ("schema", ".", "-o", "output")),
)
_IMPORT: Final[tuple[Command, ...]] = (
    *(("import", "sheet.csv"), ("import", "sheet.csv", "--kind", "token")),
    *(("import", "book.xlsx"), ("import", "book.xlsx", "--sheet", "Sheet", "--pack", "other")),
)
_ARCHIVE: Final[tuple[Command, ...]] = (
    *(("check", "game.zip"), ("check", "game.zip", "--format", "json")),
    ("build", "game.zip", "--only", "ember", "--paper", "leaf"),
)
_PREFLIGHT: Final[tuple[Command, ...]] = (
    *(("preflight", "FILE"), ("preflight", "FILE", "--format", "json")),
    ("preflight", "FILE", "--report", "output/report"),
)
_PROFILE: Final[tuple[Command, ...]] = (
    *(("preflight", "FILE", "--profile", name) for name in (*words.PROFILES, "own", "own")),
    *(("preflight", "FILE", "--profile", name, "--format", "json") for name in ("own", "home")),
    ("preflight", "FILE", "--profile", "own", "--report", "output/report"),
)
_CALIBRATE: Final[tuple[Command, ...]] = (
    *(("calibrate", "--picture", f"front.{form}") for form in ("png", "png", "jpg", "webp")),
    ("calibrate", "--picture", "front.png", "--picture", "front.jpg", "--printer", "WORD"),
    *(("calibrate", side, "0.5,-0.25", "--printer", "WORD") for side in ("--front", "--back")),
    *(("calibrate", "--front", "WORD"), ("calibrate", ".", "--back", "1,0,WORD")),
    *(("calibrate", "--paper", "leaf"), ("calibrate", "--front", "0,0", "--paper", "WORD")),
)
_COMPARED: Final = ("vehicle", "compare", "./basic", "./gatecrasher")
RACES: Final[tuple[Command, ...]] = (
    ("vehicle", "simulate", "./basic", "./gatecrasher", "--races", "2"),
    ("vehicle", "simulate", ".", "--races", "2", "--type", "toughest", "--rounds", "3"),
    ("vehicle", "simulate", "./basic", "--races", "2", "--track", "./oval"),
    ("vehicle", "simulate", ".", "--races", "2", "--track", "./oval", "--html", "output/r.html"),
    ("vehicle", "simulate", ".", "--races", "2", "--option", "WORD", "--track", "./oval"),
    *(
        (*_COMPARED, "--races", "2", "--field", "2", "--track", "./oval", *more)
        for more in (("--laps", "2"), ("--laps", "1", "--format", "json"))
    ),
)
"""Commands that race, as little as they can. `tune` and `worth` are not among them: they race some
hundred vehicles, whose drivers each learn the track anew, for a minute at least."""


def _text(*changes: texts.Change) -> Broken:
    return partial(texts.broken, changes=changes)


def _command_words(content: bytes, rng: Random) -> bytes:
    return content if rng.random() < 0.7 else texts.broken(content, rng, texts.YAML)


def _target_broken(content: bytes, rng: Random) -> bytes:
    if content.startswith((b"\x89PNG", b"\xff\xd8", b"RIFF")):
        return binaries.picture(content, rng)
    if content.startswith(b"{"):
        return pdf.mutate_manifest(content, rng)
    return texts.broken(content, rng, texts.YAML)


def _print_broken(content: bytes, rng: Random) -> bytes:
    if content.startswith(b"%PDF"):
        return pdf.mutate_pdf(content, rng)
    return texts.broken(content, rng, texts.YAML)


def _sheet_broken(content: bytes, rng: Random) -> bytes:
    if content.startswith(b"PK"):
        return binaries.workbook(content, rng)
    return texts.broken(content, rng, texts.TABLE)


SORTS: Final[Mapping[str, Sort]] = {
    "components": Sort(
        "mini", ("cards/mini/*s.yaml", "cards/mini/more-tokens.yaml"), _text(*texts.YAML), _BOTH, 8
    ),
    "pack": Sort("mini", ("cards/mini/pack.yaml",), _text(*texts.FORMULAS), _BOTH, 5),
    "kind": Sort("mini", ("cards/mini/kinds/*.yaml",), _text(*texts.FORMULAS), _BOTH, 8),
    "template": Sort("mini", ("templates/mini/*.j2",), _text(*texts.TEMPLATE), _BOTH, 10),
    "face": Sort("scrap", ("templates/*.j2",), _text(*texts.TEMPLATE), _CHECK[::4], 2),
    "svg": Sort("mini", ("templates/mini/*.j2",), _text(*texts.DRAWING), (*_CHECK, *_PRESS), 5),
    "icon": Sort("mini", ("templates/mini/icons/*.svg",), _text(*texts.DRAWING), _BOTH, 4),
    "style": Sort("mini", ("templates/mini/styles.yaml",), _text(*texts.YAML), _BOTH, 4),
    "locale": Sort("mini", ("cards/mini/locales/*.yaml",), _text(*texts.YAML), _LOCALE, 2),
    "stock": Sort("mini", ("cards/shared/*.yaml",), _text(*texts.YAML), _BOTH, 8),
    "printer": Sort("mini", ("printer.yaml",), _text(*texts.YAML), _BOTH, 2),
    "csv": Sort("mini", ("cards/mini/*.csv",), _text(*texts.TABLE), _CHECK, 3),
    "table": Sort("scrap", ("cards/*.csv", "cards/*.yaml"), _text(*texts.TABLE), _CHECK[::4], 1),
    "xlsx": Sort("mini", ("cards/mini/more.xlsx",), binaries.workbook, _CHECK, 4),
    "picture": Sort("mini", ("cards/mini/art/*",), binaries.picture, _BOTH, 5),
    "font": Sort("mini", ("fonts/own/own.ttf",), binaries.font, _BOTH, 6),
    "ring": Sort(
        "mini",
        ("cards/mini/rings.yaml", "cards/mini/*segment*.yaml"),
        _text(*texts.FORMULAS),
        _RING,
        3,
    ),
    "track": Sort("race", ("cards/*/track*.yaml",), _text(*texts.YAML), _TRACK, 3),
    "vehicle": Sort(
        "race",
        ("cards/*/vehicles.yaml", "cards/*/traits.yaml", "cards/*effects.yaml", "cards/*/*s.yaml"),
        _text(*texts.YAML),
        _VEHICLE,
        5,
    ),
    "outlet": Sort(
        "mini",
        ("cards/mini/pack.yaml", "cards/shared/shops.yaml", "cards/mini/[ct]*s.yaml"),
        _text(*texts.YAML),
        _EXPORT,
        8,
    ),
    "import": Sort("sheets", ("sheet.csv", "book.xlsx"), _sheet_broken, _IMPORT, 8),
    "zip": Sort("archive", ("game.zip",), binaries.archive, _ARCHIVE, 4),
    "new": Sort(
        "mini", ("cards/mini/starters/*", "cards/mini/pack.yaml"), _text(*texts.YAML), _NEW, 5
    ),
    "requires": Sort("mini", ("cards/mini/pack.yaml",), lambda content, _: content, _MANY, 2),
    "tree": Sort("mini", ("*",), lambda content, _: content, _BOTH, 5),
    "words": Sort("mini", ("cards/mini/pack.yaml",), _command_words, _BOTH, 5),
    "manifest": Sort("printed", ("manifest.json",), pdf.mutate_manifest, _PREFLIGHT, 3),
    "pdf": Sort("printed", ("*.pdf",), pdf.mutate_pdf, _PREFLIGHT, 5),
    "profile": Sort("printed", ("*.pdf", "cards/*.yaml"), _print_broken, _PROFILE, 3),
    "layers": Sort("mini", ("templates/mini/art/*.svg",), _text(*texts.DRAWING), _BOTH, 4),
    "target": Sort(
        "target", ("front.*", "printer.yaml", "output/*.json"), _target_broken, _CALIBRATE, 3
    ),
    "race": Sort("race", ("cards/*/*.yaml",), _text(*texts.YAML), RACES, 2),
}


_IN_PART: Final = 0.75
"""How often a part of a project will do: it is over sooner, and the more are tried."""


def make(seed: str, name: str, index: int) -> Input:
    """The input of a seed, a sort and a number."""
    rng = Random(f"{seed}:{name}:{index}")
    sort = SORTS[name]
    files: dict[str, Entry] = {**project(sort.base)}
    known = sorted(path for path in files if _fits(path, sort.files))
    if sort.base == "mini" and rng.random() < _IN_PART:
        files = {**project(f"mini-{part_of(rng.choice(known)) or rng.choice(list(PARTS))}")}
        known = [path for path in known if path in files]
    changed = rng.sample(known, min(len(known), rng.choice((1, 1, 1, 1, 2))))
    for path in changed:
        content = files[path]
        assert isinstance(content, bytes)
        files[path] = sort.breaks(content, rng)
    command = rng.choice(sort.commands)
    if name == "tree":
        changed = _tree_broken(files, rng)
    if name == "requires":
        changed = _requiring(files, rng)
    if name == "words":
        command = _command_broken(command, rng)
    if "FILE" in command:
        files, command = _one_file(files, changed, command, rng)
    if any("WORD" in word for word in command):
        odd = rng.choice((*words.NUMBERS, *words.LETTERS, *words.OPTIONS))
        command = tuple(word.replace("WORD", odd.replace("\0", "")) for word in command)
    # a first race of a user takes longer than there is time: the engine is compiled
    real = rng.random() < 0.005 and not _races(command)
    return Input(name, index, files, command, tuple(changed), real=real)


def _races(command: Command) -> bool:
    """`vehicle show` drives laps of its own."""
    return command[:1] == ("vehicle",) and ("--races" in command or "show" in command[1:2])


def _fits(path: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(path, pattern) for pattern in patterns)


def _one_file(
    files: dict[str, Entry], changed: list[str], command: Command, rng: Random
) -> tuple[dict[str, Entry], Command]:
    """Only the PDF that preflight is given, and the manifest; profiles if it is asked for one, and
    then one of two times no manifest."""
    pdfs = [path for path in changed if path.endswith(".pdf")]
    chosen = pdfs[0] if pdfs else rng.choice(sorted(p for p in files if p.endswith(".pdf")))
    kept = {path: files[path] for path in (chosen, "manifest.json")}
    if "--profile" in command:
        kept |= {path: entry for path, entry in files.items() if path.startswith("cards/")}
        if rng.random() < 0.5:
            del kept["manifest.json"]
    return kept, tuple(chosen if word == "FILE" else word for word in command)


_NAMES: Final = (
    *(
        "a" * 255,
        "a" * 200 + ".yaml",
        "\udcff.yaml",
        "b\udce9.yaml",
        "\x1b[31mred.yaml",
        "new\nline.yaml",
    ),
    *(
        "\u202egnp.yaml",
        " .yaml",
        "-rf.yaml",
        "a b.yaml",
        "..yaml",
        "con.yaml",
        "é.yaml",
        "e\u0301.yaml",
    ),
    *(
        "%s.yaml",
        "{{ x }}.yaml",
        "a:b.yaml",
        "a\\b.yaml",
        "*.yaml",
        ".hidden.yaml",
        "x.YAML",
        "x.yml",
    ),
    *("\x00"[:0] + "tab\t.yaml", "json.py", "struct.py", "selectors.py", "socket.py", "click.py"),
)
_TARGETS: Final = (
    *(
        "/",
        "/etc",
        "/etc/passwd",
        "/dev/zero",
        "/dev/null",
        "/proc/self/mem",
        "/proc/self/fd/0",
        ".",
    ),
    *(
        "..",
        "../canary",
        "../../canary",
        "../../../canary",
        "self",
        "nosuch",
        "../cards",
        "../../..",
    ),
    *("../canary/secret.yaml", "../../canary/secret.yaml", "../../../canary/secret.png"),
    *("../../canary/secret.ttf", "../../../../canary/secret.svg", "../../../canary/secret.csv"),
)
_PLACES: Final = (
    *("output", "output/mini", "output/mini/manifest.json", "output/mini/cards-leaf.pdf", "fonts"),
    *(
        "fonts/own",
        "fonts/more",
        "fonts/more.ttf",
        "templates/mini",
        "templates/mini/icons",
        "cards",
    ),
    *("templates/shared", "cards/mini", "cards/mini/kinds", "cards/mini/art", "cards/mini/locales"),
    *("cards/mini/more", "cards/shared", "cards/shared/stocks.yaml", "cards/other", "printer.yaml"),
    *("cards/mini/pack.yaml", "templates/mini/card.svg.j2", "templates/mini/icons/star.svg"),
    *(
        "cards/mini/art/field.png",
        "cards/mini/tokens.csv",
        "cards/mini/starters",
        "output/mini/preview",
    ),
    *("cards/mini/kinds/card.yaml", "templates/mini/styles.yaml", "fonts/own/own.ttf", "templates"),
)


def _tree_broken(files: dict[str, Entry], rng: Random) -> list[str]:
    """The project with links, special files and odd names in it; what was changed."""
    changed: list[str] = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        place = rng.choice((*_PLACES, *sorted(files)))
        match rng.randrange(7):
            case 0 | 1 | 2:
                _put(files, place, Link(rng.choice(_TARGETS)))
            case 3:
                _put(files, place, Special(rng.choice(("fifo", "socket", "folder"))))
            case 4:
                files.pop(place, None)
            case 5:
                folder = place.rpartition("/")[0] or "cards/mini"
                place = f"{folder}/{rng.choice(_NAMES)}"
                content = rng.choice(
                    [entry for entry in files.values() if isinstance(entry, bytes)]
                )
                trap = b"open('trapped', 'w').close()\n"
                _put(files, place, trap if place.endswith(".py") else content)
            case _:
                place = f"cards/mini/{'d/' * rng.choice((1, 9, 60, 400))}deep.yaml"
                _put(files, place, b"kind: card\n")
        changed.append(place)
    return changed


_ELSEWHERE: Final = (
    *("../canary", "../../canary/secret", "/etc", "..", ".", "", "shared", "mini", "CON", "a/../b"),
    *("chariot-dash", "a" * 300, "~", "*", "nosuch", "\x1b[31m", "b\\c", "mini/kinds"),
)
_VERSIONS: Final = (
    "'>= 1'",
    "'>= 9'",
    "''",
    "1",
    "[]",
    "'>= 1, < 0'",
    "'" + ">=1," * 900 + "'",
    "~",
)


def _requiring(files: dict[str, Entry], rng: Random) -> list[str]:
    """Packs beside that one which require each other in storeys, in circles or without end, and
    what is not there; what was changed."""
    wide, high = rng.choice(((1, 2), (1, 60), (2, 9), (3, 6), (12, 2)))
    names = [[f"p{storey}-{n}" for n in range(wide)] for storey in range(high)]
    lower = [*names[1:], []]
    made = {"mini": names[0]} | {
        name: [*below] for above, below in zip(names, lower, strict=True) for name in above
    }
    for asked in rng.choices([*made.values()], k=rng.choice((0, 1, 3))):
        asked.append(rng.choice((*_ELSEWHERE, *made)))
    own = {path: entry for path, entry in files.items() if path.startswith("cards/mini/")}
    for name, asked in made.items():
        head = own["cards/mini/pack.yaml"] if name == "mini" else b"title: More\nversion: 1.0.0\n"
        bounds = (rng.choice(_VERSIONS) if rng.random() < 0.1 else "'>= 1'" for _ in asked)
        lines = (f'  "{other}": {bound}\n' for other, bound in zip(asked, bounds, strict=True))
        assert isinstance(head, bytes)
        requires = "".join(("requires:\n", *lines)) if asked else ""
        files[f"cards/{name}/pack.yaml"] = head + requires.encode("utf-8", "surrogatepass")
    for path in rng.sample(sorted(own), min(len(own), rng.choice((0, 1, 4)))):
        entry = own[path]
        if isinstance(entry, bytes) and not path.endswith("pack.yaml"):
            lent = path.replace("/mini/", f"/{rng.choice([*made])}/")
            files[lent] = texts.broken(entry, rng, texts.YAML) if rng.random() < 0.4 else entry
    return [f"cards/{name}/pack.yaml" for name in made]


def _put(files: dict[str, Entry], place: str, entry: Entry) -> None:
    """An entry in the place of a file, or of a folder with all that is in it."""
    for path in [path for path in files if path == place or path.startswith(f"{place}/")]:
        del files[path]
    parts = place.split("/")
    for size in range(1, len(parts)):
        files.pop("/".join(parts[:size]), None)
    files[place] = entry


def _command_broken(command: Command, rng: Random) -> Command:
    """A command line with words wrong."""
    options = (
        *(("--only", "*"), ("--only", "[" * 99), ("--only", "\udcff"), ("--only", "\x1b[31m")),
        *(("--locale", "../../x"), ("--locale", "xx"), ("--locale", ""), ("--players", "99")),
        *(
            ("--paper", "a" * 5000),
            ("--backs", "none"),
            ("--ink", "low"),
            ("--dpi", "36"),
            ("-o", "cards"),
        ),
        *(
            ("-o", "output/../../out"),
            ("-o", "printer.yaml"),
            ("-o", ""),
            ("--strict",),
            ("--format", "json"),
        ),
        *(
            ("mini",),
            ("cards/mini",),
            ("nosuch",),
            ("\udcff",),
            ("a" * 5000,),
            ("..",),
            ("/",),
            ("",),
        ),
        *(
            ("../canary",),
            ("chariot",),
            ("./cards/mini/.",),
            ("-h",),
            ("--", "-x"),
            ("\x1b]0;x\x07",),
        ),
        *(
            ("--version",),
            ("mini", "mini", "."),
            ("~",),
            ("$HOME",),
            ("CON",),
            (rng.choice(words.LETTERS),),
        ),
    )
    made = list(command)
    for _ in range(rng.choice((1, 1, 2))):
        made += rng.choice(options)
    if rng.random() < 0.15:
        made = ["new", rng.choice(("pack", "kind", "token", "card", "vehicle", "nosuch"))]
        made.append(
            rng.choice(
                ("a", "-", "a" * 300, "a/b", "../x", "é", "con", "shared", "\udcff", "mini/x")
            )
        )
    return tuple(made)

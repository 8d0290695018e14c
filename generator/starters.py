"""Writes files to start a pack, a kind or a component from. Nothing is overwritten.

Each file in `starter/like` describes a sort of kind: a line of description, then parts that begin
with `=== path`. The part `print` is its entry in pack.yaml without title and kinds.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct
from pluralizer import Pluralizer

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.files import FileTooLargeError, FolderEntry, Roots, UnreadableError
from generator.looks import SIZES, STYLES, Dress
from generator.model.pack import DEFAULT_OVERLAP, Pack, Print
from generator.project import PACK_FILE, SHARED, STARTERS
from generator.writing import write_files, yaml_text
from generator.written_yaml import with_print, with_styles

_STARTER: Final = Path(__file__).resolve().parent / "starter"
_LIKE: Final = _STARTER / "like"
_MOST: Final = 5_000_000
_ELSEWHERE: Final = "check the folder, or choose another with --in"
_PART: Final = re.compile(r"^=== (\S+)\n", re.MULTILINE)
_PAPERS: Final = ("a4", "letter")
USUAL: Final = "card"
"""The default model of a kind."""
_TONES: Final = {
    "paper": "#f5ecdb",
    "light": "#fff8ec",
    "warm": "#d9a441",
    "cool": "#3d6b73",
    "band": "#7c2f24",
    "mark": "#742a20",
    "ink": "#231a14",
}


_WORDS: Final = Pluralizer()  # type: ignore[no-untyped-call]
for _word in ("data", "money", "species"):
    _WORDS.add_uncountable_rule(_word)
_UNSURE: Final = re.compile(r".*([iu]|ch|ss)s|.{1,2}as|lens", re.IGNORECASE)
"""Words that may not be plurals, or are of another language: `lens`, `Preis`, `Gras`, `Fuchs`."""


def plural(name: str) -> str:
    """Return the plural of a name: `hero` becomes `heroes`. Plurals and names in other alphabets
    stay."""
    words = name.rstrip("!?.…")
    head, last = _parted(words)
    several = str(_WORDS.plural(last)) if last.isascii() else last
    return head + several + name[len(words) :]


def singular(name: str) -> str:
    """Return the singular of a name: `heroes` becomes `hero`. A word that may not be a plural
    stays."""
    head, last = _parted(name)
    one = str(_WORDS.singular(last))
    return head + (last if one == last[:-1] and _UNSURE.fullmatch(last) else one)


def _parted(name: str) -> tuple[str, str]:
    """Split off the last word, which carries the plural."""
    at = max(name.rfind("-"), name.rfind(" ")) + 1
    return name[:at], name[at:]


def titled(name: str) -> str:
    """Return a title made from an id: `my-game` becomes `My Game`."""
    return name.replace("-", " ").title()


class StarterStyle(Struct, frozen=True):
    """The look of a new template: its styles for titles and text, and expressions for its
    colours."""

    title: str
    body: str
    tones: Mapping[str, str]

    @property
    def palette(self) -> str:
        """Return the line of a template that names the colours."""
        tones = ", ".join(f'"{name}": {colour}' for name, colour in self.tones.items())
        return f"{{% set tone = {{{tones}}} %}}"

    @property
    def words(self) -> dict[str, str]:
        """Return what replaces `TONE_PAPER` and the like in a face file."""
        return {
            f"TONE_{name.upper()}": colour.removeprefix("colour.")
            for name, colour in self.tones.items()
        }


NEW: Final = StarterStyle("title", "body", {name: f"colour.{name}" for name in _TONES})
"""The look of a pack that starts here."""


def look_of(pack: Pack) -> StarterStyle | None:
    """Return the look of a pack's own styles; None for a pack without styles."""
    styles = [str(name) for name in pack.styles.get("styles") or ()]
    if not styles:
        return None
    own = pack.styles.get("colours") or ()
    known = all(name in own for name in _TONES)
    body = "body" if "body" in styles else styles[0]
    tones = NEW.tones if known else {name: f'"{colour}"' for name, colour in _TONES.items()}
    return StarterStyle("title" if "title" in styles else body, body, tones)


def start_pack(
    folder: Path, name: str, title: str = "", dress: Dress | None = None
) -> tuple[Path, ...]:
    """Write a small pack into a project's folder, its cards in a look if there is a `dress`; return
    its files.

    Raises GridpressError when the pack exists or its folder has another use (GP704), or when a file
    cannot be written (GP702).
    """
    if name == SHARED:
        _refuse(folder / "cards" / name, "this folder is for files that all packs share")
    for part in ("cards", "templates"):
        if os.path.lexists(folder / part / name):
            _refuse(folder / part / name, "this pack exists already")
    card = NewKind(USUAL, plural(USUAL))
    if dress is None:
        kind, entry = _like(card, folder, name, NEW, _PAPERS)
        kind |= pack_styles(folder, name)
    else:
        kind, entry = _in_look(card, folder, name, dress, _PAPERS)
        kind |= missing_files(folder / "templates" / name, dress, dress.files())
    pack = pack_yaml(title or titled(name), plural(USUAL), entry)
    files = {folder / "cards" / name / PACK_FILE: pack, **kind}
    files |= {folder / path: text for path, text in _BESIDE.items()}
    new = {path: text for path, text in files.items() if not os.path.lexists(path)}
    return write_files(folder, new, _ELSEWHERE)


_PACK: Final = """\
title: {title}
version: 0.1.0
# Prints: one PDF for each line and paper.
prints:
  {name}: {entry}
"""
_BESIDE: Final = {
    ".gitignore": "output/\n",
    "fonts/README.txt": "Put fonts of your own here (TTF or OTF), each with its licence.\n",
}


def pack_yaml(title: str, name: str, entry: str) -> str:
    """Return the `pack.yaml` of a new pack with one print, by its name and entry."""
    return _PACK.format(title=json.dumps(title, ensure_ascii=False), name=name, entry=entry)


def pack_styles(folder: Path, name: str) -> dict[Path, str]:
    """Return the styles of a new pack, by path."""
    text = (_STARTER / "styles.yaml").read_text(encoding="utf-8")
    return {folder / "templates" / name / "styles.yaml": text}


def likes() -> Mapping[str, str]:
    """Return what a kind can be like, each with its description."""
    files = sorted(_LIKE.glob("*.txt"))
    return {path.stem: path.read_text(encoding="utf-8").partition("\n")[0] for path in files}


def target_files(folder: Path, words: Mapping[str, str]) -> dict[Path, str]:
    """Return the files of the pack `calibrate`, which prints a calibration target."""
    text = (_STARTER / "calibrate.txt").read_text(encoding="utf-8")
    _, *parts = _PART.split(text)
    return {folder / parts[n]: _filled(parts[n + 1], words) for n in range(0, len(parts), 2)}


_SHORT: Final = re.compile(r"[0-9A-Za-zÀ-ÖØ-öø-ž '&!,.:-]{1,20}")
"""A title that fits on boxes, boards and rules; others are replaced by an example."""


class NewKind(Struct, frozen=True):
    """A kind to start: its name, plural and model, the title of its game, and its own titles."""

    name: str
    several: str
    like: str = USUAL
    game: str = ""
    title: str = ""
    titles: str = ""


def start_kind(
    folder: Path,
    pack: str,
    kind: NewKind,
    papers: Sequence[str],
    look: StarterStyle | None,
    dress: Dress | None = None,
) -> tuple[tuple[Path, ...], bool]:
    """Write a kind with its first components; return its files and whether `pack.yaml` prints it.

    Without a `look` the pack gets styles too. With a `dress` the kind is a card in that look, and
    the pack gets the missing parts of it. Raises GridpressError when a file exists (GP704).
    """
    shared: dict[Path, str] = {}
    if dress is None:
        new, entry = _like(kind, folder, pack, look or NEW, papers)
        new |= {} if look else pack_styles(folder, pack)
    else:
        new, entry = _in_look(kind, folder, pack, dress, papers)
        shared = missing_files(folder / "templates" / pack, dress, dress.files())
    for path in new:
        if os.path.lexists(path):
            _refuse(path, "this file exists already")
    pack_file = folder / "cards" / pack / PACK_FILE
    text = with_print(text_in_file(pack_file, Roots((folder,))), kind.several, entry)
    new |= shared
    files = write_files(folder, new if text is None else {**new, pack_file: text}, _ELSEWHERE)
    return files, text is not None


def _like(
    kind: NewKind, folder: Path, pack: str, look: StarterStyle, papers: Sequence[str]
) -> tuple[dict[Path, str], str]:
    """Return the files of a kind and the entry of its print."""
    words = _words(kind, pack)
    words["GAME"] = kind.game if _SHORT.fullmatch(kind.game) else "The Far Hills"
    words |= {
        "KEY": kind.name.replace("-", "_"),
        "PALETTE": look.palette,
        "HEAD": look.title,
        "BODY": look.body,
        **look.words,
    }
    texts = _texts(_LIKE / f"{kind.like}.txt", words)
    entry = _entry(_titles(kind), kind.name, papers, texts.pop("print"))
    return {folder / path: content for path, content in texts.items()}, entry


def _texts(path: Path, words: Mapping[str, str]) -> dict[str, str]:
    """Return the files that a starter's file has, by path, with its words filled in."""
    _, *parts = _PART.split(path.read_text(encoding="utf-8"))
    return {_filled(parts[n], words): _filled(parts[n + 1], words) for n in range(0, len(parts), 2)}


def _entry(titles: str, kind: str, papers: Sequence[str], more: str) -> str:
    """Return the entry of a print in pack.yaml."""
    parts = [f"title: {yaml_text(titles)}", f"kinds: [{kind}]", f"papers: [{', '.join(papers)}]"]
    return f"{{{', '.join(parts + more.strip().splitlines())}}}"


def missing_files(folder: Path, dress: Dress, files: Mapping[str, str]) -> dict[Path, str]:
    """Return the files of a look that are missing in a pack's folder of templates, and its
    styles.yaml with the missing styles of the look. Raises GridpressError (GP205)."""
    new = {folder / path: text for path, text in files.items()}
    new = {path: text for path, text in new.items() if not os.path.lexists(path)}
    styles = folder / STYLES
    if not os.path.lexists(styles):
        return {**new, styles: dress.styles()}
    own = text_in_file(styles, Roots((folder,)))
    made = with_styles(own, dress.styles(), str(styles))
    return new if made == own else {**new, styles: made}


def _in_look(
    kind: NewKind, folder: Path, pack: str, dress: Dress, papers: Sequence[str]
) -> tuple[dict[Path, str], str]:
    """Return the files of a kind in a look, and the entry of its print."""
    words = {**_words(kind, pack), "STOCK": SIZES[dress.size].stock, "LOOK": dress.look.title}
    words |= {"BASE": dress.file(), "BACK": dress.file("-back")}
    texts = _texts(_STARTER / "deck.txt", words)
    entry = _entry(_titles(kind), kind.name, papers, texts.pop("print"))
    return {folder / path: text for path, text in texts.items()}, entry


def _words(kind: NewKind, pack: str) -> dict[str, str]:
    """Return what replaces the words in capitals of a starter's files."""
    title = kind.title or kind.name.replace("-", " ").capitalize()
    return {"NAME": kind.name, "TITLE": yaml_text(title), "PACK": pack, "PLURAL": kind.several}


def _titles(kind: NewKind) -> str:
    return kind.titles or kind.several.replace("-", " ").capitalize()


def starters(cards: Path, roots: Roots | None = None) -> tuple[str, ...]:
    """Return the kinds with a starter in a pack's folder, sorted; none if it cannot be read."""
    found: list[FolderEntry] = []
    with suppress(UnreadableError):
        found += (roots or Roots((cards,))).entries(cards / STARTERS)
    files = (entry.path for entry in found if not entry.is_folder)
    return tuple(sorted(path.stem for path in files if path.suffix == ".yaml"))


def start_component(
    cards: Path,
    kind: str,
    name: str,
    lender: Path | None = None,
    change: Callable[[str], str] = str,
    roots: Roots | None = None,
) -> Path:
    """Write a component made from its kind's starter; return its file.

    `lender` is the folder of the pack with the starter, if it is another one; `change` edits the
    text. Raises GridpressError when the file exists (GP704) or the starter cannot be read.
    """
    path = cards / plural(kind) / f"{name}.yaml"
    if os.path.lexists(path):
        _refuse(path, "this file exists already")
    folder = (lender or cards) / STARTERS
    starter = text_in_file(folder / f"{kind}.yaml", roots or Roots((folder,)))
    words = {"NAME": name, "TITLE": name.replace("-", " ").title(), "PACK": cards.name}
    texts = {path: change(_filled(starter, words))}
    return write_files(cards.parents[1], texts, _ELSEWHERE)[0]


def text_in_file(path: Path, roots: Roots) -> str:
    """Return the text of a file. Raises GridpressError if it cannot be read or is not text."""
    try:
        return roots.read(path, _MOST).decode()
    except UnreadableError as error:
        raise GridpressError(error.told(Span(str(path)), "the file")) from error
    except (FileTooLargeError, UnicodeDecodeError) as error:
        hint = "save it as UTF-8 in your editor"
        raise GridpressError(
            Diagnostic(Span(str(path)), "GP105", "this is not text", hint)
        ) from error


_QUOTED_EDGE: Final = re.compile(r'edge: "(#\w+)" ([\d.]+mm)')


def _filled(text: str, words: Mapping[str, str]) -> str:
    filled = re.sub(rf"\b({'|'.join(words)})\b", lambda found: words[found[0]], text)
    return _QUOTED_EDGE.sub(r'edge: "\1 \2"', filled)


def _refuse(path: Path, message: str) -> None:
    raise GridpressError(Diagnostic(Span(str(path)), "GP704", message, "choose another name"))


_TEMPLATE = """\
title: {title}
version: 0.1.0
# Fields, faces and rules come from {lender}; the other files here are yours.
requires: {{{name}: ">= {version}"}}
# Prints. A build includes those of the required pack; --only NAME prints yours alone.
prints:
{prints}
"""


def start_own_pack(root: Path, name: str, lender: Pack, kind: str) -> Path:
    """Write the `pack.yaml` of a pack that requires another and prints one of its kinds. Raises
    GridpressError when it exists (GP704) or cannot be written (GP702)."""
    path = root / "cards" / name / PACK_FILE
    if path.parent.exists():
        message, hint = "this folder exists already", "choose another name for the pack"
        raise GridpressError(Diagnostic(Span(str(path.parent)), "GP704", message, hint))
    prints = [
        f"  {name}: {entry}" for name, entry in _prints_of(lender, _family(lender, kind)).items()
    ]
    text = _TEMPLATE.format(
        title=name.replace("-", " ").title(),
        lender=lender.title,
        name=lender.name,
        version=lender.version,
        prints="\n".join(prints),
    )
    return write_files(root, {path: text}, "check the folder, or choose another with --in")[0]


def missing_prints(pack: Pack, lender: Pack, kind: str) -> dict[str, str]:
    """Return the entries of prints of a required pack that print a kind, by name; none if the pack
    prints something of it already."""
    printed = {name for print_ in pack.prints for name in print_.kinds}
    if printed & _made_from(lender, kind):
        return {}
    taken = {print_.name for print_ in pack.prints}
    wanted = _prints_of(lender, _family(lender, kind) - printed)
    return {f"{kind}-{name}" if name in taken else name: wanted[name] for name in wanted}


def add_prints(root: Path, pack: str, prints: Mapping[str, str]) -> Path | None:
    """Add prints to a pack's `pack.yaml` and return it; None if it is written in an unusual form.
    Raises GridpressError when it cannot be read or written."""
    path = root / "cards" / pack / PACK_FILE
    text: str | None = text_in_file(path, Roots((root,)))
    for name, entry in prints.items():
        text = with_print(text, name, entry) if text else None
    return write_files(root, {path: text}, _ELSEWHERE)[0] if text else None


def _prints_of(pack: Pack, kinds: set[str]) -> dict[str, str]:
    """Return the entries of the prints that print some of the kinds, with those kinds only."""
    return {p.name: _print_entry(p, kinds) for p in pack.prints if kinds & {*p.kinds}}


def _made_from(pack: Pack, kind: str) -> set[str]:
    """Return a kind and the kinds made from it."""
    found = {kind}
    while more := {k.name for k in pack.kinds.values() if k.made_from in found} - found:
        found |= more
    return found


def _family(pack: Pack, kind: str) -> set[str]:
    """Return a kind, the kinds made from it, and those that its components bring along."""
    found = _made_from(pack, kind)
    ids = {component.id for name in found for component in pack.components[name]}
    everything = (component for of_kind in pack.components.values() for component in of_kind)
    return found | {
        component.kind
        for component in everything
        if ids & {origin.id for origin in component.origins}
    }


def _print_entry(print_: Print, kinds: set[str]) -> str:
    """Return the entry of a print with only some of its kinds."""
    entry: dict[str, Any] = {
        "title": print_.title,
        "kinds": [kind for kind in print_.kinds if kind in kinds],
        "papers": list(print_.papers),
        "layout": str(print_.layout),
        "backs": str(print_.backs),
    }
    if print_.labels:
        entry["labels"] = dict(print_.labels)
    if print_.gutter is not None:
        entry["gutter"] = f"{print_.gutter:g}mm"
    if print_.overlap != DEFAULT_OVERLAP:
        entry["overlap"] = f"{print_.overlap:g}mm"
    if print_.split:
        entry["split"] = True
    if print_.stickers:
        entry["stickers"] = True
    if print_.media:
        entry["media"] = print_.media
    return yaml.safe_dump(
        entry, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10_000
    ).strip()

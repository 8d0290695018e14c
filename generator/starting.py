"""A name in, files to start a pack or a kind of one's own from out; nothing is overwritten."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import yaml

from generator.copying import as_written
from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.files import Entry, Roots, TooLargeError, UnreadableError
from generator.project import SHARED, STARTERS
from generator.writing import write_texts

_STARTER: Final = Path(__file__).resolve().parent / "starter"
_MOST: Final = 5_000_000
_ELSEWHERE: Final = "look at the folder, or choose another with --in"
_PRINTS: Final = re.compile(r"prints\s*:\s*(#.*)?$")


def start_pack(folder: Path, name: str) -> tuple[Path, ...]:
    """The files of a small pack in a project's folder; what several packs share is left alone.

    Raises GridpressError when the pack is there already, or its folder is for another use (GP704),
    and when a file cannot be written (GP702), as all that start something here do.
    """
    if name == SHARED:
        _refuse(folder / "cards" / name, "this folder is for what all packs share")
    for part in ("cards", "templates"):
        if os.path.lexists(folder / part / name):
            _refuse(folder / part / name, "this pack is there already")
    files = _files("pack", folder, {"NAME": name, "TITLE": name.replace("-", " ").title()})
    new = {path: text for path, text in files if not os.path.lexists(path)}
    return write_texts(folder, new, _ELSEWHERE)


def start_kind(
    folder: Path, pack: str, name: str, papers: Sequence[str], style: str | None
) -> tuple[tuple[Path, ...], bool]:
    """The files of a kind with one component, and whether `pack.yaml` prints it now.

    It is printed on the `papers` and written in the `style`; without one its face has no words.
    Raises GridpressError when one of the files is there already (GP704).
    """
    title = name.replace("-", " ").capitalize()
    words = {"NAME": name, "TITLE": title, "PACK": pack, "STYLE": style or ""}
    new = dict(_files("kind", folder, words))
    for path in new:
        if os.path.lexists(path):
            _refuse(path, "this file is there already")
    pack_file = folder / "cards" / pack / "pack.yaml"
    entry = f"{{title: {title}, kinds: [{name}], papers: [{', '.join(papers)}]}}"
    text = with_print(_text(pack_file, Roots((folder,))), name, entry)
    new = new if text is None else {**new, pack_file: text}
    files = write_texts(folder, new, _ELSEWHERE)
    return files, text is not None


def starters(cards: Path, roots: Roots | None = None) -> tuple[str, ...]:
    """The kinds that a pack's folder has a starter for, in the order of their names; `roots` are
    where it may be, without any the folder itself. What cannot be read has none."""
    found: list[Entry] = []
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
    """The file of a component of one's own, in a pack's folder: the kind's starter with the name
    for NAME and its words for TITLE. `lender` is the folder of the pack that has the starter, if
    it is another; `change` is what else is to be made of its text; `roots` are where the starter
    may be, without any that folder.

    Raises GridpressError when the file is there already (GP704), or the starter cannot be read.
    """
    path = cards / f"{kind}s" / f"{name}.yaml"
    if os.path.lexists(path):
        _refuse(path, "this file is there already")
    folder = (lender or cards) / STARTERS
    starter = _text(folder / f"{kind}.yaml", roots or Roots((folder,)))
    words = {"NAME": name, "TITLE": name.replace("-", " ").title()}
    texts = {path: change(_filled(starter, words))}
    return write_texts(cards.parents[1], texts, _ELSEWHERE)[0]


def with_print(text: str, name: str, entry: str) -> str | None:
    """A pack.yaml with one more print at the end of its `prints`; all else stays as it is.

    None where it is not written as a block, one print below the other, or has that print.
    """
    lines = text.rstrip().splitlines()
    at = next((n for n, line in enumerate(lines) if line.startswith("prints")), None)
    if at is not None and not _PRINTS.match(lines[at]):
        return None
    if at is None:
        lines += ["prints:", f"  {name}: {entry}"]
    else:
        block = list(_block(lines, at + 1))
        indent = " " * (_indent(lines[block[0]]) if block else 2)
        lines.insert(block[-1] + 1 if block else at + 1, f"{indent}{name}: {entry}")
    made = "\n".join(lines) + "\n"
    try:
        before, after, new = (as_written(one) for one in (text, made, entry))
        prints = {**(before.get("prints") or {}), name: new}
        as_meant = name not in (before.get("prints") or {}) and after == before | {"prints": prints}
    except (yaml.YAMLError, AttributeError, TypeError):
        return None
    return made if as_meant else None


def _block(lines: Sequence[str], start: int) -> Iterator[int]:
    """The lines with content that are further in than the key before `start`."""
    for number in range(start, len(lines)):
        content = lines[number].strip()
        if content and not content.startswith("#"):
            if not _indent(lines[number]):
                return
            yield number


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _files(what: str, folder: Path, words: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    root = _STARTER / what
    for source in sorted(path for path in root.rglob("*") if path.is_file()):
        path = _filled(str(source.relative_to(root)), words)
        lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = (line for line in lines if words.get("STYLE", "-") or "STYLE" not in line)
        yield folder / path, _filled("".join(kept), words)


def _text(path: Path, roots: Roots) -> str:
    try:
        return roots.read(path, _MOST).decode()
    except UnreadableError as error:
        raise GridpressError(error.told(Span(str(path)), "the file")) from error
    except (TooLargeError, UnicodeDecodeError) as error:
        hint = "save it as UTF-8 in your editor"
        raise GridpressError(
            Diagnostic(Span(str(path)), "GP105", "this is no text", hint)
        ) from error


def _filled(text: str, words: Mapping[str, str]) -> str:
    return re.sub("|".join(words), lambda found: words[found[0]], text)


def _refuse(path: Path, message: str) -> None:
    raise GridpressError(Diagnostic(Span(str(path)), "GP704", message, "choose another name"))

"""What became of an input in, what is wrong with that out."""

from __future__ import annotations

import json
import os
import re
import stat
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from fuzzing.corpus import ROOT, Link
from fuzzing.folders import MARKER
from fuzzing.inputs import Input
from fuzzing.running import Result, Stage
from generator.diagnostics import CODES
from generator.guests import installed

MOST_CPU_S: Final = 10
MOST_GUARDED_CPU_S: Final = 20
"""For a run that was ended by who watches it, which said so: 8 s beyond what is honest."""
HONEST_S: Final = 0.01
"""Seconds of CPU that a piece takes, from its words to the check of what was printed."""
_PIECES_OF_A_PACK: Final = 20
_PIECES_OF_ITS_REQUIRED: Final = 80
MOST_BYTES: Final = 1_000_000_000

_SAID: Final = re.compile(
    r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (error|warning)\[(?P<code>GP\d+)\]: \S"
)
_OTHER: Final = re.compile(
    r"\s*$|Usage: |Try '|Error: |gridpress: |interrupted|\S+: mend this first|… and "
    r"|wrote |(\d+|no) (circuit|choice)s?\b|no tiles can leave|\S+ is no circuit, so"
    r"|.+: (not all of these pictures lie|is the first row a card|the card has no place for"
    r"|not beside the table; |printed as words, as there)"
    r"|this is the first sheet; |.+: an id stands once|.+: a text, as .+ is no number here"
    r"|row \d+(, .+,)? is left out: |\w+: \{\w[\w-]*\} is printed as it stands"
    r"|.+ is left out: a head that begins|column \S+ has no head: |.+ heads two columns: "
    r"|\w+: .+ is written [\d.-]+, as all (words|numbers)|the pack reads \S+ itself"
    r"|copies: empty in row \d|\w+: .+ is no number of copies, and so |rows are called by their "
    r"|\w+: [\d.]+ is read with a decimal point|.+: nothing else stands on such a card"
    r"|the workbook was copied as CSV, as rows or heads had to be changed"
)
_CODES: Final = {*CODES, *(code for guest in installed().value for code in guest.codes)}
_NAMED: Final = frozenset(("GP001", "GP003", "GP005", "GP702", "GP704", "GP915", "GP914", "GP921"))
"""Codes that may be about what is not there: a name that was given, a file that was to be."""
_TEXTS: Final = (".yaml", ".yml", ".csv", ".j2", ".svg", ".json")
_FRAME: Final = re.compile(r'File "(?P<file>[^"]+)", line \d+,? in (?P<name>\S+)')
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong: a word for its sort, what tells it from others of the sort, and details."""

    sort: str
    what: str
    details: str = ""

    @property
    def key(self) -> str:
        """Faults of one key are the same."""
        return f"{self.sort} {self.what}".strip()


@dataclass(frozen=True, slots=True)
class Trial:
    """An input as it was run in the end, what became of it and what is wrong with that.

    `in_company` are the keys of faults that it had only when others had been run before it.
    """

    broken: Input
    result: Result
    faults: tuple[Fault, ...]
    in_company: frozenset[str] = frozenset()


def tried(broken: Input, stage: Stage, *, in_company: bool = False) -> Trial:
    """Run an input and judge it: when there is a fault once more, alone; and as a person starts the
    command when it takes too much or breaks down, for then there is somebody who ends and says it.
    """
    result = stage.run(broken, in_company=in_company)
    faults = judge(broken, result, stage)
    before = keys(faults)
    if faults and in_company and not broken.real:
        result = stage.run(broken)
        faults = judge(broken, result, stage)
    # a person's first race takes longer than there is time, and nobody ends races asked for
    can_be_real = not (broken.real or broken.races)
    if can_be_real and {fault.sort for fault in faults} & _ENDED_BY_GUARD:
        broken = replace(broken, real=True)
        result = stage.run(broken)
        faults = judge(broken, result, stage)
        before = frozenset()
    return Trial(broken, result, faults, frozenset() if faults else before)


_ENDED_BY_GUARD: Final = frozenset(("cpu", "memory", "ended"))


def judge(broken: Input, result: Result, stage: Stage) -> tuple[Fault, ...]:
    """All that is wrong, the worst first."""
    return (
        *_ending(result),
        *_costs(broken, result),
        *_trespasses(broken, result, stage),
        *_words(broken, result, stage),
    )


def _ending(result: Result) -> Iterator[Fault]:
    trace = result.crash or result.err
    if result.status is None and "signal 24" not in result.ended_by:
        yield Fault("ended", f"{result.ended_by} {innermost(result.stack)}", result.stack)
    elif result.status not in (0, 1, 2, None):
        yield Fault("exit", f"{result.status} {_raised(trace)} {innermost(trace)}", trace)
    if "Traceback" in result.err + result.out:
        yield Fault("traceback", innermost(result.err), result.err[:4000])


def _pieces(broken: Input) -> int:
    """About how many pieces there are to draw: the lines of tables, and packs; with a pack those
    that it requires are checked, a shipped one of some hundred pieces perhaps."""
    tables = [entry for path, entry in broken.project.items() if path.endswith(".csv")]
    packs = [entry for path, entry in broken.project.items() if path.endswith("/pack.yaml")]
    require = sum(isinstance(entry, bytes) and b"requires:" in entry for entry in packs)
    lines = sum(entry.count(b"\n") for entry in tables if isinstance(entry, bytes))
    return lines + len(packs) * _PIECES_OF_A_PACK + require * _PIECES_OF_ITS_REQUIRED


def _costs(broken: Input, result: Result) -> Iterator[Fault]:
    was_told = re.search(r"GP008|GP009|GP010", result.err + result.out)
    most = (MOST_GUARDED_CPU_S if was_told else MOST_CPU_S) + HONEST_S * _pieces(broken)
    if "signal 24" in result.ended_by or result.cpu > most:
        yield Fault(
            "cpu", innermost(result.stack) or "in all", f"{result.cpu:.1f} s\n{result.stack}"
        )
    if result.peak > MOST_BYTES:
        yield Fault("memory", innermost(result.stack), f"{result.peak / 1e6:.0f} MB")


def _trespasses(broken: Input, result: Result, stage: Stage) -> Iterator[Fault]:
    if {"..", "../canary", "/"} & {*broken.command} or _named_elsewhere(broken):
        return  # the user named it
    for told in result.canary[:1]:
        yield Fault("canary", f"{told} in {broken.command[0]}", "\n".join(result.canary))
    if MARKER.decode() in result.out + result.err:
        yield Fault("canary", "shown on the terminal")
    for told in result.outside[:1] if not result.crash else ():
        what = re.sub(r"\d+", "N", told.replace(str(stage.root), ""))
        yield Fault("outside", f"{what[:60]} in {broken.command[0]}", "\n".join(result.outside))
    if "home/.config" in str(result.left):
        return
    for change in result.written:
        if not _may_write(broken, change):
            yield Fault(
                "written",
                f"{change[:1]}{_place(change)} by {broken.command[0]}",
                "\n".join(result.written),
            )
            break
    for told in result.left[:1]:
        what = re.sub(r"[^/]*$", "", told) if "/" in told else told
        yield Fault("left", f"{what} by {broken.command[0]}", "\n".join(result.left))


def _named_elsewhere(broken: Input) -> bool:
    """Whether what stands after the last -o is outside of the project, or a link, or below one."""
    pairs = pairwise(broken.command)
    named = next((to for option, to in reversed([*pairs]) if option == "-o"), "")
    parts = named.split("/")
    outer = ("/".join(parts[:size]) for size in range(1, len(parts) + 1))
    is_link = any(isinstance(broken.project.get(path), Link) for path in outer)
    return is_link or os.path.normpath(named).startswith(("/", ".."))


def _place(change: str) -> str:
    """Where a change is, without names that differ from run to run."""
    name = re.sub(r"(?<=\.)[a-z0-9_]{8}(?=[/.]|$)", "*", change[1:])
    return "/".join(name.split("/")[:4])[:80]


def _may_write(broken: Input, change: str) -> bool:
    name = change[1:].removeprefix("project/")
    if not change[1:].startswith("project") or "trapped" in name:
        return False
    if name == "project":
        return change.startswith("~")
    if name == "output" or name.startswith("output/"):
        hidden = any(part.startswith(".") for part in name.split("/"))
        return not hidden and (broken.command[0] not in ("check", "list", "new"))
    match broken.command[0]:
        case "new" | "import":
            own = name == ".gitignore" or name.startswith(("cards", "templates", "fonts"))
            return own and change[0] in "+~"
        case "calibrate":
            return name == "printer.yaml" and change[0] in "+~"
        case "schema":
            return name.endswith((".schema.json", "cards/shared/schemas"))
    return "-o" in broken.command and not change.startswith(("-", "~"))


def _words(broken: Input, result: Result, stage: Stage) -> Iterator[Fault]:
    yield from _controls(result)
    if result.status is None:
        return
    if "json" in broken.command and result.status in (0, 1) and "-h" not in broken.command:
        yield from _json_places(broken, result, stage)
    said = 0
    for line in result.err.split("\n") if len(result.err) < 1_900_000 else ():
        found = _SAID.match(line)
        if found:
            said += 1
            yield from _wrong_place(found.groupdict(), broken, stage)
        elif not line.startswith("    ") and not _OTHER.match(line):
            yield Fault("form", re.sub(r"\d+|'[^']*'|\"[^\"]*\"", "…", line)[:50], line[:500])
    if result.status == 1 and not said and not result.out.strip() and not result.err.strip():
        yield Fault("silent", f"{broken.command[0]} says nothing", result.out[:500])


def _json_places(broken: Input, result: Result, stage: Stage) -> Iterator[Fault]:
    if not result.out.strip() or broken.command[0] not in ("check", "preflight"):
        return
    try:
        listed = json.loads(result.out) if len(result.out) < 1_900_000 else []
    except ValueError as error:
        yield Fault("json", "not valid", f"{error}\n{result.out[:500]}")
        return
    for one in listed:
        if set(one) >= {"file", "line", "column", "code", "message"}:
            yield from _wrong_place(one, broken, stage)
        else:
            yield Fault("json", "lacks a key", str(one))


def _wrong_place(told: dict[str, Any], broken: Input, stage: Stage) -> Iterator[Fault]:
    """A diagnostic whose file, line or column does not exist."""
    code, line, column = str(told["code"]), int(told["line"]), int(told["column"])
    if code not in _CODES:
        yield Fault("place", f"unknown code {code}")
    if (
        code in _NAMED
        or (code >= "GP8" and broken.command[0] == "build")
        or "\\x" in told["file"]
        or told["file"].startswith("game.zip/")
        or "\\udc" in told["file"]
    ):
        return
    file = re.sub(r"\\u([0-9a-f]{4})", lambda sign: chr(int(sign[1], 16)), told["file"])
    names = [base / file for base in (stage.project, ROOT, stage.root)]
    path = next((name for name in names if _is_there(name)), None)
    details = f"{told['file']}:{line}:{column} {code}"
    if path is None:
        is_hidden = any(folder.is_symlink() for folder in (stage.project / file).parents)
        if told["file"] not in broken.command and not is_hidden:
            yield Fault("place", f"{code} names no file", details)
    elif line < 1 or column < 1:
        yield Fault("place", f"{code} counts from 0", details)
    elif path.suffix in _TEXTS and stat.S_ISREG(path.lstat().st_mode):
        lines = re.split(r"\r\n|\r|\n", path.read_bytes().decode("utf-8", "replace"))
        if len(lines) > 1 and not lines[-1]:
            lines.pop()
        if line > len(lines):
            yield Fault("place", f"{code} names a line after the last", details)
        elif path.suffix != ".csv" and column > len(lines[line - 1]) + 1:
            yield Fault("place", f"{code} names a column after the last", details)


def _is_there(path: Path) -> bool:
    try:
        return path.exists() or path.is_symlink()
    except (OSError, ValueError):
        return False


def _controls(result: Result) -> Iterator[Fault]:
    for name, text in (("output", result.out), ("errors", result.err)):
        for letter in sorted(set(text)):
            is_control = unicodedata.category(letter) in ("Cc", "Zl", "Zp") and letter not in "\n\t"
            if is_control or letter in _TURNING:
                at = text.index(letter)
                code = re.search(r"\[(GP\d+)\]", text[text.rfind("\n", 0, at) + 1 : at])
                where = code[1] if code else name
                sort = "turned" if letter in _TURNING else f"U+{ord(letter):04X}"
                yield Fault("control", f"{where}", f"{sort} {text[max(0, at - 200) : at + 50]!r}")
                break


def _raised(trace: str) -> str:
    """The exception that a traceback ends with."""
    lines = [
        line
        for line in trace.splitlines()
        if re.match(r"[A-Za-z_.]+(Error|Exception|Crash|\w+): ?|[A-Za-z_.]+Error$", line)
    ]
    return lines[-1].partition(":")[0] if lines else ""


def innermost(trace: str, most: int = 2) -> str:
    """The innermost frames of ours, and the very innermost, of a traceback or a dumped stack."""
    frames = [(Path(found["file"]), found["name"]) for found in _FRAME.finditer(trace)]
    if "most recent call first" in trace:
        frames.reverse()
    ours = [f"{path.stem}.{name}" for path, name in frames if "generator" in path.parts]
    last = [f"{path.stem}.{name}" for path, name in frames[-1:]]
    return " < ".join(dict.fromkeys((*last, *reversed(ours[-most:]))))


def keys(faults: Sequence[Fault]) -> frozenset[str]:
    """What tells the faults of one run from those of another."""
    return frozenset(fault.key for fault in faults)

"""Tell what is wrong with the result of a case."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from fuzzing.cases import Case
from fuzzing.projects import ROOT, Link
from fuzzing.running import MARKER, Result, Stage
from generator.diagnostics import CODES
from generator.guests import installed

_MOST_CPU_S: Final = 10
_MOST_STOPPED_CPU_S: Final = 20
"""For a command that Gridpress stopped, and said so."""
_PACK_S: Final = 0.5
"""Seconds for each pack: work that honest packs take."""
_MOST_BYTES: Final = 1_000_000_000

_DIAGNOSTIC: Final = re.compile(
    r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (error|warning)\[(?P<code>GP\d+)\]: \S"
)
_EXCEPTION: Final = re.compile(r"(?m)^[A-Za-z_][\w.]*(Error|Exception|Warning): ")
_BUG: Final = re.compile(r"(?i)\b(this is|tells of) a bug in\b")
_CODES: Final = {*CODES, *(code for guest in installed().value for code in guest.codes)}
_NAMED: Final = frozenset("GP001 GP003 GP005 GP611 GP702 GP704 GP914 GP915 GP921".split())
"""Codes that may be about a file that is not there."""
_TEXTS: Final = (".yaml", ".yml", ".j2", ".svg", ".json")
_FRAME: Final = re.compile(r'File "(?P<file>[^"]+)", line \d+, in (?P<name>\S+)')
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure of Gridpress, with details for whoever fixes it."""

    sort: str
    what: str
    details: str = ""

    @property
    def key(self) -> str:
        """Faults with the same key are taken to be the same."""
        return f"{self.sort} {self.what}".strip()


def tried(case: Case, stage: Stage) -> tuple[Result, tuple[Fault, ...]]:
    """Run and judge a case. One that takes too much runs once more as its user starts it, since
    Gridpress then ends it and says so."""
    result = stage.run(case)
    faults = judge(case, result, stage)
    if {fault.sort for fault in faults} & {"cpu", "memory", "ended"}:
        result = stage.run(case, as_user=True)
        faults = judge(case, result, stage)
    return result, faults


def judge(case: Case, result: Result, stage: Stage) -> tuple[Fault, ...]:
    """Return all that is wrong, the worst first."""
    return (
        *_ending(result),
        *_costs(case, result),
        *_trespasses(case, result, stage),
        *_words(case, result, stage),
    )


def _ending(result: Result) -> Iterator[Fault]:
    said = result.err + result.out
    if result.status is None and result.ended_by != "signal 24":
        yield Fault("ended", result.ended_by)
    elif result.status not in (0, 1, 2, None) or result.crash or _BUG.search(said):
        yield Fault("bug", _innermost(result.crash or said), result.crash or said[-4000:])
    if "Traceback" in said:
        yield Fault("traceback", _innermost(said), said[:4000])
    elif _EXCEPTION.search(result.err):
        yield Fault("exception", _EXCEPTION.search(result.err)[0], result.err[:4000])  # type: ignore[index]
    if result.left:
        yield Fault("left", "a process running")


def _costs(case: Case, result: Result) -> Iterator[Fault]:
    packs = sum(path.endswith("/pack.yaml") for path in case.project)
    most = (_MOST_STOPPED_CPU_S if _was_stopped(result) else _MOST_CPU_S) + _PACK_S * packs
    if result.ended_by == "signal 24" or result.cpu > most:
        yield Fault("cpu", case.command[0], f"{result.cpu:.1f} s")
    if result.peak > _MOST_BYTES:
        yield Fault("memory", case.command[0], f"{result.peak / 1e6:.0f} MB")


def _was_stopped(result: Result) -> bool:
    return re.search(r"GP008|GP009|GP010", result.err + result.out) is not None


def _trespasses(case: Case, result: Result, stage: Stage) -> Iterator[Fault]:
    if {"..", "../canary", "/"} & {*case.command} or _names_elsewhere(case):
        return  # the user named it
    command = case.command[0]
    if MARKER.decode() in result.out + result.err:
        yield Fault("canary", "shown on the terminal")
    for told in result.outside[:1] if not result.crash else ():
        what = re.sub(r"\d+", "N", told.replace(str(stage.root), ""))
        yield Fault("outside", f"{what[:60]} in {command}", "\n".join(result.outside))
    for change in result.written:
        is_lock = change.endswith("lock") and _was_stopped(result)  # the next build takes it
        if not is_lock and not _may_write(case, change):
            place = "/".join(change.split("/")[:4])[:80]
            yield Fault("written", f"{place} by {command}", "\n".join(result.written))
            break


def _names_elsewhere(case: Case) -> bool:
    """Tell whether the last -o leads out of the project, or through a link."""
    named = ""
    for option, to in pairwise(case.command):
        named = to if option == "-o" else named
    parts = named.split("/")
    outer = ("/".join(parts[:size]) for size in range(1, len(parts) + 1))
    is_link = any(isinstance(case.project.get(path), Link) for path in outer)
    return is_link or os.path.normpath(named).startswith(("/", ".."))


def _may_write(case: Case, change: str) -> bool:
    command, name = case.command[0], change[1:].removeprefix("project/")
    if not change[1:].startswith("project/") or "trapped" in name:
        return False
    if name == "output" or name.startswith("output/"):
        is_hidden = any(part.startswith(".") for part in name.split("/"))
        return not is_hidden and command not in ("check", "list", "new")
    match command:
        case "new" | "import":
            return change[0] != "-" and name.startswith(("cards", "templates", "fonts", ".git"))
        case "calibrate":
            return change[0] != "-" and name == "printer.yaml"
        case "schema":
            return name.endswith((".schema.json", "cards/shared/schemas"))
    return "-o" in case.command and change[0] == "+"


def _words(case: Case, result: Result, stage: Stage) -> Iterator[Fault]:
    for text in (result.out, result.err):
        yield from _controls(text)
    if result.status is None:
        return
    said = [found.groupdict() for found in map(_DIAGNOSTIC.match, result.err.split("\n")) if found]
    if "json" in case.command and case.command[0] in ("check", "preflight") and result.out.strip():
        try:
            said += json.loads(result.out) if result.status < 2 and result.out[0] in "[{" else []
        except ValueError as error:
            yield Fault("json", "not valid", f"{error}\n{result.out[:500]}")
    for one in said:
        yield from _wrong_place(one, case, stage)
    if result.status == 1 and not result.out.strip() and not result.err.strip():
        yield Fault("silent", case.command[0])


def _wrong_place(told: dict[str, Any], case: Case, stage: Stage) -> Iterator[Fault]:
    """Check that the file, line and column of a diagnostic exist."""
    code, line, column = str(told["code"]), int(told["line"]), int(told["column"])
    file = re.sub(r"\\u([0-9a-f]{4})", lambda sign: chr(int(sign[1], 16)), str(told["file"]))
    details = f"{file}:{line}:{column} {code}"
    if code not in _CODES:
        yield Fault("place", f"unknown code {code}")
    is_of_a_print = code >= "GP8" and case.command[0] == "build"
    if code in _NAMED or is_of_a_print or re.search(r"\\x|\\udc|game\.zip/|[\ud800-\udfff]", file):
        return
    path = next((base / file for base in (stage.project, ROOT) if _is_there(base / file)), None)
    if path is None:
        is_linked = any(folder.is_symlink() for folder in (stage.project / file).parents)
        if file not in case.command and not is_linked:
            yield Fault("place", f"{code} names no file", details)
    elif line < 1 or column < 1:
        yield Fault("place", f"{code} counts from 0", details)
    elif path.suffix in _TEXTS and path.is_file() and not path.is_symlink():
        lines = re.split(r"\r\n|\r|\n", path.read_bytes().decode("utf-8", "replace"))
        if line > len(lines) or (line == len(lines) > 1 and not lines[-1]):
            yield Fault("place", f"{code} names a line after the last", details)
        elif column > len(lines[line - 1]) + 1:
            yield Fault("place", f"{code} names a column after the last", details)


def _is_there(path: Path) -> bool:
    try:
        return path.exists() or path.is_symlink()
    except (OSError, ValueError):
        return False


def _controls(text: str) -> Iterator[Fault]:
    """Find letters that change what a terminal shows."""
    for letter in sorted(set(text)):
        is_control = unicodedata.category(letter) in ("Cc", "Zl", "Zp") and letter not in "\n\t"
        if is_control or letter in _TURNING:
            at = text.index(letter)
            near = text[max(0, at - 200) : at + 50]
            code = re.findall(r"\[(GP\d+)\]", near)
            yield Fault("control", code[-1] if code else "", f"U+{ord(letter):04X} {near!r}")
            return


def _innermost(trace: str) -> str:
    """Return the innermost frame of ours, the innermost of all and the exception of a traceback."""
    frames = [(Path(found["file"]), found["name"]) for found in _FRAME.finditer(trace)]
    ours = [f"{path.stem}.{name}" for path, name in frames if "generator" in path.parts]
    last = [f"{path.stem}.{name}" for path, name in frames]
    raised = re.findall(r"(?m)^[A-Za-z_][\w.]*(?=: |$)", trace)
    return " ".join(dict.fromkeys((*raised[-1:], *last[-1:], *ours[-1:])))

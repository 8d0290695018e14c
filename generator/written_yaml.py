"""Adds to YAML files that authors wrote, and leaves the rest as it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import yaml

from generator.diagnostics import Diagnostic, GridpressError, Span

_TEXTS: Final[Any] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_VALUES: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PRINTS: Final = re.compile(r"prints\s*:\s*(#.*)?$")
_MAPS: Final = ("fonts", "colours", "styles")


def as_written(text: str) -> Any:
    """Return the YAML of a text with every value as text: `2024-13-45` is no date that could fail.

    Raises yaml.YAMLError.
    """
    return yaml.load(text, Loader=_TEXTS)  # noqa: S506, it makes nothing but texts


def as_values(text: str) -> Any:
    """Return the YAML of a text, ten times as fast as `yaml.safe_load`. Raises yaml.YAMLError."""
    return yaml.load(text, Loader=_VALUES)  # noqa: S506, it makes nothing but plain values


def with_print(text: str, name: str, entry: str) -> str | None:
    """Return pack.yaml with one more print at the end of `prints`; None if that block has an
    unusual form or has the print already."""
    lines = text.rstrip().splitlines()
    at = next((n for n, line in enumerate(lines) if line.startswith("prints")), None)
    if at is not None and not _PRINTS.match(lines[at]):
        return None
    if at is None:
        lines += ["prints:", f"  {name}: {entry}"]
    else:
        block = list(block_of(lines, at + 1))
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


def block_of(lines: Sequence[str], start: int) -> Iterator[int]:
    """Yield the lines with content that are indented below the key before `start`."""
    for number in range(start, len(lines)):
        content = lines[number].strip()
        if content and not content.startswith("#"):
            if not _indent(lines[number]):
                return
            yield number


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def with_faces(text: str, names: Mapping[str, str]) -> str | None:
    """Return the text of a kind with other files for its faces; None if they have an unusual
    form."""
    lines = text.splitlines()
    at = next((n for n, line in enumerate(lines) if line.startswith("faces:")), None)
    if at is None:
        return None
    ends = [at, *block_of(lines, at + 1)]
    listed = ", ".join(f"{side}: {name}" for side, name in names.items())
    lines[at : ends[-1] + 1] = [f"faces: {{{listed}}}"]
    made = "\n".join(lines) + "\n"
    try:
        before, after = as_written(text), as_written(made)
        return made if after == {**before, "faces": dict(names)} else None
    except (yaml.YAMLError, TypeError):
        return None


def with_styles(text: str, more: str, file: str) -> str:
    """Return the text of a styles.yaml with what another has and it has not.

    Raises GridpressError (GP205) when `text`, the text of `file`, has an unusual form.
    """
    try:
        own, other = as_values(text) or {}, as_values(more)
        lines = text.rstrip().splitlines()
        wanted = dict(own)
        for key, value in _missing(own, other):
            wanted[key] = {**(own.get(key) or {}), **value} if isinstance(value, dict) else value
            _add(lines, key, value)
        made = "\n".join(lines) + "\n"
        if as_values(made) == wanted:
            return made
    except (yaml.YAMLError, AttributeError, TypeError):
        pass
    message = "the styles of the look cannot be added, because of how this file is written"
    hint = "write fonts, colours and styles as blocks: one name on each line"
    raise GridpressError(Diagnostic(Span(file), "GP205", message, hint))


def _missing(own: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the keys at the top with missing entries, each with these."""
    for key in _MAPS:
        known = own.get(key) or {}
        if missing := {name: each for name, each in other[key].items() if name not in known}:
            yield key, missing
    for key in ("fallback", "ink"):
        if key in other and key not in own:
            yield key, other[key]


def _add(lines: list[str], key: str, value: Any) -> None:
    """Add entries to a map at the top, or the whole key at the end."""
    at = next((n for n, line in enumerate(lines) if line.startswith(f"{key}:")), None)
    if at is None:
        if isinstance(value, dict):
            lines += [f"{key}:", *(f"  {name}: {_flow(each)}" for name, each in value.items())]
        else:
            lines.append(f"{key}: {_flow(value)}")
        return
    entries = [f"{name}: {_flow(each)}" for name, each in value.items()]
    block = list(block_of(lines, at + 1))
    if block:
        first = lines[block[0]]
        indent = first[: len(first) - len(first.lstrip())]
        lines[block[-1] + 1 : block[-1] + 1] = [indent + entry for entry in entries]
    elif (end := lines[at].rfind("}")) > 0:
        lines[at] = f"{lines[at][:end]}, {', '.join(entries)}{lines[at][end:]}"


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_flow(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return json.dumps(value) if isinstance(value, str) and value.startswith("#") else _plain(value)


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

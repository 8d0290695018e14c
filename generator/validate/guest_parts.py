"""What guests bring to a pack: types of fields for its kinds, and checks of the pack as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from generator import guests
from generator.diagnostics import Diagnostic, GridpressError
from generator.guests import FieldKind
from generator.model.pack import Field, Pack, SourceText
from generator.model.source import Node, Scalar
from generator.validate.reading import FieldType, Reading, Schema


def find_guests(asked: Iterable[SourceText], reading: Reading) -> tuple[str, ...]:
    """The names of the guests that pack.yaml asks for and that can be had. Tells of others: GP013
    where none is installed, GP012 where it cannot be used."""
    found = []
    for name in asked:
        if name not in guests.offered():
            hint = reading.did_you_mean(name, guests.offered())
            hint = hint or "ask its author for the package, and install it beside Gridpress"
            reading.report(name.span, "GP013", f"guests: {str(name)!r} is not installed", hint)
            continue
        try:
            guests.guest(str(name))
        except GridpressError as error:
            [told] = error.diagnostics
            reading.report(name.span, told.code, told.message, told.hint)
            continue
        found.append(str(name))
    return tuple(found)


def guest_types(names: Iterable[str], own: Mapping[str, FieldType]) -> dict[str, FieldType]:
    """The types of fields of guests; never in the place of one of our `own`, and of two of the same
    name the first."""
    found: dict[str, FieldType] = {}
    for guest in map(guests.guest, names):
        for name, kind in guest.fields.items():
            if name not in own:
                found.setdefault(name, _type(guest.name, kind))
    return found


def _type(guest: str, kind: FieldKind) -> FieldType:
    return FieldType(
        kind.says,
        kind.example,
        partial(_read, guest, kind),
        partial(_schema, kind.pattern),
        frozenset(("unique",)),
    )


def _read(guest: str, kind: FieldKind, node: Node, rule: Field, reading: Reading, path: str) -> Any:
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    try:
        value = guests.carried_out(guest, kind.read, node.text)
        value = guests.plain_value(value, node.span)
    except GridpressError as error:
        [told] = error.diagnostics
        return reading.report(node.span, told.code, f"{path}: {told.message}", told.hint)
    except (ValueError, TypeError) as error:
        return reading.wrong_type(node, rule, path, str(error))
    return SourceText(value, node.span) if isinstance(value, str) else value


def _schema(pattern: str, _rule: Field, _describe: object) -> Schema:
    return {"type": ["string", "number", "boolean"]} | (
        {"pattern": f"^(?:{pattern})$"} if pattern else {}
    )


def check_by_guests(pack: Pack) -> Iterator[Diagnostic]:
    """What the guests of a sound pack find wrong with it."""
    for guest in map(guests.guest, pack.guests):
        for where in guest.checks:
            try:
                for told in guests.carried_out(guest.name, where, pack):
                    if not isinstance(told, Diagnostic):
                        raise TypeError(f"{told!r} is no diagnostic")
                    if told.code not in guest.codes:
                        raise ValueError(f"{told.code} is none of its codes")
                    yield told
            except GridpressError as error:
                yield from error.diagnostics
            except (ValueError, TypeError) as error:
                yield from guests.unusable(guest.name, f"{where}: {error}").diagnostics

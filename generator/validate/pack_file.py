"""Read pack.yaml and styles.yaml, and bring in guests: their field types and checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from generator import guests
from generator.diagnostics import CODES, Diagnostic, GridpressError, Outcome, Span
from generator.guests import FieldKind
from generator.model.catalogue import Catalogue
from generator.model.pack import Backs, Component, Field, Layout, Pack, Print, Waiver
from generator.model.source import Document, Scalar
from generator.model.values import Record, SourceText
from generator.project import is_requirement
from generator.validate.definition_files import (
    PACK,
    STYLE,
    STYLES,
    Root,
    definition_reading,
    read_root,
)
from generator.validate.field_types import SCALAR, parse_colour
from generator.validate.kinds import Kinds
from generator.validate.reading import FieldType, Reading, struct_of


def read_pack_file(document: Document, reading: Reading) -> Root:
    """Return the values of pack.yaml as far as they can be used."""
    root = read_root(document, PACK, reading)
    players = root["players"]
    if players is not None and players["min"] > players["max"]:
        reading.fault(
            players.span_of("max"),
            "GP213",
            "players.max: less than players.min",
            "swap the two",
        )
    for name, wanted in (root["requires"] or {}).items():
        if not is_requirement(wanted):
            message = f"requires.{name}: {str(wanted)!r} is not a range of versions"
            reading.fault(wanted.span, "GP213", message, 'such as ">= 1.0.0" or ">= 1.2, < 2"')
    return root


def players_for(root: Root, asked: int | None, reading: Reading) -> int | None:
    """Return the number of players that expressions see: as asked, else the most that can play."""
    players = root["players"]
    if players is None:
        return asked
    if asked is None:
        return int(players["max"])
    if not players["min"] <= asked <= players["max"]:
        message = f"the pack is for {players['min']} to {players['max']} players, not {asked}"
        reading.remark(players.span, "GP204", message, "change --players")
    return asked


def pack_record(root: Root, lent: Mapping[str, Any]) -> Record:
    """Return `pack` as expressions and templates see it. `lent` options of required packs count
    unless the pack has its own."""
    names = ("title", "version", "description", "language", "players")
    own = root["options"] or Record({}, root.values.span)
    options = Record({**lent, **own}, own.span, own.spans)
    return Record({**{name: root[name] for name in names}, "options": options}, root.values.span)


def make_prints(
    root: Root, kinds: Kinds, catalogue: Catalogue, reading: Reading
) -> tuple[Print, ...]:
    """Return the prints in order, checked."""
    given: Record = _EMPTY if root["prints"] is None else root["prints"]
    prints = tuple(_print(name, values, catalogue) for name, values in given.items())
    for print_ in prints:
        values = given[print_.name]
        _check_kinds(print_, values, kinds, reading)
        _check_papers(print_, values, catalogue, reading)
        _check_labels(print_, values, catalogue, reading)
        _check_poster(print_, values, kinds, reading)
    if "prints" not in root.bad and given.spans.keys() == given.keys():
        _check_all_printed(prints, kinds, reading)
    return prints


def make_waivers(root: Root, reading: Reading) -> tuple[Waiver, ...]:
    """Return the waivers, with unknown codes reported."""
    waivers = []
    for given in root["waivers"] or ():
        if not {"code", "component", "reason"} <= given.keys():  # already reported
            continue
        waiver = Waiver(
            str(given["code"]), str(given["component"]), str(given["reason"]), given.span
        )
        if waiver.code not in CODES:
            known = (code for code in CODES if code.startswith("GP8"))
            said = "waivers: there is no finding"
            reading.unknown(said, waiver.code, known, given.span_of("code"))
        waivers.append(waiver)
    return tuple(waivers)


def waivers_for(
    components: Mapping[str, Sequence[Component]], waivers: Iterable[Waiver], reading: Reading
) -> Iterator[Waiver]:
    """Yield the waivers that fit a component or the whole pack, and warn about the rest."""
    names = [f"{kind}/{one.id}" for kind, found in components.items() for one in found]
    for waiver in waivers:
        if waiver.fits("") or any(map(waiver.fits, names)):
            yield waiver
            continue
        known = names if "/" in waiver.component else [n.partition("/")[2] for n in names]
        hint = reading.did_you_mean(waiver.component, known)
        message = (
            f"the waiver of {waiver.code} names no component: there is no {waiver.component!r}"
        )
        reading.remark(waiver.span, "GP871", message, hint)


SPLIT: Final = (Layout.NUP, Layout.NESTED)
"""Layouts that can split a piece larger than the paper."""


def _print(name: str, given: Record, catalogue: Catalogue) -> Print:
    labels: Mapping[str, Any] = given["labels"] or {}
    return struct_of(
        Print,
        given,
        name=name,
        title=str(given["title"]) or name.replace("-", " ").capitalize(),
        span=given.span,
        kinds=tuple(map(str, given["kinds"])),
        papers=tuple(_paper(paper, catalogue) for paper in given["papers"] or labels),
        layout=Layout(given["layout"]),
        backs=Backs(given["backs"]),
        labels={_paper(paper, catalogue): str(sheet) for paper, sheet in labels.items()},
    )


def _paper(name: str, catalogue: Catalogue) -> str:
    """Return a paper's name as the catalogue has it: `A4` is `a4`, unless there is a paper `A4`."""
    return str(name) if name in catalogue.papers else str(name).lower()


def _check_kinds(print_: Print, given: Record, kinds: Kinds, reading: Reading) -> None:
    path = f"prints.{print_.name}.kinds"
    for name in given["kinds"]:
        plan = kinds.plans.get(name)
        if plan is None and kinds.hides(name):
            continue
        if plan is None:
            reading.unknown(f"{path}: there is no kind", name, kinds.plans, name.span, "GP212")
        elif plan.sound and not plan.kind.faces:
            hint = "give the kind a stock and faces, or do not print it"
            message = f"{path}: the kind {str(name)!r} is only data and has no faces"
            reading.fault(name.span, "GP213", message, hint)


def _check_papers(print_: Print, given: Record, catalogue: Catalogue, reading: Reading) -> None:
    path = f"prints.{print_.name}"
    if not print_.papers:
        hint = f"such as papers: [{', '.join(list(catalogue.papers)[:2]) or 'a4'}]"
        reading.fault(given.span, "GP213", f"{path}: the papers are missing", hint)
    for name in given["papers"]:
        if _paper(name, catalogue) not in catalogue.papers:
            said = f"{path}.papers: there is no paper"
            reading.unknown(said, name, catalogue.papers, name.span, "GP603")


def _check_labels(print_: Print, given: Record, catalogue: Catalogue, reading: Reading) -> None:
    path = f"prints.{print_.name}"
    labels: Mapping[str, Any] = given["labels"] or {}
    if (print_.layout is Layout.LABELS) != bool(labels):
        hint = "such as {layout: labels, labels: {a4: l7651}}"
        message = f"{path}: layout: labels and labels: go together"
        reading.fault(given.span_of("labels" if labels else "layout"), "GP213", message, hint)
        return
    for paper, name in labels.items():
        span: Span = name.span
        sheet = catalogue.label_sheets.get(name)
        if sheet is None:
            said = f"{path}.labels: there is no label sheet"
            reading.unknown(said, name, catalogue.label_sheets, span, "GP604")
        elif sheet.paper != _paper(paper, catalogue):
            message = f"{path}.labels: {sheet.title} is a sheet of {sheet.paper}, not of {paper}"
            reading.report(span, "GP604", message, f"write {sheet.paper}: {name}")
    for name in given["papers"]:
        if labels and _paper(name, catalogue) not in print_.labels:
            message = f"{path}.papers: no label sheet is given for {name}"
            reading.report(name.span, "GP604", message, "add it to labels:")


def _check_poster(print_: Print, given: Record, kinds: Kinds, reading: Reading) -> None:
    """Report overlap and split where they do nothing, and warn about backs that a poster does not
    print."""
    path = f"prints.{print_.name}"
    if print_.split and print_.layout not in SPLIT:
        message = f"{path}.split: has no effect with layout: {print_.layout}"
        hint = "pieces are split in layouts nup and nested; a poster always is"
        reading.fault(given.span_of("split"), "GP213", message, hint)
    if print_.layout is not Layout.POSTER:
        if given["overlap"] is not None and not print_.split:
            message = f"{path}.overlap: only pages of a poster overlap"
            hint = "write layout: poster or split: true, or gutter: for the room between two pieces"
            reading.fault(given.span_of("overlap"), "GP213", message, hint)
        return
    for name in given["kinds"]:
        plan = kinds.plans.get(name)
        if plan is not None and "back" in plan.kind.faces and print_.backs is not Backs.NONE:
            message = f"{path}: a poster has no back, that of {str(name)!r} is not printed"
            reading.remark(name.span, "GP213", message, "write backs: none if it is meant so")


def _check_all_printed(prints: tuple[Print, ...], kinds: Kinds, reading: Reading) -> None:
    """Warn about kinds with faces that no print names."""
    printed = {name for print_ in prints for name in print_.kinds}
    for name, plan in kinds.plans.items():
        if plan.kind.faces and plan.sound and name not in printed and name not in kinds.lent:
            message = f"the kind {name!r} has faces, but no print in pack.yaml names it"
            hint = "add it to the kinds: of a print"
            reading.remark(plan.kind.span, "GP213", message, hint)


_EMPTY = Record({}, Span(""))


def read_styles(document: Document | None, otherwise: Span) -> Outcome[Record]:
    """Return `fonts`, `fallback`, `colours` (`#rrggbb`), `ink.low`, `ink.mono` and `styles`, sizes
    in mm. Without a file they are empty, at the place `otherwise`."""
    if document is None:
        return Outcome(_with_all({}, Record({}, otherwise)))
    reading = definition_reading()
    given = read_root(document, STYLES, reading)
    ink = given["ink"] or _EMPTY
    colours = given["colours"] or _EMPTY
    for mode, replaced in ink.items():
        _check_names(replaced or _EMPTY, colours, f"ink.{mode}", reading)
    fonts = given["fonts"] or _EMPTY
    styles = {
        name: _style(name, style, fonts, colours, reading)
        for name, style in (given["styles"] or _EMPTY).items()
    }
    # After a fault, faces are drawn with the sound styles to find more faults.
    styles = {
        name: style
        for name, style in styles.items()
        if style.keys() >= STYLE.keys() and style["font"] in fonts
    }
    made = {
        "fonts": fonts,
        "fallback": given["fallback"],
        "colours": colours,
        "ink": Record({mode: ink.get(mode) or _EMPTY for mode in ("low", "mono")}, ink.span),
        "styles": Record(styles, (given["styles"] or _EMPTY).span),
    }
    return Outcome(_with_all(made, given.values), reading.found)


def _with_all(made: dict[str, Any], given: Record) -> Record:
    empty = {"fonts": _EMPTY, "fallback": (), "colours": _EMPTY, "styles": _EMPTY}
    empty["ink"] = Record({"low": _EMPTY, "mono": _EMPTY}, given.span)
    return given.with_values({**empty, **made})


def _check_names(replaced: Record, colours: Record, path: str, reading: Reading) -> None:
    for name in replaced:
        if name not in colours and name not in reading.broken:
            said = f"{path}: there is no colour"
            reading.unknown(said, name, colours, replaced.span_of(name), "GP309")


def _style(name: str, style: Record, fonts: Record, colours: Record, reading: Reading) -> Record:
    path = f"styles.{name}"
    font, colour = style["font"], str(style["colour"])
    if font not in fonts and font not in reading.broken:
        said = f"{path}.font: there is no font"
        reading.unknown(said, font, fonts, style.span_of("font"), "GP403")
    if colour not in colours and colour not in reading.broken:
        try:
            colour = parse_colour(colour, {})
        except ValueError:
            said = f"{path}.colour: there is no colour"
            reading.unknown(said, colour, colours, style.span_of("colour"), "GP309")
    least = style["size"] if style["min"] is None else style["min"]
    if least > style["size"]:
        message = f"{path}.min: larger than the size"
        reading.fault(style.span_of("min"), "GP213", message, "text shrinks from size to min")
    return style.with_values({"min": least, "colour": colour})


def find_guests(asked: Iterable[SourceText], reading: Reading) -> tuple[str, ...]:
    """Return the names of usable guests; report the others (GP012, GP013)."""
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
            [fault] = error.diagnostics
            reading.report(name.span, fault.code, fault.message, fault.hint)
            continue
        found.append(str(name))
    return tuple(found)


def guest_types(names: Iterable[str], own: Mapping[str, FieldType]) -> dict[str, FieldType]:
    """Return the field types of guests, none in place of `own`. The first of two with one name
    counts."""
    found: dict[str, FieldType] = {}
    for guest in map(guests.guest, names):
        for name, kind in guest.fields.items():
            if name not in own:
                found.setdefault(name, _guest_type(guest.name, kind))
    return found


def _guest_type(guest: str, kind: FieldKind) -> FieldType:
    return FieldType(
        kind.says,
        kind.example,
        partial(_read_by_guest, guest, kind),
        SCALAR | ({"pattern": f"^(?:{kind.pattern})$"} if kind.pattern else {}),
        frozenset(("unique",)),
    )


def _read_by_guest(
    guest: str, kind: FieldKind, node: Scalar, rule: Field, reading: Reading, path: str
) -> Any:
    try:
        value = guests.carried_out(guest, kind.read, node.text)
        value = guests.plain_value(value, node.span)
    except GridpressError as error:
        [fault] = error.diagnostics
        return reading.report(node.span, fault.code, f"{path}: {fault.message}", fault.hint)
    except (ValueError, TypeError) as error:
        return reading.wrong_type(node, rule, path, str(error))
    return SourceText(value, node.span) if isinstance(value, str) else value


def check_by_guests(pack: Pack) -> Iterator[Diagnostic]:
    """Yield the findings of guests on a sound pack."""
    for guest in map(guests.guest, pack.guests):
        for where in guest.checks:
            try:
                for finding in guests.carried_out(guest.name, where, pack):
                    if not isinstance(finding, Diagnostic):
                        raise TypeError(f"{finding!r} is no diagnostic")
                    if finding.code not in guest.codes:
                        raise ValueError(f"{finding.code} is none of its codes")
                    yield finding
            except GridpressError as error:
                yield from error.diagnostics
            except (ValueError, TypeError) as error:
                yield from guests.unusable_guest(guest.name, f"{where}: {error}").diagnostics

"""Who takes which PDF, from pdf_profiles.yaml, with the shops and papers that it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.diagnostics import Outcome, did_you_mean, in_order
from generator.geometry import Size
from generator.model.outlet import Blank, PdfProfile, Shop
from generator.model.source import Document
from generator.model.stock import Paper
from generator.model.values import Record
from generator.units import MM_PER_INCH
from generator.validate.definition_fields import PDF_PROFILES
from generator.validate.definition_types import definition_reading, read_root
from generator.validate.reading import Reading


def read_pdf_profiles(
    documents: Sequence[Document], shops: Mapping[str, Shop], papers: Mapping[str, Paper]
) -> Outcome[Mapping[str, PdfProfile]]:
    """All profiles that the files define; one that a later file defines again is replaced."""
    reading = definition_reading()
    profiles: dict[str, PdfProfile] = {}
    for document in documents:
        values = read_root(document, PDF_PROFILES, reading)
        for name, given in (values["profiles"] or {}).items():
            profiles[name] = _profile(name, given, shops, papers, reading)
    return Outcome(profiles, in_order(reading.faults))


def _profile(
    name: str,
    given: Record,
    shops: Mapping[str, Shop],
    papers: Mapping[str, Paper],
    reading: Reading,
) -> PdfProfile:
    path, bleed = f"profiles.{name}", given["bleed"]
    shop = _named(given, "shop", [given["shop"]] if given["shop"] else [], shops, path, reading)
    blanks = [blank for one in shop for blank in _pictured(one)]
    blanks += (
        Blank(key, Size(*size), Size(size[0] + 2 * bleed, size[1] + 2 * bleed))
        for key, size in (given["products"] or {}).items()
    )
    return PdfProfile(
        name=name,
        title=str(given["title"]),
        blanks=tuple(blanks),
        papers=tuple(_named(given, "papers", given["papers"] or [], papers, path, reading)),
        pictures=bool(shop),
        bleed=bleed,
        safe=given["safe"],
        boxes=given["boxes"],
        colours=tuple(map(str, given["colours"] or ())),
        ink=given["ink"] or 0,
        transparency=given["transparency"],
        standards=tuple(map(str, given["standards"] or ())),
        conditions=tuple(map(str, given["conditions"] or ())),
        dpi=given["dpi"] or 0,
        most_pages=given["most_pages"] or 0,
        most_bytes=given["most_bytes"] or 0,
        paired=given["paired"],
    )


def _named(
    given: Record,
    field: str,
    names: Sequence[str],
    known: Mapping[str, Any],
    path: str,
    reading: Reading,
) -> list[Any]:
    """What names stand for; a fault for one that stands for nothing."""
    for name in names:
        if name not in known:
            message = f"{path}.{field}: there is no {name!r}"
            reading.fault(given.span_of(field), "GP213", message, did_you_mean(name, known))
    return [known[name] for name in names if name in known]


def _pictured(shop: Shop) -> Iterator[Blank]:
    """What a shop makes, as pages of the size of its pictures."""
    for product in shop.products.values():
        width, height = (pixels / shop.dpi * MM_PER_INCH for pixels in product.canvas)
        yield Blank(product.name, product.trim, Size(width, height))

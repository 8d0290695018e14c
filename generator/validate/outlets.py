"""Print shops from shops.yaml, who takes which PDF from pdf_profiles.yaml, and what a pack says of
outlets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from generator import guests
from generator.diagnostics import Outcome, Span, did_you_mean
from generator.geometry import MM_PER_INCH, Size
from generator.model.catalogue import (
    ADDRESS,
    OUTLETS,
    WISHES,
    AnySize,
    Blank,
    Paper,
    PdfProfile,
    Product,
    Shape,
    Shop,
    TableObject,
    Wish,
)
from generator.model.pack import Record
from generator.model.source import Document
from generator.validate.definition_fields import PDF_PROFILES, SHOPS
from generator.validate.definition_types import Root, definition_reading, read_root
from generator.validate.kinds import Kinds
from generator.validate.reading import Reading

OF_SHOPS: Final = ("product", "kind", "id", "number", "copies")
OF_PICTURES: Final = ("kind", "id", "side", "number", "copies")
"""What may stand in braces in the name of a file."""
_MOST_LETTERS: Final = 150
_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
_REST: Final = re.compile(r"[A-Za-z0-9_.,()\[\] /-]*")
"""What may stand around braces: any file system takes it."""
_ROUNDING_PX: Final = 1.0


def read_shops(documents: Sequence[Document]) -> Outcome[Mapping[str, Shop]]:
    """All print shops that the files define; one that a later file defines again is replaced."""
    reading = definition_reading()
    shops: dict[str, Shop] = {}
    for document in documents:
        values = read_root(document, SHOPS, reading)
        shops |= {name: _shop(name, v, reading) for name, v in (values["shops"] or {}).items()}
    return Outcome(shops, reading.found)


def _shop(name: str, given: Record, reading: Reading) -> Shop:
    path = f"shops.{name}"
    # What is made in any size is no product, so nothing would stand in that one's place.
    known = OF_SHOPS if given["any_size"] is None else OF_SHOPS[1:]
    for field, needed in (("fronts", ("id",)), ("backs", ("id",)), ("shared_back", ())):
        fault = name_fault(str(given[field]), known, needed) if given.get(field) else None
        if fault is not None:
            reading.fault(given.span_of(field), "GP213", f"{path}.{field}: {fault[0]}", fault[1])
    products: Mapping[str, Record] = given["products"] or {}
    if not products and not given["any_size"]:
        hint = "give products:, or any_size: where it cuts what it is sent"
        reading.fault(given.span, "GP213", f"{path}: it makes nothing", hint)
    any_size = given["any_size"]
    return Shop(
        name=name,
        title=str(given["title"]),
        span=given.span,
        fronts=str(given["fronts"]),
        backs=str(given["backs"]),
        shared_back=str(given["shared_back"]),
        dpi=given["dpi"],
        format=str(given["format"]),
        repeats=given["repeats"],
        safe=given["safe"],
        most=given["most"] or 0,
        most_bytes=given["most_bytes"] or 0,
        products={
            key: _product(key, value, given["dpi"], f"{path}.products.{key}", reading)
            for key, value in products.items()
        },
        any_size=AnySize(any_size["bleed"], any_size["most_px"] or 0) if any_size else None,
    )


def _product(name: str, given: Record, dpi: int, path: str, reading: Reading) -> Product:
    canvas = (int(given["canvas"][0]), int(given["canvas"][1]))
    trim = Size(*given["trim"])
    per_mm = dpi / MM_PER_INCH
    if any(
        cut * per_mm > pixels + _ROUNDING_PX
        for cut, pixels in zip((trim.width, trim.height), canvas, strict=True)
    ):
        message = f"{path}.canvas: at {dpi} dpi it is smaller than the trim"
        reading.fault(given.span_of("canvas"), "GP213", message, "count the pixels again")
    return Product(name, canvas, trim, Shape(given["shape"]), given["sticker"])


def make_wishes(
    root: Root, kinds: Kinds, shops: Mapping[str, Shop] | None, reading: Reading
) -> Mapping[str, Wish]:
    """What pack.yaml says of outlets, checked against the pack's kinds; and against the shops that
    there are, unless that is not known."""
    wishes = {}
    for name, given in (root["outlets"] or {}).items():
        for field in ("products", "objects"):
            for kind in given[field] or ():
                at = given[field].span_of(kind)
                _check_kind(kind, f"outlets.{name}.{field}", at, kinds, reading)
        if shops is not None:
            _check_outlet(name, given, shops, reading)
        names = str(given["names"])
        fault = name_fault(names, OF_PICTURES, ("id", "side")) if names else None
        if fault is not None:
            at = given.span_of("names")
            reading.fault(at, "GP213", f"outlets.{name}.names: {fault[0]}", fault[1])
        products = {kind: str(word) for kind, word in (given["products"] or {}).items()}
        objects = {kind: TableObject(word) for kind, word in (given["objects"] or {}).items()}
        url = str(given["url"])
        if url and not ADDRESS.fullmatch(url):
            message = f"outlets.{name}.url: {url!r} is no address"
            reading.fault(
                given.span_of("url"), "GP213", message, "such as https://example.org/mine"
            )
        wishes[name] = Wish(given.span, products, objects, names, url, given["sheet_px"] or 0)
    return wishes


def _check_outlet(name: str, given: Record, shops: Mapping[str, Shop], reading: Reading) -> None:
    """GP711 for an outlet or product that there is not; a warning for what is said in vain. What is
    said of a misspelt outlet is held against the one that was probably meant."""
    outlets = (*OUTLETS, *shops, *guests.outlets())
    meant = name if name in outlets else reading.suggestions.nearest(name, outlets)
    if meant != name:
        message = f"outlets: there is no outlet {name!r}"
        reading.report(given.span, "GP711", message, reading.did_you_mean(name, outlets))
    if meant is None:
        return
    shop = shops.get(meant)
    known = shop.products if shop else {}
    minded = WISHES.get(meant, ("products",) if known else ())
    for field in given.spans:
        if field not in minded:
            message = f"outlets.{name}.{field}: it says nothing to this outlet"
            hint = f"leave it out; what this one minds: {', '.join(minded) or 'nothing'}"
            reading.remark(given.span_of(field), "GP213", message, hint)
    for kind, product in (given["products"] or {}).items() if known else ():
        if shop and product not in known:
            message = f"{shop.title} makes no product {str(product)!r}"
            hint = reading.did_you_mean(product, known)
            reading.report(given["products"].span_of(kind), "GP711", message, hint)


def _check_kind(kind: str, path: str, at: Span, kinds: Kinds, reading: Reading) -> None:
    plan = kinds.plans.get(kind)
    if (plan is None or not plan.kind.faces) and not kinds.excuses(kind):
        known = (name for name, plan in kinds.plans.items() if plan.kind.faces)
        message = f"{path}: there is no kind {kind!r} that has faces"
        reading.report(at, "GP212", message, reading.did_you_mean(kind, known))


def name_fault(pattern: str, known: Sequence[str], needed: Sequence[str]) -> tuple[str, str] | None:
    """What is wrong with a pattern for names of files below a folder, and what to do."""
    such_as = "such as " + "-".join(f"{{{name}}}" for name in (needed or ("kind",)))
    if len(pattern) > _MOST_LETTERS:
        return f"longer than {_MOST_LETTERS} characters", such_as
    for name in _PLACEHOLDER.findall(pattern):
        if name not in known:
            listed = ", ".join(f"{{{name}}}" for name in known)
            return f"there is no {{{name}}}", f"known: {listed}"
    rest = _PLACEHOLDER.sub("", pattern)
    if not _REST.fullmatch(rest):
        return (
            "it has a character that not every file system takes",
            "letters, digits, spaces and _ . , ( ) [ ] - are fine, and / for a folder",
        )
    parts = pattern.split("/")
    if any(part.strip(" .") != part or not part for part in parts):
        return "it has a folder or name that begins or ends with a dot or a space, or none", such_as
    for name in needed:
        if f"{{{name}}}" not in pattern:
            return f"without {{{name}}} files would have the same name", such_as
    return None


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
    return Outcome(profiles, reading.found)


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

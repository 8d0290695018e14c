"""Digests of what the pages of a PDF show, used to find out whether a file changed after the build.

An object is known by the name under which pages and faces draw it. Numbers and compression of
objects make no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from generator.model.manifest import WrittenFile
from generator.model.packed import digest_of

_FONT_FILES: Final = ("/FontFile", "/FontFile2", "/FontFile3")


def page_content(page: Object) -> bytes:
    """Return the operators of a page, decoded. Raises what pikepdf raises for a damaged stream."""
    content = page.get("/Contents", Array())
    parts = content.as_list() if isinstance(content, Array) else [content]
    return b"\n".join(part.read_bytes() for part in parts)


def file_digests(pdf: Pdf) -> WrittenFile:
    """Read the digests of all that the pages of a file show.

    A form counts by its decoded operators, a picture and a font by their packed streams. Different
    objects of one name share a digest. Raises what pikepdf raises for a damaged file.
    """
    found: dict[str, dict[str, None]] = {}
    for name, thing in named_objects(pdf):
        found.setdefault(name, {})[_digest(thing)] = None
    objects = {
        name: one[0] if len(one) == 1 else digest_of("".join(sorted(one)).encode())
        for name, one in ((name, list(digests)) for name, digests in found.items())
    }
    pages = tuple(digest_of(page_content(page.obj)) for page in pdf.pages)
    return WrittenFile("", objects, pages)


def named_objects(pdf: Pdf) -> Iterator[tuple[str, Object]]:
    """Yield the forms, pictures and fonts that pages name, and those that forms name in turn."""
    waiting: list[Object] = [page.resources for page in reversed(pdf.pages)]
    seen: set[tuple[int, int]] = set()
    while waiting:
        resources = waiting.pop()
        if _is_known(resources, seen):
            continue
        for category in ("/XObject", "/Font"):
            for name, thing in sorted(dict(resources.get(category, Dictionary())).items()):
                if _is_known(thing, seen):
                    continue
                yield name.removeprefix("/"), thing
                if "/Resources" in thing:
                    waiting.append(thing.Resources)


def _is_known(thing: Object, seen: set[tuple[int, int]]) -> bool:
    """Tell whether an object was met before; one without a number never was."""
    if not thing.is_indirect:
        return False
    known = thing.objgen in seen
    seen.add(thing.objgen)
    return known


def _digest(thing: Object) -> str:
    if not isinstance(thing, Stream):
        return digest_of(*_font_files(thing))
    if thing.get("/Subtype") == Name.Form:
        return digest_of(thing.read_bytes())
    mask = thing.get("/SMask")
    masks = (mask.read_raw_bytes(),) if isinstance(mask, Stream) else ()
    return digest_of(thing.read_raw_bytes(), *masks)


def _font_files(font: Object) -> Iterator[bytes]:
    inner = font.get("/DescendantFonts", Array())
    for each in (font, *(inner.as_list() if isinstance(inner, Array) else ())):
        descriptor = each.get("/FontDescriptor", Dictionary())
        yield from (descriptor[key].read_raw_bytes() for key in _FONT_FILES if key in descriptor)

"""A file in, findings about its fonts, its structure and what must not be in a print out."""

from __future__ import annotations

from collections.abc import Iterator

from pikepdf import Array, Dictionary, Name, Object, Stream

from generator.preflight.finding import Finding
from generator.preflight.subject import Subject

_FONT_FILES = ("/FontFile", "/FontFile2", "/FontFile3")
_IN_CATALOGUE = {
    "/OpenAction": "an action that runs when it is opened",
    "/AA": "actions",
    "/AcroForm": "a form to fill in",
    "/Collection": "a collection of other files",
    "/AF": "attached files",
}
_IN_NAMES = {"/JavaScript": "JavaScript", "/EmbeddedFiles": "attached files"}
_ELSEWHERE = {
    "/F": "reads data from another file",
    "/Ref": "shows a page of another file",
    "/OPI": "stands for a picture in another file",
}
_ON_PAGE = {"/AA": "actions", "/Annots": "annotations (links, notes or form fields)"}


def fonts(subject: Subject) -> Iterator[Finding]:
    """GP804: every font is in the file, so that text looks the same everywhere."""
    seen: set[tuple[int, int]] = set()
    told: set[str] = set()
    for number, page in enumerate(subject.pdf.pages, start=1):
        for font in _fonts_in(page.resources, seen):
            name = str(font.get("/BaseFont", "/a font without a name")).removeprefix("/")
            if not _is_embedded(font) and name not in told:
                told.add(name)
                message = f"the font {name} is not embedded"
                hint = "another printer would use a font of its own: build the file again"
                yield subject.fault("GP804", message, hint, number)


def structure(subject: Subject) -> Iterator[Finding]:
    """GP808: nothing that acts, is attached or is elsewhere, and a hint to the printer not to
    scale."""
    catalogue = subject.pdf.Root
    names = catalogue.get("/Names", Dictionary())
    present = [what for key, what in _IN_CATALOGUE.items() if key in catalogue]
    present += [what for key, what in _IN_NAMES.items() if key in names]
    for what in dict.fromkeys(present):
        yield subject.fault("GP808", f"the file has {what}", "print shops refuse such files")
    yield from _references(subject)
    for number, page in enumerate(subject.pdf.pages, start=1):
        for key, what in _ON_PAGE.items():
            if key in page.obj and len(page.obj[key]):
                message = f"the page has {what}"
                yield subject.fault("GP808", message, "print shops refuse such files", number)
    for message in (*_unprinted_layers(catalogue), *_odd_wishes(catalogue)):
        hint = "all that is there must be printed, once: build the file again"
        yield subject.fault("GP808", message, hint)
    wishes = catalogue.get("/ViewerPreferences", Dictionary())
    scaling = wishes.get("/PrintScaling")
    if scaling is None or scaling.unparse() != b"/None":
        message = "the file does not ask for printing without scaling (PrintScaling None)"
        yield subject.fault("GP808", message, "print it at 100 %, or build it again")


def _unprinted_layers(catalogue: Object) -> Iterator[str]:
    """Layers that are hidden when the file is opened, or that are not printed (PDF 1.7, 8.11.4)."""
    layers = catalogue.get("/OCProperties", Dictionary())
    default = layers.get("/D", Dictionary())
    ons, offs = ({group.objgen for group in default.get(key, Array())} for key in ("/ON", "/OFF"))
    base_off = default.get("/BaseState") == Name.OFF
    for group in layers.get("/OCGs", Array()):
        usage = group.get("/Usage", Dictionary())
        states = (
            usage.get("/Print", Dictionary()).get("/PrintState"),
            usage.get("/View", Dictionary()).get("/ViewState"),
        )
        hidden = group.objgen in offs or (base_off and group.objgen not in ons)
        if hidden or Name.OFF in states:
            yield f"the layer {str(group.get('/Name', ''))!r} is hidden, or left out of the print"


def _odd_wishes(catalogue: Object) -> Iterator[str]:
    """What a viewer's print dialog is told that would print something else than all pages once."""
    wishes = catalogue.get("/ViewerPreferences", Dictionary())
    if int(wishes.get("/NumCopies", 1)) != 1:
        yield f"the file asks for {int(wishes.NumCopies)} copies (NumCopies)"
    if len(wishes.get("/PrintPageRange", Array())):
        yield "the file asks for some of its pages only (PrintPageRange)"
    for key in ("/PrintArea", "/PrintClip"):
        if wishes.get(key, Name.CropBox) not in (Name.CropBox, Name.MediaBox):
            yield f"the file asks for a part of each page only ({key[1:]})"


def _references(subject: Subject) -> Iterator[Finding]:
    """What of the file is in other files, or leads to them; links on pages are told of there."""
    told = {
        what
        for item in subject.pdf.objects
        if isinstance(item, Stream)
        for key, what in _ELSEWHERE.items()
        if key in item
    }
    if _leads_away(subject.pdf.Root.get("/Outlines")):
        told.add("has bookmarks that open something else")
    for what in sorted(told):
        hint = "a print must have all of itself in one file"
        yield subject.fault("GP808", f"the file {what}", hint)


def _leads_away(bookmarks: Object | None) -> bool:
    """True when a bookmark, one after it or one below it has an action."""
    waiting, seen = [bookmarks], set[tuple[int, int]]()
    while waiting:
        bookmark = waiting.pop()
        if isinstance(bookmark, Dictionary) and _is_new(bookmark, seen):
            if "/A" in bookmark:
                return True
            waiting += [bookmark.get("/First"), bookmark.get("/Next")]
    return False


def _fonts_in(resources: Object, seen: set[tuple[int, int]]) -> Iterator[Object]:
    """Every font of a resource dictionary and of the forms and patterns in it, once."""
    waiting = [resources]
    while waiting:
        within = waiting.pop()
        for font in dict(within.get("/Font", {})).values():
            if isinstance(font, Dictionary) and _is_new(font, seen):
                yield font
        for category in ("/XObject", "/Pattern"):
            waiting += (
                drawn.Resources
                for drawn in dict(within.get(category, {})).values()
                if isinstance(drawn, Stream) and "/Resources" in drawn and _is_new(drawn, seen)
            )


def _is_new(value: Object, seen: set[tuple[int, int]]) -> bool:
    if not value.is_indirect:
        return True
    if value.objgen in seen:
        return False
    seen.add(value.objgen)
    return True


def _is_embedded(font: Object) -> bool:
    if font.get("/Subtype") == Name.Type3:  # its glyphs are drawings in the file
        return True
    whole = font.DescendantFonts[0] if "/DescendantFonts" in font else font
    descriptor = whole.get("/FontDescriptor", Dictionary())
    return any(key in descriptor for key in _FONT_FILES)

"""Checks a file as a whole: what it says of itself, its fonts, its structure, and what must not be
in a print or prints as no screen shows it (overprinting, screens, tones and inks of its own,
intents, layers). It is long, since all of that is read from the same objects of a file.

What no screen shows is in no proof, and a digest tells only that something is otherwise: so it is
judged by what a file says, whatever its manifest says of it. The same pack must make the same
file, byte by byte, wherever and whenever it is built; so a file does not tell day or computer."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace
from pikepdf import Array, Dictionary, Name, Object, Page, Stream

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.pdf_forms import Form, forms_in
from generator.preflight.checking import Finding, Subject, finding_of
from generator.preflight.embedded_fonts import is_damaged
from generator.preflight.manifest_reader import opened_plain
from generator.preflight.page_reader import UNSAVED
from generator.preflight.paints import (
    COARSE,
    FINE,
    LACKING,
    font_name,
    of_state,
    onto_page,
    paints_of,
)
from generator.preflight.pdf_limits import is_new

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
_CATALOGUE: Final = frozenset(
    "/Type /Pages /Metadata /ViewerPreferences /PageLabels /OCProperties /PageMode /Lang".split()
)
"""What a build writes there."""
_TOLD_OF: Final = frozenset((*_IN_CATALOGUE, "/Names", "/Outlines"))
_WISHES: Final = frozenset("/DisplayDocTitle /Duplex /PrintScaling /PickTrayByPDFSize".split())
_WISHES_TOLD_OF: Final = frozenset("/NumCopies /PrintPageRange /PrintArea /PrintClip".split())
_OF_PAGES: Final = frozenset(
    "/Type /Parent /MediaBox /CropBox /BleedBox /TrimBox /Rotate /UserUnit /Resources /Contents"
    " /Group /Annots /AA".split()
)
"""The same of pages, and what other checks tell of."""
_VERSION: Final = "1.7"
_CORNERS: Final = 4
"""Numbers that tell a rectangle."""
_ANNOTATIONS = {
    "/Link": "a link",
    "/Widget": "a form field",
    "/Stamp": "a stamp",
    "/FileAttachment": "an attached file",
    "/Popup": "a note",
    **dict.fromkeys(("/Screen", "/Movie", "/RichMedia", "/Sound", "/3D"), "sound or a film"),
}
"""What lies on a page and is no part of it, by its subtype; others are notes."""


def fonts(subject: Subject) -> Iterator[Finding]:
    """GP804: every font is in the file, so that text looks the same everywhere."""
    seen: set[tuple[int, int]] = set()
    told: set[str] = set()
    used = None if subject.expected else {f for p in paints_of(subject) for f in p.fonts}
    for number, page in enumerate(subject.pdf.pages, start=1):
        for font in _fonts_in(page.resources, seen):
            name = font_name(font)
            if used is not None and name not in used:
                continue  # some programs name one that nothing is set in
            if name in told:
                continue
            if not _is_embedded(font):
                told.add(name)
                message = f"the font {name} is not embedded"
                with_fonts = "" if subject.expected else ", with all fonts embedded"
                hint = f"another printer would use a font of its own: {subject.anew}{with_fonts}"
                yield subject.fault("GP804", message, hint, number)
            elif is_damaged(font):
                told.add(name)
                message = f"the font {name} is in the file, but damaged: it cannot be read"
                hint = f"its letters are left out, or come in another font: {subject.anew}"
                yield subject.fault("GP804", message, hint, number)

    for number, paints in enumerate(paints_of(subject) if used else (), start=1):
        for name in sorted(paints.fonts):
            if name.startswith(LACKING):
                message = f"words are set in the font {name[1:]}, which the page does not have"
                hint = f"they come in any font, or not at all: {subject.anew}"
                yield subject.fault("GP804", message, hint, number)


def structure(subject: Subject) -> Iterator[Finding]:
    """GP808: nothing that acts, is attached or is elsewhere, and a hint to the printer not to
    scale."""
    catalogue = subject.pdf.Root
    names = catalogue.get("/Names", Dictionary())
    on_pages = list(_on_pages(subject))
    present = [what for key, what in _IN_CATALOGUE.items() if key in catalogue]
    present += [what for key, what in _IN_NAMES.items() if key in names]
    if subject.expected is None and (_is_told(on_pages) or not _asks(catalogue.get("/AcroForm"))):
        present = [what for what in present if what != _IN_CATALOGUE["/AcroForm"]]
    for what in dict.fromkeys(present):
        yield subject.fault("GP808", f"the file has {what}", _refused(subject))
    yield from _references(subject)
    yield from on_pages
    if subject.expected:
        yield from _unbuilt(subject)
    unprinted = (
        f"the layer {str(layer.get('/Name', ''))!r} is hidden, or left out of the print"
        for layer in unprinted_layers(catalogue)
    )
    for message in (*unprinted, *_odd_wishes(catalogue)):
        hint = f"all that is there must be printed, once: {subject.anew}"
        yield subject.fault("GP808", message, hint)
    if subject.profile is not None and not subject.profile.papers:
        return  # a press does not scale
    wishes = catalogue.get("/ViewerPreferences", Dictionary())
    scaling = wishes.get("/PrintScaling")
    if scaling is None or scaling.unparse() != b"/None":
        message = "the file does not ask for printing without scaling (PrintScaling None)"
        fault = subject.fault("GP808", message, f"print it at 100 %, or {subject.anew}")
        yield fault if subject.expected else replace(fault, severity=Severity.WARNING)


def _refused(subject: Subject) -> str:
    return "print shops refuse such files" + (
        "" if subject.expected else f": {subject.anew}, without it"
    )


def _on_pages(subject: Subject) -> Iterator[Finding]:
    """What lies on pages and is no part of them, of each kind the first on a page."""
    for number, page in enumerate(subject.pdf.pages, start=1):
        kinds: dict[str, Rect | None] = {}
        for note in page.obj.get("/Annots", ()):
            kind = _ANNOTATIONS.get(str(note.get("/Subtype", "")), "a note")
            kinds.setdefault(kind, _place_of(note, page))
        if len(page.obj.get("/AA", ())):
            kinds["actions"] = None
        for what, place in kinds.items():
            message = f"the page has {what}"
            yield Finding("GP808", message, _refused(subject), page=number, place=place)
    for read in subject.pages if subject.expected is None else ():
        if UNSAVED in read.others:
            message = f"the page has {UNSAVED}: some programs draw nothing after it"
            yield Finding("GP808", message, subject.anew, Severity.WARNING, read.number)


def _place_of(note: Object, page: Page) -> Rect | None:
    """Where a note is on its page, if it says so."""
    corners = note.get("/Rect")
    if not isinstance(corners, Array) or len(corners) != _CORNERS:
        return None
    x1, y1, x2, y2 = map(float, corners)
    return onto_page(page).box(Rect(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)))


def _is_told(on_pages: Iterable[Finding]) -> bool:
    """Whether fields of a form are told, so that the form itself is."""
    return any(found.message.endswith(_ANNOTATIONS["/Widget"]) for found in on_pages)


def _asks(form: Object | None) -> bool:
    """Whether there is something in a form: many programs write an empty one into each file."""
    return form is None or form.get("/Fields") != Array() or "/XFA" in form


def _unbuilt(subject: Subject) -> Iterator[Finding]:
    """What is in a file that no build writes, and may change how another program prints it."""
    catalogue, pdf = subject.pdf.Root, subject.pdf
    wishes = catalogue.get("/ViewerPreferences", Dictionary())
    messages = [
        f"the file has {key[1:]} in its catalogue, which no build writes"
        for key in sorted(catalogue.keys() - _CATALOGUE - _TOLD_OF)
    ]
    messages += [
        f"the file asks its viewer for {key[1:]}, which no build does"
        for key in sorted(wishes.keys() - _WISHES - _WISHES_TOLD_OF)
    ]
    if catalogue.get("/PageMode", Name.UseNone) != Name.UseNone:
        messages.append("the file asks its viewer for another PageMode, which no build does")
    if pdf.pdf_version != _VERSION:
        messages.append(f"the file says that it is PDF {pdf.pdf_version}: a build is {_VERSION}")
    with opened_plain(Path(subject.shown)) as stream:
        head = stream.read(len(_HEAD))
        stream.seek(-min(len(_TAIL), subject.bytes), os.SEEK_END)
        tail = stream.read()
    if head != _HEAD or tail != _TAIL:
        messages.append("the file has bytes before its beginning or after its end, or lacks some")
    for message in messages:
        yield subject.fault("GP808", message, _BY_ANOTHER)
    for number, page in enumerate(pdf.pages, start=1):
        for key in sorted(page.obj.keys() - _OF_PAGES):
            message = f"the page has {key[1:]}, which no build writes"
            yield subject.fault("GP808", message, _BY_ANOTHER, number)


_BY_ANOTHER: Final = "another program has changed it: build it again"
_HEAD: Final = b"%PDF-"
_TAIL: Final = b"%%EOF\n"


def unprinted_layers(catalogue: Object) -> Iterator[Object]:
    """Layers that are hidden when the file is opened, or that are not printed (PDF
    1.7, 8.11.4)."""
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
            yield group


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
        if isinstance(bookmark, Dictionary) and is_new(bookmark, seen):
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
            if isinstance(font, Dictionary) and is_new(font, seen):
                yield font
        for category in ("/XObject", "/Pattern"):
            waiting += (
                drawn.Resources
                for drawn in dict(within.get(category, {})).values()
                if isinstance(drawn, Stream) and "/Resources" in drawn and is_new(drawn, seen)
            )


def _is_embedded(font: Object) -> bool:
    if font.get("/Subtype") == Name.Type3:  # its glyphs are drawings in the file
        return True
    whole = font.DescendantFonts[0] if "/DescendantFonts" in font else font
    descriptor = whole.get("/FontDescriptor", Dictionary())
    return any(key in descriptor for key in _FONT_FILES)


_CATEGORIES: Final = frozenset(
    "/ExtGState /ColorSpace /Pattern /Shading /XObject /Font /Properties /CharProcs".split()
)
"""Of resources: what is in them is named by whoever wrote them."""
_ASIDE: Final = frozenset("/Parent /FontDescriptor /ToUnicode /Widths /W /Encoding".split())
_INTENT: Final = "its colours are converted by another intent"
_DEFAULTS: Final = frozenset(("/DefaultGray", "/DefaultRGB", "/DefaultCMYK"))
_OPERATORS: Final = re.compile(
    rb"\((?:[^()\\]|\\.)*+\)?"
    rb"|(?<![^\s\])>])(?:([-+]?(?:\d++\.?+\d*+|\.\d++))|/(\w++))\s++(ri|i)(?=\s|$)",
    re.S,
)
_WORD: Final = b"/Artifact"
"""All that a build writes in a face with an i in it; searching for that letter alone is fast."""
_OVERPRINTED: Final = {
    "white": ("something white overprints: in print it is not there", Severity.ERROR),
    "colour": ("a colour overprints: in print it mixes with what lies below", Severity.WARNING),
}
_KNOCK_OUT: Final = "turn overprinting off for it, in the program that drew it"
_AS_SHOWN: Final = "take it out in the program that drew it: a screen shows it otherwise than print"
_REBUILT: Final = "build the pack again: something has changed the file since it was made"


def as_seen(subject: Subject) -> Iterator[Finding]:
    """GP844: every face prints as it is seen: nothing of that kind is in what a build draws."""
    reader = UnseenReader(subject)
    told: dict[Form, str] = {}
    for page in subject.matched:
        for match in page.matches:
            if match.draw is None:
                continue
            form = match.draw.form
            if form not in told:
                told[form] = "; ".join(reader.read(form))
                if told[form]:
                    face = match.expected
                    message = f"the {face.face} of {face.component!r}: {told[form]}"
                    yield finding_of(face, "GP844", message, _REBUILT, page=page.read.number)


class UnseenReader:
    """Reads faces of one file; what many of them draw is read once."""

    def __init__(self, subject: Subject) -> None:
        self._pdf, self._prints = subject.pdf, subject.prints
        self._set: dict[Form, tuple[str, ...]] = {}

    def read(self, form: Form) -> Iterator[str]:
        """What a face does that is not seen, in words. Only one that names such a thing is
        followed."""
        face = self._pdf.get_object(form)
        found = dict.fromkeys(_followed(face)) if self._prints.is_noted(form) else {}
        for part in forms_in(face):
            found |= dict.fromkeys(self._set_in(part))
        yield from found

    def _set_in(self, part: Object) -> tuple[str, ...]:
        if part.objgen not in self._set:
            content = part.read_bytes()
            begins = content.count(b"i") > content.count(_WORD)
            self._set[part.objgen] = tuple(_set_in(content)) if begins else ()
        return self._set[part.objgen]


def _set_in(content: bytes) -> Iterator[str]:
    """What a content stream sets by operators of its own."""
    for match in _OPERATORS.finditer(content):
        if match[3] == b"ri" and match[2] != b"RelativeColorimetric":
            yield _INTENT
        elif match[3] == b"i" and float(match[1] or 0) > FINE:
            yield COARSE


def _followed(form: Object) -> Iterator[str]:
    """The same of a face with all that it leads to."""
    seen: set[Form] = set()
    waiting: list[Any] = [form]
    while waiting:
        thing = waiting.pop()
        if not isinstance(thing, Array | Dictionary | Stream):
            continue
        if thing.is_indirect:
            if thing.objgen in seen:
                continue
            seen.add(thing.objgen)
        if isinstance(thing, Array):
            yield from _of_space(thing)
            waiting += list(thing)
            continue
        yield from _of(thing)
        for key, value in thing.items():
            if key in _CATEGORIES and isinstance(value, Dictionary):
                if key == "/ColorSpace" and _DEFAULTS & set(value.keys()):
                    yield "its grey, RGB or CMYK is told to be another one"
                waiting += [each for _, each in value.items()]
            elif key not in _ASIDE:
                waiting.append(value)


def _of(thing: Any) -> Iterator[str]:
    yield from of_state(thing)
    if thing.get("/OP") is True or thing.get("/op") is True:
        yield "something in it overprints what lies below"
    key = "/Intent" if thing.get("/Subtype") == Name.Image else "/RI"
    if thing.get(key, Name.RelativeColorimetric) != Name.RelativeColorimetric:
        yield _INTENT
    if "/OC" in thing:
        yield "it is on a layer: whether it is printed hangs on that"
    if "/Alternates" in thing:
        yield "one of its pictures has another in its place for print"
    if thing.get("/K") is True and thing.get("/S") == Name.Transparency:
        yield "what is in it knocks out what lies below, where it should mix"


def _of_space(space: Array) -> Iterator[str]:
    """The inks of its own that a colour space prints with."""
    if len(space) < 2 or space[0] not in (Name.Separation, Name.DeviceN):
        return
    names = [space[1]] if space[0] == Name.Separation else list(space[1])
    inks = ", ".join(f"‘{str(name).removeprefix('/')}’" for name in names)
    yield f"it is printed in inks of its own: {inks}"


def overprints(subject: Subject) -> Iterator[Finding]:
    """GP843: nothing white overprints, which is then not there at all, and no colour, which mixes
    with what lies below. Black may, and an ink of its own: a die line does."""
    for number, paints in enumerate(paints_of(subject), start=1):
        for what, place in paints.over.items():
            message, severity = _OVERPRINTED[what]
            yield Finding("GP843", message, _KNOCK_OUT, severity, number, place)


def asked_of_presses(subject: Subject) -> Iterator[Finding]:
    """GP844: no state asks of a press what no screen shows, and what another press may not heed."""
    for number, paints in enumerate(paints_of(subject), start=1):
        for what, place in paints.unseen.items():
            yield Finding("GP844", what, _AS_SHOWN, Severity.WARNING, number, place)


_AGAIN: Final = "build the file again, and do not let another program save it"
_SET: Final = "change it in the program that made the file, and export it again"
_HALVES: Final = 2
"""Of an identifier: one for the document, one for this version (PDF 1.7, 14.4)."""
_PATH: Final = re.compile(
    r"[A-Za-z]:\\[^\\]+\\|\\\\\w|file:/|(?<![\w.])/(?:home|Users|tmp|var|root|mnt)/"
)
"""A folder of somebody's computer."""
_CLOCK: Final = re.compile(r"D:\d{8}(\d{2,6})|\b\d{4}-\d\d-\d\dT([\d:]{5,8})")
"""A time of a day, as D:20260101093000 or 2026-01-01T09:30:00."""
_XMP_VALUE: Final = re.compile(r">([^<>]+)<|=[\"']([^\"']+)[\"']")


def identity(subject: Subject) -> Iterator[Finding]:
    """GP861: the file has a title, an identifier and a label for every page, and does not tell
    when or on whose computer it was made. Who prints it may want just that; and of a file of
    another program nobody wants labels or the same bytes twice (PDF/X asks for dates)."""
    if subject.profile is not None:
        return
    messages = [*_missing(subject), *_telltale(subject)]
    if not messages and subject.expected:
        messages += _otherwise_said(subject)
    for message in messages:
        hint = _AGAIN if subject.expected else _SET
        yield Finding("GP861", message, hint, Severity.WARNING)


def _missing(subject: Subject) -> Iterator[str]:
    pdf = subject.pdf
    if not str(pdf.docinfo.get("/Title", "")).strip():
        yield "the file has no title"
    if subject.expected is None:
        return
    identifier = pdf.trailer.get("/ID")
    if not isinstance(identifier, Array) or len(identifier) != _HALVES:
        yield "the file has no identifier"
    yield from _mislabelled(subject)


def _mislabelled(subject: Subject) -> Iterator[str]:
    """Labels that are missing, or not those of the manifest."""
    labels = _labels(subject.pdf.Root.get("/PageLabels"))
    if 0 not in labels:
        yield "the pages have no labels"
        return
    for page in subject.matched:
        number, want = page.read.number, page.expected.label
        label = labels.get(number - 1, "")
        if want and label != want:
            yield f"page {number} has the label {label!r}, its sheet is {want!r}"


def _labels(tree: Object | None) -> dict[int, str]:
    """The prefix of each label by the index of the first page that it is for, from a number tree
    (PDF 1.7, 7.9.7 and 12.4.2)."""
    found: dict[int, str] = {}
    waiting, seen = [tree], set[tuple[int, int]]()
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Dictionary) or (node.is_indirect and node.objgen in seen):
            continue
        seen.add(node.objgen)
        entries = list(node.get("/Nums", []))
        for index, label in zip(entries[::2], entries[1::2], strict=False):
            prefix = label.get("/P", "") if isinstance(label, Dictionary) else ""
            counted = isinstance(label, Dictionary) and "/S" in label
            found.setdefault(
                int(index), f"{prefix}{label.get('/St', 1)}" if counted else str(prefix)
            )
        waiting += list(node.get("/Kids", []))
    return found


def _telltale(subject: Subject) -> Iterator[str]:
    """What differs from one computer, or from one day, to the next."""
    for name, value in _said(subject):
        if _PATH.search(value):
            yield f"the file tells a folder of the computer that made it ({name}: {value})"
        time = _CLOCK.search(value)
        if subject.expected is None:
            continue
        # A date that is fixed comes at midnight, a clock hardly ever does.
        if time and set(time[1] or time[2]) - set("0:"):
            yield f"the file tells when it was made ({name}: {value})"


def _otherwise_said(subject: Subject) -> Iterator[str]:
    """What document information and XMP metadata say that no build writes: each of them the same,
    and nothing else. Of the metadata it is the words that count, and whether its tags close."""
    told = {key: str(value) for key, value in subject.pdf.docinfo.items()}
    for key in sorted(told.keys() - _TOLD - _DATES):
        yield f"the file tells its {key[1:]}, which no build does"
    xmp, language = xmp_of(subject), str(subject.pdf.Root.get("/Lang", ""))
    wanted = {escape(value, quote=False) for key, value in told.items() if key in _TOLD} | {
        language
    }
    said = {match[1].strip() for match in _XMP_VALUE.finditer(xmp) if (match[1] or "").strip()}
    if not xmp:
        yield "the file has no metadata (XMP)"
    elif said != wanted or not _closes(xmp):
        more = ", ".join(sorted(said ^ wanted)[:2]) or "its tags do not close"
        yield f"the file's metadata (XMP) says something else than the file itself: {more}"


_TOLD: Final = frozenset(("/Title", "/Subject", "/Creator", "/Producer"))
_DATES: Final = frozenset(("/CreationDate", "/ModDate"))
_TAG: Final = re.compile(r"<(/?)([\w:.-]+)[^<>]*?(/?)>")


def _closes(xmp: str) -> bool:
    """Whether each tag is closed by its own."""
    opened: list[str] = []
    for closing, name, alone in _TAG.findall(xmp):
        if closing and (not opened or opened.pop() != name):
            return False
        if not closing and not alone:
            opened.append(name)
    return not opened


def _said(subject: Subject) -> Iterator[tuple[str, str]]:
    """Each entry of the document information, and each value of the XMP metadata."""
    for name, value in subject.pdf.docinfo.items():
        yield name.removeprefix("/"), str(value)
    for match in _XMP_VALUE.finditer(xmp_of(subject)):
        yield "metadata", (match[1] or match[2]).strip()


def xmp_of(subject: Subject) -> str:
    """The XMP metadata of a file; empty where it has none."""
    metadata = subject.pdf.Root.get("/Metadata")
    return metadata.read_bytes().decode("utf-8", "replace") if isinstance(metadata, Stream) else ""

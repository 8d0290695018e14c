"""Whole pages and files: turned, cropped, lost, in another order; stamps, layers, bytes, wishes."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from faults import hands
from faults.bench import Bench, Fault, Level
from faults.damage import seal
from faults.hands import MM, Finished
from faults.places import (
    BROKEN,
    CARDS,
    CHART,
    COINS,
    COVERED,
    DICE,
    FIELDS,
    MIRRORED,
    MOVED,
    PENNANTS,
    RULES,
    SCALED,
    SIGNS,
    TURNED,
    in_file,
)

SIZE = r"page is|its paper|cropped|cut to|size|units|turned|GP801"
ORDER = r"order|page.*(another|instead)|not drawn|another|away|label|lacks|faces are drawn"
COUNT = r"pages|lacks a page|twice|too (many|few)|blank|drawn again|empty"
NOTE = r"note|annotation|comment|form|link|stamp|put on|cover"
HIDDEN = r"layer|hidden|left out|optional"
FILE = r"attach|script|link|form|password|encrypt|asks for|another file|wish|copies"
SHA = r"sha256|not the one that was built|not the file"


def boxed(name: str, *by: float, page: int = 0) -> Callable[[Finished], None]:
    """A box of a page, each side moved inwards by mm."""

    def change(f: Finished) -> None:
        x1, y1, x2, y2 = (float(v) for v in f.pdf.pages[page].mediabox)
        left, low, right, top = (value * MM for value in by)
        f.pdf.pages[page].obj[name] = Array([x1 + left, y1 + low, x2 - right, y2 - top])

    return change


def put(name: str, value: object, page: int = 0) -> Callable[[Finished], None]:
    return lambda f: f.pdf.pages[page].obj.__setitem__(name, value)


def over(drawn: str, page: int = 0) -> Callable[[Finished], None]:
    """Something painted over a page."""
    return lambda f: f.edit_page(lambda s: f"q\n{s}\nQ\n{drawn}\n", page)


def under(drawn: str, page: int = 0) -> Callable[[Finished], None]:
    return lambda f: f.edit_page(lambda s: f"{drawn}\n{s}", page)


def note(kind: Name, rect: list[float], **more: Any) -> Callable[[Finished], None]:
    """An annotation with a look of its own, which is printed."""

    def change(f: Finished) -> None:
        x1, y1, x2, y2 = rect
        look = f.pdf.make_stream(
            f"1 0.9 0.2 rg 0 0 {x2 - x1} {y2 - y1} re f".encode(), Type=Name.XObject,
            Subtype=Name.Form, BBox=Array([0, 0, x2 - x1, y2 - y1]),
        )  # fmt: skip
        made = Dictionary(Type=Name.Annot, Subtype=kind, Rect=Array(rect), F=4,
                          AP=Dictionary(N=look), **more)  # fmt: skip
        f.pdf.pages[0].obj.Annots = Array([f.pdf.make_indirect(made)])

    return change


def font_text(f: Finished, size: float = 60) -> str:
    """SAMPLE in a font that every reader has."""
    hands.resources(f.pdf.pages[0].obj, "/Font")["/Fsample"] = Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica
    )
    return f"BT /Fsample {size} Tf .7 .7 -.7 .7 150 200 Tm (SAMPLE) Tj ET"


def _sample(opacity: float) -> Callable[[Finished], None]:
    def change(f: Finished) -> None:
        shown = font_text(f)
        page = f.pdf.pages[0].obj
        hands.resources(page, "/ExtGState")["/Gs"] = Dictionary(ca=opacity)
        f.edit_page(lambda s: f"q\n{s}\nQ\nq /Gs gs 1 0 0 rg {shown} Q\n")

    return change


def _below(f: Finished) -> None:
    shown = font_text(f)
    f.edit_page(lambda s: f"q {shown} Q\n{s}")


def _on_layer(shown: bool) -> Callable[[Finished], None]:
    """A box on a layer of its own."""

    def change(f: Finished) -> None:
        group = f.pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Draft")))
        f.pdf.Root.OCProperties.OCGs.append(group)
        if not shown:
            f.pdf.Root.OCProperties.D.OFF = Array([group])
        f.pdf.pages[0].obj.Resources.Properties["/DRAFT"] = group
        f.edit_page(lambda s: f"{s}\n/OC /DRAFT BDC q .2 .2 .9 rg 100 380 120 60 re f Q EMC\n")

    return change


def _optional(f: Finished) -> None:
    """A face on a layer that is off."""
    group = f.pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Art")))
    f.pdf.Root.OCProperties.OCGs.append(group)
    f.pdf.Root.OCProperties.D.OFF = Array([group])
    f.face("baker").OC = group


def _reordered(order: Callable[[list[Any]], list[Any]]) -> Callable[[Finished], None]:
    def change(f: Finished) -> None:
        pages = [f.pdf.pages[n].obj for n in range(len(f.pdf.pages))]
        wanted = order(pages)
        copies = [pikepdf.Page(page) for page in wanted]
        while len(f.pdf.pages):
            del f.pdf.pages[0]
        for page in copies:
            f.pdf.pages.append(page)

    return change


def _blank(f: Finished) -> None:
    f.pdf.add_blank_page(page_size=(595.28, 841.89))


def _content(*numbers: int) -> Callable[[Finished], None]:
    """The content and faces of two pages exchanged."""

    def change(f: Finished) -> None:
        one, other = (f.pdf.pages[n].obj for n in numbers)
        for key in ("/Contents", "/Resources"):
            one[key], other[key] = other[key], one[key]

    return change


def in_bytes(kind: str, says: str, name: str, change: Callable[[bytes], bytes], *, file: str = CARDS,
             sealed: bool = True) -> Fault:  # fmt: skip
    """A fault in the bytes of a file."""

    def make(bench: Bench, folder: Path) -> None:
        bench.start(folder)
        path = folder / file
        before = path.read_bytes()
        after = change(before)
        if after == before:
            raise SystemExit(f"{name}: nothing to change")
        path.write_bytes(after)
        if sealed:
            seal(path)

    return Fault(kind, Level.FILE, name, says, make, file)


def flipped(data: bytes, number: int, part: float) -> bytes:
    """A byte in one of the streams, so far into it, is another."""
    streams = list(re.finditer(rb"stream\r?\n(.*?)endstream", data, re.DOTALL))
    start, end = streams[number % len(streams)].span(1)
    at = start + int((end - start - 2) * part)
    return data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]


def other_file(name: str) -> Callable[[Bench, Path], None]:
    """A file with the content of another, sealed."""

    def make(bench: Bench, folder: Path) -> None:
        bench.start(folder)
        shutil.copy(folder / name, folder / COINS)
        seal(folder / COINS)

    return make


def _script(f: Finished) -> None:
    f.pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("this.print()"))


def _attached(f: Finished) -> None:
    f.pdf.attachments["notes.txt"] = b"for the printer"


def _preference(key: str, value: object) -> Callable[[Finished], None]:
    return lambda f: f.pdf.Root.ViewerPreferences.__setitem__(key, value)


def _cropped(f: Finished) -> None:
    for page in f.pdf.pages:
        x1, y1, x2, y2 = (float(v) for v in page.mediabox)
        page.obj.MediaBox = Array([x1 + 10, y1 + 10, x2 + 10, y2 + 10])


def _mapped(matrix: str) -> Callable[[str], str]:
    return lambda s: f"q {matrix} cm\n{s}\nQ\n"


def _resized(f: Finished) -> None:
    """Fitted to Letter, as a print dialog does it."""
    for number, page in enumerate(f.pdf.pages):
        factor = 279.4 / 297
        page.obj.MediaBox = Array([0, 0, 612, 792])
        f.edit_page(_mapped(f"{factor:.4f} 0 0 {factor:.4f} 10 0"), number)


def faults() -> list[Fault]:
    """All of these."""

    def page(kind: str, says: str, name: str, change: Callable[[Finished], object],
             file: str = CARDS, mm: float = 0.0) -> Fault:  # fmt: skip
        return in_file(kind, Level.PAGE, name, says, change, file=file, mm=mm)

    def file(
        kind: str, says: str, name: str, change: Callable[[Finished], object], **more: Any
    ) -> Fault:
        return in_file(kind, Level.FILE, name, says, change, **more)

    return [
        page("page turned", TURNED, "by its Rotate", put("/Rotate", 180)),
        page("page turned", TURNED, "a quarter", put("/Rotate", 90), RULES),
        page("page turned", TURNED, "its content upside down", lambda f: f.edit_page(
            _mapped("-1 0 0 -1 841.89 595.28"), 1)),
        page("page mirrored", MIRRORED, "its content", lambda f: f.edit_page(
            _mapped("-1 0 0 1 841.89 0"), 1)),
        page("page in other units", SIZE, "UserUnit 1.02", put("/UserUnit", 1.02), COINS),
        page("page cropped", SIZE, "5 mm each side", boxed("/CropBox", 5, 5, 5, 5), mm=5),
        page("page cropped", f"{SIZE}|{MOVED}", "its MediaBox moved", _cropped, mm=3.5),
        page("page scaled", SCALED, "to fit Letter", _resized, RULES, mm=5),
        page("page scaled", SCALED, "97 % about its corner", lambda f: f.edit_page(
            _mapped(".97 0 0 .97 0 0")), CHART, mm=5),
        page("duplex shifted", r"to the right|behind|register|front|away", "backs 0.5 mm", lambda f: f.edit_page(
            _mapped(f"1 0 0 1 {0.5 * MM:.3f} 0"), 1), COINS, mm=0.5),
        page("trim box", r"TrimBox", "off by 3 mm", lambda f: f.pdf.pages[0].obj.__setitem__(
            "/TrimBox", Array([float(v) + 8.5 for v in f.pdf.pages[0].trimbox])), mm=3),
        page("page lost", COUNT, "the last", lambda f: f.pdf.pages.__delitem__(-1), RULES),
        page("page lost", COUNT, "of a poster", lambda f: f.pdf.pages.__delitem__(2), CHART),
        page("page twice", COUNT, "the first, once more at the end", lambda f: f.pdf.pages.append(f.pdf.pages[0]), COINS),
        page("page twice", f"{COUNT}|{ORDER}", "the first in place of the third", _reordered(
            lambda p: [p[0], p[1], p[0], p[3]]), RULES),
        page("page added", COUNT, "a blank one", _blank),
        page("pages in another order", ORDER, "two sheets of a booklet", _reordered(
            lambda p: [p[2], p[3], p[0], p[1]]), RULES),
        page("pages in another order", ORDER, "backs before fronts", _reordered(
            lambda p: [p[1], p[0], *p[2:]]), RULES),
        page("pages in another order", ORDER, "a poster's rows", _reordered(
            lambda p: [p[1], p[0], *p[2:]]), CHART),
        page("pages in another order", ORDER, "two pages' content", _content(0, 2), RULES),
        page("page empty", r"not drawn|faces are drawn|lacks|empty|missing", "a back", lambda f: f.write_page("q Q", 1)),
        page("page painted twice", f"{COVERED}|twice|drawn", "with a shift", lambda f: f.edit_page(
            lambda s: f"{s}\nq 1 0 0 1 1 1 cm\n{s}\nQ\n"), COINS),
        page("stamp", COVERED, "a word, opaque", lambda f: f.edit_page(
            lambda s: f"q\n{s}\nQ\nq 1 0 0 rg {font_text(f)} Q\n")),
        page("stamp", COVERED, "a word, pale", _sample(0.15)),
        page("stamp", COVERED, "a word below the art", _below, PENNANTS),
        page("box over a page", COVERED, "white over a card", over("q 1 g 120 350 60 40 re f Q")),
        page("box over a page", COVERED, "black over a coin", over("q 0 g 80 740 12 12 re f Q"), COINS),
        page("box over a page", COVERED, "as a clip of a mark", over(
            "q 100 300 50 80 re W n .5 g 0 0 900 900 re f Q")),
        page("box over a page", rf"{COVERED}|gradient|shading", "a picture in the content", over(
            "q 50 0 0 50 110 330 cm BI /W 1 /H 1 /CS /RGB /BPC 8 ID \x80\x20\x20 EI Q")),
        page("hairline on a page", rf"{COVERED}|line|a shape", "through a row", over("q .2 w 20 400 m 800 402 l S Q")),
        page("hairline on a page", rf"{COVERED}|line|a shape", "white", over("q 1 G .4 w 20 400 m 800 402 l S Q")),
        page("tint over a page", rf"{COVERED}|effect|transparen|multiply", "grey, multiplied", lambda f: (
            f.pdf.pages[0].obj.Resources.__setitem__("/ExtGState", Dictionary(
                Gm=Dictionary(BM=Name.Multiply, ca=0.5))),
            f.edit_page(lambda s: f"q\n{s}\nQ\nq /Gm gs .8 g 0 0 900 900 re f Q"))),
        page("ground under a page", rf"{COVERED}|ground|under|behind", "yellow", under(
            "q 1 1 .7 rg 0 0 900 900 re f Q"), FIELDS),
        page("note on a page", NOTE, "a square", note(Name.Square, [120, 350, 200, 420])),
        page("note on a page", NOTE, "a stamp", note(Name.Stamp, [60, 700, 160, 760]), COINS),
        page("note on a page", NOTE, "a free text", note(
            Name.FreeText, [100, 500, 300, 560], Contents=String("draft"), DA=String("/Helv 12 Tf"))),
        page("note on a page", NOTE, "a field of a form", note(
            Name.Widget, [100, 500, 300, 560], FT=Name.Tx, T=String("a"))),
        page("layer", f"{HIDDEN}|{COVERED}", "a new one over a card", _on_layer(True)),
        page("layer", f"{HIDDEN}|{COVERED}", "a new one, off", _on_layer(False)),
        page("layer", f"{HIDDEN}|not drawn|lost", "a face on one that is off", _optional),
        file("layer", HIDDEN, "cut lines off", lambda f: f.pdf.Root.OCProperties.D.__setitem__(
            "/OFF", Array([f.pdf.Root.OCProperties.OCGs[0]]))),
        file("layer", HIDDEN, "fold lines unprinted", lambda f: f.pdf.Root.OCProperties.OCGs[1].Usage.Print.
             __setitem__("/PrintState", Name.OFF), file=SIGNS),
        # the file
        file("script", FILE + "|action", "prints by itself", _script),
        file("attachment", FILE, "a text", _attached),
        file("print wish", FILE + "|scal", "scaled to fit", _preference("/PrintScaling", Name.AppDefault)),
        file("print wish", FILE, "three copies", _preference("/NumCopies", 3)),
        file("print wish", FILE + "|edge|flip|turn", "the other edge", _preference(
            "/Duplex", Name.DuplexFlipShortEdge)),
        file("print wish", FILE + "|edge|sides|simplex|GP807", "one side only", _preference("/Duplex", Name.Simplex)),
        file("print wish", "asks its viewer", "read from right to left", _preference("/Direction", Name.R2L)),
        file("left by another program", "no build|ArtBox", "an ArtBox", put("/ArtBox", Array([0, 0, 9, 9]))),
        file("left by another program", "no build|PageMode", "opened on a full screen", lambda f:
             f.pdf.Root.__setitem__("/PageMode", Name.FullScreen)),
        file("left by another program", "no build|Author", "an author", lambda f:
             f.pdf.docinfo.__setitem__("/Author", String("Ann"))),
        file("left by another program", "PDF 1", "an older version", lambda f: None, force_version="1.3"),
        file("title", "metadata|title", "of the metadata alone", lambda f: f.pdf.Root.Metadata.write(
            f.pdf.Root.Metadata.read_bytes().replace(b">Fair", b">Fare"))),
        file("page labels", "label", "counted", lambda f: f.pdf.Root.PageLabels.Nums[1].__setitem__("/S", Name.D)),
        in_bytes("rubbish in the file", "bytes before|after its end", "after its end", lambda d: d + b"more"),
        file("encrypted", FILE, "with a password", lambda f: None,
             encryption=pikepdf.Encryption(owner="a", user="b")),
        file("page labels", r"label", "lost", lambda f: f.pdf.Root.__delitem__("/PageLabels")),
        file("title", r"title", "another pack's", lambda f: (
            f.pdf.Root.__delitem__("/Metadata"), f.pdf.docinfo.__setitem__("/Title", String("Rain forest")))),
        file("not the file that was built", SHA, "a box, the manifest as it was", over(
            "q 1 g 120 350 60 40 re f Q"), sealed=False),
        file("not the file that was built", SHA, "saved anew", lambda f: f.pdf.Root.__setitem__(
            "/Note", String("seen")), sealed=False),
        Fault("another file's content", Level.FILE, "dice for coins",
              r"page|not drawn|another|faces are drawn|paper", other_file(DICE), COINS),
        in_bytes("byte in a stream", f"{SHA}|{BROKEN}", "unsealed, the first", lambda d: flipped(d, 0, 0.5),
                 sealed=False),
        in_bytes("byte in a stream", f"{SHA}|{BROKEN}", "unsealed, the tenth", lambda d: flipped(d, 9, 0.3),
                 sealed=False),
        *(in_bytes("byte in a stream", f"{BROKEN}|.", f"stream {n}, {part:.0%} into it",
                   lambda d, n=n, part=part: flipped(d, n, part))
          for n, part in ((0, 0.5), (2, 0.2), (3, 0.7), (5, 0.5), (8, 0.4), (11, 0.6), (14, 0.3))),
        in_bytes("file cut short", BROKEN, "nine tenths of it", lambda d: d[: len(d) * 9 // 10]),
        in_bytes("file cut short", BROKEN, "its last 20 bytes", lambda d: d[:-20]),
        in_bytes("rubbish in the file", BROKEN + "|.", "zeros in its middle", lambda d:
                 d[: len(d) // 2] + bytes(400) + d[len(d) // 2 + 400 :]),
    ]  # fmt: skip

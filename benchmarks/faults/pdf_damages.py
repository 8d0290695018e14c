"""Damages to finished files and to manifests: what other programs, drivers and hands do."""

from __future__ import annotations

import random
import re
from decimal import Decimal
from typing import Any

import pikepdf
from PIL import Image

from faults.damage import DRAWN, Damage, forms, in_bytes, in_manifest, in_page, in_pdf, resources_of

MM = 72 / 25.4


def moved(content: str, right: float = 0, down: float = 0, number: int = 0) -> str:
    """One placement a few mm away."""
    found = list(DRAWN.finditer(content))[number]
    x, y = float(found["x"]) + right * MM, float(found["y"]) - down * MM
    return _drawn_as(content, found, f"{found['clip']}{found['turn']} {x:.4f} {y:.4f}")


def swapped(content: str, one: int, other: int) -> str:
    """Two faces in each other's places."""
    found = list(DRAWN.finditer(content))
    first, second = found[one], found[other]
    between = content[first.end("face") : second.start("face")]
    return (
        content[: first.start("face")]
        + second["face"]
        + between
        + first["face"]
        + content[second.end("face") :]
    )


def turned(content: str) -> str:
    """A face upside down in its own place (poker, 3 mm bleed)."""
    found = next(DRAWN.finditer(content))
    x, y = float(found["x"]) + 69.5 * MM, float(found["y"]) + 94.9 * MM
    return _drawn_as(content, found, f"{found['clip']}-1 0 0 -1 {x:.4f} {y:.4f}")


def shrunk(content: str) -> str:
    """A face at 97 % about its middle."""
    found = next(DRAWN.finditer(content))
    x, y = float(found["x"]) + 0.015 * 69.5 * MM, float(found["y"]) + 0.015 * 94.9 * MM
    return _drawn_as(content, found, f"{found['clip']}.97 0 0 .97 {x:.4f} {y:.4f}")


def _drawn_as(content: str, found: re.Match[str], placed: str) -> str:
    return content.replace(found[0], f"{placed} cm /{found['face']} Do Q\n", 1)


def box(name: str, factor: float, page: int = 0) -> Any:
    """A page box made larger or smaller."""

    def change(pdf: pikepdf.Pdf) -> None:
        values = [float(v) * factor for v in pdf.pages[page].mediabox]
        pdf.pages[page].obj[name] = pikepdf.Array([Decimal(f"{v:.4f}") for v in values])

    return change


def put(name: str, value: object, page: int = 0) -> Any:
    return lambda pdf: pdf.pages[page].obj.__setitem__(name, value)


def drop(name: str, page: int = 0) -> Any:
    return lambda pdf: pdf.pages[page].obj.__delitem__(name)


def unembedded(pdf: pikepdf.Pdf) -> None:
    """The font of the first face without its program."""
    for font in resources_of(next(forms(pdf)), "/Font"):
        whole = font.DescendantFonts[0] if "/DescendantFonts" in font else font
        for key in ("/FontFile", "/FontFile2", "/FontFile3"):
            if key in whole.FontDescriptor:
                del whole.FontDescriptor[key]


def without_a_glyph(pdf: pikepdf.Pdf) -> None:
    """The first shown glyph of a face is .notdef."""
    for form in with_text(next(forms(pdf))):
        instructions = []
        done = False
        for shown, operator in pikepdf.parse_content_stream(form):
            if not done and str(operator) in ("Tj", "TJ"):
                instructions.append(([_blanked(shown[0])], operator))
                done = True
            else:
                instructions.append((shown, operator))
        if done:
            form.write(pikepdf.unparse_content_stream(instructions))
            return


def with_text(form: pikepdf.Object) -> list[pikepdf.Object]:
    """A face and the forms in it."""
    inner = dict(form.get("/Resources", {}).get("/XObject", {})).values()
    found = [form]
    for thing in inner:
        if thing.get("/Subtype") == pikepdf.Name.Form:
            found += with_text(thing)
    return found


def _blanked(shown: Any) -> Any:
    if isinstance(shown, pikepdf.Array):
        return pikepdf.Array([_blanked(item) if isinstance(item, pikepdf.String) else item
                              for item in shown])  # fmt: skip
    data = bytes(shown)
    return pikepdf.String(b"\x00\x00" + data[2:])


def pixels(pdf: pikepdf.Pdf, width: int, height: int) -> None:
    """The pictures of the first face with other pixels."""
    for picture in resources_of(next(forms(pdf)), "/XObject"):
        picture.write(random.Random(1).randbytes(width * height * 3))
        picture.Width, picture.Height = width, height
        picture.ColorSpace, picture.BitsPerComponent = pikepdf.Name.DeviceRGB, 8


def white(pdf: pikepdf.Pdf) -> None:
    """The pictures of the first face without anything in them."""
    for picture in resources_of(next(forms(pdf)), "/XObject"):
        picture.write(b"\xff" * (618 * 360 * 3))
        picture.ColorSpace, picture.BitsPerComponent = pikepdf.Name.DeviceRGB, 8


def enlarged(pdf: pikepdf.Pdf) -> None:
    """The pictures of the first face made of few pixels."""
    few = Image.frombytes("RGB", (60, 36), random.Random(1).randbytes(60 * 36 * 3))
    for picture in resources_of(next(forms(pdf)), "/XObject"):
        picture.write(few.resize((618, 360), Image.Resampling.BICUBIC).tobytes())
        picture.ColorSpace, picture.BitsPerComponent = pikepdf.Name.DeviceRGB, 8


def guided(pdf: pikepdf.Pdf) -> None:
    """A line in magenta down the pictures of the first face."""
    art = Image.effect_noise((618, 360), 40).convert("RGB")
    art.paste((255, 0, 255), (300, 0, 302, 360))
    for picture in resources_of(next(forms(pdf)), "/XObject"):
        picture.write(art.tobytes())
        picture.ColorSpace, picture.BitsPerComponent = pikepdf.Name.DeviceRGB, 8


def in_lab(pdf: pikepdf.Pdf) -> None:
    """The pictures of the first face in a colour space that home printers guess at."""
    white = pikepdf.Dictionary(WhitePoint=pikepdf.Array([0.9505, 1, 1.089]))
    for picture in resources_of(next(forms(pdf)), "/XObject"):
        width, height = int(picture.Width), int(picture.Height)
        picture.write(bytes(width * height * 3))
        picture.ColorSpace = pikepdf.Array([pikepdf.Name.Lab, white])
        picture.BitsPerComponent = 8


def external(pdf: pikepdf.Pdf) -> None:
    """A picture that is in another file."""
    picture = next(resources_of(next(forms(pdf)), "/XObject"))
    picture.F = pikepdf.String("art.jpg")


def first_marks(content: str, by: float) -> str:
    """The first upright cut mark of the page, moved."""
    found = re.search(r"(\S+) (\S+) m (\1) (\S+) l", content)
    assert found
    x = float(found[1]) + by * MM
    return content.replace(found[0], f"{x:.4f} {found[2]} m {x:.4f} {found[4]} l", 1)


def ruler(content: str, factor: float) -> str:
    """The long line of the ruler at another length."""
    for found in re.finditer(r"(\S+) (\S+) m (\S+) (\2) l", content):
        length = float(found[3]) - float(found[1])
        if abs(length - 100 * MM) < 0.1:
            end = float(found[1]) + length * factor
            return content.replace(found[0], f"{found[1]} {found[2]} m {end:.4f} {found[2]} l")
    return content


def first_page(change: dict[str, Any]) -> Any:
    return lambda _, file: file["pages"][0].update(change)


def twice(_: dict[str, Any], file: dict[str, Any]) -> None:
    """A piece of the manifest with the number of another."""
    placements = file["pages"][0]["placements"]
    placements[1]["copy"] = placements[0]["copy"]


def two_more(manifest: dict[str, Any], _: dict[str, Any]) -> None:
    manifest["kinds"]["card"]["quantities"]["card-0"] = 4


def smaller_title(manifest: dict[str, Any], file: dict[str, Any]) -> None:
    """The title of a card as if it had not fitted."""
    title = manifest["texts"][file["pages"][0]["placements"][0]["sha256"]][0]
    title["size_pt"] -= 3


def shared_picture(_: dict[str, Any], file: dict[str, Any]) -> None:
    """All pictures as if each were another one, but for those of two faces."""
    shown = [form["pictures"] for form in file["forms"].values() if "pictures" in form]
    for number, pictures in enumerate(shown):
        for picture in pictures:
            picture["digest"] = str(max(number, 1))


def waiver(manifest: dict[str, Any], _: dict[str, Any]) -> None:
    manifest["waivers"] = [
        {"code": "GP825", "component": "card/*", "reason": "seen", "source": "pack.yaml:9:3"}
    ]


def _javascript(pdf: pikepdf.Pdf) -> None:
    action = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String("print()"))
    pdf.Root.OpenAction = pdf.make_indirect(action)


def _link(pdf: pikepdf.Pdf) -> None:
    action = pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String("https://example.org"))
    note = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Link, Rect=[0, 0, 9, 9], A=action
    )
    pdf.pages[0].obj.Annots = pdf.make_indirect(pikepdf.Array([note]))


def _front_again(content: str) -> str:
    return moved(content, 150, 40) + next(DRAWN.finditer(content))[0]


INNOCENT: tuple[Damage, ...] = (
    in_pdf("streams packed anew", "", lambda pdf: None, recompress_flate=True,
           object_stream_mode=pikepdf.ObjectStreamMode.disable),
    in_pdf("linearized for the web", "", lambda pdf: None, linearize=True),
    in_manifest("a printer that drifts a little", "",
                lambda _, file: file["printer"].update(tolerance_mm=0.3), file="folded-a4.pdf"),
)  # fmt: skip

DAMAGES: tuple[Damage, ...] = (
    # Placements
    in_page("a face 0.1 mm to the right", "GP806", lambda s: moved(s, 0.1), also="GP807"),
    in_page("a face 0.03 mm down", "GP806", lambda s: moved(s, 0, 0.03), also="GP807"),
    in_page("a back 0.1 mm to the right", "GP807", lambda s: moved(s, 0.1), page=1, also="GP806"),
    in_page("two fronts swapped", "GP806", lambda s: swapped(s, 0, 2), also="GP807"),
    in_page("a face upside down", "GP806", turned, also="GP807"),
    in_page("a face at 97 %", "GP806", shrunk, also="GP811"),
    in_page("a face that is not drawn", "GP806", lambda s: DRAWN.sub("", s, count=1),
            also="GP851 GP854"),
    in_page("a face drawn twice", "GP806", _front_again, also="GP803"),
    in_page("two signs swapped behind the fold", "GP807", lambda s: swapped(s, 0, 1),
            file="folded-a4.pdf", also="GP806"),
    # Pages
    in_pdf("a page at 97 %", "GP801", box("/MediaBox", 0.97),
           also="GP802 GP805 GP806 GP807 GP812 GP814"),
    in_pdf("a page cropped", "GP801", box("/CropBox", 0.97)),
    in_pdf("a page turned", "GP801", put("/Rotate", 90)),
    in_pdf("a page in other units", "GP801", put("/UserUnit", 2),
           also="GP802 GP805 GP806 GP807 GP814"),
    in_pdf("no TrimBox", "GP802", drop("/TrimBox")),
    in_pdf("no BleedBox", "GP802", drop("/BleedBox", 2)),
    in_pdf("a TrimBox of the whole page", "GP802", box("/TrimBox", 1)),
    in_pdf("a page too few", "GP806", lambda pdf: pdf.pages.__delitem__(-1),
           also="GP807 GP851 GP854 GP861"),
    in_pdf("a page twice", "GP806", lambda pdf: pdf.pages.append(pdf.pages[0])),
    in_pdf("fronts and backs in the wrong order", "GP806", lambda pdf: pdf.pages.reverse(),
           also="GP802 GP807 GP814 GP851 GP854"),
    # Marks
    in_page("a cut mark 0.1 mm off", "GP814", lambda s: first_marks(s, 0.1)),
    in_page("the ruler at 97 %", "GP805", lambda s: ruler(s, 0.97)),
    in_page("the fold moved 0.2 mm", "GP807",
            lambda s: s.replace("297.6378 8", "298.2047 8").replace("297.6378 2", "298.2047 2"),
            file="folded-a4.pdf", also="GP814 GP815"),
    # The file
    in_pdf("a font that is not embedded", "GP804", unembedded, also="GP824 GP857"),
    in_pdf("a glyph that is not there", "GP822", without_a_glyph, also="GP824 GP856 GP857"),
    in_pdf("JavaScript", "GP808", _javascript),
    in_pdf("a link", "GP808", _link, also="GP861"),
    in_pdf("no hint against scaling", "GP808",
           lambda pdf: pdf.Root.ViewerPreferences.__delitem__("/PrintScaling")),
    in_pdf("the printer told the wrong edge", "GP807",
           lambda pdf: pdf.Root.ViewerPreferences.__setitem__(
               "/Duplex", pikepdf.Name.DuplexFlipShortEdge)),
    in_pdf("a password", "GP808", lambda pdf: None,
           encryption=pikepdf.Encryption(owner="a", user="b")),
    in_bytes("half of the file", "GP808", lambda data: data[: len(data) // 2]),
    in_bytes("a broken cross-reference table", "GP808",
             lambda data: data.replace(b"startxref", b"startxrex")),
    in_pdf("no page labels", "GP861", lambda pdf: pdf.Root.__delitem__("/PageLabels")),
    in_pdf("a picture in another file", "GP808", external, also="GP861 GP831 GP832 GP857"),
    # Pictures
    in_pdf("a picture of 60 dpi", "GP831", lambda pdf: pixels(pdf, 122, 71),
           also="GP853 GP825 GP857"),
    in_pdf("a picture of 1500 dpi", "GP834", lambda pdf: pixels(pdf, 3041, 1771),
           also="GP853 GP857"),
    in_pdf("a picture stretched", "GP833", lambda pdf: pixels(pdf, 618, 618),
           also="GP853 GP831 GP857"),
    in_pdf("a picture in Lab", "GP832", in_lab, also="GP853 GP857 GP835"),
    in_pdf("a picture that is white", "GP835", white, also="GP853 GP857"),
    in_pdf("guides left in a picture", "GP837", guided, also="GP853 GP857 GP825"),
    in_pdf("a picture that was enlarged", "GP836", enlarged, also="GP853 GP857 GP825"),
    # The manifest
    in_manifest("a piece at another place", "GP806",
                lambda _, file: file["pages"][0]["placements"][0].update(x_mm=40.0),
                also="GP803 GP814 GP807 GP802 GP811 GP823"),
    in_manifest("another sha256", "GP806", lambda _, file: file.update(sha256="0" * 64)),
    in_manifest("A4 for Letter", "GP801", first_page({"width_mm": 215.9, "height_mm": 279.4}),
                also="GP803 GP806 GP807 GP812"),
    in_manifest("a printer with a wide margin", "GP812", first_page({"margin_mm": 30})),
    in_manifest("two more of a card", "GP851", two_more),
    in_manifest("a piece twice", "GP855", twice, also="GP806 GP807 GP851 GP854"),
    in_manifest("a printer that drifts", "GP807",
                lambda _, file: file["printer"].update(back_mm=[0.5, 0])),
    in_manifest("a piece without its back", "GP854",
                lambda _, file: file["pages"][1]["placements"].pop(0), also="GP806 GP807"),
    in_manifest("a title of another size", "GP859", smaller_title),
    in_manifest("two cards with one picture", "GP860", shared_picture, also="GP857"),
    in_manifest("a waiver for nothing", "GP871", waiver),
    in_manifest("two pieces on one place", "GP803",
                lambda _, file: file["pages"][0]["placements"][0].update(
                    x_mm=file["pages"][0]["placements"][2]["x_mm"], clip_mm=None),
                also="GP802 GP806 GP807 GP814"),
    in_manifest("a printer that drifts more than its borders are wide", "GP813",
                lambda _, file: file["printer"].update(tolerance_mm=1.5), file="folded-a4.pdf"),
)  # fmt: skip

"""Pictures that are not as they were: lost, swapped, mirrored, faint, torn."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

from pikepdf import Array, Dictionary, Name, PdfImage
from PIL import Image, ImageChops, ImageEnhance, ImageFilter, ImageOps

from faults import hands
from faults.bench import Fault, Level
from faults.fair import landscape
from faults.places import CARDS, GONE, PALE, in_file, of_face

PICTURE = r"picture"
BLANK = r"blank|empty|white|one colour|lost|shows nothing|nothing"
SWAPPED = r"another|swapped|instead|exchanged|other picture"
MASK = r"mask|cut-?out|transparen|opaque|ground"


def _lost(form: Any, number: int = 0) -> None:
    """A picture that is no longer painted."""
    inner = next(inner for inner in hands.art(form) if " Do" in hands.content(inner))
    name = re.findall(r"(/\w+) Do", hands.content(inner))[number]
    hands.edit(inner, lambda told: told.replace(f"{name} Do", "", 1))


def painted(change: Callable[[Image.Image], Image.Image], number: int = 0) -> Callable[[Any], None]:
    """A picture of a face with other pixels."""
    return lambda form: hands.repaint(hands.pictures(form)[number], change)


def _swapped(f: hands.Finished) -> None:
    one, other = (hands.pictures(f.face(c))[0] for c in ("acrobat", "clown"))
    first = pixels(one)
    hands.repaint(one, lambda _: pixels(other))
    hands.repaint(other, lambda _: first)


def pixels(picture: Any) -> Image.Image:
    return PdfImage(picture).as_pil_image().convert("RGB")


def _maskless(form: Any) -> None:
    for picture in hands.pictures(form):
        if "/SMask" in picture:
            del picture["/SMask"]


def _masked(change: Callable[[bytes], bytes]) -> Callable[[Any], None]:
    def edit(form: Any) -> None:
        for picture in hands.pictures(form):
            if "/SMask" in picture:
                picture.SMask.write(change(picture.SMask.read_bytes()))

    return edit


def _masked_as(change: Callable[[Image.Image], Image.Image]) -> Callable[[Any], None]:
    """The soft masks of a face worked over as pictures."""

    def edit(form: Any) -> None:
        for picture in hands.pictures(form):
            if "/SMask" in picture:
                mask = picture.SMask
                size = int(mask.Width), int(mask.Height)
                mask.write(change(Image.frombytes("L", size, mask.read_bytes())).tobytes())

    return edit


def _stated(**state: Any) -> Callable[[Any], None]:
    """The first picture of a face painted in another state."""

    def edit(form: Any) -> None:
        inner = next(inner for inner in hands.art(form) if " Do" in hands.content(inner))
        hands.resources(inner, "/ExtGState")["/Gstate"] = Dictionary(**state)
        hands.edit(inner, lambda told: re.sub(r"(/\w+) Do", r"/Gstate gs \1 Do", told, count=1))

    return edit


def _decoded(form: Any) -> None:
    picture = hands.pictures(form)[0]
    picture.Decode = Array([1, 0] * 3)


def _placed(matrix: Callable[[list[float]], list[float]]) -> Callable[[Any], None]:
    """The first picture of a face through another matrix."""

    def moved(found: re.Match[str]) -> str:
        old = [float(value) for value in found[1].split()]
        return " ".join(f"{value:.4f}" for value in matrix(old)) + f" cm{found[2]} Do"

    def edit(form: Any) -> None:
        inner = next(inner for inner in hands.art(form) if " Do" in hands.content(inner))
        hands.edit(inner, lambda told: re.sub(
            r"((?:\S+ ){5}\S+) cm(\s*/\w+) Do", moved, told, count=1))  # fmt: skip

    return edit


def _torn(picture: Image.Image) -> Image.Image:
    """Grey from some row on, as a JPEG that was cut short."""
    torn = picture.copy()
    torn.paste((128, 128, 128), (0, picture.height * 2 // 3, picture.width, picture.height))
    return torn


def _coarse(by: int) -> Callable[[Image.Image], Image.Image]:
    return lambda p: p.resize((p.width // by, p.height // by)).resize(p.size)


def _crushed(picture: Image.Image) -> Image.Image:
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=2)
    return Image.open(stream)


def _truncated_jpeg(form: Any) -> None:
    picture = hands.pictures(form)[0]
    raw = picture.read_raw_bytes()
    picture.write(raw[: len(raw) // 3], filter=Name.DCTDecode)


def channels(picture: Image.Image) -> Image.Image:
    red, green, blue = picture.split()
    return Image.merge("RGB", (blue, green, red))


CHANGES: dict[str, tuple[Callable[[Image.Image], Image.Image], str]] = {
    "blank": (lambda p: Image.new("RGB", p.size, "white"), BLANK),
    "black": (lambda p: Image.new("RGB", p.size, "black"), f"{BLANK}|dark"),
    "negative": (ImageOps.invert, r"negative|invert"),
    "mirrored": (ImageOps.mirror, "mirror"),
    "upside down": (lambda p: p.rotate(180), "turn|upside|rotat"),
    "wrapped": (lambda p: ImageChops.offset(p, p.width // 5, p.height // 9), "moved|side"),
    "faint": (lambda p: Image.blend(p, Image.new("RGB", p.size, "white"), 0.6), PALE),
    "dark": (lambda p: ImageEnhance.Brightness(p).enhance(0.5), "dark"),
    "grey": (lambda p: p.convert("L").convert("RGB"), "grey|colour"),
    "red and blue exchanged": (channels, "colour|channel|hue"),
    "blurred": (lambda p: p.filter(ImageFilter.GaussianBlur(8)), "blur|sharp|coarse|soft"),
    "of 40 dpi": (_coarse(8), "blur|sharp|coarse|soft|dpi|pixel|block"),
    "crushed": (_crushed, "blur|sharp|coarse|soft|block|colour|damaged"),
    "torn": (_torn, f"{GONE}|torn|grey|damaged|cover|part"),
    "moved in its frame": (lambda p: ImageChops.offset(p, 40, 0), "moved|shift|another|mm "),
    "flat": (lambda p: ImageEnhance.Contrast(p).enhance(0.4), f"{PALE}|contrast|flat"),
    "gamma": (
        lambda p: p.point(lambda v: int(255 * (v / 255) ** 1.3)),
        "dark|tone|colour",
    ),
    "in sepia": (
        lambda p: ImageOps.colorize(p.convert("L"), (40, 20, 0), (255, 240, 200)),
        "colour|tone|hue",
    ),
    "green and blue exchanged": (
        lambda p: Image.merge("RGB", (p.split()[0], p.split()[2], p.split()[1])),
        "colour|tone|hue",
    ),
    "larger in its frame": (
        lambda p: p.crop((p.width // 20, p.height // 20, p.width * 19 // 20, p.height * 19 // 20)),
        "scaled|larger|zoom",
    ),
    "turned by 3°": (
        lambda p: p.rotate(3, Image.Resampling.BICUBIC),
        "turn|rotat|skew",
    ),
    "of four tones": (lambda p: ImageOps.posterize(p, 2), "colour|tone|flat"),
}  # fmt: skip


def faults() -> list[Fault]:
    """All of these."""
    found = [
        of_face(f"picture {name}", f"{PICTURE}.*({says})|({says}).*{PICTURE}", "diviner",
                painted(change), level=Level.PICTURE)
        for name, (change, says) in CHANGES.items()
    ]  # fmt: skip
    mine: list[tuple[str, str, str, Callable[[Any], object]]] = [
        ("picture lost", "the landscape", f"{PICTURE}.*({GONE})|({GONE}).*{PICTURE}", _lost),
        ("picture lost", "the figure", f"{PICTURE}.*({GONE})|({GONE}).*{PICTURE}", lambda form: _lost(form, 1)),
        ("soft mask gone", "dropped", MASK, _maskless),
        ("soft mask gone", "inverted", f"{MASK}|negative|invert", _masked(lambda d: bytes(255 - v for v in d))),
        ("soft mask gone", "all clear", f"{MASK}|{GONE}", _masked(lambda d: bytes(len(d)))),
        ("soft mask gone", "half as dense", f"{MASK}|{PALE}", _masked(lambda d: bytes(v // 2 for v in d))),
        ("picture negative", "by its Decode", "negative|invert|colour", _decoded),
        ("picture stretched", "20 % wider", r"stretch|wider|proportion|scaled|larger|distort",
         _placed(lambda m: [m[0] * 1.2, m[1], m[2], m[3], m[4] - m[0] * 0.1, m[5]])),
        ("picture moved in its frame", "2 mm left", r"moved|shift|mm|another",
         _placed(lambda m: [m[0], m[1], m[2], m[3], m[4] - 2 * hands.MM, m[5]])),
        ("picture mirrored", "by its matrix", "mirror",
         _placed(lambda m: [-m[0], m[1], m[2], m[3], m[4] + m[0], m[5]])),
        ("picture scaled", "80 %", r"scaled|smaller|size|larger|white|lack|cut",
         _placed(lambda m: [m[0] * 0.8, m[1], m[2], m[3] * 0.8, m[4], m[5]])),
        ("picture torn", "its JPEG cut short", f"{GONE}|torn|damaged|cut|broken", _truncated_jpeg),
        ("picture swapped", "for one that is not in the pack", f"{PICTURE}.*({SWAPPED})|({SWAPPED})",
         painted(lambda p: landscape(17, p.size))),
    ]  # fmt: skip
    mine += [
        (
            "picture mixed with its ground",
            "multiplied",
            "mixed|blend|Multiply|dark",
            _stated(BM=Name.Multiply),
        ),
        (
            "picture mixed with its ground",
            "screened",
            "mixed|blend|Screen|pale|bright",
            _stated(BM=Name.Screen),
        ),
        ("picture faint", "by a state", PALE, _stated(ca=0.85)),
        (
            "picture stretched",
            "1 % larger",
            r"scaled|larger",
            _placed(
                lambda m: [
                    m[0] * 1.01,
                    m[1],
                    m[2],
                    m[3] * 1.01,
                    m[4] - m[0] * 0.005,
                    m[5] - m[3] * 0.005,
                ]
            ),
        ),
        (
            "picture moved in its frame",
            "0.3 mm right",
            r"moved|shift",
            _placed(lambda m: [m[0], m[1], m[2], m[3], m[4] + 0.3 * hands.MM, m[5]]),
        ),
        ("soft mask gone", "of another shape", f"{MASK}|mirror", _masked_as(ImageOps.mirror)),
        (
            "soft mask gone",
            "eroded",
            MASK,
            _masked_as(lambda m: m.filter(ImageFilter.MinFilter(9))),
        ),
    ]
    found += [
        of_face(kind, says, "diviner", change, level=Level.PICTURE, name=f"{kind}, {name}")
        for kind, name, says, change in mine
    ]
    found.append(in_file("picture swapped", Level.PICTURE, "two heroes' landscapes exchanged",
                         SWAPPED, _swapped, file=CARDS))  # fmt: skip
    return found

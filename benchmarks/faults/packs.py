"""Faults that authors make: in YAML, templates and pictures, though nothing in them is malformed."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from faults.bench import Bench, Fault, Level
from faults.fair import CARD_GROUND, Files, encoded, figure, landscape, qr_path

CARDS, TEMPLATES = "cards/fair", "templates/fair"
HERO, EVENT = f"{TEMPLATES}/hero.svg.j2", f"{TEMPLATES}/event.svg.j2"
BLEED = r"bleed|stops|past the cut|edge"
EDGE = r"along the cut|near the (cut|edge)|border|frame|edge of colour|band|bleed|stops"
SAFE = r"safe|over the cut|near(er)? (to )?the cut|out of"
ALIKE = r"alike|the same|look the same|twice"


def changed(file: str, old: str, new: str, count: int = -1) -> Callable[[Files], None]:
    """A file of the pack with one text for another."""

    def change(files: Files) -> None:
        before = files[file]
        assert isinstance(before, str)
        if old not in before:
            raise SystemExit(f"{file}: no {old!r}")
        files[file] = before.replace(old, new, count)

    return change


def drawn_last(file: str, svg: str) -> Callable[[Files], None]:
    """Something more at the end of a template."""
    return lambda files: files.__setitem__(file, f"{files[file]!s}{svg}\n")


def picture(number: int, change: Callable[[Image.Image], Image.Image]) -> Callable[[Files], None]:
    """A hero's landscape worked over."""
    return lambda files: files.__setitem__(
        f"{CARDS}/art/{number}.jpg", encoded(change(landscape(number)), "JPEG", quality=92)
    )


def cut_out(number: int, change: Callable[[Image.Image], Image.Image]) -> Callable[[Files], None]:
    return lambda files: files.__setitem__(
        f"{CARDS}/art/fig{number}.png", encoded(change(figure(number)), "PNG")
    )


def in_pack(kind: str, name: str, says: str, *changes: Callable[[Files], None]) -> Fault:
    """A fault in the pack's files."""

    def make(bench: Bench, folder: Path) -> None:
        files = dict(bench.files)
        for change in changes:
            change(files)
        bench.build(files, folder)

    return Fault(kind, Level.PACK, name, says, make)


def _enlarged(p: Image.Image, times: int = 7, how: int = Image.Resampling.BICUBIC) -> Image.Image:
    small = p.resize((p.width // times, p.height // times), Image.Resampling.LANCZOS)
    return small.resize(p.size, how)


def _framed(p: Image.Image) -> Image.Image:
    box = 40, 40, p.width - 41, p.height - 41
    ImageDraw.Draw(p).rectangle(box, outline=(255, 0, 255), width=2)
    return p


def _all_but_a_speck(p: Image.Image) -> Image.Image:
    p.putalpha(0)
    ImageDraw.Draw(p).rectangle((5, 5, 8, 8), fill=(200, 0, 0, 255))
    return p


def _busy(p: Image.Image) -> Image.Image:
    """With so much on it that all of it shows when it is not sharp."""
    dice, pen = random.Random(7), ImageDraw.Draw(p)
    for _ in range(1500):
        x, y, by = dice.randrange(p.width), dice.randrange(p.height), dice.randrange(2, 9)
        shade = tuple(dice.randrange(256) for _ in "rgb")
        pen.ellipse((x, y, x + by, y + by), fill=shade)
    return p


def _guided(colour: tuple[int, int, int]) -> Callable[[Image.Image], Image.Image]:
    def change(p: Image.Image) -> Image.Image:
        pen = ImageDraw.Draw(p)
        pen.line((p.width // 2, 0, p.width // 2, p.height), fill=colour, width=2)
        pen.line((0, p.height // 3, p.width, p.height // 3), fill=colour, width=2)
        return p

    return change


def _fringed(p: Image.Image) -> Image.Image:
    """Cut out of white paper by a careless hand: a pale rim."""
    mask = p.getchannel("A").point(lambda v: 255 if v > 8 else 0)
    inner = mask.filter(ImageFilter.MinFilter(7))
    white = Image.new("RGB", p.size, "white")
    white.paste(p.convert("RGB"), mask=inner)
    white.putalpha(mask)
    return white


def _dashed(p: Image.Image) -> Image.Image:
    for x in range(0, p.width, 14):
        ImageDraw.Draw(p).line(
            (x, p.height // 3, x + 7, p.height // 3), fill=(0, 255, 255), width=2
        )
    return p


def _screened(p: Image.Image) -> Image.Image:
    """The same, out of a green screen."""
    rim = ImageChops.subtract(p.getchannel("A"), p.getchannel("A").filter(ImageFilter.MinFilter(7)))
    p.paste((30, 210, 40), mask=rim.point(lambda v: 255 if v > 8 else 0))
    p.putalpha(_fringed(p).getchannel("A"))
    return p


def _small_jpeg(p: Image.Image, quality: int = 3) -> Image.Image:
    stream = io.BytesIO()
    p.save(stream, "JPEG", quality=quality)
    return Image.open(stream).convert("RGB")


def inked(dark: str, light: str) -> Fault:
    """A QR code in other colours, on a ground of another."""
    path = f'd="{qr_path(30, 78, 1.0)}"'
    return in_pack(
        *("QR code", f"{dark} on {light}", r"GP838.*contrast"),
        changed(
            f"{TEMPLATES}/leaf.svg.j2", 'height="34" fill="#ffffff"', f'height="34" fill="{light}"'
        ),
        changed(f"{TEMPLATES}/leaf.svg.j2", f'{path} fill="#000000"', f'{path} fill="{dark}"'),
    )


GROUND_HERO = CARD_GROUND.strip()
GROUND_EVENT = '<rect x="-3" y="-3" width="69.5" height="94.9" fill="{{ colour.moss }}"/>'


def faults() -> list[Fault]:
    """All of these."""
    styles, pack = f"{TEMPLATES}/styles.yaml", f"{CARDS}/pack.yaml"
    heroes, events = f"{CARDS}/hero.yaml", f"{CARDS}/event.yaml"
    title = '{{ text_line(c.name, 31.75, 46.5, "title", anchor="middle") }}'
    return [
        # bleed and cut
        in_pack("no bleed", "ground ends at the trim", BLEED, changed(
            EVENT, GROUND_EVENT, '<rect x="0" y="0" width="63.5" height="88.9" fill="{{ colour.moss }}"/>')),
        in_pack("no bleed", "art ends at the trim, the ground goes on", BLEED, changed(
            HERO, "image(c.art, -3, -3, 69.5, 45)", "image(c.art, 0, 0, 63.5, 42)")),
        in_pack("no bleed", "a band that ends at the trim", BLEED, changed(
            HERO, '<rect x="-3" y="40" width="69.5"', '<rect x="0" y="40" width="63.5"')),
        in_pack("no bleed", "a pennant that ends at its outline", BLEED, changed(
            f"{TEMPLATES}/pennant.svg.j2", '<rect x="-3" y="-3" width="56" height="46" fill="{{ colour.red }}"/>',
            '<path d="M0 0 H50 L40 20 L50 40 H0 Z" fill="{{ colour.red }}"/>')),
        in_pack("no bleed", "a coin of 0.4 mm", BLEED, changed(
            f"{TEMPLATES}/coin.svg.j2", '<rect x="-1.5" y="-1.5" width="28" height="28" fill="{{ colour.gold }}"/>',
            '<circle cx="12.5" cy="12.5" r="12.9" fill="{{ colour.gold }}"/>')),
        in_pack("bleed of another colour", "a ring from the trim on", EDGE, changed(
            EVENT, GROUND_EVENT, GROUND_EVENT.replace("moss", "gold")
            + '<rect width="63.5" height="88.9" fill="{{ colour.moss }}"/>')),
        in_pack("bleed of another colour", "0.3 mm past the cut", EDGE, changed(
            EVENT, GROUND_EVENT, GROUND_EVENT.replace("moss", "gold")
            + '<rect x="-0.3" y="-0.3" width="64.1" height="89.5" fill="{{ colour.moss }}"/>')),
        in_pack("frame near the cut", "thin, 0.4 mm inside", EDGE, drawn_last(
            EVENT, '<rect x="0.4" y="0.4" width="62.7" height="88.1" fill="none" stroke="#ffffff" stroke-width="0.3"/>')),
        in_pack("frame near the cut", "on the cut", EDGE, drawn_last(
            EVENT, '<rect width="63.5" height="88.9" fill="none" stroke="#000000" stroke-width="0.25"/>')),
        in_pack("art over the cut", "an icon half over it", SAFE, drawn_last(
            EVENT, '{{ draw.star(63.5, 30, 5, 4, 2, fill=colour.gold) }}')),
        in_pack("art out of the safe zone", "an icon 1 mm from the cut", SAFE, drawn_last(
            EVENT, '{{ draw.star(58, 70, 5, 4.5, 2, fill=colour.gold) }}')),
        in_pack("art out of the safe zone", "on a plate, in a corner", SAFE, drawn_last(
            EVENT, '<rect x="1" y="77" width="11" height="11" rx="1" fill="{{ colour.night }}"/>'
            '{{ draw.star(6.5, 82.5, 6, 4.6, 2.2, fill=colour.gold) }}')),
        in_pack("art over the cut", "outlined words over it", SAFE, drawn_last(
            EVENT, '<text x="40" y="88" font-family="Alegreya Sans" font-size="6" fill="#ffffff">Over the edge</text>')),
        in_pack("art over the cut", "outlined words outside the safe zone", SAFE, drawn_last(
            EVENT, '<text x="10" y="3.2" font-family="Alegreya Sans" font-size="3" fill="#ffffff">Chapter one</text>')),
        in_pack("text outside the safe zone", "2 mm from the cut", SAFE, changed(
            EVENT, "31.75, 16,", "31.75, 4.5,")),
        in_pack("text over the cut", "a title", SAFE, changed(EVENT, "31.75, 16,", "5, 16,")),
        in_pack("text on a fold", "a tent's", r"fold", changed(
            f"{TEMPLATES}/tent.svg.j2", '34, 72, 46, 12, "large")', '34, 46, 46, 12, "large")')),
        in_pack("tent's back not turned", "its text", r"turn|upside|upright|fold", changed(
            f"{TEMPLATES}/tent.svg.j2", ', rotate=180', '')),
        # text and line
        in_pack("text over text", "two boxes overlap", r"over|overlap|text", changed(
            EVENT, "9, 22, 45, 30", "9, 12, 45, 30")),
        in_pack("text over text", "a number on a title", r"over|overlap|text", drawn_last(
            EVENT, '{{ text_line(c.turn, 31.75, 16, "large", anchor="middle") }}')),
        in_pack("text mirrored", "a title", "mirror", changed(
            EVENT, '{{ text_line(c.name, 31.75, 16, "title", anchor="middle") }}',
            '<g transform="translate(63.5 0) scale(-1 1)">{{ text_line(c.name, 31.75, 16, "title", anchor="middle") }}</g>')),
        in_pack("line too thin", "black, 0.05 mm", r"thin|hair|line", drawn_last(
            EVENT, '<path d="M9 60h45" stroke="#000000" stroke-width="0.05"/>')),
        in_pack("line too thin", "in colour, 0.06 mm", r"thin|hair|line", drawn_last(
            HERO, '<path d="M7 76h38" stroke="{{ colour.red }}" stroke-width="0.06"/>')),
        in_pack("line too thin", "scaled to it, with others", r"thin|hair|line", drawn_last(
            EVENT, '<g transform="scale(0.2)"><path d="M40 380h240M40 390h240" stroke="#1d1a17" stroke-width="0.3"/>'
            '<rect x="40" y="395" width="240" height="4" fill="#1d1a17"/></g>')),
        in_pack("line too thin", "scaled to it", r"thin|hair|line", drawn_last(
            HERO, '<g transform="scale(0.1)"><path d="M70 760h380" stroke="#1d1a17" stroke-width="0.5"/></g>')),
        in_pack("small type on dark", "6.6 pt", r"dark|ink|knock|fill", drawn_last(
            f"{TEMPLATES}/hero-back.svg.j2", '{{ text_line("printed at the fair", 31.75, 80, "body", '
            'anchor="middle", colour="#ffffff", size=6.6) }}'), changed(styles, "size: 9pt, min: 9pt", "size: 9pt, min: 6pt")),
        in_pack("text too small", "5.5 pt", r"pt", changed(styles, "size: 9pt, min: 9pt", "size: 5.5pt, min: 5.5pt")),
        in_pack("text too small", "scaled to it", r"pt|small", changed(
            EVENT, '{{ text_box(c.text, 9, 22, 45, 30, "body") }}',
            '<g transform="translate(9 22) scale(0.5)">{{ text_box(c.text, 0, 0, 90, 60, "body") }}</g>')),
        in_pack("too little contrast", "body on moss", r"contrast", changed(
            EVENT, 'fill="{{ colour.paper }}"/>', 'fill="{{ colour.moss }}"/>')),
        in_pack("too little contrast", "over the busy part of a picture", r"contrast|out of|safe|seen", changed(
            HERO, '31.75, 46.5, "title"', '31.75, 30, "title"')),
        in_pack("text covered", "by a plate drawn late", r"seen|cover|over", drawn_last(
            EVENT, '<rect x="9" y="24" width="30" height="8" fill="{{ colour.gold }}"/>')),
        in_pack("text cut off", "by a clip", r"seen|cut|clip", changed(
            EVENT, '{{ text_box(c.text, 9, 22, 45, 30, "body") }}',
            '<clipPath id="w"><rect x="9" y="20" width="38" height="40"/></clipPath>'
            '<g clip-path="url(#w)">{{ text_box(c.text, 9, 22, 45, 30, "body") }}</g>')),
        in_pack("text does not fit", "a box too low", r"fit", changed(EVENT, "9, 22, 45, 30", "9, 22, 45, 6")),
        # QR codes
        in_pack("QR code", "modules of 0.3 mm", r"QR|code|module", changed(
            f"{TEMPLATES}/leaf.svg.j2", qr_path(30, 78, 1.0), qr_path(40, 88, 0.3))),
        in_pack("QR code", "no quiet zone", r"QR|code|quiet", changed(
            f"{TEMPLATES}/leaf.svg.j2", '<rect x="28" y="76" width="34" height="34" fill="#ffffff"/>',
            '<rect x="22" y="70" width="46" height="46" fill="#000000"/><rect x="30" y="78" width="29" height="29" fill="#ffffff"/>')),
        in_pack("QR code", "light on dark", r"GP838.*light on dark", changed(
            f"{TEMPLATES}/leaf.svg.j2", 'height="34" fill="#ffffff"', 'height="34" fill="#000000"'), changed(
            f"{TEMPLATES}/leaf.svg.j2", f'd="{qr_path(30, 78, 1.0)}" fill="#000000"', f'd="{qr_path(30, 78, 1.0)}" fill="#ffffff"')),
        in_pack("QR code", "pale", r"GP838.*contrast", changed(
            f"{TEMPLATES}/leaf.svg.j2", f'd="{qr_path(30, 78, 1.0)}" fill="#000000"', f'd="{qr_path(30, 78, 1.0)}" fill="#d8d8d8"')),
        in_pack("QR code", "mirrored", r"QR|code|mirror", changed(
            f"{TEMPLATES}/leaf.svg.j2", f'<path d="{qr_path(30, 78, 1.0)}"',
            f'<path transform="translate(89 0) scale(-1 1)" d="{qr_path(30, 78, 1.0)}"')),
        in_pack("QR code", "15 % narrower", r"GP838.*stretched: 15 % narrower", changed(
            f"{TEMPLATES}/leaf.svg.j2", f'<path d="{qr_path(30, 78, 1.0)}"',
            f'<path transform="translate(6.7 0) scale(0.85 1)" d="{qr_path(30, 78, 1.0)}"')),
        inked("#c8202c", "#1c9a3a"),
        inked("#1830b0", "#000000"),
        # pictures
        in_pack("picture too coarse", "90 dpi", r"dpi|pixels|coarse", picture(0, lambda p: p.resize((246, 160)))),
        in_pack("picture too coarse", "150 dpi", r"dpi|pixels|coarse", picture(1, lambda p: p.resize((411, 266)))),
        in_pack("picture enlarged", "seven times before it came", r"sharp|enlarged|blur|soft", picture(2, _enlarged)),
        in_pack("picture enlarged", "each pixel a square of 3", r"GP836.*pixels is 3 wide", picture(
            2, lambda p: _enlarged(_busy(p), 3, Image.Resampling.NEAREST))),
        in_pack("picture enlarged", "each pixel a square of 2", r"GP836.*pixels is 2 wide", picture(
            2, lambda p: _enlarged(_busy(p), 2, Image.Resampling.NEAREST))),
        in_pack("picture enlarged", "four times, and sharpened", r"GP836.*no more than", picture(
            3, lambda p: _enlarged(p, 4).filter(ImageFilter.UnsharpMask(2, 150, 0)))),
        in_pack("picture enlarged", "three times, of a poor JPEG", r"GP836.*no more than", picture(
            1, lambda p: _enlarged(_small_jpeg(p, 40), 3))),
        in_pack("picture enlarged", "blurred", r"sharp|enlarged|blur|soft", picture(
            3, lambda p: p.filter(ImageFilter.GaussianBlur(9)))),
        in_pack("picture crushed", "a JPEG of quality 3", r"JPEG|block|compress|quality|sharp", picture(4, _small_jpeg)),
        in_pack("picture with a fringe", "a white rim", r"fringe|rim|edge|halo", cut_out(0, _fringed)),
        in_pack("picture empty", "all white", r"empty|blank|one colour|nothing", picture(
            0, lambda p: Image.new("RGB", p.size, "white"))),
        in_pack("picture empty", "all clear", r"empty|blank|transparent|nothing", cut_out(
            1, lambda p: Image.new("RGBA", p.size, (0, 0, 0, 0)))),
        in_pack("picture empty", "all clear but a speck", r"GP835.*speck", cut_out(
            1, _all_but_a_speck)),
        in_pack("picture with a fringe", "a green rim", r"GP837.*green rim", cut_out(0, _screened)),
        in_pack("guides left in art", "dashed", r"GP837.*cyan", picture(2, _dashed)),
        in_pack("guides left in art", "the frame of a safe zone", r"GP837", picture(2, _framed)),
        in_pack("picture stretched", "turned, then stretched", r"GP833.*slant", changed(
            HERO, "{{ image(c.figure, 20, 12, 22, 28) }}",
            '<g transform="scale(1.1 1) rotate(20 28 26)">{{ image(c.figure, 18, 12, 22, 28) }}</g>')),
        in_pack("guides left in art", "cyan", r"guide", picture(2, _guided((0, 255, 255)))),
        in_pack("guides left in art", "magenta", r"guide", picture(3, _guided((255, 0, 255)))),
        in_pack("picture stretched", "fit=stretch", r"stretch|proportion", changed(
            HERO, "image(c.art, -3, -3, 69.5, 45)", 'image(c.art, -3, -3, 69.5, 60, fit="stretch")')),
        # what a careful reader sees
        in_pack("components alike", "but for the id", ALIKE, changed(
            events, "id: parade, name: Parade, turn: 2", "id: parade, name: Rain, turn: 1"), changed(
            events, "Count the red fields. Gain 1 coin for each of them, 7 at most.",
            "Every stall closes. Lose 2 coins for each field that you hold.")),
        in_pack("same art twice", "one file for two heroes", rf"art|picture|{ALIKE}", changed(
            heroes, "art: art/3.jpg", "art: art/2.jpg")),
        in_pack("same art twice", "two files alike", rf"art|picture|{ALIKE}", picture(4, lambda _: landscape(2))),
        in_pack("same art twice", "one cropped by 4 %", r"GP860", picture(
            4, lambda p: landscape(2).crop((16, 10, p.width - 16, p.height - 10)).resize(p.size))),
        in_pack("words left over", "TODO", r"TODO|left", changed(events, "Show your hand.", "TODO: balance this.")),
        in_pack("words left over", "lorem ipsum", r"lorem|left|fill", changed(
            events, "The round ends now.", "Lorem ipsum dolor sit amet.")),
        in_pack("words left over", "a placeholder", r"XXX|left|placeholder", changed(events, "name: Thief", "name: XXX")),
        in_pack("words left over", "in a template", r"TBD|left", drawn_last(
            EVENT, '{{ text_line("TBD", 31.75, 82, "body", anchor="middle") }}')),
        in_pack("words left over", "None printed", r"None|left", drawn_last(
            EVENT, '{{ text_line("Worth %s" % none, 31.75, 82, "body", anchor="middle") }}')),
        in_pack("words left over", "broken letters", r"letters|encod|left|Ã", changed(events, "name: Bell", "name: CafÃ©")),
        in_pack("title of another size", "one smaller", r"size|pt|smaller", changed(
            styles, "size: 13pt, min: 13pt", "size: 13pt, min: 8pt"), changed(
            events, "name: Lantern", "name: The lantern bearer at the gate"), changed(
            EVENT, '"title", anchor="middle")', '"title", anchor="middle", w=50)')),
        in_pack("title of another size", "one larger", r"size|pt|larger", changed(
            HERO, title, '{{ text_line(c.name, 31.75, 46.5, "title", anchor="middle", size=16 if c.cost == 4 else 13) }}')),
        in_pack("stock almost of a standard size", "1 mm", r"standard|almost|size|poker", changed(
            f"{CARDS}/kinds/event.yaml", "stock: poker", "stock: almost"), changed(
            pack, "stocks:\n", "stocks:\n  almost: {size: [63.5mm, 87.9mm], shape: rounded, corner_radius: 3mm}\n"), changed(
            EVENT, 'height="94.9"', 'height="93.9"'), changed(
            f"{TEMPLATES}/event-back.svg.j2", 'height="94.9"', 'height="93.9"')),
        in_pack("a back that differs", "marked by a dot", r"back|alike|same|differ", drawn_last(
            f"{TEMPLATES}/hero-back.svg.j2", '{% if c.cost == 5 %}<circle cx="8" cy="8" r="0.7" fill="{{ colour.gold }}"/>{% endif %}')),
        in_pack("a back that differs", "a hue off", r"back|alike|same|differ", changed(
            f"{TEMPLATES}/hero-back.svg.j2", 'fill="{{ colour.night }}"/>\n<circle',
            'fill="{{ "#233a52" if c.cost == 5 else colour.night }}"/>\n<circle')),
        in_pack("two backs in a deck", "one card with another", r"back", changed(
            f"{TEMPLATES}/event-back.svg.j2", 'height="94.9" fill="{{ colour.red }}"',
            'height="94.9" fill="{{ colour.night if c.turn == 4 else colour.red }}"')),
        in_pack("two backs in a deck", "half of it by slip", r"back", changed(
            f"{TEMPLATES}/event-back.svg.j2", 'height="94.9" fill="{{ colour.red }}"',
            'height="94.9" fill="{{ colour.night if c.turn > 3 else colour.red }}"')),
        in_pack("cards look alike", "a value that is not shown", ALIKE, changed(
            f"{TEMPLATES}/coin.svg.j2", "text_line(c.value,", "text_line(7,"), changed(
            f"{TEMPLATES}/coin-back.svg.j2", "text_line(c.other,", "text_line(9,")),
        # what stops a build, or should
        in_pack("picture missing", "no such file", r"picture|GP501", changed(heroes, "art/5.jpg", "art/9.jpg")),
        in_pack("undefined name", "in a template", r"GP303|undefined", drawn_last(EVENT, "{{ c.nmae }}")),
        in_pack("letter without a glyph", "in a name", r"GP402|glyph|character", changed(
            events, "name: Storm", 'name: "Storm ☃"')),
        in_pack("too large for its paper", "a tent", r"GP601|larger", changed(
            f"{CARDS}/kinds/tent.yaml", "stock: name-tent", "stock: chart")),
        in_pack("too much ink", "a dark back", r"ink", changed(
            f"{TEMPLATES}/hero-back.svg.j2", 'fill="{{ colour.night }}"/>\n<circle', 'fill="#050505"/>\n<circle')),
    ]  # fmt: skip

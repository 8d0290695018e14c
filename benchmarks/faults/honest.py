"""Decks of unusual design and without a fault: each error that they draw is a false one."""

from __future__ import annotations

import functools
import io
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw

from faults.fair import Files, encoded, figure, landscape, qr_path, write
from generator.cache import NOTHING_KEPT, InMemory
from generator.diagnostics import GridpressError, Severity
from generator.order import Order
from generator.preflight import preflight_build
from generator.prepress import lay_out, silent
from generator.press import write_print_files
from generator.project import find_targets

FULL = '<rect x="{x}" y="{x}" width="{w}" height="{h}" fill="{fill}"/>\n'
STYLES = """\
fonts: {body: Alegreya Sans, show: Cinzel, narrow: Barlow Condensed, black: Grenze Gotisch, ours: Bench Script}
fallback: [Noto Sans, Bench Script]
colours: {ink: "#1d1a17", paper: "#f4ead2", red: "#8e2a1c", night: "#22384f", gold: "#d9b45a", moss: "#4d6b3c"}
styles:
  title: {font: show, weight: 700, size: 14pt, min: 9pt, colour: ink}
  body: {font: body, size: 9pt, min: 7pt, colour: ink, hyphenate: true}
  just: {font: body, size: 8pt, min: 7pt, colour: ink, align: justify, hyphenate: true}
  large: {font: body, weight: 700, size: 22pt, min: 10pt, colour: ink}
  huge: {font: show, weight: 900, size: 90pt, colour: ink}
  narrow: {font: narrow, size: 9pt, min: 7pt, colour: ink}
  gothic: {font: black, weight: 800, size: 15pt, min: 9pt, colour: ink}
  small: {font: body, size: 7pt, colour: ink}
  rtl: {font: ours, size: 11pt, min: 8pt, colour: ink, align: start}
"""
ORNAMENT = (
    '  ornament: {font: show, weight: 900, size: 60pt, colour: "#ecdfc0", decoration: true}\n'
)
NAMES = ("Acrobat", "Baker", "Clown", "Diviner")
TEXTS = (
    "Move twice. If you end on a rope, draw 1 card.",
    "Gain 4 coins. Each player to your left buys a pie.",
    "Swap hands with a neighbour before the bell rings.",
    "Look at the top 3 events. Put them back in any order.",
)


@dataclass(frozen=True, slots=True)
class Deck:
    """A pack of one kind: what its faces draw, on which stock, with which cards; `more` are lines
    of its kind, `print_` and `pack` lines of the print and the pack."""

    name: str
    front: str
    back: str = ""
    stock: str = "poker"
    size: tuple[float, float] = (63.5, 88.9)
    bleed: float = 3.0
    fill: str = "{{ colour.paper }}"
    more: str = ""
    print_: str = ""
    pack: str = ""
    cards: tuple[str, ...] = ()
    order: dict[str, Any] = field(default_factory=dict)

    def files(self) -> Files:
        cards, templates = "cards/deck", "templates/deck"
        sides = "front: front.svg.j2" + (", back: back.svg.j2" if self.back else "")
        rows = self.cards or tuple(
            f'name: {name}, number: {n}, text: "{text}", art: art/{n}.jpg, figure: art/fig{n}.png'
            for n, (name, text) in enumerate(zip(NAMES, TEXTS, strict=True))
        )
        kind = (
            f"kind: card\nstock: {self.stock}\nfaces: {{{sides}}}\n{self.more}fields:\n"
            "  name: {type: text, optional: true}\n  number: {type: int, optional: true}\n"
            "  text: {type: rich, optional: true}\n  art: {type: image, optional: true}\n"
            "  figure: {type: image, optional: true}\n"
        )
        backs = "" if self.back or "backs" in self.print_ else ", backs: none"
        papers = "" if "papers" in self.print_ else ", papers: [a4]"
        print_ = f", {self.print_}" if self.print_ else ""
        files: Files = {
            f"{cards}/pack.yaml": f"title: Deck\nversion: 1.0.0\n{self.pack}prints:\n"
            f"  cards: {{title: Cards, kinds: [card]{papers}{backs}{print_}}}\n",
            f"{cards}/kinds/card.yaml": kind,
            f"{cards}/card.yaml": "kind: card\ncomponents:\n"
            + "".join(f"  - {{id: card-{n}, {row}}}\n" for n, row in enumerate(rows)),
            f"{templates}/styles.yaml": STYLES + (ORNAMENT if "ornament" in self.front else ""),
            f"{templates}/front.svg.j2": self._ground() + self.front,
            "fonts/bench-script/BenchScript.ttf": script_font(),
        }
        if self.back:
            files[f"{templates}/back.svg.j2"] = self.back
        return files | {f"{cards}/art/{name}": data for name, data in art().items()}

    def _ground(self) -> str:
        if not self.fill:
            return ""
        width, height = self.size
        b = self.bleed
        return FULL.format(x=-b, w=width + 2 * b, h=height + 2 * b, fill=self.fill)


@functools.cache
def art() -> dict[str, bytes]:
    """Pictures of every sort."""
    found: dict[str, bytes] = {}
    for number in range(4):
        found[f"{number}.jpg"] = encoded(landscape(number), "JPEG", quality=90)
        found[f"fig{number}.png"] = encoded(figure(number), "PNG")
    tall = landscape(3, (822, 1122))
    found["tall.jpg"] = encoded(tall, "JPEG", quality=90)
    found["grey.jpg"] = encoded(tall.convert("L"), "JPEG", quality=90)
    found["cmyk.jpg"] = encoded(tall.convert("CMYK"), "JPEG", quality=90)
    found["palette.png"] = encoded(tall.quantize(32), "PNG")
    found["webp.webp"] = encoded(tall, "WEBP", quality=90)
    found["dark.jpg"] = encoded(tall.point(lambda v: v // 5), "JPEG", quality=92)
    found["pale.jpg"] = encoded(tall.point(lambda v: 205 + v // 5), "JPEG", quality=92)
    found["foggy.jpg"] = encoded(
        Image.radial_gradient("L").resize((822, 532)).convert("RGB"), "JPEG"
    )
    house = tall.copy()
    pen = ImageDraw.Draw(house)
    pen.rectangle((600, 300, 784, 1122), fill=(90, 60, 50))  # a wall that ends near the cut
    pen.rectangle((0, 1083, 822, 1122), fill=(60, 70, 40))
    found["house.jpg"] = encoded(house, "JPEG", quality=92)
    grain = Image.effect_noise((822, 1122), 30).resize((411, 561)).resize((822, 1122))
    warm = Image.new("RGB", grain.size, "#e6d6b0")
    found["grain.jpg"] = encoded(Image.blend(warm, grain.convert("RGB"), 0.25), "JPEG", quality=92)
    few = landscape(2, (75, 50)).quantize(12).convert("RGB")
    found["pixels.png"] = encoded(few.resize((600, 400), Image.Resampling.NEAREST), "PNG")
    ruled = Image.new("RGB", (600, 400), (252, 250, 244))
    pen = ImageDraw.Draw(ruled)
    for y in range(40, 400, 24):
        pen.line((0, y, 600, y), fill=(120, 170, 220))
    pen.line((80, 0, 80, 400), fill=(230, 60, 80), width=2)
    found["ruled.png"] = encoded(ruled, "PNG")
    line = Image.new("1", (1644, 1064), 1)
    pen = ImageDraw.Draw(line)
    for n in range(40):
        pen.ellipse((822 - 20 * n, 532 - 13 * n, 822 + 20 * n, 532 + 13 * n), outline=0, width=3)
    found["line.png"] = encoded(line, "PNG")
    return found


@functools.cache
def script_font() -> bytes:
    """A font of our own with Hebrew and Arabic letters, whose shapes are those of Latin ones."""
    path = Path(__file__).parents[2] / "fonts/noto-sans/NotoSans_400Regular.ttf"
    font = TTFont(path)
    for name in font["name"].names:
        if name.nameID in (1, 3, 4, 6, 16):
            name.string = "Bench Script" if name.nameID != 6 else "BenchScript"
    letters = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq"
    for table in font["cmap"].tables:
        if table.isUnicode():
            glyphs = dict(table.cmap)
            for n in range(27):
                table.cmap[0x05D0 + n] = glyphs[ord(letters[n])]
            for n in range(43):
                table.cmap[0x0621 + n] = glyphs[ord(letters[n].upper())]
    stream = io.BytesIO()
    font.save(stream)
    return stream.getvalue()


TITLE = '{{ text_line(c.name, 31.75, 14, "title", anchor="middle", w=54) }}\n'
BODY = '{{ text_box(c.text, 7, 55, 49.5, 24, "body") }}\n'
PHOTO = "{{ image(c.art, -3, -3, 69.5, 45) }}\n"
PLAIN_BACK = FULL.format(x=-3, w=69.5, h=94.9, fill="{{ colour.night }}")
DOT = '<circle cx="{}" cy="{}" r="{}" fill="{}"/>\n'


def small(stock: str, size: tuple[float, float], bleed: float, front: str, **more: Any) -> Deck:
    return Deck(f"stock {stock}", front, stock=stock, size=size, bleed=bleed, **more)


def decks() -> list[Deck]:
    """All of these."""
    number = '{{ text_line(c.number, %s, %s, "title", anchor="middle") }}\n'
    outlined = (
        '<g stroke="#ffffff" stroke-width="1" stroke-linejoin="round">'
        '{{ text_line(c.name, 31.75, 30, "title", anchor="middle", w=54) }}</g>\n'
        '{{ text_line(c.name, 31.75, 30, "title", anchor="middle", w=54) }}\n'
    )
    shadow = (
        '{{ text_line(c.name, 32.05, 14.3, "title", anchor="middle", w=54, colour="#c9b890") }}\n'
    )
    full = FULL.format(x=-3, w=69.5, h=94.9, fill="{}")
    pale_title = TITLE.replace("w=54", 'w=54, colour="#ffffff"')
    pale_body = BODY.replace('"body"', '"body", colour="#ffffff"')
    return [
        # letters
        Deck("outlined titles over photos", PHOTO + outlined + BODY),
        Deck("a soft shadow below the title", shadow + TITLE + BODY),
        Deck("a shadow of three steps", "".join(
            shadow.replace("32.05", f"{31.75 + d}").replace("14.3", f"{14 + d}") for d in (0.6, 0.4, 0.2)) + TITLE + BODY),
        Deck("a dark shadow below pale words", full.format("#22384f")
             + TITLE.replace('w=54', 'w=54, colour="#05080c"').replace("31.75", "32.05").replace("14,", "14.25,")
             + TITLE.replace('w=54', 'w=54, colour="#ffffff"')),
        Deck("pale letters as decoration", '{{ text_line(c.name[0], 31.75, 50, "ornament", anchor="middle") }}\n' + TITLE + BODY),
        Deck("pale letters as decoration behind words", '{{ text_line(c.name[0], 31.75, 75, "ornament", anchor="middle") }}\n' + TITLE + BODY),
        Deck("letters that bleed off", '{{ text_line(c.name[0], 58, 40, "ornament", anchor="middle") }}\n' + TITLE + BODY),
        Deck("a word that runs off both edges", '{{ text_line(c.name, 31.75, 40, "ornament", anchor="middle") }}\n' + TITLE + BODY),
        small("leaf", (41, 63), 3, '{% for x, y in [[5, 10], [31, 10], [4, 60], [38, 60]] %}{{ text_line("G", x, y, "ornament", anchor="middle") }}{% endfor %}',
              pack="stocks:\n  leaf: {size: [41mm, 63mm]}\n", cards=("name: Anna",)),
        Deck("text on a path", '<path id="arc{{ c.number }}" d="M10 40 A22 22 0 0 1 54 40" fill="none"/>'
             '<text font-family="Alegreya Sans" font-size="5" fill="#1d1a17"><textPath href="#arc{{ c.number }}">{{ c.name }}</textPath></text>' + BODY),
        Deck("capitals on a path", '<path id="arc{{ c.number }}" d="M12 44A20 20 0 1 1 51.5 44" fill="none"/>'
             '<text font-family="Cinzel" font-weight="700" font-size="4" fill="#1d1a17"><textPath href="#arc{{ c.number }}">{{ c.name }} of the round</textPath></text>'),
        Deck("words that go round", "{% for n in range(8) %}" '{{ text_line(c.name[0], 31.75, 30, "title", rotate=45*n) }}' "{% endfor %}\n" + BODY),
        Deck("titles turned a quarter", '{{ text_line(c.name, 12, 80, "title", rotate=-90) }}{{ text_box(c.text, 18, 10, 38, 60, "body") }}'),
        Deck("corner indices upside down", '{{ text_line(c.number, 8, 14, "large", anchor="middle") }}'
             '<g transform="rotate(180 31.75 44.45)">{{ text_line(c.number, 8, 14, "large", anchor="middle") }}</g>'),
        Deck("a whole card in two halves", '{% for r in (0, 180) %}<g transform="rotate({{ r }} 31.75 44.45)">'
             '{{ text_line(c.name, 31.75, 12, "title", anchor="middle", w=50) }}{{ text_box(c.text, 8, 16, 47, 22, "body") }}</g>{% endfor %}'),
        Deck("justified, hyphenated", '{{ text_box(c.text ~ " " ~ c.text ~ " " ~ c.text, 7, 10, 49.5, 60, "just") }}'),
        Deck("small type, 7 pt", '{{ text_box(c.text ~ " " ~ c.text, 7, 10, 49.5, 60, "small") }}'),
        Deck("black letter", '{{ text_line(c.name, 31.75, 14, "gothic", anchor="middle") }}' + BODY),
        Deck("Greek and Cyrillic", TITLE + '{{ text_box("Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Съешь ещё этих мягких булок.", 7, 30, 49, 30, "body") }}'),
        Deck("from right to left", '{{ text_box("שלום לכם, אורחים יקרים. קחו 3 קלפים.", 7, 20, 49, 30, "rtl") }}' + number % (31.75, 12)),
        Deck("both directions", '{{ text_box("Draw 2: שלום אורחים, then stop.", 7, 20, 49, 30, "rtl") }}' + number % (31.75, 12)),
        Deck("a giant number", '{{ text_line(c.number, 31.75, 60, "huge", anchor="middle") }}'),
        Deck("words on plates", '{% for y in (10, 20, 30) %}<rect x="6" y="{{ y }}" width="50" height="7" fill="#1d1a17"/>'
             '{{ text_line(c.name, 9, y + 5, "narrow", colour="#ffffff") }}{% endfor %}'),
        Deck("white words on a dark photo", '{{ image("art/dark.jpg", -3, -3, 69.5, 94.9) }}'
             + TITLE.replace("w=54", 'w=54, colour="#ffffff"') + BODY.replace('"body"', '"body", colour="#ffffff"')),
        Deck("dark words on a pale photo", '{{ image("art/pale.jpg", -3, -3, 69.5, 94.9) }}' + TITLE + BODY),
        Deck("words through a see-through panel", PHOTO + '<rect x="4" y="8" width="55" height="10" fill="#ffffff" fill-opacity="0.85"/>' + TITLE + BODY),
        Deck("words underlined", TITLE + '<path d="M12 15.2h40" stroke="#8e2a1c" stroke-width="0.4"/>' + BODY),
        Deck("words struck through", TITLE + '<path d="M14 12.6h36" stroke="#8e2a1c" stroke-width="0.5"/>' + BODY),
        Deck("bold and italic", '{{ text_box("**Act:** move *twice*. **" ~ c.name ~ "** rests.", 7, 20, 49, 30, "body", rich=true) }}'),
        Deck("6 and 9 underlined", '{{ text_line(c.number, 31.75, 40, "large", anchor="middle") }}<path d="M27 42h9.5" stroke="#1d1a17" stroke-width="0.6"/>',
             cards=("number: 6", "number: 9", "number: 66", "number: 99")),
        Deck("the same words twice", TITLE + TITLE.replace("14,", "84,") + BODY.replace("55", "30")),
        Deck("letters close together", '{{ text_box(c.text, 7, 20, 49.5, 40, "narrow") }}' + TITLE),
        # pictures and drawings
        Deck("photos only", '{{ image(c.art, -3, -3, 69.5, 94.9, fit="cover") }}'.replace("c.art", '"art/tall.jpg"') + number % (8, 12),
             fill=""),
        Deck("no words at all", DOT.format("31.75", "44", "{{ 8 + c.number * 4 }}", "#8e2a1c")),
        Deck("grey, four inks, palette and WebP", '{{ image(("art/grey.jpg", "art/cmyk.jpg", "art/palette.png", "art/webp.webp")[c.number], 6, 6, 51.5, 60) }}' + number % (31.75, 80)),
        Deck("line art of one bit", '{{ image("art/line.png", 6, 20, 51.5, 33.3) }}' + TITLE),
        Deck("a fog", '{{ image("art/foggy.jpg", -3, 30, 69.5, 45) }}' + TITLE),
        Deck("cut-out figures", '{{ image(c.figure, 20, 20, 22, 28) }}' + TITLE + BODY),
        Deck("a photo in an arch", '<clipPath id="a{{ c.number }}"><path d="M10 50V25a21.75 21.75 0 0 1 43.5 0V50z"/></clipPath>'
             '<g clip-path="url(#a{{ c.number }})">{{ image(c.art, 8, 3, 48, 47) }}</g>' + BODY),
        Deck("a photo faded by a mask", '<linearGradient id="f{{ c.number }}" x1="0" y1="0" x2="0" y2="1"><stop offset="0.4" stop-color="#ffffff"/><stop offset="1" stop-color="#000000"/></linearGradient>'
             '<mask id="m{{ c.number }}"><rect x="-3" y="-3" width="69.5" height="45" fill="url(#f{{ c.number }})"/></mask><g mask="url(#m{{ c.number }})">' + PHOTO + '</g>' + BODY),
        Deck("a ground that changes", '<linearGradient id="g{{ c.number }}" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#f4ead2"/><stop offset="1" stop-color="#d9b45a"/></linearGradient>'
             '<rect x="-3" y="-3" width="69.5" height="94.9" fill="url(#g{{ c.number }})"/>' + TITLE + BODY, fill=""),
        Deck("a sun", '<radialGradient id="s{{ c.number }}"><stop offset="0" stop-color="#fffbe8"/><stop offset="1" stop-color="#d9b45a"/></radialGradient>'
             '<rect x="-3" y="-3" width="69.5" height="94.9" fill="url(#s{{ c.number }})"/>' + TITLE + BODY, fill=""),
        Deck("stripes over the cut", '{% for x in range(-3, 67, 6) %}<rect x="{{ x }}" y="-3" width="3" height="94.9" fill="#eadbb4"/>{% endfor %}' + TITLE + BODY),
        Deck("a chequered edge", '{% for y in range(16) %}<rect x="{{ -3 if y % 2 else 60.5 }}" y="{{ y * 6 - 3 }}" width="6" height="6" fill="#8e2a1c"/>{% endfor %}' + TITLE.replace("w=54", "w=44") + BODY.replace("7, 55, 49.5", "9, 55, 45")),
        Deck("hatching", '{{ draw.hatch(-3, -3, 69.5, 94.9, gap=3, stroke="#e3d3a8", stroke_width=0.4) }}' + TITLE + BODY),
        Deck("a wide frame", '<rect x="4" y="4" width="55.5" height="80.9" fill="none" stroke="#8e2a1c" stroke-width="1"/>' + TITLE.replace("w=54", "w=44") + BODY.replace("7, 55, 49.5", "9, 55, 45")),
        Deck("fine lines of 0.12 mm", '{% for y in range(20, 50, 3) %}<path d="M8 {{ y }}h47" stroke="#1d1a17" stroke-width="0.12"/>{% endfor %}' + TITLE + BODY),
        Deck("many small dots", '{{ draw.dots(scatter(0, 20, 63, 30, 200, c.name), 0.3, fill="gold") }}' + TITLE + BODY),
        Deck("lines to write on", TITLE + '{% from "shared/card.svg.j2" import ruled %}{{ ruled(8, 30, 47, 45, "#8a7a5a") }}'),
        Deck("a table", '{% from "shared/table.svg.j2" import table %}{{ table(6, 20, [20, 24, 7], [["Move", c.name, 2], ["Rest", "all", 1]], "body") }}'),
        Deck("a code to scan", f'<rect x="10" y="20" width="43" height="43" fill="#ffffff"/><path d="{qr_path(16, 26, 1.1)}" fill="#000000"/>' + TITLE),
        Deck("a small code to scan", f'<rect x="18" y="28" width="22" height="22" fill="#ffffff"/><path d="{qr_path(21, 31, 0.55)}" fill="#1d1a17"/>' + TITLE),
        Deck("a red code to scan", f'<rect x="10" y="20" width="43" height="43" fill="#fff4dc"/><path d="{qr_path(16, 26, 1.1)}" fill="#b01020"/>' + TITLE),
        Deck("art that touches the cut of white paper", DOT.format("63.5", "44", "10", "#8e2a1c") + TITLE + BODY, stock="plain", fill="",
             pack="stocks:\n  plain: {size: [63.5mm, 88.9mm], edge: white}\n"),
        Deck("cards white all round", TITLE + BODY, stock="plain", fill="", pack="stocks:\n  plain: {size: [63.5mm, 88.9mm], edge: white}\n"),
        Deck("a faint watermark", '<g opacity="0.12">{{ draw.star(31.75, 60, 7, 22, 9, fill=colour.red) }}</g>' + TITLE + BODY),
        Deck("leaves that overlap", ''.join(DOT.format(10 + 6 * n, 40, 8, f"#8e2a1c{20 + n * 9:02x}") for n in range(8)) + TITLE + BODY),
        # backs
        Deck("a plain back", TITLE, back=PLAIN_BACK),
        Deck("each its own back", TITLE, back=PLAIN_BACK + '{{ text_line(c.number, 31.75, 50, "huge", anchor="middle", colour="#ffffff") }}'),
        Deck("the back mirrored", '<path d="M20 70l12-30-6-20h20z" fill="#8e2a1c"/>' + number % (10, 14),
             back=FULL.format(x=-3, w=69.5, h=94.9, fill="{{ colour.paper }}") + '<g transform="translate(63.5 0) scale(-1 1)"><path d="M20 70l12-30-6-20h20z" fill="#8e2a1c"/></g>'),
        Deck("two levels of backs", TITLE, back=PLAIN_BACK.replace("colour.night", 'colour.night if c.number < 2 else colour.red')
             + '{{ text_line("I" if c.number < 2 else "II", 31.75, 50, "huge", anchor="middle", colour="#ffffff") }}'),
        Deck("backs folded over", TITLE + BODY, back=PLAIN_BACK, print_="backs: gutterfold"),
        Deck("backs on the short edge", TITLE + BODY, back=PLAIN_BACK, print_="backs: duplex-short, papers: [letter]"),
        # stocks
        small("circle-25", (25.4, 25.4), 3, number % (12.7, 15)),
        small("hex-44", (50.8, 44), 3, number % (25.4, 24), print_="layout: nested"),
        small("hex-82-pointy", (82.5, 95.3), 3, TITLE.replace("31.75, 14", "41, 40") + '{{ text_box(c.text, 14, 45, 54, 20, "body") }}'),
        small("triangle-25", (25.4, 22), 2, '{{ text_line(c.number, 12.7, 16, "body", anchor="middle") }}'),
        small("shield-chit", (19.05, 25.4), 2, number % (9.5, 13)),
        small("arrow-chit", (19.05, 38.1), 2, number % (9.5, 24)),
        small("die-sticker-12", (10, 10), 0.5, '{{ text_line(c.number, 5, 6.2, "body", anchor="middle") }}', print_="layout: labels, labels: {a4: l7651}, backs: none"),
        small("tiny", (8, 8), 1, DOT.format("4", "4", "{{ 1 + c.number * 0.5 }}", "#8e2a1c"), pack="stocks:\n  tiny: {size: [8mm, 8mm], bleed: 1mm, safe: 1mm}\n"),
        small("strip", (190, 12), 2, '{{ text_line(c.name, 95, 8, "body", anchor="middle") }}', pack="stocks:\n  strip: {size: [190mm, 12mm], bleed: 2mm, safe: 2mm}\n"),
        small("standee-folded", (24, 96), 2, '{% from "shared/standee.svg.j2" import folded %}{% call folded(stock) %}'
              '<path d="M{{ 9 - c.number }} 82l{{ 3 + c.number }}-25 {{ 3 + c.number }} 25z" fill="#8e2a1c"/>{% endcall %}'),
        small("name-tent", (88.9, 101.6), 3, '{{ text_box(c.name, 10, 68, 69, 12, "large", align="center") }}{{ text_box(c.name, 10, 21, 69, 12, "large", align="center", rotate=180) }}'),
        small("poster", (300, 280), 3, '{{ text_line(c.name, 150, 140, "huge", anchor="middle") }}', print_="layout: poster", cards=("name: Fair",),
              pack="stocks:\n  poster: {size: [300mm, 280mm]}\n"),
        small("leaf", (90, 120), 3, TITLE.replace("31.75", "45") + '{{ text_box(c.text, 10, 30, 70, 40, "body") }}', print_="layout: booklet, backs: duplex-short",
              pack="stocks:\n  leaf: {size: [90mm, 120mm]}\n"),
        Deck("edge to edge", TITLE + BODY, print_="gutter: 0mm"),
        Deck("on photo paper", TITLE + BODY, print_="papers: [photo-4x6]"),
        # odd ones
        Deck("dominoes", '<path d="M8 44.45h47.5" stroke="#1d1a17" stroke-width="0.8"/>{% for n in range(c.number + 2) %}'
             '<circle cx="{{ 16 + 10 * n }}" cy="{{ 20 + 3 * n }}" r="3.5"/><circle cx="{{ 16 + 8 * n }}" cy="{{ 70 - 2 * n }}" r="3.5"/>{% endfor %}'),
        Deck("a map of lines that run off", '{% for n in range(5) %}<path d="M-3 {{ 12 + 17 * n }}C20 {{ 80 - 9 * n }} 40 {{ 6 + 14 * n }} 67 {{ 30 + 9 * n }}" fill="none" stroke="#8e2a1c" stroke-width="2"/>'
             '<circle cx="{{ 12 + 9 * n }}" cy="{{ 30 + 6 * n }}" r="2.2" fill="#ffffff" stroke="#1d1a17" stroke-width="0.6"/>{% endfor %}'),
        Deck("confetti over the cut", '{{ draw.dots(scatter(-3, -3, 69, 94, 160, c.name), 1.6, fill="gold") }}' + TITLE),
        Deck("a sun that rises at the edge", DOT.format(31.75, 88.9, 16, "#d9b45a") + TITLE + BODY.replace("55", "30")),
        Deck("quarters in the corners", DOT.format(0, 0, 12, "#d9b45a") + DOT.format(63.5, 88.9, 12, "#d9b45a") + TITLE + BODY.replace("7, 55, 49.5", "9, 40, 45")),
        Deck("holes of a film along both edges", '{% for y in range(2, 88, 8) %}<rect x="3.5" y="{{ y }}" width="3.5" height="4.5" rx="1" fill="#1d1a17"/>'
             '<rect x="56.5" y="{{ y }}" width="3.5" height="4.5" rx="1" fill="#1d1a17"/>{% endfor %}' + TITLE.replace("w=54", "w=44")),
        Deck("staves of music", '{% for y in range(20, 60, 14) %}{% for n in range(5) %}<path d="M6 {{ y + 1.6 * n }}h51" stroke="#1d1a17" stroke-width="0.15"/>{% endfor %}'
             '<ellipse cx="{{ 14 + 6 * c.number }}" cy="{{ y + 3 }}" rx="1.1" ry="0.8"/>{% endfor %}' + TITLE),
        Deck("a crossword", '{% for n in range(64) %}<rect x="{{ 8 + n % 8 * 6 }}" y="{{ 22 + n // 8 * 6 }}" width="6" height="6" fill="{{ "#1d1a17" if n * 7 % 5 == c.number else "#ffffff" }}" stroke="#1d1a17" stroke-width="0.2"/>{% endfor %}' + TITLE),
        Deck("bars as on a parcel", '<rect x="8" y="28" width="47" height="22" fill="#ffffff"/>{% for n in range(30) %}<rect x="{{ 12 + n * 1.3 }}" y="30" width="{{ 0.3 + n * 7 % 4 * 0.2 }}" height="16"/>{% endfor %}' + TITLE),
        Deck("a chessboard that bleeds", '{% for n in range(88) %}{% if (n + n // 8) % 2 %}<rect x="{{ -3 + n % 8 * 9 }}" y="{{ -3 + n // 8 * 9 }}" width="9" height="9" fill="#d9b45a"/>{% endif %}{% endfor %}' + number % (31.75, 46)),
        Deck("two halves in two colours", '<path d="M-3 -3h69.5L-3 91.9z" fill="#22384f"/>' + TITLE.replace("31.75, 14", "24, 16").replace("w=54", 'w=36, colour="#ffffff"') + '{{ text_box(c.name, 34, 66, 22, 12, "body") }}'),
        Deck("a frame of two lines", '<rect x="4" y="4" width="55.5" height="80.9" rx="2" fill="none" stroke="#8e2a1c" stroke-width="0.8"/><rect x="5.4" y="5.4" width="52.7" height="78.1" rx="1.2" fill="none" stroke="#8e2a1c" stroke-width="0.3"/>'
             + TITLE.replace("w=54", "w=44") + BODY.replace("7, 55, 49.5", "9, 55, 45")),
        Deck("rays from the middle", '{% for n in range(24) %}<path d="M31.75 44.45L{{ polar(31.75, 44.45, 70, 15 * n) | join(" ") }}L{{ polar(31.75, 44.45, 70, 15 * n + 7) | join(" ") }}z" fill="#eadbb4"/>{% endfor %}' + TITLE + BODY),
        Deck("a pale glow behind words", '<radialGradient id="w{{ c.number }}"><stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="#ffffff" stop-opacity="0"/></radialGradient>'
             '<circle cx="31.75" cy="30" r="28" fill="url(#w{{ c.number }})"/>' + TITLE.replace("14,", "30,"), fill="#d9b45a"),
        Deck("a tab that bleeds at one side", '<path d="M-3 30h10l5 5v10l-5 5H-3z" fill="#22384f"/>' + '{{ text_line(c.number, 6, 42, "body", anchor="middle", colour="#ffffff") }}' + TITLE),
        Deck("sixteen small cards on one", '{% for n in range(16) %}<g transform="translate({{ 8 + n % 4 * 12 }} {{ 20 + n // 4 * 15 }}) scale(0.15)"><rect width="63.5" height="88.9" rx="3" fill="#ffffff" stroke="#1d1a17" stroke-width="0.6"/><path d="M6 20h50" stroke="#8e2a1c" stroke-width="0.5"/></g>{% endfor %}' + TITLE),
        # beside the cut
        Deck("a sky that fades to the cut", '<linearGradient id="f{{ c.number }}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#22384f"/><stop offset="0.08" stop-color="#f4ead2"/></linearGradient>'
             '<rect x="-3" y="-3" width="69.5" height="94.9" fill="url(#f{{ c.number }})"/>' + TITLE + BODY, fill=""),
        Deck("shade that ends near the cut", '{% for n in range(2) %}<linearGradient id="e{{ n }}-{{ c.number }}" x1="{{ n }}" y1="0" x2="{{ 1 - n }}" y2="0"><stop offset="0.03" stop-color="#1d1a17"/><stop offset="0.1" stop-color="#1d1a17" stop-opacity="0"/></linearGradient>'
             '<rect x="-3" y="-3" width="69.5" height="94.9" fill="url(#e{{ n }}-{{ c.number }})"/>{% endfor %}' + TITLE + BODY),
        Deck("a soft vignette", '<radialGradient id="v{{ c.number }}" cx="0.5" cy="0.5" r="0.72"><stop offset="0.7" stop-color="#f4ead2"/><stop offset="1" stop-color="#5a3c1c"/></radialGradient>'
             '<rect x="-3" y="-3" width="69.5" height="94.9" fill="url(#v{{ c.number }})"/>' + TITLE + BODY, fill=""),
        Deck("stripes of which one begins at the cut", '{% for y in range(15) %}<rect x="-3" y="{{ y * 6 + c.number * 0.9 - 6 }}" width="69.5" height="3" fill="#d9b45a"/>{% endfor %}'),
        Deck("upright stripes, one at the cut", '{% for x in range(12) %}<rect x="{{ x * 6 - 3 - c.number * 1.1 }}" y="-3" width="3" height="94.9" fill="#8e2a1c"/>{% endfor %}'),
        Deck("squares that meet the cut", '{% for n in range(90) %}{% if (n + n // 8) % 2 %}<rect x="{{ -12.5 + n % 8 * 12.7 }}" y="{{ -12.7 + n // 8 * 12.7 }}" width="12.7" height="12.7" fill="#8e2a1c"/>{% endif %}{% endfor %}<rect x="20" y="30" width="24" height="14" fill="#ffffff"/>{{ text_line(c.number, 31.75, 40, "large", anchor="middle") }}'),
        Deck("slanting stripes", '{% for n in range(30) %}<path d="M-3 {{ n * 7 - 60 }}L66.5 {{ n * 7 - 50 }}v3.5L-3 {{ n * 7 - 56.5 }}z" fill="#d9b45a"/>{% endfor %}' + TITLE + BODY),
        Deck("a photo with a house", '{{ image("art/house.jpg", -3, -3, 69.5, 94.9) }}' + number % (31.75, 40), fill=""),
        Deck("paper with a grain", '{{ image("art/grain.jpg", -3, -3, 69.5, 94.9) }}' + TITLE + BODY, fill=""),
        Deck("bricks", '<rect x="-3" y="-3" width="69.5" height="94.9" fill="#c9b890"/>{% for y in range(14) %}{% for x in range(7) %}<rect x="{{ x * 12 - 9 + y % 2 * 6 }}" y="{{ y * 7 - 6.6 }}" width="11.2" height="6.2" fill="#8e2a1c"/>{% endfor %}{% endfor %}<rect x="20" y="30" width="24" height="14" fill="#ffffff"/>{{ text_line(c.number, 31.75, 40, "large", anchor="middle") }}'),
        Deck("a round hill that touches the cut", DOT.format(31.75, 188.9, 100, "#4d6b3c") + TITLE),
        Deck("tabs of an index", '<rect x="58" y="{{ 12 + 16 * c.number }}" width="9" height="14" fill="#8e2a1c"/>' + TITLE.replace("w=54", "w=40")),
        Deck("a ruler along one side", '<path d="M0.3 -3v94.9" stroke="#1d1a17" stroke-width="0.5"/>{% for y in range(0, 90, 10) %}<path d="M0 {{ y }}h4" stroke="#1d1a17" stroke-width="0.4"/>{% endfor %}' + TITLE.replace("w=54", "w=44")),
        Deck("roads that leave at the middle", '<path d="M28 -3h7.5v94.9h-7.5zM-3 41h69.5v7.5h-69.5z" fill="#8a7a5a"/><rect x="20" y="30" width="24" height="14" fill="#ffffff"/>{{ text_line(c.number, 31.75, 40, "large", anchor="middle") }}'),
        small("circle-19", (19.05, 19.05), 2, DOT.format(9.525, 9.525, 8.76, "#ffffff") + number % (9.5, 11), fill="#f6d5d8"),
        Deck("outlined panels a millimetre inside", '<rect x="1.3" y="1.3" width="60.9" height="86.3" fill="#d9b45a" stroke="#8e2a1c" stroke-width="0.6"/>' + TITLE + BODY),
        Deck("panels a millimetre inside", '<rect x="1.2" y="1.2" width="61.1" height="86.5" rx="2" fill="#d9b45a"/>' + TITLE + BODY),
        small("hex-44", (50.8, 43.994), 3, '<path d="M12.7 0H38.1" stroke="#1d1a17" stroke-width="0.8"/><path d="M20 -3h10v50h-10z" fill="#8a7a5a"/><rect x="20" y="14" width="11" height="16" fill="#ffffff"/>{{ text_line(c.number, 25.4, 24, "large", anchor="middle") }}', print_="layout: nested"),
        small("circle-25", (25.4, 25.4), 3, '<path d="M12.7 12.7L40 0V25.4z" fill="#8e2a1c"/>' + number % (8, 15)),
        small("leaf", (90, 120), 3, '{% if c.number % 2 %}<rect x="45" y="-3" width="48" height="126" fill="#d9b45a"/>{% else %}<rect x="-3" y="-3" width="48" height="126" fill="#d9b45a"/>{% endif %}{{ text_line(c.number, 20, 40, "large") }}', print_="layout: booklet, backs: duplex-short",
              pack="stocks:\n  leaf: {size: [90mm, 120mm]}\n"),
        # of a stranger's mind
        Deck("halftone dots that grow", '{% for y in range(-3, 93, 3) %}{% for x in range(-3, 67, 3) %}<circle cx="{{ x }}" cy="{{ y }}" r="{{ 0.3 + (y + 3) * 0.012 }}" fill="#d9b45a"/>{% endfor %}{% endfor %}<rect x="5" y="6" width="53.5" height="12" fill="#f4ead2"/><rect x="5" y="52" width="53.5" height="30" fill="#f4ead2"/>' + TITLE + BODY),
        Deck("foil corners", '{% for r in (0, 180) %}<g transform="rotate({{ r }} 31.75 44.45)"><path d="M4 14V6a2 2 0 0 1 2-2h8M4 10l6-6" fill="none" stroke="#d9b45a" stroke-width="0.4"/><path d="M59.5 14V6a2 2 0 0 0-2-2h-8" fill="none" stroke="#d9b45a" stroke-width="0.4"/></g>{% endfor %}'+ pale_title.replace('14,','20,')+ pale_body.replace("7, 55, 49.5","9, 52, 45"), fill="#1c2b24"),
        Deck("guilloche", '{% for n in range(24) %}<ellipse cx="31.75" cy="44.45" rx="26" ry="10" transform="rotate({{ n * 7.5 }} 31.75 44.45)" fill="none" stroke="#d3c190" stroke-width="0.2"/>{% endfor %}' + TITLE + BODY),
        Deck("graph paper", '{% for n in range(0, 14) %}<path d="M{{ n * 5 - 1 }} -3v94.9" stroke="#bcd0dd" stroke-width="{{ 0.4 if n % 5 == 0 else 0.2 }}"/>{% endfor %}{% for n in range(0, 20) %}<path d="M-3 {{ n * 5 - 1 }}h69.5" stroke="#bcd0dd" stroke-width="{{ 0.4 if n % 5 == 0 else 0.2 }}"/>{% endfor %}'+ number % (10,13), fill="#fdfbf4"),
        Deck("mirror-image art, halves alike", '{% for s in (1, -1) %}<g transform="translate(31.75 0) scale({{ s }} 1)"><path d="M0 20C20 20 24 40 8 50 C20 60 10 76 0 70z" fill="#8e2a1c" fill-opacity="0.8"/></g>{% endfor %}' + TITLE),
        Deck("playing cards with pips", '{% for r in (0, 180) %}<g transform="rotate({{ r }} 31.75 44.45)">{{ text_line(c.number, 8, 14, "large", anchor="middle") }}<path d="M5 18h6l-3 5z" fill="#8e2a1c"/></g>{% endfor %}{% for n in range(c.number) %}<path d="M{{ 24 + n % 2 * 15.5 }} {{ 24 + n // 2 * 10 }}l4 5-4 5-4-5z" fill="#8e2a1c"/>{% endfor %}', fill="#fdfbf4", cards=tuple(f"number: {n}" for n in (2,3,4,5,7,8))),
        Deck("two decks of like look", TITLE + BODY, back='{% set dark = c.number % 2 %}'+full.format('{{ "#22384f" if dark else "#2b3f4a" }}')+'<rect x="8" y="8" width="47.5" height="72.9" rx="4" fill="none" stroke="{{ "#d9b45a" if dark else "#cfd8dc" }}" stroke-width="0.8"/>{{ text_line("Day" if dark else "Night", 31.75, 47, "title", anchor="middle", colour="#ffffff") }}', cards=tuple(f'name: N{chr(97+n)}b, number: {n}, text: "Move {n}."' for n in range(6))),
        Deck("a map, hexes that run off", '{% for r in range(-1, 9) %}{% for q in range(-1, 7) %}<path d="M{{ q * 10.4 + (r % 2) * 5.2 }} {{ r * 9 + 6 }}l5.2-3v-6l-5.2-3-5.2 3v6z" fill="{{ ("#cfe0b8", "#e9dfae", "#b7d3e0")[(q * 2 + r) % 3] }}" stroke="#7a8a5a" stroke-width="0.3"/>{% endfor %}{% endfor %}<rect x="18" y="36" width="28" height="14" rx="2" fill="#ffffff"/>'+ number % (31.75,45)),
        Deck("soft blobs that bleed", '{% for n in range(5) %}<radialGradient id="b{{ n }}-{{ c.number }}"><stop offset="0" stop-color="#8e2a1c" stop-opacity="0.5"/><stop offset="1" stop-color="#8e2a1c" stop-opacity="0"/></radialGradient><circle cx="{{ (n * 23 + c.number * 9) % 63 }}" cy="{{ (n * 31) % 88 }}" r="16" fill="url(#b{{ n }}-{{ c.number }})"/>{% endfor %}' + TITLE),
        Deck("photo full bleed, gradient under words", '{{ image("art/tall.jpg", -3, -3, 69.5, 94.9) }}<linearGradient id="k{{ c.number }}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#000000" stop-opacity="0"/><stop offset="0.45" stop-color="#000000" stop-opacity="0.88"/></linearGradient><rect x="-3" y="40" width="69.5" height="51.9" fill="url(#k{{ c.number }})"/>'+ pale_title.replace('14,','70,')+ pale_body.replace('55','72').replace(', 24,',', 13,').replace('"body"','"narrow"'), fill=""),
        Deck("dark and minimal", '<path d="M24 44h15.5" stroke="#d9b45a" stroke-width="0.4"/>'+ pale_title.replace('14,','40,')+'{{ text_line(c.number, 31.75, 52, "title", anchor="middle", colour="#d9b45a") }}', fill="#101014"),
        small("plus", (40,40), 2, '<path d="M20 6v28M6 20h28" stroke="#8e2a1c" stroke-width="2"/>'+'<circle cx="20" cy="20" r="6" fill="#ffffff"/>{{ text_line(c.number, 20, 22, "title", anchor="middle") }}', pack='stocks:\n  plus: {size: [40mm, 40mm], bleed: 2mm, safe: 2mm, shape: path, path: "M13 0H27V13H40V27H27V40H13V27H0V13H13Z"}\n'),
        small("bill", (130,62), 3, '<rect x="6" y="6" width="118" height="50" fill="none" stroke="#4d6b3c" stroke-width="0.6"/>{% for n in range(40) %}<path d="M{{ 8 + n * 2.9 }} 8q3 23 0 46" fill="none" stroke="#a9bd96" stroke-width="0.2"/>{% endfor %}<rect x="50" y="20" width="30" height="20" fill="#f4ead2"/>{{ text_line(c.number ~ "00", 65, 33, "large", anchor="middle") }}', pack="stocks:\n  bill: {size: [130mm, 62mm]}\n", back=FULL.format(x=-3,w=136,h=68,fill="#4d6b3c")+'{{ text_line(c.number ~ "00", 65, 33, "large", anchor="middle", colour="#ffffff") }}'),
        # inks
        Deck("a line in pale on dark letters", '<text x="31.75" y="14" text-anchor="middle" font-family="Cinzel" font-weight="700" font-size="5" fill="#22384f" stroke="#22384f" stroke-width="1">{{ c.name }}</text>'
             '<text x="31.75" y="14" text-anchor="middle" font-family="Cinzel" font-weight="700" font-size="5" fill="none" stroke="#ffffff" stroke-width="0.2">{{ c.name }}</text>' + BODY),
        Deck("art drawn in pixels", '{{ image("art/pixels.png", 6, 20, 50, 33.3) }}' + TITLE),
        Deck("ruled paper with a red margin", '{{ image("art/ruled.png", 6, 20, 50, 33.3) }}' + TITLE),
        Deck("with little ink", full.format("#22384f") + TITLE.replace("w=54", 'w=54, colour="#ffffff"'), order={"ink": "low"}),
        Deck("in one ink", PHOTO + TITLE.replace("14,", "50,") + BODY, order={"ink": "mono"}),
        Deck("in one ink, outlined", PHOTO + outlined + BODY, order={"ink": "mono"}),
    ]  # fmt: skip


def alarms(deck: Deck, cache: InMemory) -> list[tuple[Severity, str]]:
    """What is said of a deck."""
    with tempfile.TemporaryDirectory(prefix="honest-") as made:
        project, folder = Path(made, "project"), Path(made, "build")
        folder.mkdir()
        write(deck.files(), project)
        try:
            [target] = find_targets([str(project)])
            order = Order(jobs=1, cache=cache, **deck.order)
            laid_out = lay_out(target, order, Path(made))
            found = [(d.severity, f"{d.code} {d.message}") for d in laid_out.diagnostics]
            if laid_out.value is not None and laid_out.value.runs:  # else a file is wrong
                faults = write_print_files(laid_out.value, order, folder, silent)
                found += [(d.severity, f"{d.code} {d.message}") for d in faults]
            if (folder / "manifest.json").exists():
                build = preflight_build(folder, cache=cache)
                told = [d for report in build.reports for d in report.diagnostics]
                found += [(d.severity, f"{d.code} {d.message}") for d in told]
        except GridpressError as error:
            found = [(d.severity, f"{d.code} {d.message}") for d in error.diagnostics]
    return found


def holds(only: str, composed: Iterable[Deck] = ()) -> bool:
    """Whether no deck, nor any composed one, draws an error; what any draws is printed."""
    errors = warned = count = 0
    print()
    for deck in (deck for deck in (*decks(), *composed) if only in f"honest / {deck.name}"):
        count += 1
        said = alarms(deck, InMemory(NOTHING_KEPT))
        wrong = [told for severity, told in said if severity is Severity.ERROR]
        errors += bool(wrong)
        warned += bool(said and not wrong)
        for severity, told in said:
            print(f"honest deck {severity.upper():8} {deck.name}: {told[:130]}", flush=True)
    print(f"honest decks: {count}, false errors on {errors}, warnings alone on {warned}")
    return not errors

"""Decks composed at random: what a careful reader sees of one (marked backs, a title that is not as
the others, a size almost usual, lines too thin, words left over), and look-alikes without a fault.
Kind, place, size and colour follow from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace

from PIL import ImageDraw

from faults.bench import Fault
from faults.deck_art import (
    GROUNDS,
    NAMES,
    Dice,
    Made,
    cards,
    code,
    drawn_in,
    fair_art,
    fair_code,
    fair_pictures,
    remains,
    spread,
    twice,
)
from faults.fair import Files, encoded, landscape
from faults.honest import BODY, FULL, TITLE, Deck

STOCKS = (
    ("poker", (63.5, 88.9), 3.0), ("tarot", (69.85, 120.65), 3.0), ("mini", (44.45, 63.5), 3.0),
    ("circle-25", (25.4, 25.4), 3.0), ("square-25", (25.4, 25.4), 3.0), ("hex-44", (50.8, 43.994), 3.0),
    ("business", (50.8, 88.9), 3.0), ("circle-card", (88.9, 88.9), 3.0),
)  # fmt: skip


# Backs


def _back(dice: Dice, size: tuple[float, float], b: float) -> str:
    """A back of some design."""
    (w, h) = size
    ground = dice.choice(GROUNDS)
    other = dice.choice([g for g in GROUNDS if g != ground])
    full = FULL.format(x=-b, w=w + 2 * b, h=h + 2 * b, fill=ground)
    how = dice.randrange(6)
    if how == 0:
        return full
    if how == 1:
        return full + f'<circle cx="{w / 2}" cy="{h / 2}" r="{w / 4}" fill="{other}"/>\n'
    if how == 2:
        step = dice.choice((3, 4, 6))
        return full + "".join(
            f'<path d="M{-b} {y}h{w + 2 * b}" stroke="{other}" stroke-width="0.6"/>' for y in range(0, int(h), step)
        )  # fmt: skip
    if how == 3:
        return (
            full + f'{{{{ draw.star({w / 2}, {h / 2}, 7, {w / 3}, {w / 5}, fill="{other}") }}}}\n'
        )
    if how == 4:
        return (
            f'{{{{ image("art/tall.jpg", {-b}, {-b}, {w + 2 * b}, {h + 2 * b}, fit="cover") }}}}\n'
        )
    return (
        f'<linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="{ground}"/>'
        f'<stop offset="1" stop-color="{other}"/></linearGradient>'
        + FULL.format(x=-b, w=w + 2 * b, h=h + 2 * b, fill="url(#g)")
    )


def _mark(dice: Dice, size: tuple[float, float]) -> tuple[str, str, float]:
    """What tells one back from all others: its name, SVG, and how large it is, mm."""
    (w, h) = size
    how = dice.randrange(7)
    x, y = dice.uniform(0.25, 0.75) * w, dice.uniform(0.25, 0.75) * h
    side = spread(dice, 0.2, 3)
    colour = "#" + bytes(dice.randrange(256) for _ in "rgb").hex()
    if how == 0:
        return (
            f"a dot of {side:.2f} mm, {colour}",
            f'<circle cx="{x}" cy="{y}" r="{side / 2}" fill="{colour}"/>',
            side,
        )
    if how == 1:
        thin = spread(dice, 0.12, 0.5)
        return (
            f"a scratch {thin:.2f} mm wide",
            f'<path d="M{x} {y}l{3 + side} {side}" stroke="{colour}" stroke-width="{thin}"/>',
            3,
        )
    if how == 2:
        opacity = spread(dice, 0.015, 0.2)
        return (
            f"a tint of {opacity:.1%} all over",
            f'<rect x="-3" y="-3" width="{w + 6}" height="{h + 6}" fill="{dice.choice(("#000000", "#ffffff", colour))}" opacity="{opacity:.3f}"/>',
            w,
        )
    if how == 3:
        opacity = spread(dice, 0.03, 0.3)
        wide = spread(dice, 2, 15)
        return (
            f"a pale patch of {wide:.1f} mm, {opacity:.1%}",
            f'<rect x="{x - wide / 2}" y="{y - wide / 2}" width="{wide}" height="{wide}" fill="{dice.choice(("#000000", "#ffffff"))}" opacity="{opacity:.3f}"/>',
            wide,
        )
    if how == 4:
        return (
            f"a ring of {side:.2f} mm",
            f'<circle cx="{x}" cy="{y}" r="{side}" fill="none" stroke="{colour}" stroke-width="0.15"/>',
            side,
        )
    if how == 5:
        return (
            f"a large blot of {side * 6:.1f} mm",
            f'<circle cx="{x}" cy="{y}" r="{side * 3}" fill="{colour}"/>',
            side * 6,
        )
    return (
        f"a notch of {side:.2f} mm at the edge",
        f'<rect x="{-3}" y="{y}" width="{3 + side}" height="{side}" fill="{colour}"/>',
        side,
    )


def marked(dice: Dice) -> Fault:
    """One back of a deck with a mark on it."""
    stock, size, bleed = dice.choice(STOCKS)
    back, count = _back(dice, size, bleed), dice.randint(3, 12)
    number = dice.randrange(count)
    name, mark, mm = _mark(dice, size)
    front = f'{{{{ text_line(c.number, {size[0] / 2}, {size[1] / 2}, "body", anchor="middle") }}}}'
    if dice.random() < 0.3:  # a part is moved, turned or larger
        by = dice.choice((spread(dice, 0.1, 2), -spread(dice, 0.1, 2)))
        how = dice.choice(
            (
                f"translate({by:.3f} 0)",
                f"translate(0 {by:.3f})",
                f"rotate({by:.3f} {size[0] / 2} {size[1] / 2})",
            )
        )
        parts = back.split("\n", 1)
        if len(parts) > 1 and parts[1].strip():
            name, mm = how, abs(by)
            back = f'{parts[0]}\n<g transform="{{{{ "{how}" if c.number == {number} else "translate(0 0)" }}}}">{parts[1]}</g>'
            mark = ""
    back += f"{{% if c.number == {number} %}}{mark}{{% endif %}}"
    deck = Made(
        "marked", front, back, stock=stock, size=size, bleed=bleed, cards=cards(dice, count)
    )
    return drawn_in("a back that differs", f"{stock}, {count} cards, {name}", r"GP85[38]", deck, mm)


def marked_picture(dice: Dice) -> Fault:
    """Each back is a file of its own, saved anew; on one there is a mark."""
    count, side = dice.randint(4, 8), spread(dice, 0.4, 4)
    number, art = dice.randrange(count), landscape(dice.randrange(4), (822, 1122))
    files: Files = {}
    x, y = dice.randrange(100, 700), dice.randrange(100, 900)
    colour = tuple(dice.randrange(256) for _ in "rgb")
    for each in range(count):
        one = art.copy()
        if each == number:
            pixels = side * 11.8
            ImageDraw.Draw(one).ellipse((x, y, x + pixels, y + pixels), fill=colour)
        files[f"cards/deck/art/back{each}.jpg"] = encoded(one, "JPEG", quality=95 - each % 3 * 3)
    back = '{{ image("art/back%d.jpg" % c.number, -3, -3, 69.5, 94.9) }}'
    deck = Made("backs of files", TITLE, back, cards=cards(dice, count), more_files=files)
    return drawn_in(
        "a back that differs", f"of {count} files, a dot of {side:.2f} mm", r"GP85[38]", deck, side
    )


def fair_backs(dice: Dice) -> Deck:
    """Backs that are alike, or unlike by intent."""
    stock, size, bleed = dice.choice(STOCKS)
    back, count = _back(dice, size, bleed), dice.randint(3, 12)
    front = f'{{{{ text_line(c.number, {size[0] / 2}, {size[1] / 2}, "body", anchor="middle") }}}}'
    how = dice.randrange(5)
    files: Files = {}
    made = cards(dice, count)
    if how == 1:  # made anew for each, and the same
        back = back.replace('id="g"', 'id="g{{ c.number }}"').replace(
            "url(#g)", "url(#g{{ c.number }})"
        )
        back += '<clipPath id="k{{ c.number }}"><rect width="9" height="9"/></clipPath><g clip-path="url(#k{{ c.number }})"><circle cx="5" cy="5" r="3" fill="#808080"/></g>'
    elif how == 2:  # each its own
        back += f'{{{{ draw.star({size[0] / 2}, {size[1] / 2}, 3 + c.number, {size[0] / 3}, {size[0] / 6}, fill="#d04020") }}}}'
    elif how == 3:  # two decks, and the back says so
        back += f'<circle cx="{size[0] / 2}" cy="{size[1] / 2}" r="{size[0] / 5}" fill="{{{{ "#b02020" if c.number % 2 else "#2040b0" }}}}"/>'
        back += f'{{{{ text_line("I" if c.number % 2 else "II", {size[0] / 2}, {size[1] / 2 + 1}, "body", anchor="middle", colour="#ffffff") }}}}'
    elif how == 4:
        art = landscape(dice.randrange(4), (822, 1122))
        for each in range(count):
            files[f"cards/deck/art/back{each}.jpg"] = encoded(
                art, "JPEG", quality=95 - each % 3 * 4
            )
        w, h = size
        back = f'{{{{ image("art/back%d.jpg" % c.number, {-bleed}, {-bleed}, {w + 2 * bleed}, {h + 2 * bleed}, fit="cover") }}}}'
    return Made(
        f"fair backs {how} {stock}",
        front,
        back,
        stock=stock,
        size=size,
        bleed=bleed,
        cards=made,
        more_files=files,
    )


# Titles


def title(dice: Dice) -> Fault:
    """The title of one card, or another text of it, is not as those of the others."""
    count = dice.randint(5, 12)
    number, box = dice.randrange(count), dice.random() < 0.4
    x, y, anchor = dice.choice(((31.75, 14, "middle"), (7, 14, "start"), (56, 14, "end")))
    style, odd, size = "title", {}, dice.choice((9.5, 11, 12))
    how = dice.choice(("size", "style", "colour", "right", "down", "anchor"))
    by = spread(dice, 0.4, 4)
    if how == "size":
        by = dice.choice((1 - spread(dice, 0.04, 0.25), 1 + spread(dice, 0.04, 0.25)))
        odd = {"size": size * by}
    elif how == "style":
        odd = {"style": dice.choice(("large", "gothic", "narrow"))}
    elif how == "colour":
        odd = {"colour": dice.choice(("#8e2a1c", "#22384f", "#4d2a10", "#5a5a5a"))}
    elif how == "right":
        odd = {"x": x + (by if anchor != "end" else -by)}
    elif how == "down":
        odd = {"y": y + dice.choice((by, -by))}
    else:
        odd = {"anchor": {"middle": "start", "start": "middle", "end": "middle"}[anchor]}
    plain = {"x": x, "y": y, "anchor": anchor, "style": style, "size": size, "colour": "#1d1a17"}

    def call(values: Mapping[str, object]) -> str:
        v = values
        if box:
            align = {"middle": "center", "start": "left", "end": "right"}[str(v["anchor"])]
            left = {"middle": 31.75 - 24.75, "start": 7, "end": 7}[anchor] + float(str(v["x"])) - x
            return f'{{{{ text_box(c.name, {left}, {float(str(v["y"])) - 6}, 49.5, 12, "{v["style"]}", align="{align}", size={v["size"]}, colour="{v["colour"]}") }}}}'
        at = v["x"]
        return f'{{{{ text_line(c.name, {at}, {v["y"]}, "{v["style"]}", anchor="{v["anchor"]}", size={v["size"]}, colour="{v["colour"]}") }}}}'

    front = (
        f"{{% if c.number == {number} %}}{call(plain | odd)}{{% else %}}{call(plain)}{{% endif %}}"
        + BODY
    )
    deck = Made("title", front, cards=cards(dice, count))
    name = f"{'box' if box else 'line'}, {anchor}, {count} cards: {how} {next(iter(odd.values()))}"
    return drawn_in(
        "a title that is not as the others",
        name,
        r"GP859",
        deck,
        by if how in ("right", "down") else 0,
    )


def fair_titles(dice: Dice) -> Deck:
    """Titles that are not all alike, by intent."""
    count = dice.randint(5, 12)
    how = dice.randrange(7)
    rows = cards(dice, count)
    call = '{{ text_line(c.name, 31.75, 14, "title", anchor="middle", w=50%s) }}'
    if how == 0:  # some are long, and shrink in their box
        rows = tuple(
            r.replace(
                "name: " + NAMES[n % 12],
                "name: " + NAMES[n % 12] + " of the Seven Hills and the Sea" * (n % 3 == 1),
            )
            for n, r in enumerate(rows)
        )
        front = '{{ text_box(c.name, 7, 8, 49.5, 9, "title", align="center") }}'
    elif how == 1:  # the longest shrinks in its box
        rows = tuple(
            r.replace(
                "name: " + NAMES[n % 12],
                "name: " + NAMES[n % 12] + " of the Seven Hills and the Sea" * (n == 1),
            )
            for n, r in enumerate(rows)
        )
        front = '{{ text_box(c.name, 7, 8, 49.5, 9, "title", align="center") }}'
    elif how == 2:  # variants in groups
        front = f'{{% if c.number % {dice.choice((2, 3))} %}}{call % ""}{{% else %}}{{{{ text_line(c.name, 7, 20, "large", colour="#8e2a1c", w=50) }}}}{{% endif %}}'
    elif how == 3:  # each in its own colour
        front = '{{ text_line(c.name, 31.75, 14, "title", anchor="middle", w=50, colour=["#8e2a1c", "#22384f", "#1d1a17", "#4d2a10", "#5a2a5a"][c.number % 5]) }}'
    elif how == 4:  # places that go with what is on each
        front = '{{ text_line(c.name, 7 + c.number * 0.7, 14 + c.number, "title") }}'
    elif how == 5:  # wherever there is room
        front = '{{ text_line(c.name, 10 + c.number * 37 % 11, 10 + c.number * 13 % 7, "body") }}'
    else:  # one and two lines, in the middle of a box
        rows = tuple(
            r.replace(
                "name: " + NAMES[n % 12],
                "name: " + NAMES[n % 12] + " of the Hills and the Sea" * (n == 2),
            )
            for n, r in enumerate(rows)
        )
        front = '{{ text_box(c.name, 9, 8, 45, 16, "body", align="center", valign="middle") }}'
    return Made(f"fair titles {how}", front + BODY, cards=rows)


# Lines


def hairline(dice: Dice) -> Fault:
    """A line too thin to print, and not a long one."""
    long, wide = spread(dice, 3, 14.5), spread(dice, 0.02, 0.09)
    colour = dice.choice(("#1d1a17", "#8e2a1c", "#22384f", "#000000"))
    x, y = dice.uniform(8, 40), dice.uniform(20, 50)
    how = dice.choice(("stroke", "bar", "box", "icon", "slanting", "clip"))
    if how == "stroke":
        art = (
            f'<path d="M{x} {y}{dice.choice("hv")}{long}" stroke="{colour}" stroke-width="{wide}"/>'
        )
    elif how == "bar":
        w, h = dice.choice(((long, wide), (wide, long)))
        art = f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{colour}"/>'
    elif how == "box":
        art = f'<rect x="{x}" y="{y}" width="{long}" height="{long}" fill="none" stroke="{colour}" stroke-width="{wide}"/>'
    elif how == "icon":
        art = f'<g transform="translate({x} {y}) scale({long / 20})"><path d="M2 2h16v16h-16zM6 10h8" fill="none" stroke="{colour}" stroke-width="{wide * 20 / long}"/></g>'
    elif how == "slanting":
        art = f'<path d="M{x} {y}l{long * 0.8} {long * 0.6}" stroke="{colour}" stroke-width="{wide}"/>'
    else:
        art = f'<clipPath id="c"><rect x="{x}" y="{y}" width="{long}" height="{wide}"/></clipPath><g clip-path="url(#c)"><rect x="0" y="0" width="60" height="80" fill="{colour}"/></g>'
    return drawn_in(
        "line too thin",
        f"{how}, {wide:.3f} × {long:.1f} mm",
        r"GP829",
        Made("hairline", art + BODY, cards=cards(dice, 1)),
        long,
    )


def fair_lines(dice: Dice) -> Deck:
    """Fine lines that print, and those that are the grain of a drawing."""
    how, x, y = dice.randrange(5), dice.uniform(8, 30), dice.uniform(20, 35)
    if how == 0:
        art = f'<path d="M{x} {y}h{spread(dice, 3, 30)}" stroke="#1d1a17" stroke-width="{spread(dice, 0.1, 0.3)}"/>'
    elif how == 1:  # grass
        art = "".join(
            f'<path d="M{x + dice.random() * 20:.2f} {y + dice.random() * 15:.2f}l{dice.uniform(-1, 1):.2f} {-dice.uniform(1, 3):.2f}" stroke="#4d6b3c" stroke-width="0.08"/>'
            for _ in range(60)
        )
    elif how == 2:  # a card in small
        art = (
            f'<g transform="translate({x} {y}) scale(0.2)"><rect width="63.5" height="88.9" fill="#ffffff" stroke="#1d1a17" stroke-width="0.3"/>'
            + "".join(
                f'<path d="M5 {20 + n * 6}h50" stroke="#1d1a17" stroke-width="0.3"/>'
                for n in range(9)
            )
            + "</g>"
        )
    elif how == 3:  # tapered ends
        art = f'<path d="M{x} {y}l12 0.4l-12 0.4z" fill="#1d1a17"/>'
    else:  # fur
        art = "".join(
            f'<path d="M{x + n * 0.7:.2f} {y}c1 2 1 4 0 6" fill="none" stroke="#4d2a10" stroke-width="0.09"/>'
            for n in range(24)
        )
    return Made(f"fair lines {how}", art + BODY, cards=cards(dice, 1))


# Small type


def small_type(dice: Dice) -> Fault:
    """Small letters on, or left out of, what many inks print."""
    size = dice.uniform(5.2, 6.8)
    how = dice.choice(
        (
            "reversed flat",
            "reversed photo",
            "reversed gradient",
            "dark on dark photo",
            "dark on dark gradient",
        )
    )
    text = f'{{{{ text_line("Printed at the fair in spring", 10, 40, "body", size={size:.2f}, colour="%s") }}}}'
    ink = "#ffffff" if "reversed" in how else "#000000"
    flat = '<rect x="-3" y="-3" width="69.5" height="94.9" fill="%s"/>'
    if "flat" in how:
        ground = flat % dice.choice(("#22384f", "#8e2a1c", "#4d2a10"))
    elif "photo" in how:
        ground = '{{ image("art/own.jpg", -3, -3, 69.5, 94.9) }}'
    else:
        a, b = ("#22384f", "#50201c") if "reversed" in how else ("#7a4a3c", "#4a6a9f")
        ground = (
            f'<linearGradient id="g"><stop offset="0" stop-color="{a}"/><stop offset="1" stop-color="{b}"/></linearGradient>'
            + flat % "url(#g)"
        )
    dark = landscape(dice.randrange(9), (822, 1122)).point(
        lambda v: v // (4 if "reversed" in how else 2)
    )
    deck = Made(
        "small",
        ground + text % ink,
        cards=cards(dice, 1),
        fill="",
        more_files={"cards/deck/art/own.jpg": encoded(dark, "JPEG", quality=92)},
    )
    files = deck.files()["templates/deck/styles.yaml"]
    assert isinstance(files, str)
    more = {
        **deck.more_files,
        "templates/deck/styles.yaml": files.replace("size: 9pt, min: 7pt", "size: 9pt, min: 5pt"),
    }
    return drawn_in(
        "small type on dark",
        f"{how}, {size:.1f} pt",
        r"GP828|GP825" if "dark on" in how else r"GP828",
        replace(deck, more_files=more),
    )


# Sizes


def _radius(shape: str) -> str:
    return ", corner_radius: 3mm" if shape == "rounded" else ""


def almost(dice: Dice) -> Fault:
    """A stock about a millimetre off one that is usual."""
    name, w, h, shape = dice.choice((
        ("poker", 63.5, 88.9, "rounded"), ("hex", 50.8, 44.0, "hexagon"), ("hex-large", 95.25, 82.49, "hexagon"),
        ("coin", 25.4, 25.4, "circle"), ("disc", 50.8, 50.8, "circle"), ("chit", 19.05, 19.05, "circle"),
        ("tile", 50.8, 50.8, "rectangle"), ("square", 63.5, 63.5, "rectangle"), ("chit-square", 25.4, 25.4, "rectangle"),
        ("tarot", 70, 120, "rectangle"), ("domino", 25.4, 50.8, "rectangle"), ("mat", 152.4, 101.6, "rectangle"),
        ("tent", 88.9, 101.6, "rectangle"),
    ))  # fmt: skip
    by = dice.choice((-1, 1)) * dice.uniform(0.5, 1.1)
    w2, h2 = (
        (w + by, h + by)
        if shape == "circle" or w == h
        else (w + by, h + by * h / w)
        if shape == "hexagon"
        else (w, h + by)
    )
    pack = (
        f"stocks:\n  own-size: {{size: [{w2:.2f}mm, {h2:.2f}mm], shape: {shape}{_radius(shape)}}}\n"
    )
    front = f'{{{{ text_line(c.number, {w / 2}, {h / 2}, "body", anchor="middle") }}}}'
    deck = Made("almost", front, stock="own-size", size=(w2, h2), pack=pack, cards=cards(dice, 4))
    return drawn_in(
        "stock almost of a standard size", f"{name} {by:+.2f} mm", r"GP216", deck, abs(by)
    )


def fair_sizes(dice: Dice) -> Deck:
    """Sizes of an author's own that are near none, and some on purpose."""
    w, h, shape = dice.choice(((60, 80, "rounded"), (30, 30, "rectangle"), (28, 28, "circle"), (60, 52, "hexagon"), (45, 45, "rectangle"),
                               (18, 18, "rectangle"), (10, 10, "rectangle"), (35, 70, "rectangle"), (40, 40, "circle"), (100, 150, "rectangle"), (120, 80, "rectangle"), (20, 20, "circle")))  # fmt: skip
    pack = f"stocks:\n  own-size: {{size: [{w}mm, {h}mm], shape: {shape}{_radius(shape)}, bleed: 2mm, safe: 1mm}}\n"
    front = f'{{{{ text_line(c.number, {w / 2}, {h / 2}, "body", anchor="middle") }}}}'
    return Made(
        f"fair size {w} {h} {shape}",
        front,
        stock="own-size",
        size=(w, h),
        bleed=2,
        pack=pack,
        cards=cards(dice, 4),
    )


# Words


LEFT = (
    "xxx", "XXX", "tbd", "TBD", "FIXME", "???", "Text hier", "Titel hier", "{{ c.name }}", "{{name}}", "[object Object]", "&uuml;ber", "&#39;s", "&eacute;",
    "None", "nan", "NaN", "Ã¼ber", "schÃ¶n", "â€œquoted", "\ufffdber", "lorem ipsum dolor", "Lorem Ipsum", "TODO", "to do: balance", "[TODO]", "<todo>",
    "T.B.D.", "tba", "wip", "placeholder", "PLACEHOLDER", "Platzhalter", "Titre ici", "Your text here", "insert text", "[insert name]", "<name>",
    "${name}", "%s", "%d cards", "$name", "{0}", "undefined", "null", "#REF!", "#N/A", "À traduire", "NICHT ÜBERSETZT", "UNTRANSLATED", "translate me", "asdf", "test", "Test 123", "dummy",
    "{% if x %}", "{# note #}", "!!binary", "\\n", "&nbsp;", "&lt;b&gt;", "[[name]]", "~", "Todo", "ToDo", "@todo", "XX", "xx", "x x x", "????", "(?)", "...", "tk", "TK TK", "ipsum", "Beispieltext", "change me", "CHANGEME", "replace me", "Unnamed", "Sans titre", "Ohne Titel", "Sin título", "name here", "Â£5", "‹name›", "ï»¿Name", "Ðобро", "Bäcker\\u00e9", "Card 1 (copy)", "Kopie von Ritter", "Copy of Knight",
    "Hier könnte Ihr Text stehen", "Texte à remplacer", "Testo da inserire", "Falta traducción", "Tekst volgt", "Brak tekstu", "Infoga text", "Текст отсутствует", "ここにテキスト", "To be decided", "Ut labore et dolore magna", "__TEXT__", "Dummy card 2", "Effect text",
)  # fmt: skip


def words(dice: Dice) -> Fault:
    """What should not have been left in a text, as its whole or among others."""
    left = dice.choice(LEFT)
    count = 5
    rows = list(cards(dice, count))
    rows[2] = f"name: {_quoted(left)}, number: 2, text: Move twice."
    return drawn_in(
        "words left over", left, r"GP407", Made("words", TITLE + BODY, cards=tuple(rows))
    )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


FAIR_WORDS = (
    "Todo o nada", "Null and Void", "The Test", "X", "XX", "XXX Roman Legion", "Nan the Baker", "Nana", "Wait…", "What?!", "Who?", "Text", "None Shall Pass", "None of Us", "Undefined Behaviour", "Sample", "A & B", "50% off", "C{star}", "Ipswich", "The Placeholders", "Foo Fighters", "Copycat",
    "Tic Tac Toe", "Über", "Ångström", "Â", "Ex Machina", "Naïve", "Señor", "Test of Courage", "The Dummy", "TNT", "XL", "Mr. X", "Null", "Copy", "Hier", "L'été", "TK-421", "WIPE OUT", "Tab", "Nothing Here", "The Title", "Change", "Right here, right now", "3 < 4 > 2", "$5", "#1", "“Quoted”", "Ö", "Unnamed Soldier", "Ohne Worte",
    "Text Me", "Magna Carta", "Here Is the Text", "Insert Coin", "Draft a Card", "Le texte sacré", "Hier steht der König", "Falta un dado", "To Be Decided by Dice", "Coming Soon to Town", "Missing: One Dragon",
)  # fmt: skip


def fair_words(dice: Dice) -> Deck:
    """Words that look like it, and are meant."""
    name = dice.choice([w for w in FAIR_WORDS if w not in ("C{star}",)])
    rows = list(cards(dice, 5))
    rows[2] = f"name: {_quoted(name)}, number: 2, text: Move twice."
    return Made(f"fair words {name}", TITLE + BODY, cards=tuple(rows))


def alike(dice: Dice) -> Fault:
    """Two components that differ in next to nothing."""
    count = dice.randint(4, 9)
    rows = list(cards(dice, count, 6))
    one, other = dice.sample(range(count), 2)
    row = rows[one]
    how = dice.choice(("id", "capital", "space", "stop", "comma", "dash"))
    text = row.partition('text: "')[2].rstrip('"')
    name = NAMES[one]
    changed = {
        "id": (name, text), "capital": (name.upper(), text), "space": (name, text.replace(" ", "  ", 1)), "stop": (name, text.rstrip(".")),
        "comma": (name, text.replace(" ", ", ", 1)), "dash": (name + "!", text),
    }[how]  # fmt: skip
    rows[other] = f'name: {changed[0]}, number: {one}, text: "{changed[1]}"'
    return drawn_in(
        "components alike",
        f"but for a {how}",
        r"GP215|GP85",
        Made("alike", TITLE + BODY, cards=tuple(rows)),
    )


def fair_alike(dice: Dice) -> Deck:
    """Components that differ in a word, a number, a sign that matters."""
    count = dice.randint(4, 8)
    rows = list(cards(dice, count, 6))
    one, other = dice.sample(range(count), 2)
    row = rows[one]
    how = dice.choice(("number", "word", "plus", "question"))
    text = row.partition('text: "')[2].rstrip('"')
    name, number, its = NAMES[one], one, one
    if how == "number":
        its = count + 3
    elif how == "word":
        text = "Not " + text.lower()
    elif how == "plus":
        name = name + " +1"
    else:
        text = text.rstrip(".") + "? Or pass."
    rows[other] = f'name: {name}, number: {its}, text: "{text}"'
    return Made(
        f"fair alike {how} {number}",
        TITLE + BODY + '{{ text_line(c.number, 50, 82, "body") }}',
        cards=tuple(rows),
    )


KINDS: dict[str, tuple[Callable[[Dice], Fault], ...]] = {
    "marked": (marked, marked, marked, marked_picture), "title": (title,), "almost": (almost,), "twice": (twice,), "alike": (alike,), "code": (code,),
    "hairline": (hairline,), "small": (small_type,), "remains": (remains,), "words": (words,),
}  # fmt: skip
FAIR: dict[str, Callable[[Dice], Deck]] = {
    "marked": fair_backs, "title": fair_titles, "almost": fair_sizes, "twice": fair_art, "alike": fair_alike, "code": fair_code, "hairline": fair_lines,
    "remains": fair_pictures, "words": fair_words,
}  # fmt: skip


def faults(seed: int = 1, count: int = 40) -> list[Fault]:
    """So many faults of a seed, of each kind as many."""
    makers = [maker for several in KINDS.values() for maker in several]
    return [
        makers[number % len(makers)](random.Random(f"{seed}/decks/{number}"))
        for number in range(count)
    ]


def honest(seed: int = 1, count: int = 18) -> list[Deck]:
    """So many look-alikes."""
    makers = list(FAIR.values())
    return [
        makers[number % len(makers)](random.Random(f"{seed}/fair/{number}"))
        for number in range(count)
    ]

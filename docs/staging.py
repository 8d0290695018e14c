"""Stages pictures of cut pieces as a photograph would show them: fans, piles, spreads and standees
on a table, with soft shadows.

A piece is an RGBA picture at `DPI`, as `gridpress preview` draws it. A group places pieces in mm; a
scene puts groups on the table in rows, and fits them.
"""

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFilter, ImageOps

DPI = 150
MM = DPI / 25.4
WOOD = ("#7a5a41", "#71523b", "#7f5f45", "#765640", "#6d4f39")
GRAIN, SEAM, EDGE = "#6a4c37", "#4c3526", "#cfc6b6"
PLANK = 150
"""Pixels of a plank's width."""
CARD, SHEET = 45, 115
"""mm of the longer side from which a piece is a card, and a sheet."""
MARGIN, APART = 12, 9
"""mm around a scene at most, and between its groups."""


class Lying(NamedTuple):
    """A piece, where its middle lies in mm, its turn in degrees, and its height over the table."""

    piece: Image.Image
    x: float
    y: float
    turn: float = 0
    high: float = 1
    stands: bool = False


Group = list[Lying]


def size(piece: Image.Image) -> tuple[float, float]:
    return piece.width / MM, piece.height / MM


def group(fronts: Sequence[Image.Image], backs: Sequence[Image.Image]) -> Group:
    """The pieces of a kind as they would be laid out for a photograph."""
    longest = max(max(size(piece)) for piece in fronts)
    width, height = size(fronts[0])
    if not backs and longest < SHEET and height > 2.2 * width:
        return standing(fronts[:9])
    is_card = CARD < longest < SHEET and height > width * 1.2 and not any(map(is_odd, fronts))
    if not is_card and (longest < SHEET or width > 4 * height or any(map(is_odd, fronts))):
        return scattered([*fronts, *backs[:2]])
    if is_card:
        return pile(backs[:1], width * 1.9, -height * 0.02) + fan(fronts[:7])
    return spread([*backs[:1], *fronts[:3]])


def is_odd(piece: Image.Image) -> bool:
    """Whether a piece is no rectangle: a tenth of its picture is clear."""
    clear = piece.getchannel("A").histogram()[0]
    return clear > piece.width * piece.height / 10


def fan(pieces: Sequence[Image.Image]) -> Group:
    """A hand of cards, turned about a point below them."""
    _, height = size(pieces[0])
    reach, step = height * 1.9, min(9, 48 / len(pieces))
    turns = [(n - (len(pieces) - 1) / 2) * step for n in range(len(pieces))]
    return [
        Lying(
            piece,
            reach * math.sin(math.radians(turn)),
            reach * (1 - math.cos(math.radians(turn))),
            turn,
            1.5,
        )
        for piece, turn in zip(pieces, turns, strict=True)
    ]


def pile(pieces: Sequence[Image.Image], x: float = 0, y: float = 0, deep: int = 7) -> Group:
    """A squared-up deck of each piece."""
    return [Lying(one, x - n * 0.35, y - n * 0.5, 5, 1.2) for one in pieces for n in range(deep)]


def spread(pieces: Sequence[Image.Image]) -> Group:
    """Sheets, each partly on the one before."""
    width, height = size(pieces[-1])
    middle = (len(pieces) - 1) / 2
    return [
        Lying(
            one, (n - middle) * width * 0.6, abs(n - middle) * height * 0.05, (n - middle) * 3 - 1.5
        )
        for n, one in enumerate(pieces)
    ]


def opened(cover: Image.Image, left: Image.Image, right: Image.Image) -> Group:
    """A booklet, closed, and open at its middle."""
    width, height = size(left)
    both = Image.new("RGBA", (left.width + right.width, left.height))
    both.paste(left)
    both.paste(right, (left.width, 0))
    fold = Image.new("L", both.size)
    pen = ImageDraw.Draw(fold)
    for n in range(24):
        pen.line((left.width - n, 0, left.width - n, both.height), 72 - 3 * n)
        pen.line((left.width + n, 0, left.width + n, both.height), 48 - 2 * n)
    both.paste("#20140a", mask=fold)
    return [Lying(cover, -width * 1.34, -height * 0.03, -7, 2), Lying(both, 0, 0, 2, 1.5)]


def scattered(pieces: Sequence[Image.Image]) -> Group:
    """Pieces side by side in rows, none quite straight."""
    chance = random.Random(len(pieces))  # noqa: S311, every time the same
    gap = min(min(size(piece)) for piece in pieces) / 8
    laid, _, _ = rows([[Lying(piece, 0, 0)] for piece in pieces], 1.7, gap)
    return [one._replace(turn=chance.uniform(-5, 5)) for one in laid]


def standing(pieces: Sequence[Image.Image]) -> Group:
    """Standees, folded: their near side is the lower half without its foot."""
    near = [one.crop((0, one.height // 2, one.width, one.height * 6 // 7)) for one in pieces]
    width, height = size(near[0])
    columns = -(-len(near) // 2)
    return [
        Lying(
            one,
            (n % columns + n // columns * 0.5) * width * 1.7,
            n // columns * height * 1.1,
            stands=True,
        )
        for n, one in enumerate(near)
    ]


def bounds(group: Group) -> tuple[float, float, float, float]:
    corners = []
    for one in group:
        width, height = size(one.piece)
        sine, cosine = abs(math.sin(math.radians(one.turn))), abs(math.cos(math.radians(one.turn)))
        x, y = (width * cosine + height * sine) / 2, (width * sine + height * cosine) / 2
        corners.append((one.x - x, one.y - y, one.x + x, one.y + y))
    left, top, right, bottom = zip(*corners, strict=True)
    return min(left), min(top), max(right), max(bottom)


def rows(groups: Sequence[Group], shape: float, apart: float = APART) -> tuple[Group, float, float]:
    """The groups side by side, in the number of rows that comes closest to a shape, width by
    height; and the size of all."""
    found = []
    boxes = [bounds(one) for one in groups]
    for number in range(1, len(groups) + 1):
        target = sum(box[2] - box[0] + apart for box in boxes) / number
        lines: list[list[int]] = [[]]
        reached = 0.0
        for n, box in enumerate(boxes):
            if lines[-1] and reached + (box[2] - box[0]) / 2 > target * len(lines):
                lines.append([])
            lines[-1].append(n)
            reached += box[2] - box[0] + apart
        wides = [sum(boxes[n][2] - boxes[n][0] + apart for n in line) - apart for line in lines]
        highs = [max(boxes[n][3] - boxes[n][1] for n in line) for line in lines]
        found.append((max(wides), sum(highs) + apart * (len(lines) - 1), lines, wides, highs))
    width, height, lines, wides, highs = min(
        found, key=lambda one: abs(math.log(one[0] / one[1] / shape))
    )
    laid: Group = []
    top = 0.0
    for line, wide, high in zip(lines, wides, highs, strict=True):
        gap = (width - wide) / (len(line) + 1)
        left = gap
        for n in line:
            x, y, right, bottom = boxes[n]
            down = top + (high - (bottom - y)) / 2
            laid += [one._replace(x=one.x - x + left, y=one.y - y + down) for one in groups[n]]
            left += right - x + apart + gap
        top += high + apart
    return laid, width, height


def scene(
    groups: Sequence[Group], wide: int, shape: float = 1.6, lowest: float = 1.2
) -> Image.Image:
    """A photograph of groups, at most `wide` pixels, in a shape near to the one given."""
    laid, width, height = rows(groups, shape)
    margin = min(MARGIN, height / 6)
    width, height = width + 2 * margin, height + 2 * margin
    frame = max(lowest, min(width / height, shape * 1.6))
    across = max(width, height * frame)
    scale = min(wide / across, MM)
    x, y = (across - width) / 2 + margin, (across / frame - height) / 2 + margin
    return photograph(moved(laid, x, y), across, across / frame, across * scale)


def photograph(laid: Group, width: float, height: float, wide: float) -> Image.Image:
    """A picture `wide` pixels of a table of so many mm, with what lies on it."""
    scale = wide / width
    picture = table(round(wide), round(height * scale))
    for one in laid:
        put(picture, one, scale)
    return picture


def moved(laid: Group, x: float, y: float, turn: float = 0) -> Group:
    """A group turned about its origin, and moved."""
    sine, cosine = math.sin(math.radians(turn)), math.cos(math.radians(turn))
    return [
        one._replace(
            x=one.x * cosine - one.y * sine + x,
            y=one.x * sine + one.y * cosine + y,
            turn=one.turn + turn,
        )
        for one in laid
    ]


def tablet(screen: Image.Image) -> Image.Image:
    """A tablet of 240 mm that shows a picture."""
    edge, wide = round(9 * MM), round(222 * MM)
    shown = screen.convert("RGBA").resize((wide, screen.height * wide // screen.width))
    whole = Image.new("RGBA", (shown.width + 2 * edge, shown.height + 2 * edge))
    ImageDraw.Draw(whole).rounded_rectangle(
        (0, 0, whole.width - 1, whole.height - 1), edge, "#17181c"
    )
    whole.paste(shown, (edge, edge))
    return whole


def put(picture: Image.Image, lying: Lying, scale: float) -> None:
    """Lay a piece on a picture of `scale` pixels per mm: its shadow, its edge, its face."""
    small = lying.piece.resize(
        [max(1, round(side * scale)) for side in size(lying.piece)], Image.Resampling.LANCZOS
    )
    flat = ImageOps.expand(small, 2, (0, 0, 0, 0))  # a clear rim, so that turned edges are smooth
    face = flat.rotate(-lying.turn, Image.Resampling.BICUBIC, expand=True)
    left, top = (round(v * scale - side / 2) for v, side in zip(lying[1:3], face.size, strict=True))
    mask = face.getchannel("A")
    soft = max(2.0, scale * lying.high * 0.9)
    room = round(soft * 3) + (face.height if lying.stands else 0)
    shade = Image.new("L", (face.width + 2 * room, face.height + 2 * room))
    if lying.stands:  # the shadow of something upright falls to the right and away
        fallen = mask.resize((mask.width, mask.height // 3))
        lean = (1, 1, -fallen.height, 0, 1, 0)
        wider = (fallen.width + fallen.height, fallen.height)
        fallen = fallen.transform(wider, Image.Transform.AFFINE, lean)
        shade.paste(fallen, (room, room + face.height - fallen.height))
    else:
        shade.paste(mask, (room, room))
    shade = shade.filter(ImageFilter.GaussianBlur(soft)).point(lambda v: v * 0.55)
    down = round(soft * 0.8)
    picture.paste("#1a0f08", (left - room + down // 2, top - room + down), shade)
    if not lying.stands:
        picture.paste(EDGE, (left, top + max(1, round(scale * 0.35))), mask)
    picture.paste(face, (left, top), mask)


def table(wide: int, high: int) -> Image.Image:
    """Planks of few flat colours, so that the file stays small."""
    chance = random.Random(7)  # noqa: S311, always the same planks
    wood = Image.new("RGB", (wide, high), SEAM)
    pen = ImageDraw.Draw(wood)
    for number, top in enumerate(range(-40, high, PLANK)):
        pen.rectangle((0, top, wide, top + PLANK - 3), WOOD[number % len(WOOD)])
        for _ in range(5):
            y, bow, at = top + chance.randint(8, PLANK - 12), chance.randint(2, 9), chance.random()
            points = [(x, y + bow * math.sin(x / 260 + 6 * at)) for x in range(0, wide + 20, 20)]
            pen.line(points, GRAIN, 2)
    return wood

"""Reads a folder of finished pictures as a deck: fronts, backs, numbers of copies and the stock."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from generator import limits
from generator.assets import PictureSize, picture_size
from generator.diagnostics import Diagnostic, GridpressError, Span, enumerated, plain
from generator.files import Roots, natural, refusal
from generator.geometry import MM_PER_INCH, Size
from generator.model.catalogue import Shape, Stock
from generator.writing import is_plain_path

FRONT, BACK = "front", "back"
_FRONTS: Final = frozenset(
    "front fronts face faces recto vorderseite vorderseiten vorne anverso frente avant devant "
    "fronte voorkant framsida forside przód awers лицо 表 表面 正面 앞면".split()
)
_BACKS: Final = frozenset(
    "back backs backside cardback cardbacks verso rückseite rückseiten rueckseite reverso dorso "
    "achterkant baksida bagside rewers оборот рубашка 裏 裏面 背面 뒷면".split()
)
_BACKS_OF_ONE: Final = frozenset("reverse rear rücken hinten trasera dos arrière retro tył".split())
"""Words that also occur in names of cards: they mean a back only if there is a front of the same
name."""
_FOR_ALL: Final = frozenset(
    "card cards deck common default all generic poker tarot the general game karte karten carte "
    "cartes carta cartas".split()
)
"""Words in the name of a back that do not say which cards it belongs to."""
_SPLIT: Final = re.compile(r"[\s_\-.,()\[\]{}]+")
_COPIES: Final = re.compile(r"[x×]([1-9][0-9]?)|([1-9][0-9]?)[x×]")
_AT_UPLOAD: Final = re.compile(r"\[(?:(face|back|all))?,?\s*([1-9][0-9]?)?\]\s*$", re.IGNORECASE)
"""Sides and copies in names as The Game Crafter reads them: `dragon[face,3].png`."""
_LETTER: Final = re.compile(r".*[\s_\-.]f")
_GAP: Final = r"[\s_\-.,()\[\]{}]"
_JUNK: Final = re.compile(r"(?i)thumbs\.db|desktop\.ini|icon\r|.*\.(txt|md)")
_TABLES: Final = (".csv", ".xlsx", ".xlsm", ".ods", ".tsv")
_SHOWN: Final = 6


class CardPictures(Struct, frozen=True):
    """A component: its name, its pictures in the folder, and its number of copies."""

    name: str
    front: str
    back: str = ""
    copies: int = 1


class PictureFolder(Struct, frozen=True):
    """The cards of a folder, sorted by name, and notes for its author."""

    cards: tuple[CardPictures, ...]
    notes: tuple[str, ...]


class _Named(Struct, frozen=True):
    """The parts of a picture's name: words without side and copies, folder without side, side,
    whether it can be the back of several cards, copies, and the title with and without side."""

    path: str
    folder: str
    words: tuple[str, ...]
    side: str
    for_several: bool
    copies: int
    title: str
    whole_title: str

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """Return what both sides of a card have in common."""
        return self.folder, self.words


def read_folder(folder: Path, skip: frozenset[Path] = frozenset()) -> PictureFolder:
    """Return the deck made from the pictures of a folder and its subfolders.

    Raises GridpressError if there are none (GP501).
    """
    roots = Roots((folder,))
    sizes: dict[str, PictureSize] = {}
    tables: list[str] = []
    left: list[str] = []
    for entry in roots.walk(folder, skip):
        path = entry.path.relative_to(folder).as_posix()
        tables += [path] * (entry.path.suffix.lower() in _TABLES)
        if entry.is_folder or _JUNK.fullmatch(entry.path.name) or path in tables:
            continue
        try:
            if entry.fault is not None:
                raise GridpressError(entry.fault.told(Span(path), path))
            limits.allow(limits.PICTURE)
            sizes[path] = _size(path, entry.path, roots)
        except GridpressError as error:
            told = error.diagnostics[0]
            left.append(told.message + f"\n    {told.hint}" * bool(told.hint))
    notes = [f"left out: {one}" for one in left[:_SHOWN]]
    notes += [f"and {len(left) - _SHOWN} more files are left out"] * (len(left) > _SHOWN)
    if not sizes:
        hint = "\n".join(notes) or "put PNG or JPEG files into it, one for each card"
        message = "there are no pictures in this folder"
        raise GridpressError(Diagnostic(Span(folder.as_posix()), "GP501", message, hint))
    notes += [
        f"{plain(path)} is not read: import that file to make cards from its rows"
        for path in tables[:1]
    ]
    letters = _letter_sides(sizes)
    named = [_named(path, path in letters) for path in sorted(sizes, key=_in_order)]
    of_folder = frozenset(word.casefold() for word in _words(folder.name))
    cards, more = _paired(named, _FOR_ALL | of_folder)
    return PictureFolder(tuple(cards), (*notes, *more))


def _in_order(path: str) -> list[str | int]:
    return natural(path.casefold())


def _size(path: str, file: Path, roots: Roots) -> PictureSize:
    refused = refusal(path, Span(path))
    if refused is not None:
        raise GridpressError(refused)
    if not is_plain_path(path):
        message = "the name has a character that not every system supports"
        raise GridpressError(Diagnostic(Span(path), "GP004", message, "rename the file"))
    return picture_size(file, Span(path), roots)


def _named(path: str, is_letter_side: bool) -> _Named:
    pure = PurePosixPath(unicodedata.normalize("NFC", path))
    stem, side, copies = pure.stem, "", 1
    if (upload := _AT_UPLOAD.search(stem)) and (upload[1] or upload[2]):
        side = {"face": FRONT, "back": BACK}.get((upload[1] or "").lower(), "")
        copies = int(upload[2] or 1)
        stem = stem[: upload.start()]
    for_several = side == BACK
    for at in (-1, 0):
        words = _words(stem)
        count = _COPIES.fullmatch(words[at].lower()) if len(words) > 1 else None
        if count and copies == 1:
            copies = int(count[1] or count[2])
            stem = _without(stem, words[at], at)
    whole = stem
    for at in (-1, 0):
        words = _words(stem)
        if not side and words and (said := _side(words[at], is_letter_side and at == -1)):
            side = said
            for_several = words[at].casefold() in _BACKS and (at == -1 or len(words) == 1)
            stem = _without(stem, words[at], at)
    folders = list(pure.parent.parts)
    for folder in folders:
        if not side and (said := _side(folder)):
            side, for_several = said, True
            folders.remove(folder)
            break
    key = tuple(word.casefold() for word in _words(stem))
    titles = (_titled(stem) or _titled(whole) or pure.stem, _titled(whole) or pure.stem)
    return _Named(path, "/".join(folders), key, side, for_several, copies, *titles)


def _words(stem: str) -> list[str]:
    return [word for word in _SPLIT.split(stem) if word]


def side_of(word: str) -> str:
    """Return the side of a card that a word means, `front` or `back`, or nothing."""
    return _side(word)


def _side(word: str, is_letter_side: bool = False) -> str:
    word = word.casefold()
    if word in _FRONTS or (is_letter_side and word == "f"):
        return FRONT
    is_back = word in _BACKS or word in _BACKS_OF_ONE or (is_letter_side and word == "b")
    return BACK if is_back else ""


def _letter_sides(paths: Iterable[str]) -> set[str]:
    """Return the pictures that come in pairs `…-f` and `…-b`."""
    stems = {path.rpartition(".")[0].casefold(): path for path in paths}
    fronts = [stem for stem in stems if _LETTER.fullmatch(stem) and f"{stem[:-1]}b" in stems]
    return {stems[one] for stem in fronts for one in (stem, f"{stem[:-1]}b")}


def _without(stem: str, word: str, at: int) -> str:
    """Return a name without its first or last word."""
    parted = rf"{_GAP}*{re.escape(word)}{_GAP}*"
    return re.sub(rf"{parted}$" if at else rf"^{parted}", "", stem)


def _titled(stem: str) -> str:
    gap = r"[\s_]+" if re.search(r"[\s_]", stem) else r"[\s_-]+"
    return re.sub(gap, " ", stem).strip()


def _paired(
    named: Sequence[_Named], for_all: frozenset[str] = _FOR_ALL
) -> tuple[list[CardPictures], list[str]]:
    """Return the cards, and notes about backs. Words in `for_all` do not say which cards a back
    belongs to."""
    fronts = [one for one in named if one.side != BACK]
    keys = {one.key for one in fronts}
    own = {one.key: one for one in named if one.side == BACK and one.key in keys}
    shared: dict[tuple[str, tuple[str, ...]], _Named] = {}
    for one in named:
        if one.side != BACK or own.get(one.key) is one:
            continue
        key = one.folder, () if for_all.issuperset(one.words) else one.words
        if one.for_several and key not in shared and any(_is_for(key, each) for each in fronts):
            shared[key] = one
        else:
            fronts.append(one)
    fronts.sort(key=lambda one: _in_order(one.path))
    says_front = 2 * sum(one.side == FRONT for one in fronts) > len(fronts)
    titles = [
        one.title if one.key in own or (says_front and one.side == FRONT) else one.whole_title
        for one in fronts
    ]
    again = Counter(title.casefold() for title in titles)
    cards = []
    for one, title in zip(fronts, titles, strict=True):
        back = own.get(one.key)
        copies = max(one.copies, back.copies if back else 1)
        fitting = [key for key in shared if _is_for(key, one)]
        if back is None and fitting and one.side != BACK:
            back = shared[max(fitting, key=lambda key: (len(key[1]), len(key[0])))]
        is_again = again[title.casefold()] > 1 and one.folder
        name = f"{one.folder.replace('/', ' ')} {title}" if is_again else title
        cards.append(CardPictures(name, one.path, back.path if back else "", copies))
    return cards, list(_about_backs(cards, shared.values(), fronts))


def _is_for(back: tuple[str, tuple[str, ...]], front: _Named) -> bool:
    """Return whether a back's folder and words fit a front."""
    folder, words = back
    is_below = not folder or f"{front.folder}/".startswith(f"{folder}/")
    return is_below and front.words[: len(words)] == words


def _about_backs(
    cards: Sequence[CardPictures], shared: Iterable[_Named], fronts: Sequence[_Named]
) -> Iterator[str]:
    for back in shared:
        count = sum(card.back == back.path for card in cards)
        yield f"{plain(back.path)} is the back of {count} card{'s' * (count != 1)}"
    if any(card.back for card in cards) and (bare := [c.front for c in cards if not c.back]):
        yield f"without a back, so it stays white: {_shown(bare)}"
    if alone := [one.path for one in fronts if one.side == BACK and one.for_several]:
        yield (
            f"used as fronts, because they have no fronts: {_shown(alone)}\n"
            "    back.png is the back of all cards in its folder"
        )
    if several := [f"{card.name} ({card.copies})" for card in cards if card.copies > 1]:
        yield f"printed several times because of their names: {_shown(several)}"


def _shown(names: Sequence[str]) -> str:
    return enumerated([plain(name) for name in names])


_USUAL: Final = ("poker", "bridge", "tarot", "mini", "square-card-63")
"""Stocks to choose from when only the proportions are known."""
_BLEEDS: Final = (0.0, 3.175, 3.0, 2.0)
"""mm of art beyond the cut: none, 1/8 inch, …"""
_NEAR: Final = 0.8
"""mm that a side may differ from that of a stock."""
_OF_CARDS: Final = 2.0
"""mm of bleed that cards have at least, unlike stickers."""
_ALIKE: Final = 0.006
_CROPPED: Final = 0.025
_ON_SCREEN: Final = (72.0, 96.0)
"""Default resolutions that programs write."""
_OF_PRINT: Final = 300.0


class Fitting(Struct, frozen=True):
    """The stock of pictures, and mm that they reach beyond its cut."""

    stock: Stock
    bleed: float


def fitting_stock(
    sizes: Sequence[PictureSize], stocks: Mapping[str, Stock], stock: Stock | None = None
) -> Fitting:
    """Return what fits most pictures, or how most lie on a chosen `stock`."""
    known = [stock] if stock else [one for one in stocks.values() if _is_card(one)]
    usual = [stock] if stock else [stocks[name] for name in _USUAL if name in stocks]
    votes = Counter(_fitting(size, known, usual) for size in sizes)
    return votes.most_common(1)[0][0]


def _is_card(stock: Stock) -> bool:
    return stock.shape is Shape.ROUNDED and stock.bleed >= _OF_CARDS


def _fitting(size: PictureSize, known: Sequence[Stock], usual: Sequence[Stock]) -> Fitting:
    """Return what fits a picture by its size in mm, else by its proportions."""
    for dpi in (size.dpi if size.dpi not in _ON_SCREEN else 0.0, _OF_PRINT):
        if dpi and size.pixels.width > 1:
            scale = MM_PER_INCH / dpi
            wide, high = size.pixels.width * scale, size.pixels.height * scale
            found = [
                (abs(wide - w) + abs(high - h), n, Fitting(stock, bleed))
                for n, (stock, bleed, w, h) in enumerate(_boxes(known, is_wide=wide > high))
                if abs(wide - w) <= _NEAR and abs(high - h) <= _NEAR
            ]
            if found:
                return min(found, key=lambda each: each[:2])[2]
    ratio = size.pixels.width / size.pixels.height
    boxes = list(_boxes(usual, is_wide=ratio > 1))
    by_ratio = [
        (abs(math.log(ratio * h / w)), n, Fitting(stock, bleed))
        for n, (stock, bleed, w, h) in enumerate(boxes)
    ]
    exact = [
        each
        for each in by_ratio
        if each[0] <= _ALIKE and (each[2].bleed == 0 or each[2].stock is usual[0])
    ]
    bare = [each for each in by_ratio if each[2].bleed == 0]
    return min(exact or bare)[2]


def _boxes(
    stocks: Sequence[Stock], *, is_wide: bool
) -> Iterator[tuple[Stock, float, float, float]]:
    """Yield each stock with each bleed and the size of both, turned as the pictures are."""
    for bleed in _BLEEDS:
        for stock in stocks:
            sides = stock.trim.width + 2 * bleed, stock.trim.height + 2 * bleed
            low, high = sorted(sides)
            yield stock, bleed, *((high, low) if is_wide else (low, high))


def cropped(sizes: Mapping[str, PictureSize], fitting: Fitting) -> list[str]:
    """Return the names of pictures that lose much to fill a card."""
    return [name for name, size in sizes.items() if _loss(size.pixels, fitting) > _CROPPED]


def _loss(pixels: Size, fitting: Fitting) -> float:
    (_, _, wide, high), *_ = _boxes([fitting.stock], is_wide=pixels.width > pixels.height)
    over = 2 * fitting.bleed
    ratio = pixels.width / pixels.height * (high + over) / (wide + over)
    return 1 - min(ratio, 1 / ratio)

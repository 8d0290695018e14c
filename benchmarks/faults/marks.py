"""Marks that are not as they should be: cut, fold and die lines, rulers, slugs, names of pages."""

from __future__ import annotations

import re
from collections.abc import Callable

from faults.bench import Fault, Level
from faults.hands import MM
from faults.places import (
    CARDS,
    CHART,
    COINS,
    DICE,
    FIELDS,
    PENNANTS,
    RULES,
    SIGNS,
    TENTS,
    in_file,
)

CUT = r"cut mark|cut line|crop|edge"
DIE = r"die line|outline|cut"
FOLD = r"fold"
RULER = r"ruler|scale|100 ?mm|inch|4 in"
SLUG = r"slug|line of text|says|label|words"
LAYER = r"/OC /{0} BDC\n.*?EMC"
NEVER = "cut marks? (runs|through)|line"

Edit = Callable[[str], str]


def layer(name: str, change: Edit) -> Edit:
    """What is on a layer of a page, changed."""

    def edited(content: str) -> str:
        return re.sub(LAYER.format(name), lambda m: change(m[0]), content, count=1, flags=re.DOTALL)

    return edited


def segment(number: int, change: Callable[[list[float]], list[float]], name: str = "CUT") -> Edit:
    """One stroke of a layer, from x1 y1 to x2 y2, pt."""

    def edited(told: str) -> str:
        found = list(re.finditer(r"(\S+) (\S+) m (\S+) (\S+) l", told))[number]
        new = change([float(found[n]) for n in range(1, 5)])
        x1, y1, x2, y2 = (f"{v:.4f}" for v in new)
        return f"{told[: found.start()]}{x1} {y1} m {x2} {y2} l{told[found.end() :]}"

    return layer(name, edited)


def shifted(right: float, up: float = 0.0) -> Callable[[list[float]], list[float]]:
    """A stroke moved, mm."""
    x, y = right * MM, up * MM
    return lambda s: [s[0] + x, s[1] + y, s[2] + x, s[3] + y]


def by_width(width: float) -> Edit:
    return lambda told: told.replace(".425197 w", f"{width * MM:.4f} w")


def all_moved(right: float, up: float = 0.0) -> Edit:
    """All of a layer moved, mm."""

    def edited(told: str) -> str:
        first, _, rest = told.partition("\n")
        return f"{first}\nq 1 0 0 1 {right * MM:.4f} {up * MM:.4f} cm\n{rest[:-3]}Q\nEMC"

    return edited


def scaled(factor: float) -> Edit:
    """The long line of the ruler and its ticks at another length."""

    def edited(told: str) -> str:
        first, _, rest = told.partition("\n")
        return f"{first}\nq {factor} 0 0 1 0 0 cm\n{rest[:-3]}Q\nEMC"

    return edited


def words(number: int, change: Edit) -> Edit:
    """A text of the layer Ruler and slug."""

    def edited(told: str) -> str:
        found = list(re.finditer(r"\[[^\]]*\] TJ", told))[number]
        return told[: found.start()] + change(found[0]) + told[found.end() :]

    return layer("GUIDES", edited)


def _swap_digit(shown: str) -> str:
    """A figure becomes another: 1 turns to 3."""
    return shown.replace("0014", "0016", 1)


def _behind(content: str) -> str:
    """The marks below the faces."""
    at = content.index("1 0 0 1 0 0 cm\n/OC")
    return content[at:] + "\n" + content[:at]


def faults() -> list[Fault]:
    """All of these."""

    def on(kind: str, says: str, name: str, change: Edit, file: str = CARDS, page: int = 0,
           mm: float = 0.0) -> Fault:  # fmt: skip
        return in_file(kind, Level.MARKS, name, says, lambda f: f.edit_page(change, page),
                       file=file, mm=mm)  # fmt: skip

    return [
        on("crop mark moved", CUT, "0.4 mm", segment(2, shifted(0.4)), mm=0.4),
        on("crop mark moved", CUT, "all of them, 0.3 mm", layer("CUT", all_moved(0.3)), mm=0.3),
        on("crop mark moved", CUT, "on a booklet", segment(1, shifted(0.5)), RULES, mm=0.5),
        on("crop mark moved", CUT, "on a tent", segment(0, shifted(0, 0.5)), TENTS, mm=0.5),
        on("crop mark turned", CUT, "one end off by 0.5 mm", segment(
            2, lambda s: [s[0] + 0.5 * MM, *s[1:]]), mm=0.5),
        on("crop marks lost", CUT, "all of a page", layer("CUT", lambda _: "")),
        on("crop marks lost", CUT, "one", segment(3, lambda s: [*s[:2], *s[:2]])),
        on("crop mark too long", rf"{CUT}|into|runs|long", "into the card", segment(
            0, lambda s: [s[0] + 12 * MM, *s[1:]]), mm=12),
        on("crop mark too long", rf"{CUT}|long|short", "three times as long", segment(
            5, lambda s: [s[0], s[1], s[2], s[3] + 8 * MM]), mm=8),
        on("crop marks' width", rf"wid|thick|thin|{CUT}", "1 mm", layer("CUT", by_width(1.0))),
        on("crop marks' width", rf"wid|thick|thin|{CUT}", "a hair", layer("CUT", by_width(0.01))),
        on("crop marks' colour", rf"colour|white|{CUT}", "white", layer(
            "CUT", lambda s: s.replace(".5 G", "1 G"))),
        on("crop marks' colour", rf"colour|red|{CUT}", "red", layer(
            "CUT", lambda s: s.replace(".5 G", "1 0 0 RG"))),
        on("crop marks' dash", rf"dash|{CUT}", "dashed", layer(
            "CUT", lambda s: s.replace("[] 0 d", "[1 4] 0 d"))),
        on("marks below the art", "below|behind|under|above|cover", "of a booklet", _behind, RULES),
        on("marks below the art", "below|behind|under|above|cover", "die lines", _behind, PENNANTS),
        on("die line moved", DIE, "0.4 mm, coins", layer("CUT", all_moved(0.4)), COINS, mm=0.4),
        on("die line moved", DIE, "0.3 mm, pennants", layer("CUT", all_moved(0.3)), PENNANTS, mm=0.3),
        on("die line moved", DIE, "0.5 mm, fields", layer("CUT", all_moved(0, 0.5)), FIELDS, mm=0.5),
        on("die line of another shape", DIE, "a pennant without its notch", layer(
            "CUT", lambda s: s.replace("145.9843 493.2283 l", "174.3307 493.2283 l")), PENNANTS, mm=10),
        on("die line of another shape", DIE, "a coin's square", layer("CUT", lambda s: re.sub(
            r"(?s)n \S+ \S+ m.*?h", "n 56.7 714.3 m 127.6 714.3 l 127.6 785.2 l 56.7 785.2 l 56.7 714.3 l h",
            s, count=1)), COINS, mm=5),
        on("die line lost", DIE, "of a coin", layer("CUT", lambda s: re.sub(
            r"(?s)n \S+ \S+ m.*? h", "n", s, count=1)), COINS),
        on("die line lost", DIE, "of all fields", layer("CUT", lambda _: ""), FIELDS),
        on("die line's width", rf"wid|thick|{DIE}", "0.8 mm", layer("CUT", by_width(0.8)), PENNANTS),
        on("fold moved", FOLD, "1 mm, tents", layer("FOLD", all_moved(0, 1)), TENTS, mm=1),
        on("fold moved", FOLD, "0.5 mm, signs", layer("FOLD", all_moved(0.5)), SIGNS, mm=0.5),
        on("fold moved", FOLD, "0.4 mm, booklet", layer("FOLD", all_moved(0.4)), RULES, mm=0.4),
        on("fold lost", FOLD, "tents", layer("FOLD", lambda _: ""), TENTS),
        on("fold lost", FOLD, "signs", layer("FOLD", lambda _: ""), SIGNS),
        on("fold lost", FOLD, "booklet", layer("FOLD", lambda _: ""), RULES),
        on("fold drawn as a cut", rf"{FOLD}|dash|cut", "solid", layer("FOLD", lambda s: re.sub(
            r"\[[^\]]*\] 0 d", "[] 0 d", s)), TENTS),
        on("ruler wrong", RULER, "1 % too long", layer("GUIDES", scaled(1.01)), mm=1),
        on("ruler wrong", RULER, "its ticks moved", segment(4, shifted(1), "GUIDES"), mm=1),
        on("ruler wrong", RULER, "the inches 2 % short", layer("GUIDES", lambda s: s.replace(
            "302.1732 575.7165 l", "296.4 575.7165 l").replace("302.1732 822.3307 l", "296.4 822.3307 l")),
           COINS if False else CARDS, mm=2),
        on("ruler's figures", RULER, "300 mm for 100 mm", words(0, _swap_digit)),
        on("ruler's figures", RULER, "gone", words(0, lambda _: "[] TJ")),
        on("ruler lost", RULER, "of a page", layer("GUIDES", lambda s: re.sub(
            r"(?s)\.425197 w\n.5 G\n\[\] 0 d\nn [^\n]*\nS", "", s))),
        on("slug wrong", SLUG, "another version", words(-1, _swap_digit)),
        on("slug wrong", SLUG, "another sheet's number", words(-1, lambda s: s[::1].replace(
            "<0014>", "<0016>", 1) if "<0014>" in s else s[: s.rindex("0014")] + "0016" + s[s.rindex("0014") + 4:]), RULES),
        on("slug lost", SLUG, "all of it", words(-1, lambda _: "[] TJ")),
        on("slug lost", SLUG, "on a poster", words(-1, lambda _: "[] TJ"), CHART),
        on("poster's page name", r"name|A1|page|words|says|poster", "A3 for A1", words(2, _swap_digit), CHART),
        on("poster's diamonds moved", r"diamond|mark|register|glue", "3 mm", segment(
            0, shifted(3), "GUIDES"), CHART, mm=3),
        on("poster's seam moved", rf"seam|mark|{CUT}", "2 mm", segment(0, shifted(2)), CHART, mm=2),
        on("label ticks moved", r"tick|label|mark|corner", "0.8 mm", segment(
            0, shifted(0, 0.8), "GUIDES"), DICE, mm=0.8),
        on("label ticks lost", r"tick|label|mark|corner", "all", layer("GUIDES", lambda s: re.sub(
            r"n [^\n]*\nS", "n\nS", s, count=1)), DICE),
        on("stray mark", rf"mark|line|{CUT}|card", "a line across cards on the cut layer", layer(
            "CUT", lambda s: s[:-3] + "n 30 300 m 400 420 l S\nEMC")),
        on("stray mark", r"mark|line|slug|cover|word|text", "a word over a card on the slug's layer", layer(
            "GUIDES", lambda s: s[:-3] + "q 60 0 0 60 120 400 cm 0.5 g BT /T2d054479 1 Tf 0 0 Td "
            "[<002900440057>] TJ ET Q\nEMC")),
        on("stray mark", r"mark|line|box|cover", "a grey box on a mark layer", layer(
            "GUIDES", lambda s: s[:-3] + ".8 g 100 350 90 60 re f\nEMC"), RULES),
        on("stray mark", rf"mark|line|fold|{CUT}", "a second fold", layer(
            "FOLD", lambda s: s[:-3] + "n 30 600 m 560 600 l S\nEMC"), TENTS),
    ]  # fmt: skip

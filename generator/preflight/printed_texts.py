"""A specimen in; its texts as they are printed, each with where its words were written, out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from generator.geometry import Rect, around
from generator.preflight.expectation import ExpectedText
from generator.preflight.faces import Specimen
from generator.preflight.painted import PaintedText

_REACH: Final = 1.0
"""mm by which a run may stand out of the box of the text that it belongs to."""
_MOST: Final = 0.5
"""Share of a run that lies in the box of its text, or of a shadow that lies under its text."""
_LONGEST: Final = 40
"""Letters of a text that a message shows."""


@dataclass(frozen=True, slots=True)
class PrintedText:
    """A text on the page: the runs that it is painted in, at least one, and what the manifest has
    about it, with its number there; None and -1 when it is of no text that it lists."""

    told: ExpectedText | None
    runs: tuple[PaintedText, ...]
    number: int = -1

    @property
    def style(self) -> str:
        """The name of its style, empty when it is not known."""
        return self.told.style if self.told else ""


@lru_cache(maxsize=1)  # each check of a face asks for them
def printed_texts(specimen: Specimen) -> tuple[PrintedText, ...]:
    """The texts of a face. A run belongs to the text whose box holds most of it, of several to the
    one nearest in size; what stands alone is a text of its own. Spaces, and what is painted as a
    shadow of the same words, do not count."""
    trim = specimen.look.box
    places = [(told, told.box.moved(trim.x, trim.y).grown(_REACH)) for told in specimen.look.texts]
    groups: dict[int, list[PaintedText]] = {}
    alone: list[PrintedText] = []
    for run in _without_shadows([run for run in specimen.painted.texts if not _is_space(run)]):
        number = _belongs(run, places)
        if number is None:
            alone.append(PrintedText(None, (run,)))
        else:
            groups.setdefault(number, []).append(run)
    told = [
        PrintedText(places[number][0], tuple(groups[number]), number) for number in sorted(groups)
    ]
    return (*told, *alone)


def quoted(runs: Sequence[PaintedText]) -> str:
    """The words of some runs for a message."""
    words = " ".join("".join(run.words for run in runs).split())
    if len(words) > _LONGEST:
        words = words[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return f"‘{words}’" if words else "a text without words"


def box_of(runs: Sequence[PaintedText]) -> Rect:
    """The box around some runs, mm."""
    return around([run.box for run in runs])


def _is_space(run: PaintedText) -> bool:
    blank = bool(run.words) and not run.words.strip()
    return blank or not (run.box.width and run.box.height)


def _belongs(run: PaintedText, places: Sequence[tuple[ExpectedText, Rect]]) -> int | None:
    best: tuple[float, float, int] | None = None
    box = run.box
    for number, (told, place) in enumerate(places):
        # Most of them, fast.
        if box.y > place.y + place.height or place.y > box.y + box.height:
            continue
        if box.x > place.x + place.width or place.x > box.x + box.width:
            continue
        share = _share(box, place)
        if share >= _MOST:
            rank = (round(share, 1), -abs(told.size_pt - run.size_pt), -number)
            best = max(best, rank) if best else rank
    return None if best is None else -best[2]


def _without_shadows(runs: Sequence[PaintedText]) -> Iterator[PaintedText]:
    """All but runs that are painted once more, later, over most of them."""
    last: dict[str, list[PaintedText]] = {}
    for run in runs:
        last.setdefault(run.words, []).append(run)
    for run in runs:
        over = (later for later in last[run.words] if later.order > run.order)
        if not any(_share(run.box, later.box) > _MOST for later in over):
            yield run


def _share(box: Rect, place: Rect) -> float:
    """How much of a box lies in a place, 0 to 1."""
    width = min(box.x + box.width, place.x + place.width) - max(box.x, place.x)
    height = min(box.y + box.height, place.y + place.height) - max(box.y, place.y)
    return max(width, 0.0) * max(height, 0.0) / (box.width * box.height)

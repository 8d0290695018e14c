"""Take a pack from its files to sheets: load, validate, render, impose, check."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol

from msgspec.structs import replace

from generator import limits, preflight
from generator.assets import assets_of
from generator.build.opening import OpenPack, opened_files, read_files
from generator.build.order import Order
from generator.build.print_runs import LaidOut, PrintRun, as_known, print_runs
from generator.build.standing import Standing
from generator.diagnostics import Diagnostic, Outcome
from generator.files import Roots
from generator.fonts import FontLibrary, fonts_of
from generator.model.face import Face
from generator.model.pack import Pack
from generator.project import Target
from generator.render import Deck, Setting, faces_to_draw
from generator.waivers import Waiving, naming_waivers


class StepProgress(Protocol):
    """Told how far a step has come."""

    def __call__(self, step: str, done: int, total: int) -> None:
        """One report; `total` is 0 while it is not known."""


def silent(step: str, done: int, total: int) -> None:
    """The progress that nobody watches."""


def lay_out(
    pack: Target | OpenPack,
    order: Order,
    scratch: Path | None = None,
    progress: StepProgress = silent,
    standing: Standing | None = None,
    unprinted: bool = False,
    *,
    on_sheets: bool = True,
) -> Outcome[LaidOut | None]:
    """Load, validate, draw and lay out a pack: everything that a build does before it writes.

    Each step goes on with what is sound, so that everything wrong is found at once. With an error,
    the value is what can be looked at, and must not be printed. A pack that is open already is not
    loaded, and what was said of it is not said again. If something is wrong, `unprinted` also draws
    components without copies. Without `on_sheets`, faces are drawn and nothing is laid out.
    """
    standing = standing or Standing(cache=order.cache)
    said: tuple[Diagnostic, ...] = ()
    if isinstance(pack, Target):
        read, said = read_files(pack, order, standing)
        if read is None:
            return Outcome(None, said)
        opened, said = opened_files(read, order, standing, said)
        if not Outcome(None, said).ok:
            if opened.ok and read.source.complete:
                return Outcome(None, said)  # the order is wrong, not the pack
            further = _lay_out_sound(
                opened, order, scratch, progress, standing, unprinted=unprinted
            )
            return replace(further, diagnostics=(*said, *further.diagnostics))
        pack = opened.value
    progress("drawing", 0, 0)
    fonts = standing.fonts(pack.target.project)
    waiving = Waiving(pack.pack.waivers)
    faces = draw(pack, order, scratch, progress, fonts, waiving)
    if not on_sheets:
        laid_out = LaidOut(pack, _roots(pack.target, scratch), fonts, faces.value, ())
        return Outcome(laid_out, (*said, *naming_waivers(faces.diagnostics)))
    return laid_out_faces(pack, faces, order, scratch, standing, fonts, waiving, said)


def laid_out_faces(
    pack: OpenPack,
    faces: Outcome[tuple[Face, ...]],
    order: Order,
    scratch: Path | None,
    standing: Standing,
    fonts: FontLibrary,
    waiving: Waiving,
    said: tuple[Diagnostic, ...],
) -> Outcome[LaidOut | None]:
    """Lay out the faces of a sound pack, and check the set and the sheets; `said` are the findings
    so far."""
    runs = print_runs(pack, faces.value, order, standing)
    found = (*faces.diagnostics, *_of_sheets(runs, whole=faces.ok))
    found += waiving.rest(_of_set_and_sheets(pack, faces.value, runs.value))
    if Outcome(None, (*said, *found)).ok and order.is_whole:
        found += tuple(waiving.idle())
    roots = _roots(pack.target, scratch)
    laid_out = LaidOut(pack, roots, fonts, faces.value, runs.value)
    return Outcome(laid_out, (*said, *naming_waivers(found)))


_BY_CHANCE: Final = ("GP303", "GP304", "GP309")
"""Codes of templates that may follow from an error elsewhere."""


def _lay_out_sound(
    first: Outcome[OpenPack],
    order: Order,
    scratch: Path | None,
    progress: StepProgress,
    standing: Standing,
    *,
    unprinted: bool,
) -> Outcome[LaidOut | None]:
    """Draw and lay out the components without errors, and report what else is wrong with them;
    `unprinted` also draws components without copies."""
    opened = as_known(each_once(first.value) if unprinted else first.value)
    fonts = standing.fonts(opened.target.project)
    drawn = draw(opened, order, scratch, progress, fonts)
    return laid_out_sound_faces(opened, first.value.pack, drawn, order, scratch, standing, fonts)


def laid_out_sound_faces(
    opened: OpenPack,
    pack: Pack,
    drawn: Outcome[tuple[Face, ...]],
    order: Order,
    scratch: Path | None,
    standing: Standing,
    fonts: FontLibrary,
) -> Outcome[LaidOut | None]:
    """Lay out the faces of a pack with errors as far as its prints are sound: `opened` is the pack
    `as_known`."""
    known = tuple(print_ for print_ in opened.pack.prints if print_ in pack.prints)
    of_prints = replace(opened, pack=replace(opened.pack, prints=known))
    runs = print_runs(of_prints, drawn.value, order, standing)
    further = not_by_chance((*drawn.diagnostics, *_of_sheets(runs, whole=False)))
    roots = _roots(opened.target, scratch)
    return Outcome(LaidOut(opened, roots, fonts, drawn.value, runs.value), further)


def not_by_chance(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the findings that do not follow from an error elsewhere."""
    return tuple(one for one in found if one.span.column and one.code not in _BY_CHANCE)


def draw(
    opened: OpenPack,
    order: Order,
    scratch: Path | None = None,
    progress: StepProgress = silent,
    fonts: FontLibrary | None = None,
    waiving: Waiving | None = None,
    *,
    for_export: bool = False,
) -> Outcome[tuple[Face, ...]]:
    """Render every face that the order asks for; `for_export`, with what outlets need besides.

    `scratch` is a folder for what the faces need until they are printed, such as pictures made
    grey for `--ink mono`; `fonts` are those of the project, if they are read already.
    """
    deck = deck_of(opened, order, scratch, fonts, for_export=for_export)
    tasks = faces_to_draw(opened.pack, order.asks_for)
    drawn = deck.draw_all(tasks, order.jobs, lambda done, total: progress("drawing", done, total))
    faces = tuple(one.face for one in drawn if one.face is not None)
    both = zip(tasks, drawn, strict=True)
    limits.allow(limits.COMPONENT * len(faces))  # for what becomes of them in no step
    return Outcome(faces, deck.findings(both, waiving or Waiving(opened.pack.waivers)))


def deck_of(
    opened: OpenPack,
    order: Order,
    scratch: Path | None = None,
    fonts: FontLibrary | None = None,
    *,
    for_export: bool = False,
    before: Pack | None = None,
) -> Deck:
    """Return what draws the faces of a pack as `draw` does. `before` is the pack that some of its
    components are taken from, None for one that is sound."""
    project = opened.target.project
    with limits.at(project.display(project.root / "fonts")):
        fonts = fonts or fonts_of(project)
    check = functools.partial(preflight.look_over, compared=preflight.compared_kinds(opened.pack))
    assets = assets_of(project, opened.target.pack, opened.pack.requires, order.locale, order.cache)
    setting = Setting(
        opened.pack,
        project,
        fonts,
        assets,
        order.ink,
        scratch,
        order.cache,
        for_export,
        check,
        before,
    )
    return Deck(setting)


def each_once(opened: OpenPack) -> OpenPack:
    """A pack as if at least one of each component was printed."""
    pieces = {
        kind: tuple(replace(one, quantity=one.quantity or 1) for one in found)
        for kind, found in opened.pack.components.items()
    }
    return replace(opened, pack=replace(opened.pack, components=pieces))


def _of_sheets(runs: Outcome[tuple[PrintRun, ...]], *, whole: bool) -> Iterator[Diagnostic]:
    """Yield what is wrong with sheets, except that pieces are missing if faces could not be
    drawn."""
    return (found for found in runs.diagnostics if whole or found.code != "GP606")


def _of_set_and_sheets(
    opened: OpenPack, faces: Sequence[Face], runs: Sequence[PrintRun]
) -> Iterator[Diagnostic]:
    """Yield what the checks of the set and of the sheets find, each once."""
    found = list(preflight.check_together(opened.pack, faces))
    for run in runs:
        found += preflight.check_sheets(run.print_, run.paper, run.sheets, opened.profile)
    yield from dict.fromkeys(found)


def _roots(target: Target, scratch: Path | None) -> Roots:
    return target.project.roots.also(*[scratch] if scratch else ())

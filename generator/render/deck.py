"""Draws all faces of a pack, one by one or in several processes, and reports each fault once."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Sequence, Set
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from generator import workers
from generator.cache import flush
from generator.diagnostics import Diagnostic, GridpressError, in_order
from generator.model.pack import Component, Pack, uncopied
from generator.render.face_builder import FaceDiagnostic
from generator.render.face_environment import Setting
from generator.render.lost_signs import lost_signs
from generator.render.renderer import DrawnFace, FaceTask, Renderer
from generator.render.styles import (
    forbidden_fonts,
    idle_features,
    unknown_fonts,
    unsaid_ink,
    with_known_fonts,
)
from generator.waivers import Waiving
from generator.workers import Progress

_SIDES: Final = ("front", "back")
_BATCH: Final = 4
_PATIENCE: Final = 0.05
"""Seconds of drawing after which other processes help, if three times as much is left."""
_OF_FONTS: Final = ("GP401", "GP402", "GP404", "GP405")
"""Codes of findings that depend on the font."""


def _silent(_done: int, _total: int) -> None:
    pass


class Deck:
    """Draws faces of a pack. A missing font is replaced, so that faces can be looked at."""

    def __init__(self, setting: Setting) -> None:
        pack, fonts = setting.pack, setting.fonts
        self._font_faults = tuple(unknown_fonts(pack.styles, fonts))
        if self._font_faults:
            pack = replace(pack, styles=with_known_fonts(pack.styles, fonts))
            setting = replace(setting, pack=pack)
        self._setting = setting
        self._renderer = Renderer(setting)

    @property
    def pack(self) -> Pack:
        """Return the pack, with the fonts that there are."""
        return self._setting.pack

    def kept(self, task: FaceTask) -> DrawnFace | None:
        """Return a face that was drawn before and still holds, else None."""
        return self._renderer.kept(*task)

    def draw(self, task: FaceTask) -> DrawnFace:
        """Draw a face. If the drawing ends early, for example without memory, the reason is its
        finding."""
        try:
            return self._renderer.draw_some([task])[0]
        except GridpressError as error:
            face = f"the {task[1]} of {task[0].id!r}"
            return DrawnFace(None, tuple(FaceDiagnostic(one, face) for one in error.diagnostics))

    def draw_apart(self, tasks: Sequence[FaceTask]) -> Generator[DrawnFace, None, None]:
        """Draw faces in another process, so that the memory it takes is given back. If that process
        breaks down, yield fewer. Closing the iterator ends the process."""
        self._renderer.compile_ahead(tasks)
        with suppress(workers.WorkerCrash):
            for _, drawn in workers.shared(self._draw_and_keep, tasks, 1, apart=True):
                yield drawn

    def _draw_and_keep(self, task: FaceTask) -> DrawnFace:
        drawn = self.draw(task)
        flush()  # the process may be ended at any moment
        return drawn

    def draw_all(
        self,
        wanted: Sequence[FaceTask],
        jobs: int = 1,
        progress: Progress = _silent,
        patience: float = _PATIENCE,
    ) -> list[DrawnFace]:
        """Return some faces. Those that are not kept are drawn here, and if that takes long, in
        `jobs` other processes too. Raises their exceptions, and WorkerCrash if one ended early."""
        kept = [self.kept(task) for task in wanted]
        tasks = [task for task, known in zip(wanted, kept, strict=True) if known is None]
        drawn = iter(_drawn(self._renderer, tasks, jobs, progress, patience))
        return [next(drawn) if known is None else known for known in kept]

    def findings(
        self, drawn: Iterable[tuple[FaceTask, DrawnFace]], waiving: Waiving
    ) -> tuple[Diagnostic, ...]:
        """Return what is wrong with the styles and with some faces, without what is waived."""
        setting, faults = self._setting, self._font_faults
        pack, fonts = setting.pack, setting.fonts
        idle = (
            *idle_features(pack.styles, fonts),
            *unsaid_ink(pack.styles, setting.ink),
            *waiving.rest(
                [*forbidden_fonts(pack.styles, fonts), *lost_signs(setting.project, pack.name)]
            ),
        )
        return (*faults, *idle, *merged_findings(self._reported(drawn, waiving)))

    def findings_of(self, task: FaceTask, drawn: DrawnFace) -> tuple[Diagnostic, ...]:
        """Return what is wrong with one face, without what is waived."""
        waiving = Waiving(self._setting.pack.waivers)
        return merged_findings(self._reported([(task, drawn)], waiving))

    def _reported(
        self, drawn: Iterable[tuple[FaceTask, DrawnFace]], waiving: Waiving
    ) -> Iterable[FaceDiagnostic]:
        for (component, _), one in drawn:
            name = f"{component.kind}/{uncopied(component.id)}" if one.findings else ""
            for finding in one.findings:
                if self._font_faults and finding.diagnostic.code in _OF_FONTS:
                    continue
                if not waiving.accepts(finding.diagnostic, name):
                    yield replace(finding, component=name)


def faces_to_draw(
    pack: Pack, wanted: Callable[[Component], bool] | None = None, *, unprinted: bool = False
) -> list[FaceTask]:
    """Return the faces of printed components, or of those without copies, in the order of kinds and
    files, the front before the back; those of components that are `wanted`."""
    return [
        (component, side)
        for kind in pack.kinds.values()
        if kind.faces
        for component in pack.printed(kind.name)
        if component.stock is not None
        if bool(component.quantity) is not unprinted
        if wanted is None or wanted(component)
        for side in _SIDES
        if side in kind.faces
    ]


def merged_findings(findings: Iterable[FaceDiagnostic]) -> tuple[Diagnostic, ...]:
    """Join findings with one cause. A fault of a template names its first face and counts the
    others."""
    first: dict[object, FaceDiagnostic] = {}
    faces: dict[object, set[str]] = {}
    components: dict[object, set[str]] = {}
    for finding in findings:
        diagnostic = finding.diagnostic
        where = finding.template or (None if finding.topic else diagnostic.span)
        key = (where, diagnostic.code, diagnostic.severity, finding.topic or diagnostic.message)
        first.setdefault(key, finding)
        faces.setdefault(key, set()).add(finding.face)
        components.setdefault(key, set()).add(finding.component)
    return in_order(
        replace(_counted(finding, len(faces[key]) - 1), component=_pattern(components[key]))
        for key, finding in first.items()
    )


def _pattern(components: Set[str]) -> str:
    """Return the name of a component, or a pattern for several, as a waiver names them."""
    if len(components) == 1:
        return min(components)
    kinds = {name.partition("/")[0] for name in components}
    return f"{min(kinds)}/*" if len(kinds) == 1 else "*"


def _counted(finding: FaceDiagnostic, others: int) -> Diagnostic:
    diagnostic = finding.diagnostic
    if finding.template is None and not (finding.topic and others):
        return diagnostic
    more = f" and {others} more" if others else ""
    return replace(diagnostic, message=f"{diagnostic.message} ({finding.face}{more})")


def _drawn(
    renderer: Renderer, tasks: Sequence[FaceTask], jobs: int, progress: Progress, patience: float
) -> list[DrawnFace]:
    batches = [tasks[start : start + _BATCH] for start in range(0, len(tasks), _BATCH)]
    drawn: list[list[DrawnFace]] = []
    begun = time.monotonic()
    for batch in batches:
        passed = time.monotonic() - begun
        ahead = passed * (len(batches) - len(drawn)) / max(1, len(drawn))
        if jobs > 1 and passed >= patience and ahead >= 3 * patience:
            break
        drawn.append(renderer.draw_some(batch))
        progress(min(len(drawn) * _BATCH, len(tasks)), len(tasks))
    left = batches[len(drawn) :]
    if left:
        renderer.compile_ahead(task for batch in left for task in batch)
    others: dict[int, list[DrawnFace]] = {}
    crew = workers.answers(renderer.draw_some, left, jobs, helps=True) if left else ()
    for number, faces in crew:
        others[number] = faces
        progress(min((len(drawn) + len(others)) * _BATCH, len(tasks)), len(tasks))
    drawn += [others[number] for number in range(len(left))]
    return [one for batch in drawn for one in batch]

"""Draws all faces of a pack, here or in several processes, and tells each fault once."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from generator import workers
from generator.assets import AssetFinder
from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import Diagnostic, Outcome, in_order
from generator.fonts import FontLibrary
from generator.model.face import Face
from generator.model.pack import COARSE, Corrected, Pack
from generator.project import Project
from generator.render.face_builder import FaceDiagnostic
from generator.render.renderer import DrawnFace, FaceTask, Renderer, Setting, StandingFaces
from generator.render.styles import idle_features, unknown_fonts, unsaid_ink, with_known_fonts
from generator.workers import Progress

_SIDES: Final = ("front", "back")


def faces_to_draw(pack: Pack, only: str | None = None) -> list[FaceTask]:
    """Kinds as in the pack, components as in the files, the front before the back.

    Left out are kinds without faces, components of which none is printed, and with `only` those
    that do not answer to it (`crew-*`).
    """
    return [
        (component, side)
        for kind in pack.kinds.values()
        if kind.faces
        for component in pack.printed(kind.name)
        if component.stock is not None
        if component.quantity and (not only or component.answers_to(only))
        for side in _SIDES
        if side in kind.faces
    ]


_BATCH: Final = 4
_PATIENCE: Final = 0.05
"""Seconds of drawing after which other processes take over, if three times as much lies ahead:
until then templates are compiled and fonts read, which each of them would do for itself."""


def _silent(_done: int, _total: int) -> None:
    pass


def render_faces(
    pack: Pack,
    *,
    project: Project,
    fonts: FontLibrary,
    assets: AssetFinder,
    ink: str = "full",
    only: str | None = None,
    jobs: int = 1,
    scratch: Path | None = None,
    progress: Progress = _silent,
    cache: Cache = NOTHING_KEPT,
    standing: StandingFaces | None = None,
    corrected: Corrected | None = None,
) -> Outcome[tuple[Face, ...]]:
    """Draw every face of a pack, or of the components that answer to `only`.

    `ink` is full, low or mono; in mono, grey copies of the pictures are put into `scratch`, where
    they must stay until the faces are printed. For a font that there is not another stands in, so
    that the faces can be looked at. Faces come in the order of `faces_to_draw`, the
    same bytes for any number of `jobs`; a face that cannot be drawn is left out, with an error.
    What is `standing` of an earlier look saves time, if the pack is that with words `corrected`.
    """
    faults = tuple(unknown_fonts(pack.styles, fonts))
    is_near = True
    if faults:
        styles, is_near = with_known_fonts(pack.styles, fonts)
        pack = replace(pack, styles=styles)
    idle = (*idle_features(pack.styles, fonts), *unsaid_ink(pack.styles, ink))
    setting = Setting(pack, project, fonts, assets, ink, scratch, cache)
    drawn = draw_all(setting, only, jobs, progress, standing=standing, corrected=corrected)
    faces = tuple(one.face for one in drawn if one.face is not None)
    tasks = faces_to_draw(pack, only)
    told = told_once(
        finding
        for (component, _), one in zip(tasks, drawn, strict=True)
        for finding in one.findings
        if finding.diagnostic.code not in COARSE
        or not pack.lets_coarse(component.kind, component.id)
        if is_near or finding.diagnostic.code not in _OF_FONTS
    )
    return Outcome(faces, (*faults, *idle, *told))


_OF_FONTS: Final = ("GP401", "GP402", "GP404", "GP405")
"""What is said of texts by how large their letters are, and by which letters there are."""


def told_once(findings: Iterable[FaceDiagnostic]) -> tuple[Diagnostic, ...]:
    """A template's fault shows on every face it draws, but is one fault: it is told once, with
    the first such face and the number of the others."""
    first: dict[object, FaceDiagnostic] = {}
    faces: dict[object, set[str]] = {}
    for finding in findings:
        told = finding.diagnostic
        where = finding.template or told.span
        key = (where, told.code, told.severity, finding.topic or told.message)
        first.setdefault(key, finding)
        faces.setdefault(key, set()).add(finding.face)
    return in_order(_told(finding, len(faces[key]) - 1) for key, finding in first.items())


def _told(finding: FaceDiagnostic, others: int) -> Diagnostic:
    told = finding.diagnostic
    if finding.template is None:
        return told
    more = f" and {others} more" if others else ""
    return replace(told, message=f"{told.message} ({finding.face}{more})")


def draw_all(
    setting: Setting,
    only: str | None = None,
    jobs: int = 1,
    progress: Progress = _silent,
    patience: float = _PATIENCE,
    standing: StandingFaces | None = None,
    corrected: Corrected | None = None,
) -> list[DrawnFace]:
    """Draw the faces of `faces_to_draw`, in their order: here, and when that takes a while, by
    `jobs` other processes, which begin with all that is known here.

    What a cache has of them is not drawn. Raises what was raised in another process, and
    WorkerCrash when one ended unasked.
    """
    renderer = Renderer(setting)
    if standing is not None:
        renderer.go_on(standing, corrected)
    wanted = faces_to_draw(setting.pack, only)
    kept = [renderer.kept(component, side) for component, side in wanted]
    tasks = [task for task, known in zip(wanted, kept, strict=True) if known is None]
    drawn = iter(_drawn(renderer, tasks, jobs, progress, patience))
    return [next(drawn) if known is None else known for known in kept]


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
    others: dict[int, list[DrawnFace]] = {}
    for number, faces in workers.answers(renderer.draw_some, left, jobs) if left else ():
        others[number] = faces
        progress(min((len(drawn) + len(others)) * _BATCH, len(tasks)), len(tasks))
    drawn += [others[number] for number in range(len(left))]
    return [one for batch in drawn for one in batch]

"""A validated pack in; all its faces, and everything that was found while drawing them, out."""

from __future__ import annotations

from pathlib import Path

from generator.assets import AssetFinder
from generator.diagnostics import Outcome
from generator.fonts import FontLibrary
from generator.model.face import Face
from generator.model.pack import Pack
from generator.project import Project
from generator.render.crew import Progress, draw_all
from generator.render.findings import told_once
from generator.render.renderer import Setting
from generator.render.styles import unknown_fonts


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
) -> Outcome[tuple[Face, ...]]:
    """Draw every face of a pack, or of the components whose id matches `only`.

    `ink` is full, low or mono; in mono, grey copies of the pictures are put into `scratch`, where
    they must stay until the faces are printed. Faces come in the order of `faces_to_draw`, the
    same bytes for any number of `jobs`; a face that cannot be drawn is left out, with an error.
    """
    faults = tuple(unknown_fonts(pack.styles, fonts))
    if faults:
        return Outcome((), faults)
    setting = Setting(pack, project, fonts, assets, ink, scratch)
    drawn = draw_all(setting, only, jobs, progress)
    faces = tuple(one.face for one in drawn if one.face is not None)
    return Outcome(faces, told_once(finding for one in drawn for finding in one.findings))

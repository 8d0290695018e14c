"""A pack that stays open while its files are edited."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from msgspec import Struct
from msgspec.structs import replace

from generator import export, writing
from generator.build.opening import in_locale_of
from generator.build.order import Order, PrintedFile
from generator.build.pipeline import StepProgress, lay_out, silent
from generator.build.print_runs import LaidOut, PrintRun
from generator.build.printing import press_laid_out
from generator.build.standing import Standing
from generator.cache import InMemory
from generator.diagnostics import Diagnostic, GridpressError, Outcome
from generator.export import Told, nobody
from generator.model.face import Face
from generator.project import Project, Target
from generator.writing import TargetFolder


class FaceName(NamedTuple):
    """Which face it is: the kind and id of its component, and the name of the side."""

    kind: str
    component: str
    name: str


class PackUpdate(Struct, frozen=True):
    """One look at a pack: its findings; its faces and pages; the faces that are new or look
    otherwise than at the last look, and those that are gone. A pack with errors has the faces that
    can be drawn, each with its `flaws`."""

    diagnostics: tuple[Diagnostic, ...]
    faces: tuple[Face, ...] = ()
    changed: tuple[Face, ...] = ()
    gone: tuple[FaceName, ...] = ()
    pages: tuple[PrintRun, ...] = ()


class Session:
    """One pack of a project, open as `order` says. To be closed, or used as a context manager.

    Its methods are called one after another, from any thread.
    """

    def __init__(self, target: Target, order: Order) -> None:
        self.target = target
        self._order = replace(order, cache=InMemory(order.cache))
        self._spoken = self._order
        self._unsaved: dict[Path, bytes] = {}
        self._standing = Standing(cache=self._order.cache)
        self._looks: dict[FaceName, str] = {}
        self._laid_out: Outcome[LaidOut | None] = Outcome(None)
        self._scratch = tempfile.TemporaryDirectory(prefix="gridpress-")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Clear away what was kept on the disk; pictures and fonts of the faces are gone then."""
        self._laid_out = Outcome(None)
        self._standing = Standing()
        self._scratch.cleanup()

    @property
    def folder(self) -> Path:
        """Return the folder for files that faces need until they are printed."""
        return Path(self._scratch.name)

    def edit(self, path: Path, text: str | None) -> None:
        """Take the text of a file for this from now on; None: it is again what is saved.

        Raises UnreadableError for a path that leads out of the project.
        """
        real = self.target.project.roots.real(path)
        if text is None:
            self._unsaved.pop(real, None)
        else:
            self._unsaved[real] = text.encode("utf-8", "surrogatepass")

    def look(self, progress: StepProgress = silent) -> PackUpdate:
        """Look at the files as they are now, and draw what they change."""
        here = self.target.project
        project = Project(here.root, here.shipped, dict(self._unsaved), here.around)
        target, scratch = replace(self.target, project=project), self.folder
        try:
            with writing.at_work():
                self._spoken = in_locale_of(target, self._order)
                laid_out = lay_out(target, self._spoken, scratch, progress, self._standing)
        except GridpressError as error:
            laid_out = Outcome(None, error.diagnostics)
        self._laid_out = laid_out
        if laid_out.value is None:
            return PackUpdate(laid_out.diagnostics)
        faces, runs = laid_out.value.faces, laid_out.value.runs
        before, now = self._looks, {_side(face): face.sha256 for face in faces}
        changed = tuple(face for face in faces if before.get(_side(face)) != face.sha256)
        # With errors, a face that cannot be drawn is not gone.
        self._looks = now if laid_out.ok else before | now
        gone = tuple(side for side in before if side not in self._looks)
        return PackUpdate(laid_out.diagnostics, faces, changed, gone, runs)

    def pictures(self, faces: Sequence[Face], dpi: float) -> Outcome[dict[str, bytes]]:
        """PNG pictures of faces of the last look, as they are printed, by their sha256."""
        laid_out = self._laid_out.value
        if laid_out is None or not faces:
            return Outcome({})
        with writing.at_work(), tempfile.TemporaryDirectory(dir=self.folder) as folder:
            drawn = export.face_pictures(
                faces,
                laid_out.fonts,
                Path(folder),
                dpi=dpi,
                roots=laid_out.roots,
                cache=self._order.cache,
            )
            if not drawn.ok:
                return Outcome({}, drawn.diagnostics)
            read = {sha256: path.read_bytes() for sha256, path in drawn.value.items()}
        return Outcome(read, drawn.diagnostics)

    def print(
        self, output: Path | TargetFolder, progress: StepProgress = silent, told: Told = nobody
    ) -> Outcome[tuple[PrintedFile, ...]]:
        """Put the PDFs of the last look in place, as `press_pack` does."""
        laid_out = self._laid_out
        said = laid_out.diagnostics
        if laid_out.value is None or not laid_out.ok or (self._order.strict and said):
            return Outcome((), said)
        try:
            return press_laid_out(laid_out.value, said, self._spoken, output, progress, told)
        except GridpressError as error:
            return Outcome((), (*said, *error.diagnostics))


def _side(face: Face) -> FaceName:
    return FaceName(face.kind, face.component, face.name)

"""Prints and exports: each in a process of its own, with the files that it made."""

from __future__ import annotations

import asyncio
import hashlib
import io
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pypdfium2
from msgspec import Raw, Struct

from generator.diagnostics import GridpressError
from generator.studio.drafts import shown_folder
from generator.studio.errand_orders import MadeFiles
from generator.studio.errands import Errand, StoppedError, WorkPart, WorkStep
from generator.studio.last_print import PdfPages, note_printed, pdf_pages
from generator.studio.messages import PackToOpen
from generator.studio.nursery import Nursery

_PRINTS: Final = ("print", "last")
_MOST_KEPT: Final = 20
"""Jobs that are remembered."""


class JobFile(Struct, frozen=True):
    """A file that a job made, its pages (0 if it has none) and its size in bytes."""

    name: str
    pages: int
    size: int


class StudioJob(Struct):
    """A job, as the page sees it. `printed` are its PDFs that somebody opened or downloaded."""

    id: str
    sort: str
    step: str = ""
    done: int = 0
    total: int = 0
    state: str = "running"
    files: tuple[JobFile, ...] = ()
    findings: tuple[Raw, ...] = ()
    message: str = ""
    pack: str = ""
    outlet: str = ""
    folder: str = ""
    only: tuple[str, ...] | None = None
    printed: tuple[str, ...] = ()


class Jobs:
    """The jobs of this run. `tell` hears of each change."""

    def __init__(self, nursery: Nursery, tell: Callable[[StudioJob], None]) -> None:
        self._nursery = nursery
        self._tell = tell
        self._jobs: dict[str, StudioJob] = {}
        self._folders: dict[str, Path] = {}
        self._early: dict[str, dict[str, Path]] = {}
        self._errands: dict[str, Errand] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._drawing = asyncio.Lock()
        self._noting = asyncio.Lock()

    def start(self, sort: str, pack: PackToOpen, wanted: Any) -> StudioJob:
        """Start a print or an export."""
        job = StudioJob(
            secrets.token_hex(4), sort, pack=pack.pack, outlet=getattr(wanted, "outlet", "")
        )
        self._jobs[job.id] = job
        ended = [id_ for id_, one in self._jobs.items() if one.state != "running"]
        for old in ended[:-_MOST_KEPT]:
            del self._jobs[old]
        errand = Errand(self._nursery, sort, (pack, wanted), lambda said: self._hear(job, said))
        self._errands[job.id], self._early[job.id] = errand, {}
        self._folders[job.id] = pack.root / "output" / pack.pack
        task = asyncio.create_task(self._finish(job, errand))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._tell(job)
        return job

    def recall(self, folder: Path, at: float, files: Iterable[tuple[str, int]]) -> StudioJob:
        """Return an earlier print, whose files are in a folder, as a job. It has the same id each
        time, so that a browser need not ask for its pages again."""
        for old in [job for job in self._jobs.values() if job.sort == "last"]:
            del self._jobs[old.id]  # its files may be others now
        id_ = hashlib.sha256(f"{folder} {at}".encode()).hexdigest()[:8]
        job = StudioJob(id_, "last", state="done", folder=shown_folder(folder))
        job.files = tuple(_listed(folder, files))
        self._jobs[job.id], self._folders[job.id] = job, folder
        return job

    def made(self, job_id: str) -> tuple[StudioJob | None, Path | None]:
        """Return a job that is done, and the folder of its files."""
        return self._jobs.get(job_id), self._folders.get(job_id)

    def stop(self, job_id: str) -> None:
        """Stop a job that is running."""
        if job_id in self._errands:
            self._errands[job_id].stop()

    def close(self) -> None:
        """Stop all jobs."""
        for errand in self._errands.values():
            errand.stop()

    def all(self) -> list[StudioJob]:
        """Return the jobs, oldest first."""
        return list(self._jobs.values())

    def path(self, job_id: str, name: str) -> Path | None:
        """Return a file of a job; None if it made none of this name."""
        return next(filter(Path.is_file, self._paths(job_id, name)), None)

    async def page(self, job_id: str, name: str, number: int, width: int) -> bytes | None:
        """Return a picture of a page of a PDF, counted from 1; None if there is no such page."""
        for path in self._paths(job_id, name):
            with suppress(FileNotFoundError):  # it stands in its place now
                async with self._drawing:  # PDFium does one thing at a time
                    return await asyncio.to_thread(_page, path, number, width)
        return None

    def pdf_pages(self, job_id: str, name: str) -> PdfPages | None:
        """Return what is where on the pages of a PDF."""
        found = map(pdf_pages, self._paths(job_id, name))
        return next(filter(None, found), None)

    async def note_printed(self, job_id: str, names: Iterable[str]) -> None:
        """Note that somebody took PDFs to print."""
        job, folder = self.made(job_id)
        if job is None or folder is None or job.sort not in _PRINTS:
            return
        new = tuple(name for name in names if name not in job.printed)
        if new:
            job.printed += new
            async with self._noting:
                for name in new:
                    await asyncio.to_thread(note_printed, folder / name)
            self._tell(job)

    def _paths(self, job_id: str, name: str) -> tuple[Path, ...]:
        """Return where a file may stand: where it was written first, then its place."""
        job = self._jobs.get(job_id)
        if job is None or all(file.name != name for file in job.files):
            return ()
        early = self._early.get(job_id, {}).get(name)
        return (*([early] if early else []), self._folders[job_id] / name)

    def _hear(self, job: StudioJob, said: WorkStep | WorkPart) -> None:
        if isinstance(said, WorkPart):
            made: MadeFiles = said.value
            with suppress(OSError):  # it has ended, and removed them
                job.files += tuple(_listed(made.folder, made.files))
                self._early[job.id] |= {name: made.folder / name for name, _ in made.files}
        else:
            job.step, job.done, job.total = said.step, said.done, said.total
        self._tell(job)

    async def _finish(self, job: StudioJob, errand: Errand) -> None:
        files: tuple[JobFile, ...] = ()
        try:
            made: MadeFiles = await errand.result()
            job.findings = tuple(map(Raw, made.findings))
            files = tuple(_listed(made.folder, made.files))
            job.only, job.folder = made.only, shown_folder(made.folder)
            is_done = made.files or (made.only == () and not made.findings)
            job.state = "done" if is_done else "failed"
            self._folders[job.id] = made.folder
        except StoppedError:
            job.state = "stopped"
        except GridpressError as error:
            job.state = "failed"
            first = error.diagnostics[0]
            job.message = ": ".join(filter(None, (first.message, first.hint)))
        except OSError as error:  # somebody removed a file at once
            job.state, job.message = "failed", error.strerror or str(error)
        finally:
            del self._errands[job.id], self._early[job.id]
            job.files = files
        self._tell(job)


def _listed(folder: Path, files: Iterable[tuple[str, int]]) -> Iterator[JobFile]:
    for name, pages in files:
        yield JobFile(name, pages, (folder / name).stat().st_size)


def _page(path: Path, number: int, width: int) -> bytes | None:
    document = pypdfium2.PdfDocument(path)
    try:
        if not 1 <= number <= len(document):
            return None
        page = document[number - 1]
        bitmap = page.render(scale=width / page.get_width())
        written = io.BytesIO()
        bitmap.to_pil().save(written, "PNG", compress_level=1)
        return written.getvalue()
    finally:
        document.close()

"""The routes for prints and exports."""

from __future__ import annotations

import asyncio
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from msgspec import Struct
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from generator.studio.errand_orders import ExportWanted, PrintOrder
from generator.studio.host import Studio
from generator.studio.last_print import last_print, last_printed
from generator.studio.requests import RequestError, as_json, body_as, width_of

_FILE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_KEPT: Final = {"Cache-Control": "private, max-age=86400"}


class _Stopping(Struct):
    job: str


class PrintRoutes:
    """The answers to these requests."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio

    @property
    def routes(self) -> list[Route]:
        """Return the routes."""
        get, post = ["GET"], ["POST"]
        return [
            Route("/api/print", self.print, methods=post),
            Route("/api/print/last", self.last, methods=get),
            Route("/api/outlets", self.outlets, methods=get),
            Route("/api/export", self.export, methods=post),
            Route("/api/stop", self.stop, methods=post),
            Route("/api/jobs/{id}/{file}/{page:int}.png", self.page, methods=get),
            Route("/api/jobs/{id}/{file}/pages", self.pages, methods=get),
            Route("/api/jobs/{id}/all.zip", self.all_files, methods=get),
            Route("/api/jobs/{id}/{file:path}", self.file, methods=get),
        ]

    async def print(self, request: Request) -> Response:
        """Start to print the pack."""
        wanted = await body_as(request, PrintOrder)
        return as_json({"job": self._studio.start_job("print", wanted).id})

    async def last(self, request: Request) -> Response:
        """Answer with the last pages of the pack, as a job that is done, and what was printed."""
        pack = self._studio.to_open()
        folder = pack.root / "output" / pack.pack
        locale = request.query_params.get("locale") or None
        found = await asyncio.to_thread(last_print, folder, locale)
        printed = await asyncio.to_thread(last_printed, folder, locale)
        job = found and self._studio.jobs.recall(folder, found.at, found.files)
        return as_json({"last": found and {"at": found.at, "job": job}, "printed": printed})

    async def outlets(self, request: Request) -> Response:
        """Answer with all outlets of the project."""
        pack = self._studio.to_open()
        return as_json(await self._studio.done("outlets_told", pack))

    async def export(self, request: Request) -> Response:
        """Start to make the files for an outlet."""
        wanted = await body_as(request, ExportWanted)
        return as_json({"job": self._studio.start_job("export", wanted).id})

    async def stop(self, request: Request) -> Response:
        """Stop a job."""
        self._studio.jobs.stop((await body_as(request, _Stopping)).job)
        return as_json({})

    async def file(self, request: Request) -> Response:
        """Answer with a file that a job made."""
        job, name = _named(request)
        path = self._studio.jobs.path(job, name)
        if path is None:
            raise RequestError(404, "this file no longer exists")
        await self._studio.jobs.note_printed(job, [name])
        return FileResponse(path, headers={"Content-Security-Policy": _FILE_POLICY})

    async def pages(self, request: Request) -> Response:
        """Answer with what is where on the pages of a PDF."""
        return as_json(await asyncio.to_thread(self._studio.jobs.pdf_pages, *_named(request)))

    async def page(self, request: Request) -> Response:
        """Answer with a picture of a page."""
        (job, name), number = _named(request), request.path_params["page"]
        png = await self._studio.jobs.page(job, name, number, width_of(request))
        if png is None:
            raise RequestError(404, f"{name} has no page {number}")
        return Response(png, media_type="image/png", headers=_KEPT)

    async def all_files(self, request: Request) -> Response:
        """Answer with all files of a job in a zip."""
        job, folder = self._studio.jobs.made(request.path_params["id"])
        if job is None or folder is None:
            raise RequestError(404, "these files no longer exist")
        names = [file.name for file in job.files]
        path = await asyncio.to_thread(_zipped, folder, names)
        await self._studio.jobs.note_printed(job.id, names)
        called = "-".join(filter(None, (self._studio.pack, job.outlet or "print")))
        away = BackgroundTask(path.unlink, missing_ok=True)
        return FileResponse(path, filename=f"{called}.zip", background=away)


def _named(request: Request) -> tuple[str, str]:
    return request.path_params["id"], request.path_params["file"]


def _zipped(folder: Path, names: list[str]) -> Path:
    handle, path = tempfile.mkstemp(prefix="gridpress-", suffix=".zip")
    with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.write(folder / name, name)  # PDFs and pictures are packed already
    return Path(path)

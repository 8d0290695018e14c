"""The routes of the studio's server."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from generator.diagnostics import GridpressError
from generator.edits import Change, UnfitEditError
from generator.studio.access import policy
from generator.studio.drafts import is_project, shown_folder, typed_folder
from generator.studio.edited_texts import FileEdit, RefusedError, StaleError
from generator.studio.help_words import help_words
from generator.studio.host import Studio
from generator.studio.line import NoAnswerError
from generator.studio.pictures_of_pack import UnfitPictureError, shown_picture
from generator.studio.print_routes import PrintRoutes
from generator.studio.requests import MOST_UPLOAD, RequestError, as_json, body_as, body_of, width_of
from generator.studio.rows_at_once import AT_ONCE, RowsAtOnce
from generator.studio.start_routes import StartRoutes
from generator.studio.told_files import content_of, file_with_text, takers_of

STATIC: Final = Path(__file__).parent / "static"
_PICTURE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""For SVG files of strangers, which are shown as pictures alone."""


_FOR_EVER: Final = "private, max-age=31536000, immutable"


class _Opening(Struct):
    folder: str = ""
    pack: str = ""


class _OneEdit(Struct):
    file: str
    rev: int | None = None
    text: str | None = None
    changes: tuple[Change, ...] | None = None


class _Editing(Struct):
    edits: list[_OneEdit]
    tab: str = ""
    label: str = ""
    join: str = ""


class _OfTab(Struct):
    tab: str = ""


class _Showing(Struct):
    faces: list[str]
    tab: str = ""


class _Resolving(Struct):
    file: str
    keep: str


def studio_app(studio: Studio) -> Starlette:
    """Return the application that serves a studio."""
    routes = _Routes(studio)
    get, post = ["GET"], ["POST"]
    return Starlette(
        routes=[
            Route("/", routes.page, methods=get),
            Mount(routes.static, _KeptFiles(directory=STATIC)),
            Route("/api/events", routes.events, methods=get),
            Route("/api/picture/{sha}", routes.picture, methods=get),
            Route("/api/rows", routes.rows, methods=get),
            Route("/api/face", routes.face, methods=get),
            Route("/api/judgements", routes.judgements, methods=get),
            Route("/api/layout", routes.layout, methods=get),
            Route("/api/asset", routes.asset, methods=get),
            Route("/api/upload", routes.upload, methods=post),
            Route("/api/file", routes.file, methods=get),
            Route("/api/takers", routes.takers, methods=get),
            Route("/api/help", routes.help, methods=get),
            Route("/api/open", routes.open, methods=post),
            Route("/api/edit", routes.edit, methods=post),
            Route("/api/undo", routes.undo, methods=post),
            Route("/api/redo", routes.redo, methods=post),
            Route("/api/show", routes.show, methods=post),
            *PrintRoutes(studio).routes,
            *StartRoutes(studio).routes,
            Route("/api/save", routes.save, methods=post),
            Route("/api/resolve", routes.resolve, methods=post),
        ],
        exception_handlers={
            RequestError: _fault,
            StaleError: _stale,
            RefusedError: _refused,
            UnfitEditError: _refused,
            UnfitPictureError: _refused,
            NoAnswerError: _no_answer,
            GridpressError: _error_in_words,
        },
    )


class _KeptFiles(StaticFiles):
    """Files that a browser keeps: another version has another address."""

    def file_response(self, *given: Any, **more: Any) -> Response:
        """Answer with a file."""
        answer = super().file_response(*given, **more)
        answer.headers["Cache-Control"] = _FOR_EVER
        return answer


def _version() -> str:
    """Return a digest of the files that make the page."""
    files = sorted(path for path in STATIC.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(STATIC).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class _Routes:
    """The answers to all requests."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self.static = f"/static/{_version()}"
        self._rows = RowsAtOnce()

    async def page(self, request: Request) -> Response:
        """Answer with the page, with a nonce for this answer."""
        nonce = secrets.token_urlsafe(12)
        page = (STATIC / "index.html").read_text("utf-8")
        page = page.replace("{{nonce}}", nonce).replace("{{static}}", self.static)
        return HTMLResponse(page, headers={"Content-Security-Policy": policy(nonce)})

    async def events(self, request: Request) -> Response:
        """Answer with events until the tab or the server closes."""
        lines = self._studio.hub.events(self._studio.first_events)
        return StreamingResponse(lines, media_type="text/event-stream")

    async def open(self, request: Request) -> Response:
        """Open a project or a pack of it."""
        asked = await body_as(request, _Opening)
        folder = typed_folder(asked.folder) if asked.folder else self._studio.desk.project.root
        if not folder.is_dir():
            raise RefusedError(f"there is no folder {asked.folder}")
        if not is_project(folder):
            raise RefusedError(f"there is no pack in {shown_folder(folder)}")
        self._studio.open(folder, asked.pack)
        return as_json({})

    async def edit(self, request: Request) -> Response:
        """Make edits as one step of undo."""
        asked = await body_as(request, _Editing)
        edits = [FileEdit(one.file, one.rev, one.text, one.changes) for one in asked.edits]
        number, revs = self._studio.edit(edits, asked.label, asked.join, asked.tab)
        texts = {
            one.file: text
            for one in asked.edits
            if (text := self._studio.desk.text(one.file)) != one.text
        }
        return as_json({"number": number, "revs": revs, "texts": texts})

    async def undo(self, request: Request) -> Response:
        """Take back the last step."""
        return await self._turned(request, back=True)

    async def redo(self, request: Request) -> Response:
        """Do the last step again that was taken back."""
        return await self._turned(request, back=False)

    async def _turned(self, request: Request, *, back: bool) -> Response:
        asked = await body_as(request, _OfTab)
        number, label = self._studio.turn(back=back, tab=asked.tab)
        return as_json({"number": number, "label": label})

    async def show(self, request: Request) -> Response:
        """Note which faces a tab shows."""
        asked = await body_as(request, _Showing)
        self._studio.line.show(tuple(asked.faces))
        return as_json({})

    async def picture(self, request: Request) -> Response:
        """Answer with the picture of a face."""
        sha = request.path_params["sha"]
        png = await self._studio.line.ask("picture", sha, width_of(request))
        if png is None:
            raise RequestError(404, "this picture is of an older edit")
        kept = {"Cache-Control": _FOR_EVER}
        return Response(png, media_type="image/png", headers=kept)

    async def rows(self, request: Request) -> Response:
        """Answer with the components of a kind as they are typed; with `checked` as they were
        checked."""
        kind = request.query_params.get("kind", "")
        patience = None if "checked" in request.query_params else AT_ONCE
        rows = await self._rows.answer(self._studio.desk, self._studio.line, kind, patience)
        return Response(rows, media_type="application/json")

    async def face(self, request: Request) -> Response:
        """Answer with what one can click on a face."""
        parts = await self._studio.line.ask("face", request.query_params.get("key", ""))
        if parts is None:
            raise RequestError(404, "this face is not drawn yet")
        return Response(parts, media_type="application/json")

    async def judgements(self, request: Request) -> Response:
        """Answer with the judgements of guests on a component."""
        kind, id_ = (request.query_params.get(name, "") for name in ("kind", "id"))
        found = await self._studio.line.ask("judgements", kind, id_)
        return Response(found, media_type="application/json")

    async def file(self, request: Request) -> Response:
        """Answer with a file's text."""
        path = request.query_params.get("path", "")
        return as_json(file_with_text(self._studio.desk, path))

    async def takers(self, request: Request) -> Response:
        """Answer with the templates and face files that take something from a file."""
        path = request.query_params.get("path", "")
        return as_json(takers_of(self._studio.desk, self._studio.pack or "", path))

    async def asset(self, request: Request) -> Response:
        """Answer with a picture or icon of the pack."""
        icon, path = request.query_params.get("icon"), request.query_params.get("path", "")
        width = width_of(request) if "w" in request.query_params else 0
        if icon is not None:
            found = await self._studio.line.ask("icon", icon)
            if found is None:
                raise RequestError(404, f"there is no icon {icon!r}")
            path = self._studio.desk.project.display(found)
        content = content_of(self._studio.desk.project, path, MOST_UPLOAD)
        suffix = Path(path).suffix
        shown, media = await asyncio.to_thread(shown_picture, content, suffix, width)
        headers = {"Content-Security-Policy": _PICTURE_POLICY, "Cache-Control": "no-cache"}
        return Response(shown, media_type=media, headers=headers)

    async def layout(self, request: Request) -> Response:
        """Answer with the boxes of a face file, as they are on the face with a key."""
        file, key = (request.query_params.get(name, "") for name in ("file", "key"))
        found = await self._studio.line.ask("layout", file, key)
        if found is None:
            raise RequestError(404, f"{file} cannot be read as a face file")
        return Response(found, media_type="application/json")

    async def upload(self, request: Request) -> Response:
        """Take a picture or icon into the pack."""
        content = await body_of(request, MOST_UPLOAD)
        name = request.query_params.get("name", "")
        sort = request.query_params.get("sort", "picture")
        return as_json(self._studio.upload(name, sort, content))

    async def save(self, request: Request) -> Response:
        """Write what is unsaved now."""
        return as_json({"saved": self._studio.save()})

    async def help(self, request: Request) -> Response:
        """Answer with the words for completion and hover."""
        return as_json(help_words(self._studio.desk.project))

    async def resolve(self, request: Request) -> Response:
        """End a conflict."""
        asked = await body_as(request, _Resolving)
        self._studio.resolve(asked.file, keeps_mine=asked.keep == "mine")
        return as_json({})


Handler = Callable[[Request, Exception], Awaitable[Response]]


async def _fault(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)
    return as_json({"error": str(error)}, error.status)


async def _stale(request: Request, error: Exception) -> Response:
    assert isinstance(error, StaleError)
    told = {"error": str(error), "file": error.file, "rev": error.rev, "text": error.text}
    return as_json(told, 409)


async def _refused(request: Request, error: Exception) -> Response:
    return as_json({"error": str(error)}, 400)


async def _no_answer(request: Request, error: Exception) -> Response:
    return as_json({"error": str(error)}, 503)


async def _error_in_words(request: Request, error: Exception) -> Response:
    assert isinstance(error, GridpressError)
    first = error.diagnostics[0]
    return as_json({"error": ": ".join(filter(None, (first.message, first.hint)))}, 400)

"""The routes for starting packs and giving them other looks."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path, PurePath
from typing import Any, Final

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from generator.looks import SIZES, Dress, card_looks, palettes
from generator.model.source import as_id
from generator.studio.drafts import (
    RecentPack,
    completed,
    folder_for,
    is_empty,
    shown_folder,
    typed_folder,
)
from generator.studio.edited_texts import MOST_TEXT, RefusedError
from generator.studio.host import Studio
from generator.studio.requests import RequestError, as_json, body_as, body_of

_MOST_DRAFTS: Final = 4
"""Drafts that are listed."""


class _New(Struct):
    name: str
    look: str = "classic"
    size: str = "poker"
    palette: str | None = None


class _Keeping(Struct):
    name: str
    folder: str


class _Deleting(Struct):
    folder: str


class _OtherLook(Struct):
    look: str
    kind: str = ""
    palette: str | None = None
    label: str = ""


class StartRoutes:
    """The answers to these requests."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._drawn: dict[tuple[str, str, str | None], bytes] = {}
        self._one_at_a_time = asyncio.Lock()
        self._taking = asyncio.Lock()

    @property
    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/looks", self.looks, methods=["GET"]),
            Route("/api/looks/{name}.webp", self.look_picture, methods=["GET"]),
            Route("/api/look", self.look, methods=["POST"]),
            Route("/api/start/new", self.new, methods=["POST"]),
            Route("/api/start/import", self.take_table, methods=["POST"]),
            Route("/api/start/keep", self.keep, methods=["POST"]),
            Route("/api/start/delete", self.delete, methods=["POST"]),
            Route("/api/start/recent", self.recent, methods=["GET"]),
            Route("/api/start/folders", self.folders, methods=["GET"]),
        ]

    async def looks(self, request: Request) -> Response:
        """Answer with all looks and palettes."""
        known = palettes()
        tones = [{"name": name, **_told_palette(palette)} for name, palette in known.items()]
        told = (msgspec.structs.asdict(look) for look in card_looks().values())
        return as_json([{**look, "palettes": tones} for look in told])

    async def look_picture(self, request: Request) -> Response:
        """Answer with a picture of a look."""
        size = request.query_params.get("size", "poker")
        palette = request.query_params.get("palette")
        dress = _dress(request.path_params["name"], size, palette)
        wanted = dress.look.name, size, palette
        async with self._one_at_a_time:
            if wanted not in self._drawn:
                async with self._taking:  # a table that is being taken comes first
                    pass
                self._drawn[wanted] = await self._studio.done("look_drawn", dress)
        return Response(self._drawn[wanted], media_type="image/webp")

    async def look(self, request: Request) -> Response:
        """Give a kind another look, as one step of undo."""
        asked = await body_as(request, _OtherLook)
        _dress(asked.look, "poker", asked.palette)
        pack = self._studio.to_open()
        with self._studio.outside_work(asked.label or asked.look):
            notes = await self._studio.done(
                "pack_dressed", pack, asked.kind, asked.look, asked.palette
            )
        return as_json({"pack": pack.pack, "notes": notes})

    async def new(self, request: Request) -> Response:
        """Start a draft in a look, and open it."""
        asked = await body_as(request, _New)
        dress = _dress(asked.look, asked.size, asked.palette)
        name = folder_for(asked.name)
        root = self._studio.drafts.new()
        await self._studio.done("pack_started", root, name, asked.name.strip(), dress)
        self._studio.open(root, name)
        return as_json({"pack": name})

    async def take_table(self, request: Request) -> Response:
        """Make a draft of a table and open it; answer with what became of the columns."""
        content = await body_of(request, MOST_TEXT)
        given = request.query_params
        file = PurePath(given.get("name", "").replace("\\", "/")).name
        if not as_id(PurePath(file).stem):
            raise RefusedError("this file needs a name with letters or digits")
        look, palette = given.get("look", ""), given.get("palette") or None
        size = given.get("size", "poker")
        _dress(look or "classic", size, palette)
        root = self._studio.drafts.new()
        try:
            async with self._taking:
                told = await self._studio.done(
                    "table_imported", root, content, file, given.get("sheet", ""),
                    look, size, palette, "headless" not in given,
                )  # fmt: skip
        except BaseException:
            self._studio.drafts.drop(root)
            raise
        before = self._studio.root
        self._studio.open(root, told.pack)
        if "instead" in given and before is not None:
            self._studio.drafts.drop(before)
        return as_json(told)

    async def keep(self, request: Request) -> Response:
        """Move the open draft into an empty folder, or below another one under its name, and open
        it there."""
        asked = await body_as(request, _Keeping)
        folder, name = typed_folder(asked.folder), folder_for(asked.name)
        is_right_here = is_empty(folder) and folder != Path.home()
        place = folder if is_right_here else folder / name
        self._studio.keep(place, asked.name.strip())
        return as_json({"folder": str(place), "shown": shown_folder(place)})

    async def delete(self, request: Request) -> Response:
        """Delete a draft that is not open."""
        root = Path((await body_as(request, _Deleting)).folder)
        if not self._studio.drafts.has(root) or root == self._studio.root:
            raise RefusedError("only a draft that is not open can be deleted")
        self._studio.drafts.drop(root)
        return as_json({})

    async def recent(self, request: Request) -> Response:
        """Answer with the packs that were opened last, and where another one could be kept."""
        studio = self._studio
        drafts = [
            RecentPack(str(root), name, title, draft=True)
            for root in studio.drafts.all()[:_MOST_DRAFTS]
            if root != studio.root
            for name, title in studio.titles(root)[:1]
        ]
        listed = [
            {"folder": one.folder, "shown": shown_folder(Path(one.folder)), "pack": one.pack,
             "title": self._title(one), "draft": one.draft}
            for one in (*studio.recent.there(), *drafts)
        ]  # fmt: skip
        return as_json({"recent": listed, "keep": shown_folder(self._suggested())})

    async def folders(self, request: Request) -> Response:
        """Answer with folders whose paths begin with what is typed."""
        found = await asyncio.to_thread(completed, request.query_params.get("typed", ""))
        return as_json({"folders": found})

    def _title(self, recent: RecentPack) -> str:
        """Return what a project is called: like its pack, or like its folder if it has several."""
        titles = self._studio.titles(Path(recent.folder))
        return Path(recent.folder).name if len(titles) > 1 else recent.title

    def _suggested(self) -> Path:
        """Return the folder where a new project could be kept: beside the open one, else here."""
        root = self._studio.root
        here = Path.cwd()
        if root is not None and not self._studio.drafts.has(root):
            return root.parent
        return here if os.access(here, os.W_OK) else Path.home()


def _told_palette(palette: Any) -> dict[str, Any]:
    return {key: palette[key] for key in ("description", "de", "colours")}


def _dress(look: str, size: str, palette: str | None) -> Dress:
    """Return the look that was asked for. Raises RequestError for an unknown one."""
    if look not in card_looks() or size not in SIZES or palette not in (None, *palettes()):
        raise RequestError(404, f"there is no such look: {look}, {size}, {palette}")
    return Dress(card_looks()[look], size, palette)

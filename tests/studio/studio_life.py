"""A studio that runs inside a test, with a tab that receives its events."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from pathlib import Path
from typing import Any, TypeVar

import httpx

from generator.studio.app import studio_app
from generator.studio.host import Studio
from generator.studio.nursery import Nursery

Event = dict[str, Any]
_T = TypeVar("_T")
nursery = Nursery()


class Tab:
    """An open tab, with every event that it has received."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.told: list[Event] = []
        self._come = asyncio.Event()

    async def listen(self) -> None:
        async with aclosing(self.studio.hub.events(self.studio.first_events)) as events:
            async for event in events:
                if event.startswith(b"data: "):
                    self.told.append(json.loads(event[6:]))
                    self._come.set()

    async def until(self, fits: Callable[[Event], Any]) -> Event:
        """Return the first event that fits, and forget all before it."""
        while True:
            for index, event in enumerate(self.told):
                if fits(event):
                    del self.told[: index + 1]
                    return event
            self._come.clear()
            await self._come.wait()

    async def is_in(self, state: str) -> Event:
        """Wait until the session's process is in a state."""
        return await self.until(lambda e: e["type"] == "worker" and e["worker"]["state"] == state)

    async def drawn(self, number: int) -> list[Event]:
        """Return the faces that change until a look at this number has ended."""
        found: list[Event] = []
        while True:
            event = await self.until(lambda e: e["type"] == "faces")
            found += event["faces"]
            if event["done"] and event["number"] >= number:
                return found


async def asked(studio: Studio, method: str, path: str, **more: Any) -> Any:
    """Return the answer to a request."""
    transport = httpx.ASGITransport(app=studio_app(studio))
    async with httpx.AsyncClient(transport=transport, base_url="http://studio") as client:
        answer = await client.request(method, path, **more)
    assert answer.status_code == 200, answer.text
    return json.loads(answer.content) if answer.text.startswith(("{", "[")) else answer.content


def lived(tmp_path: Path, life: Callable[[Studio, Tab], Awaitable[None]]) -> None:
    """Open a small pack in a studio and a tab, and run a scenario with them."""

    async def live() -> None:
        studio = Studio(tmp_path / "journal", nursery)
        tab = Tab(studio)
        studio.open(tmp_path / "project")
        listening = asyncio.create_task(tab.listen())
        try:
            async with asyncio.timeout(20):
                await life(studio, tab)
        finally:
            studio.end()
            await listening

    nursery.begin()  # in this thread, with which its process ends
    run_apart(live())


def run_apart(life: Coroutine[Any, Any, _T]) -> _T:
    """Run in a thread of its own: a browser that tests share has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, life).result()

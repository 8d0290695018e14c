"""Sends events to all open tabs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any, Final

import msgspec

_MOST_WAITING: Final = 2_000
"""Events that wait for a tab; one that takes no more connects again and starts anew."""
_PULSE: Final = 15.0
"""Seconds after which something is sent, so that a tab that is gone is noticed."""


class Hub:
    """The open tabs, each with the events that it has still to get."""

    def __init__(self) -> None:
        self._tabs: set[asyncio.Queue[bytes | None]] = set()
        self._has_ended = False

    def tell(self, event: dict[str, Any]) -> None:
        """Send an event to all tabs. Values that are JSON already are `msgspec.Raw`."""
        line = as_event(event)
        for tab in list(self._tabs):
            if tab.qsize() >= _MOST_WAITING:
                self._tabs.discard(tab)
                tab.put_nowait(None)
            else:
                tab.put_nowait(line)

    async def events(self, first: Callable[[], list[bytes]]) -> AsyncGenerator[bytes, None]:
        """Yield the events of one tab: those that `first` returns, then all that come."""
        tab: asyncio.Queue[bytes | None] = asyncio.Queue()
        if not self._has_ended:
            self._tabs.add(tab)
        try:
            for line in first():
                yield line
            while tab in self._tabs or not tab.empty():
                try:
                    event = await asyncio.wait_for(tab.get(), _PULSE)
                except TimeoutError:
                    yield b":\n\n"
                    continue
                if event is None:
                    return
                yield event
        finally:
            self._tabs.discard(tab)

    def end(self) -> None:
        """End the events of all tabs."""
        self._has_ended = True
        for tab in self._tabs:
            tab.put_nowait(None)


def as_event(event: dict[str, Any]) -> bytes:
    """Return an event as it is sent."""
    return b"data: " + msgspec.json.encode(event) + b"\n\n"

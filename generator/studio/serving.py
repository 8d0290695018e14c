"""Runs the studio's server until it is asked to end."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Final

import uvicorn
from msgspec import Struct

from generator.studio.access import LOOPBACK, Access, new_secret
from generator.studio.app import studio_app
from generator.studio.host import Studio
from generator.studio.nursery import Nursery

_GRACE: Final = 1
"""Seconds that open requests have when the server ends."""
_ASKED: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class ToServe(Struct, frozen=True):
    """A project's folder to serve, None to start without one, and a pack; the port, 0 for any that
    is free; and the folder for unsaved texts."""

    folder: Path | None
    pack: str
    port: int
    journal: Path


def serve(wanted: ToServe, nursery: Nursery, tell_address: Callable[[str], None]) -> None:
    """Serve until the process is asked to end, then save what is unsaved.

    Raises OSError if the port is taken.
    """
    asyncio.run(_served(wanted, nursery, tell_address))


async def _served(wanted: ToServe, nursery: Nursery, tell_address: Callable[[str], None]) -> None:
    studio = Studio(wanted.journal, nursery)
    secret = new_secret()
    app = studio_app(studio)
    config = uvicorn.Config(
        app,
        host=LOOPBACK,
        port=wanted.port,
        log_config=None,
        access_log=False,
        http="h11",
        ws="none",
        loop="asyncio",
        lifespan="off",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE,
    )
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    try:
        await server.startup()
    except SystemExit as error:
        raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE)) from error
    port = server.servers[0].sockets[0].getsockname()[1]
    config.loaded_app = Access(app, secret, port)
    loop = asyncio.get_running_loop()

    def end() -> None:
        server.should_exit = True
        studio.hub.end()

    for number in _ASKED:
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, end)
    try:
        if wanted.folder is not None:
            studio.open(wanted.folder, wanted.pack)
        tell_address(f"http://{LOOPBACK}:{port}/?key={secret}")
        await server.main_loop()
    finally:
        studio.end()
        await server.shutdown()

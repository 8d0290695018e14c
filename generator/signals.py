"""The signals that ask a process to end: heard once, and never lost while a process is made."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

TO_END: Final = tuple(
    signal.Signals[name]
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
)
_CAN_WAIT: Final = hasattr(signal, "pthread_sigmask")


@contextmanager
def undisturbed() -> Iterator[None]:
    """Signals wait until the block is over, and in a process that is made in it until it listens:
    Python forgets those that come while it copies itself or begins."""
    if not _CAN_WAIT:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, TO_END)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def listen() -> None:
    """From now on signals are heard, those that waited too."""
    if _CAN_WAIT:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, TO_END)


def end_once() -> Callable[[], bool]:
    """Take each request to end as Ctrl-C, so that a build that is not finished is cleared away;
    only the first one, so that this is not cut short itself. Who watches ends what lingers.

    Returns what tells whether there was one: native code, such as a module that is just being
    imported, makes other exceptions of it.
    """
    asked: list[int] = []

    def end(number: int, _: object) -> None:
        if not asked:
            asked.append(number)
            raise KeyboardInterrupt

    on_request(end)
    listen()
    return lambda: bool(asked)


def on_request(handler: Callable[[int, object], None]) -> None:
    """What is done when a signal asks to end, unless who started this ignores it, as nohup does."""
    for number in TO_END:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def be_deaf() -> None:
    """From now on nobody can ask to end: what is left to do is done in a moment."""
    on_request(lambda _number, _frame: None)
    if _CAN_WAIT:  # Python itself listens again when it ends
        signal.pthread_sigmask(signal.SIG_BLOCK, TO_END)


def leave_to_parent() -> None:
    """For a worker: Ctrl-C reaches it too, but who started it ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in TO_END:
        if number != signal.SIGINT and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    listen()

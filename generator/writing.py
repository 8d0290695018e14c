"""Texts by their files in, the files written out, or all as it was and a diagnostic.

Files are written beside their places first and moved there when all of them are, so that no other
name of the same file, no reader and no full disk sees half of one.
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.realfolder import Place, cannot_write, is_full, opened
from generator.swap import Swap, settle, swapping

if TYPE_CHECKING:  # most of those who write, write no PDF
    from pikepdf import Pdf


def write_texts(root: Path, texts: Mapping[Path, str], hint: str) -> tuple[Path, ...]:
    """Write files below `root`, which the user named, with the folders that they need; returns
    their paths.

    Raises GridpressError with the hint (GP701, GP702) when one cannot be written, and GP705 when
    one, or a folder below `root`, is a link; then all is as it was.
    """
    with ExitStack() as stack:
        swaps: dict[Path, Swap] = {}
        for folder in sorted({path.parent for path in texts}):
            with _told(folder, hint):
                swaps[folder] = _swap(stack, Place(root, folder.relative_to(root).parts))
        for path, text in texts.items():
            with _told(path, hint):
                swaps[path.parent].add(path.name, io.BytesIO(text.encode("utf-8")))
        done: list[Swap] = []
        try:
            # from within: what is deeper stands when the files that speak of it come
            for folder, swap in reversed(swaps.items()):
                with _told(folder, hint):
                    swap.commit()
                done.append(swap)
        except BaseException:
            for swap in reversed(done):
                with suppress(OSError):
                    swap.take_back()
            raise
    return tuple(texts)


def write_named(path: Path, content: bytes, hint: str, what: str = "file") -> None:
    """Write a file that the user named, which may be a link or a device; its folder is there.

    Raises GridpressError (GP701, GP702) with the hint when it cannot be written; `what` it is, the
    message says.
    """
    with _told(path, hint, what):
        if _is_special(path):
            path.write_bytes(content)
            return
        with ExitStack() as stack:
            _added(stack, path, content).commit()


def must_be_writable(path: Path, hint: str, what: str = "file") -> None:
    """Before long work: what `write_named` would raise is raised now; nothing is left behind."""
    with _told(path, hint, what), ExitStack() as stack:
        if _is_special(path):
            path.open("ab").close()
        else:
            _added(stack, path, b"")


def _added(stack: ExitStack, path: Path, content: bytes) -> Swap:
    target = path.resolve()
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(target.parent))
    swap = _swap(stack, Place(target.parent))
    swap.add(target.name, io.BytesIO(content))
    return swap


def _is_special(path: Path) -> bool:
    """True for what is there and is neither file nor folder: a device, a pipe."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _swap(stack: ExitStack, place: Place) -> Swap:
    folder = stack.enter_context(opened(place))
    with suppress(OSError):
        settle(folder)
    return stack.enter_context(swapping(folder))


@contextmanager
def _told(path: Path, hint: str, what: str = "file") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise cannot_write(error, str(path.parent), hint) from error
        message = f"the {what} cannot be written: {error.strerror or error}"
        raise GridpressError(Diagnostic(Span(str(path)), "GP702", message, hint)) from error


_AT_ONCE: Final = 1 << 20
"""Bytes: qpdf writes word by word."""


def save(pdf: Pdf, path: Path, **options: Any) -> None:
    """Save with the options of `Pdf.save`. Raises OSError when the disk did not take it all."""
    with _written(path) as stream:
        pdf.save(stream, **options)


class _Patient(io.FileIO):
    """A file that keeps a failure to write to itself: an exception out of it would go through
    the C++ of qpdf, which aborts the whole process. So does a failure of qpdf's own, if it knows
    the number of the file and writes past us."""

    failure: OSError | None = None

    def fileno(self) -> int:
        """There is none for others."""
        raise io.UnsupportedOperation("fileno")

    def write(self, data: Any) -> int:
        """Write what the disk takes; after a failure, nothing."""
        if self.failure is None:
            try:
                return super().write(data)
            except OSError as error:
                self.failure = error
        return memoryview(data).nbytes


@contextmanager
def _written(path: Path) -> Iterator[BinaryIO]:
    file = _Patient(path, "w")
    with io.BufferedWriter(file, _AT_ONCE) as stream:
        yield stream
    if file.failure is not None:
        raise file.failure

"""An exception that ended a check in; whose fault it is, and a finding that says so, out.

A file may have anything in the place of anything, and a check that meets it breaks down: then the
file is damaged. Where none of it was at hand the check itself is wrong, and nobody should look for
the fault in the file."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, TypeVar

import pikepdf
import pypdfium2

from generator.diagnostics import GridpressError, plain
from generator.preflight.checking import Finding
from generator.preflight.pdf_limits import TooMuchError

_READERS: Final = frozenset(
    ("pikepdf", "pypdfium2", "pypdfium2_raw", "PIL", "fontTools", "zlib", "struct", "decimal")
)
"""Libraries that read what is in a file."""
_OF_FILE: Final = (
    pikepdf.Object,
    pikepdf.Page,
    pikepdf.Pdf,
    pypdfium2.PdfDocument,
    pypdfium2.PdfPage,
    pypdfium2.PdfTextPage,
    pypdfium2.PdfObject,
)
_ENDS_ALL: Final = (GridpressError, MemoryError, TooMuchError)
_OF_PYTHON: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
)
"""What Python says of these is about values of ours."""
_WHERE: Final = re.compile(r"^(?:WARNING: )?\S.*?\.pdf[^:]*: ")
"""What qpdf sets before its words: a path, which may be that of a file not yet in its place."""
_LONGEST: Final = 300
"""Letters of what a library says."""
FRESH: Final = "build the pack again, or take a fresh copy of the file"
BUG: Final = "GP010"
NO_FAULT: Final = "this is no fault of your files; what else was looked at is told"

T = TypeVar("T")


def is_bug(error: Exception, *, own: bool) -> bool:
    """Whether an exception tells of a bug of ours, not of something in the file.

    It does in a file that is our `own`, just written. In another's it does not if a library that
    reads files raised it, if an object of the file was in the hands of who did, or if a number of
    it is one that nobody can reckon with: 0 where there is a width, or more than any number.
    """
    if isinstance(error, (*_ENDS_ALL, OSError)):
        return False
    if own:
        return True
    if _root(type(error).__module__) in _READERS or isinstance(error, ArithmeticError):
        return False
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][1:]
    return not any(
        _root(frame.f_globals.get("__name__", "")) in _READERS
        or any(isinstance(value, _OF_FILE) for value in frame.f_locals.values())
        for frame in frames
    )


def _root(module: str) -> str:
    return module.partition(".")[0]


def found_by(
    run: Callable[..., Iterable[T]],
    shown: tuple[object, ...],
    most: int,
    told: Callable[[Exception], T],
) -> Iterator[T]:
    """At most so much of what a check finds of what it is shown; if it breaks down, what is `told`
    of that, too. Raises what ends all checks: no memory, a disk that fails."""
    try:
        yield from islice(run(*shown), most)
    except Exception as error:  # whatever a check raises that meets something odd
        if isinstance(error, _ENDS_ALL) or getattr(error, "errno", None) is not None:
            raise
        yield told(error)


def broken(error: Exception, title: str, *, own: bool) -> Finding:
    """GP010 or GP808: nobody can tell whether what a check looks for is so."""
    if is_bug(error, own=own):
        message = f"a check of Gridpress broke down, so nobody can tell whether {title}"
        return Finding(BUG, f"{message} ({type(error).__name__})", NO_FAULT, trace=trace_of(error))
    message = f"the file is damaged: nobody can tell whether {title} ({said_by(error)})"
    return Finding("GP808", message, FRESH)


def trace_of(error: Exception) -> str:
    """Where an exception came from, for the log."""
    return "".join(traceback.format_exception(error))


def said_by(error: Exception) -> str:
    """Why something cannot be read: in the words of who says so, if they are about the file."""
    if isinstance(error, _OF_PYTHON):
        return "something in it is not what belongs there"
    return said((str(error).splitlines() or [type(error).__name__])[0])


def said(text: str) -> str:
    """The words of a library, without a path, harmless and not long."""
    text = plain(_WHERE.sub("", text))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

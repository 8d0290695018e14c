"""What every check is given: the finished PDF as read back, and what its manifest promises."""

from __future__ import annotations

from dataclasses import dataclass

from pikepdf import Pdf

from generator.diagnostics import Span
from generator.preflight.finding import Finding
from generator.preflight.manifest_reader import Expected, ExpectedFile
from generator.preflight.matching import PageMatch
from generator.preflight.reading import PageRead


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A finished PDF. `expected` is None without a manifest; `matched` holds the pages that both
    the file and the manifest have; `sha256` is that of the file's bytes. `place` is where a pack
    asks for the file, while that is being built."""

    shown: str
    pdf: Pdf
    sha256: str
    pages: tuple[PageRead, ...]
    expected: ExpectedFile | None = None
    matched: tuple[PageMatch, ...] = ()
    place: Span | None = None

    def fault(
        self,
        code: str,
        message: str,
        hint: str = "",
        page: int = 0,
        placed: Expected | None = None,
    ) -> Finding:
        """A finding about a page, with 0 about the whole file; or about a face placed there."""
        if placed is None:
            return Finding(code, message, hint, page=page)
        component = f"{placed.kind}/{placed.component}"
        return Finding(
            code,
            message,
            hint,
            page=page,
            place=placed.finished,
            component=component,
            source=placed.source,
        )

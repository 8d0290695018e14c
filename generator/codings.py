"""Names the coding of a table's text: UTF-8, UTF-16, Windows-1252 or Mac Roman."""

from __future__ import annotations

import re
from typing import Final

_NO_TEXT: Final = re.compile(r"[\0-\x08\x0e-\x1f]|[ÂÃâ][\x80-\xbf€™œ“”]")


def table_coding(content: bytes) -> str | None:
    """Return the name of a table's coding for `decode` and `encode`, None for no text. A byte order
    mark stays in the text."""
    if len(content) % 2 == 0 and content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16-le" if content.startswith(b"\xff") else "utf-16-be"
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        is_mac = b"\r" in content and b"\n" not in content
        return "mac_roman" if is_mac else "cp1252" if _is_windows(content) else None
    return "utf-8"


def _is_windows(content: bytes) -> bool:
    """Return True for Windows-1252; False for anything else, such as UTF-8 with an error."""
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError:
        return False
    return not _NO_TEXT.search(text) and not text.isascii()

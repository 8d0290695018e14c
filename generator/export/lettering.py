"""A face's SVG in, the words that it shows out."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

_TEXT: Final = re.compile(r"<text[\s>].*?</text>", re.S)
_TAG: Final = re.compile(r"<[^>]*>")
_NEVER: Final = re.compile(r"<!--.*?-->", re.S)
_ELSEWHERE: Final = re.compile(r"<(defs|symbol|mask|clipPath|pattern)\b.*?</\1>", re.S)
_MAYBE: Final = re.compile(r"\b(?:display|visibility)\s*=")


def words(svg: str) -> str | None:
    """All texts in order of drawing, a line each; None where how often it is seen takes more to
    know: what is defined to be used elsewhere, or may be hidden."""
    svg = _NEVER.sub("", svg)
    if _MAYBE.search(svg) or any("<text" in part[0] for part in _ELSEWHERE.finditer(svg)):
        return None
    texts = (" ".join(unescape(_TAG.sub("", text)).split()) for text in _TEXT.findall(svg))
    return "\n".join(texts)

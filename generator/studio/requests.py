"""Reads the bodies of requests, and writes answers."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

T = TypeVar("T")

MOST_BODY: Final = 10_000_000
"""Bytes of a request with texts: 5 MB of text may be more as JSON."""
MOST_UPLOAD: Final = 25_000_000
_WIDEST: Final = 4_000
"""Pixels of a picture."""


class RequestError(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


async def body_of(request: Request, most: int) -> bytes:
    """Return the body of a request. Raises RequestError if it is larger."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            raise RequestError(413, f"this is more than {most // 1_000_000} MB")
    return bytes(body)


async def body_as(request: Request, sort: type[T]) -> T:
    """Return the body of a request as a value. Raises RequestError if it is malformed."""
    try:
        return msgspec.json.decode(await body_of(request, MOST_BODY), type=sort)
    except msgspec.MsgspecError as error:
        raise RequestError(400, str(error)) from error


def as_json(value: Any, status: int = 200) -> Response:
    """Return an answer."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def width_of(request: Request) -> int:
    """Return the width in pixels that a request for a picture names. Raises RequestError."""
    given = request.query_params.get("w", "")
    if not given.isdecimal() or not 0 < int(given) <= _WIDEST:
        raise RequestError(400, f"w is the width of the picture, 1 to {_WIDEST} pixels")
    return int(given)

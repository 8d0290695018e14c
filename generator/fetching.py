"""Fetches published tables. Only `gridpress pull` does, and only what a project's files name."""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from http.client import HTTPException, HTTPMessage
from typing import IO, Final
from urllib.parse import urljoin, urlsplit

from generator.diagnostics import Diagnostic, GridpressError, Span

MAX_FETCHED: Final = 5_000_000
SECONDS: Final = 60.0
"""The longest that a table may take; a server that says nothing is waited for a third of it."""
_MOST_REDIRECTS: Final = 5
_AT_ONCE: Final = 1 << 16
_HERE: Final = ("localhost", "127.0.0.1", "::1")
_SHEET: Final = re.compile(
    r"(https://docs\.google\.com/spreadsheets/d/[\w-]+)/(?:edit|view)?[^#]*(?:#.*?gid=(\d+))?.*"
)
_TITLE: Final = re.compile(rb"<title[^>]*>([^<]{1,200})", re.IGNORECASE)
_SORTS: Final = ("text/", "application/json", "application/csv", "application/octet-stream",
                 "application/vnd.openxmlformats", "application/vnd.ms-excel")  # fmt: skip
_PUBLISH: Final = (
    "it may ask for a login; in Google Sheets, File > Share > Publish to web, choose the sheet and "
    '"Comma-separated values", and take that address'
)


def fetched(url: str, span: Span) -> bytes:
    """Return what is at an address that is written at `span`.

    Raises GridpressError (GP114) for what is no table, takes too long or is too large, and for
    addresses other than https (http on this computer).
    """
    start = time.monotonic()
    address = _address(url)
    _check(address, span)
    handlers: list[urllib.request.BaseHandler] = [_Redirects(address, span)]
    if urlsplit(address).hostname in _HERE:
        handlers.append(urllib.request.ProxyHandler({}))
    opener = urllib.request.build_opener(*handlers)
    request = urllib.request.Request(address, headers={"User-Agent": "gridpress"})  # noqa: S310
    try:
        with opener.open(request, timeout=SECONDS / 3) as answer:
            content = _read(answer, start, span)
            sort = answer.headers.get_content_type()
            length = answer.headers.get("Content-Length", "")
    except urllib.error.HTTPError as error:
        error.close()
        hint = "is it published, and is the address complete?"
        if error.code in (401, 403):
            hint = _PUBLISH
        message = f"the server answers {error.code} {error.reason}".rstrip()
        raise _refused(span, message, hint) from error
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        hint = "is this computer online? the file from before is unchanged"
        raise _refused(span, f"the table cannot be fetched: {reason}", hint) from error
    if length.isdecimal() and len(content) < int(length):
        raise _refused(span, "the connection broke off", "try again")
    if sort in ("text/html", "application/xhtml+xml") or content.lstrip()[:1] == b"<":
        title = _TITLE.search(content)
        called = f" ({title[1].decode('utf-8', 'replace').strip()!r})" if title else ""
        raise _refused(span, f"this is a web page{called}, not a table", _PUBLISH)
    if not sort.startswith(_SORTS):
        raise _refused(span, f"this is {sort}, not a table", "give the address of a CSV file")
    if not content.strip():
        raise _refused(span, "the server sends nothing", "is the sheet empty?")
    return content


def _address(url: str) -> str:
    """The address of a sheet's CSV where that of its page in a browser is given."""
    found = _SHEET.fullmatch(url)
    if found is None or "output=" in url or "format=" in url or "/pub" in url:
        return url
    return f"{found[1]}/export?format=csv" + (f"&gid={found[2]}" if found[2] else "")


def _check(address: str, span: Span) -> None:
    try:
        parts = urlsplit(address)
        is_here, scheme = parts.hostname in _HERE, parts.scheme.lower()
        has_secret = bool(parts.username or parts.password)
    except ValueError as error:
        raise _refused(span, f"{address!r} is no address", "write https://…") from error
    if not parts.hostname or not (scheme == "https" or (scheme == "http" and is_here)):
        message = f"{address!r} is not fetched: only https:// is"
        raise _refused(span, message, "write the address that begins with https://")
    if has_secret:
        raise _refused(span, "the address has a password in it", "publish the table without one")


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows a few redirects, none of them to this computer from elsewhere."""

    max_redirections = _MOST_REDIRECTS

    def __init__(self, first: str, span: Span) -> None:
        self._is_here = urlsplit(first).hostname in _HERE
        self._span = span

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str,
        headers: HTTPMessage, newurl: str,
    ) -> urllib.request.Request | None:  # fmt: skip
        """Return the next request; raises GridpressError for an address that is not fetched."""
        target = urljoin(req.full_url, newurl)
        is_refused = True
        try:
            _check(target, self._span)
            if urlsplit(target).hostname in _HERE and not self._is_here:
                raise _refused(
                    self._span, "the server sends us to this computer", "ask the people who run it"
                )
            is_refused = False
        finally:
            if is_refused:
                fp.close()
        return super().redirect_request(req, fp, code, msg, headers, target)


def _read(answer: IO[bytes], start: float, span: Span) -> bytes:
    content = b""
    while block := answer.read1(_AT_ONCE):  # type: ignore[attr-defined]
        content += block
        if len(content) > MAX_FETCHED:
            raise _refused(span, "the table has more than 5 MB", "split it into several")
        if time.monotonic() - start > SECONDS:
            raise _refused(span, f"the table takes more than {SECONDS:.0f} seconds", "try again")
    return content


def _refused(span: Span, message: str, hint: str) -> GridpressError:
    return GridpressError(Diagnostic(span, "GP114", message, hint))

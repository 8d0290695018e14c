"""Lets in only the browser that was given the address, and only from this computer."""

from __future__ import annotations

import hmac
import secrets
from typing import Final

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK: Final = "127.0.0.1"
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'{nonce}; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Access:
    """ASGI middleware that checks Host, Origin and the cookie of every request.

    The address that is opened first has the secret in it, and sets the cookie. Cookies are not kept
    apart by ports, so its name has the port.
    """

    def __init__(self, app: ASGIApp, secret: str, port: int) -> None:
        self._app = app
        self._secret = secret
        self._cookie = f"gridpress-{port}"
        self._hosts = {f"{LOOPBACK}:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        await self._app(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the answer to a request that does not get through."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host not in self._hosts:
            return _refused("this address is not the studio's")
        if headers.get("origin", f"http://{host}") != f"http://{host}":
            return _refused("requests from other pages are refused")
        if scope["path"] == "/" and scope["method"] == "GET":
            given = QueryParams(scope["query_string"]).get("key")
            if given is not None and self._is_secret(given):
                answer = RedirectResponse("/", 303)
                answer.set_cookie(self._cookie, self._secret, httponly=True, samesite="strict")
                return answer
        if not self._is_secret(cookie_parser(headers.get("cookie", "")).get(self._cookie, "")):
            return _refused("open the address that `gridpress studio` has printed")
        return None

    def _is_secret(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._secret.encode())


def new_secret() -> str:
    """Return a secret for one run."""
    return secrets.token_urlsafe(24)


def policy(nonce: str = "") -> str:
    """Return the Content-Security-Policy of an answer; CodeMirror's styles need a nonce."""
    return _POLICY.format(nonce=f" 'nonce-{nonce}'" if nonce else "")


def _refused(words: str) -> Response:
    return JSONResponse({"error": words}, 403)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Content-Security-Policy", policy())
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending

"""Only the browser that was given the address gets in."""

from pathlib import Path

import httpx
import pytest
from studio.studio_life import run_apart

from generator.studio.access import Access
from generator.studio.app import studio_app
from generator.studio.host import Studio
from generator.studio.nursery import Nursery

SECRET = "only-for-this-test"
HOST = "127.0.0.1:4711"
COOKIE = {"cookie": f"gridpress-4711={SECRET}"}


def asked(path: str, method: str = "GET", **more: object) -> httpx.Response:
    async def ask() -> httpx.Response:
        app = Access(studio_app(Studio(Path("/nowhere"), Nursery())), SECRET, 4711)
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            return await client.request(method, path, **more)  # type: ignore[arg-type]

    return run_apart(ask())


def test_the_address_with_the_secret_sets_a_cookie_that_scripts_cannot_read() -> None:
    answer = asked(f"/?key={SECRET}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("httponly", "samesite=strict", "gridpress-4711="))


@pytest.mark.parametrize("path", ["/", "/?key=wrong", "/static/index.html", "/api/events"])
def test_nobody_gets_in_without_the_secret(path: str) -> None:
    assert asked(path).status_code == 403
    assert asked(path, headers={"cookie": "gridpress-4711=wrong"}).status_code == 403


@pytest.mark.parametrize(
    "headers", [{"host": "evil.example:4711"}, {"origin": "http://evil.example"}, {"host": ""}]
)
def test_other_hosts_and_origins_are_refused(headers: dict[str, str]) -> None:
    assert asked("/api/undo", "POST", json={}, headers={**COOKIE, **headers}).status_code == 403


def test_answers_forbid_what_the_page_does_not_need() -> None:
    answer = asked("/", headers=COOKIE)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    nonce = policy.partition("'nonce-")[2].partition("'")[0]
    assert nonce
    assert f'content="{nonce}"' in answer.text
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "no-store" in asked("/api/hello", headers=COOKIE).headers["cache-control"]


def test_a_body_larger_than_any_text_is_refused() -> None:
    answer = asked("/api/edit", "POST", content=b" " * 11_000_000, headers=COOKIE)
    assert answer.status_code == 413


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"edits": 3}'])
def test_a_request_that_makes_no_sense_is_answered_in_words(body: bytes) -> None:
    answer = asked("/api/edit", "POST", content=body, headers=COOKIE)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_without_a_project_requests_say_so() -> None:
    edit = {"edits": [{"file": "a", "text": "b"}]}
    answer = asked("/api/edit", "POST", json=edit, headers=COOKIE)
    assert (answer.status_code, answer.json()) == (400, {"error": "no project is open"})

"""Tables on the web are saved to files: every sort, from a server on this computer."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from generator import fetching
from generator.cli import run
from generator.diagnostics import GridpressError, Span
from generator.fetching import fetched

AT = Span("cards.yaml", 2, 13)
ANSWERS: dict[str, tuple[int, str, bytes]] = {
    "/cards.csv": (200, "text/csv; charset=utf-8", b"name,cost\nTower,1\nRiver,2\n"),
    "/login": (200, "text/html", b"<html><title>Sign in</title>"),
    "/page.csv": (200, "text/csv", b"\n<!doctype html><title>Sign in</title>"),
    "/picture": (200, "image/png", b"\x89PNG"),
    "/empty": (200, "text/csv", b" \n"),
    "/large": (200, "text/csv", b"x" * 2_000),
    "/gone": (404, "text/plain", b""),
    "/closed": (403, "text/plain", b""),
    "/quotes": (200, "text/csv", b'name\n"a'),
}


class _Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path.startswith("/to"):
            self.send_response(302)
            target = {
                "/to": "/cards.csv",
                "/to-round": "/to-round",
                "/to-file": "file:///etc/hosts",
            }
            self.send_header("Location", target.get(self.path, "http://example.org/x.csv"))
            self.end_headers()
            return
        status, sort, content = ANSWERS[self.path]
        self.send_response(status)
        self.send_header("Content-Type", sort)
        short = self.path == "/large"
        self.send_header("Content-Length", str(len(content) + 9 * short))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Server) as found:
        thread = threading.Thread(target=found.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{found.server_port}"
        found.shutdown()


def test_a_table_is_fetched_by_way_of_a_redirect(server: str) -> None:
    assert fetched(f"{server}/cards.csv", AT) == ANSWERS["/cards.csv"][2]
    assert fetched(f"{server}/to", AT) == ANSWERS["/cards.csv"][2]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/login", "this is a web page ('Sign in'), not a table"),
        ("/page.csv", "this is a web page ('Sign in'), not a table"),
        ("/picture", "this is image/png, not a table"),
        ("/empty", "the server sends nothing"),
        ("/large", "the connection broke off"),
        ("/gone", "the server answers 404 Not Found"),
        ("/closed", "the server answers 403 Forbidden"),
        ("/to-round", "302"),
        ("/to-file", "302"),
        ("/to-elsewhere", "only https:// is"),
    ],
)
def test_what_is_no_table_is_named(path: str, said: str, server: str) -> None:
    with pytest.raises(GridpressError) as caught:
        fetched(server + path, AT)
    (told,) = caught.value.diagnostics
    assert (told.code, told.span, said in told.message) == ("GP114", AT, True)


def test_limits_of_size_and_time(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "MAX_FETCHED", 10)
    with pytest.raises(GridpressError, match="more than 5 MB"):
        fetched(f"{server}/cards.csv", AT)
    monkeypatch.undo()
    monkeypatch.setattr(fetching, "SECONDS", 0.0001)
    with pytest.raises(GridpressError):
        fetched(f"{server}/cards.csv", AT)


@pytest.mark.parametrize(
    "url",
    ["http://example.org/x.csv", "file:///etc/hosts", "ftp://localhost/x", "https://", "x.csv",
     "https://me:secret@example.org/x.csv", "http://localhost.example.org/", "https://[x/"],
)  # fmt: skip
def test_only_https_is_fetched(url: str) -> None:
    with pytest.raises(GridpressError) as caught:
        fetched(url, AT)
    assert caught.value.diagnostics[0].code == "GP114"


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("/edit?usp=sharing", "/export?format=csv"),
        ("/edit#gid=77", "/export?format=csv&gid=77"),
        ("/edit?gid=77#gid=77", "/export?format=csv&gid=77"),
        ("/export?format=csv&gid=3", "/export?format=csv&gid=3"),
    ],
)
def test_the_page_of_a_sheet_is_asked_for_its_table(url: str, asked: str) -> None:
    sheet = "https://docs.google.com/spreadsheets/d/1a-B_c"
    assert fetching._address(sheet + url) == sheet + asked
    published = "https://docs.google.com/spreadsheets/d/e/2PACX/pub?output=csv"
    assert fetching._address(published) == published


def test_pull_writes_tables_of_packs_and_says_what_changed(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cards.csv").write_text("name,cost\nTower,3\n", "utf-8")
    assert run(["import", "cards.csv"]) == 0
    rows = Path("cards/my-cards/cards.yaml")
    text = rows.read_text("utf-8")
    rows.write_text(
        text.replace("cards.csv", f"{{url: {server}/cards.csv, file: web.csv}}"), "utf-8"
    )
    capsys.readouterr()
    assert run(["check"]) == 1
    assert (
        "there is no file 'web.csv' here yet\n    gridpress pull fetches it"
        in capsys.readouterr().err
    )
    assert run(["pull"]) == 0
    assert capsys.readouterr().out == "cards/my-cards/web.csv: 2 rows, new\n"
    assert run(["check"]) == 0
    assert run(["pull", "my-cards"]) == 0
    assert capsys.readouterr().out.endswith("cards/my-cards/web.csv: 2 rows, as before\n")
    monkeypatch.setitem(ANSWERS, "/cards.csv", (200, "text/csv", b"name,cost\nTower,1\nGate,2\n"))
    assert run(["pull"]) == 0
    assert "2 rows, 1 of them new or changed, 1 gone or changed" in capsys.readouterr().out
    before = Path("cards/my-cards/web.csv").read_bytes()
    for path in ("/login", "/quotes"):
        monkeypatch.setitem(ANSWERS, "/cards.csv", ANSWERS[path])
        assert run(["pull"]) == 1
        assert Path("cards/my-cards/web.csv").read_bytes() == before

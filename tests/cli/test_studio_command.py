"""`gridpress studio` as a process: its address, its end, and what a kill leaves."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from generator.cli.studio_command import pack_at
from generator.starters import start_pack

CARDS = "cards/duel/cards.yaml"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="ends processes by signals")


@contextmanager
def studio(folder: Path) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """Run the command in a process group of its own, with a browser that has opened its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "generator", "studio", str(folder), "--no-open"],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout
    try:
        address = re.search(r"http\S+", process.stdout.readline())
        assert address
        with httpx.Client(base_url=address[0].partition("/?")[0], timeout=30) as client:
            assert client.get("/").status_code == 403
            assert client.get(address[0], follow_redirects=True).status_code == 200
            yield process, client
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


def hello(client: httpx.Client) -> dict[str, Any]:
    with client.stream("GET", "/api/events") as answer:
        line = next(line for line in answer.iter_lines() if line)
    told: dict[str, Any] = json.loads(line.removeprefix("data: "))
    return told


def test_ctrl_c_saves_and_ends_with_an_open_tab_and_a_kill_loses_nothing(tmp_path: Path) -> None:
    start_pack(tmp_path, "duel")
    edit = {"edits": [{"file": CARDS, "text": "first"}]}
    with studio(tmp_path) as (process, client), client.stream("GET", "/api/events"):
        assert client.post("/api/edit", json=edit).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    assert (tmp_path / CARDS).read_text() == "first"
    edit = {"edits": [{"file": CARDS, "text": "second"}]}
    with studio(tmp_path) as (process, client):
        assert client.post("/api/edit", json=edit).status_code == 200
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert (tmp_path / CARDS).read_text() == "first"
    with studio(tmp_path) as (_, client):
        assert hello(client)["recovered"] == [CARDS]
        assert client.get("/api/file", params={"path": CARDS}).json()["text"] == "second"


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    start_pack(tmp_path, "duel")
    with studio(tmp_path) as (_, client):
        command = [sys.executable, "-m", "generator", "studio", str(tmp_path), "--no-open"]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        port = str(client.base_url.port)
        second = subprocess.run(
            [*command, "--port", port], capture_output=True, text=True, env=env, check=False
        )
        assert (second.returncode, second.stdout) == (1, "")
        assert "--port" in second.stderr


def test_a_folder_without_a_pack_begins_with_start_or_opens_the_only_project_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first/notes").mkdir(parents=True)
    assert pack_at("first") is None
    assert Path.cwd() == tmp_path / "first"  # where Start offers to keep a deck
    start_pack(tmp_path / "first/moor", "moor")
    found = pack_at(".")
    assert found is not None
    assert (found.project.root, found.pack) == (tmp_path / "first/moor", "moor")
    start_pack(tmp_path / "first/heath", "heath")
    assert pack_at(".") is None

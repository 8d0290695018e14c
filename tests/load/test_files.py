"""Files and folders that the operating system refuses."""

import os
from pathlib import Path

import pytest

from generator.diagnostics import Diagnostic, Span
from generator.load import read_document


def fault_of(path: Path) -> Diagnostic:
    outcome = read_document(path, "cards.yaml")
    assert outcome.value is None
    (fault,) = outcome.diagnostics
    assert (fault.code, fault.span) == ("GP002", Span("cards.yaml"))
    return fault


def test_a_missing_file(tmp_path: Path) -> None:
    assert "it does not exist" in fault_of(tmp_path / "none.yaml").message


def test_a_folder(tmp_path: Path) -> None:
    assert "is a folder" in fault_of(tmp_path).message


def test_a_link_to_itself(tmp_path: Path) -> None:
    path = tmp_path / "loop.yaml"
    path.symlink_to(path)
    assert "a link that leads to itself" in fault_of(path).message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    assert "not an ordinary file" in fault_of(tmp_path / "pipe.yaml").message


def test_a_name_that_cannot_be(tmp_path: Path) -> None:
    assert "not possible" in fault_of(tmp_path / "a\0b.yaml").message
    assert "too long" in fault_of(tmp_path / ("x" * 5000)).message


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text("a: 1")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    # chmod would not stop a test that runs as root
    monkeypatch.setattr(Path, "open", refuse)
    assert "no permission" in fault_of(path).message

"""Every fault that an author can make gives its diagnostic: file, line, column, severity, code.

A case of fixtures/faults/cases.yaml is a small good project (`base`) with one fault added, and the
exact findings that it must give.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.build import Order, lay_out
from generator.diagnostics import Diagnostic, GridpressError, in_order
from generator.project import find_targets

FAULTS = Path(__file__).parent / "fixtures/faults"
CASES: dict[str, dict[str, Any]] = yaml.safe_load((FAULTS / "cases.yaml").read_text("utf-8"))


def project(folder: Path, case: Mapping[str, Any]) -> Path:
    """Write the good project to a folder, with the case's fault in it."""
    shutil.copytree(FAULTS / "base", folder, dirs_exist_ok=True)
    if "with" in case:
        shutil.copytree(FAULTS / case["with"], folder, dirs_exist_ok=True)
    for path, source in case.get("put", {}).items():
        shutil.copy(FAULTS / source, folder / path)
    for path, text in case.get("write", {}).items():
        (folder / path).write_text(text, "utf-8")
    for path, changes in case.get("patch", {}).items():
        text = (folder / path).read_text("utf-8")
        for old, new in changes.items():
            assert text.count(old) == 1, f"{path}: {old!r} does not stand there once"
            text = text.replace(old, new)
        (folder / path).write_text(text, "utf-8")
    return folder


def findings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Diagnostic, ...]:
    monkeypatch.chdir(folder)
    try:
        return in_order(lay_out(find_targets(["."])[0], Order()).diagnostics)
    except GridpressError as error:
        return in_order(error.diagnostics)


@pytest.mark.parametrize("case", CASES)
def test_a_fault_gives_its_diagnostic(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = findings(project(tmp_path, CASES[case]), monkeypatch)
    assert [f"{d.span}: {d.severity}[{d.code}]" for d in found] == CASES[case]["found"]
    assert all(d.hint for d in found), "a hint says what to do"


def test_the_project_without_a_fault_has_no_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert findings(project(tmp_path, {}), monkeypatch) == ()


def test_a_folder_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project(tmp_path, {})
    forbidden = folder / "cards/mini/kinds"
    real = os.scandir

    def scandir(path: int | str | os.PathLike[str] = ".") -> object:
        # File modes do not stop root, which may run the tests.
        if os.path.samestat(os.stat(path), os.stat(forbidden)):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = findings(folder, monkeypatch)
    assert [(d.span.file, d.code) for d in found] == [("cards/mini/kinds", "GP002")]

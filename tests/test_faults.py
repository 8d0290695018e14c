"""Every fault that an author can make gives its diagnostic: file, line, column, severity, code.

A case under fixtures/faults/ is a small good project (`base`) with one fault laid over it, and
`expected.txt` with the findings that it must give, no more and no fewer.
"""

import os
import shutil
from pathlib import Path

import pytest

from generator.diagnostics import Diagnostic, GridpressError, in_order
from generator.order import Order
from generator.prepress import lay_out
from generator.project import find_targets

FAULTS = Path(__file__).parent / "fixtures/faults"
CASES = sorted(path.name for path in FAULTS.iterdir() if path.is_dir() and path.name != "base")


def project(case: str, folder: Path) -> Path:
    shutil.copytree(FAULTS / "base", folder, dirs_exist_ok=True)
    if case != "base":
        ignored = shutil.ignore_patterns("expected.txt")
        shutil.copytree(FAULTS / case, folder, dirs_exist_ok=True, ignore=ignored)
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
    found = findings(project(case, tmp_path), monkeypatch)
    said = "".join(f"{d.span}: {d.severity}[{d.code}]\n" for d in found)
    assert said == (FAULTS / case / "expected.txt").read_text(encoding="utf-8"), found
    assert all(d.hint for d in found), "a hint says what to do"


def test_the_project_without_a_fault_has_no_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert findings(project("base", tmp_path), monkeypatch) == ()


def test_a_folder_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project("base", tmp_path)
    forbidden = folder / "cards/mini/kinds"
    real = os.scandir

    def scandir(path: int | str | os.PathLike[str] = ".") -> object:
        # The tests may run as root, whom no file mode keeps out.
        if os.path.samestat(os.stat(path), os.stat(forbidden)):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = findings(folder, monkeypatch)
    assert [(d.span.file, d.code) for d in found] == [("cards/mini/kinds", "GP002")]

import io
import itertools
import os
import signal
import struct
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pikepdf
import pytest
from msgspec.structs import replace
from PIL import Image
from preflight.tampering import found, tamper, tell

from generator.cli import OUR_BUG, run
from generator.diagnostics import CODES, Span
from generator.model.manifest import Manifest
from generator.preflight import (
    CHECKS,
    checks,
    inspection,
    manifest_reader,
    pdf_limits,
    preflight,
    preflight_build,
    scan_workers,
)
from generator.preflight.checking import Finding, Subject


@pytest.mark.parametrize("kind", ["duplex", "folded", "turned", "fronts"])
def test_a_good_file_is_left_in_peace(request: pytest.FixtureRequest, kind: str) -> None:
    path: Path = request.getfixturevalue(kind)
    outcome = preflight(path)
    assert outcome.diagnostics == ()
    assert outcome.checks == titles(manifest=True)


def titles(*, manifest: bool) -> tuple[str, ...]:
    """Of the checks that are for such a file."""
    return tuple(c.title for c in CHECKS if c.is_for(manifest=manifest, profile=False))


def test_the_report_counts_what_was_looked_at(duplex: Path) -> None:
    report = preflight(duplex)
    assert (report.pages, report.faces) == (2, 8)


def test_without_a_manifest_the_file_alone_is_checked(duplex: Path) -> None:
    (duplex.parent / "manifest.json").unlink()
    outcome = preflight(duplex)
    assert outcome.diagnostics == ()
    assert outcome.checks == titles(manifest=False)


def test_a_manifest_may_be_somewhere_else(duplex: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "told.json"
    (duplex.parent / "manifest.json").rename(elsewhere)
    assert preflight(duplex, elsewhere).checks == titles(manifest=True)


@pytest.mark.skipif(os.name != "posix", reason="makes links")
def test_a_manifest_that_takes_too_much_memory_is_named(
    duplex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_: bytes) -> Manifest:
        raise MemoryError

    monkeypatch.setattr(manifest_reader, "read_manifest", read)
    told = preflight(duplex).diagnostics[0]
    assert (told.code, told.span.file) == ("GP009", str(duplex.with_name("manifest.json")))


def test_what_another_program_lists_is_known_by_the_names_in_it_alone(tmp_path: Path) -> None:
    for content, is_anothers in (
        (b'{"outlet": "x", "files": []}', True),
        (b'{"packages": [1]}', True),
        (b'{"gridpress": 1}', False),
        (b"[]", False),
        (b"{", False),
        (b'{"a": ' + b"[" * 100_000, False),
    ):
        (tmp_path / "manifest.json").write_bytes(content)
        reader = manifest_reader.ManifestReader(tmp_path / "manifest.json", named=False)
        assert reader.fault is not None
        assert reader.is_anothers == is_anothers


def test_a_manifest_that_is_a_link_is_followed_only_if_named(duplex: Path, tmp_path: Path) -> None:
    elsewhere, beside = tmp_path / "told.json", duplex.parent / "manifest.json"
    beside.rename(elsewhere)
    beside.symlink_to(elsewhere)
    assert found(duplex) == [("GP002", 1)]
    assert found(duplex, beside) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe")
def test_a_manifest_that_is_no_file_is_not_passed_over(duplex: Path) -> None:
    (duplex.parent / "manifest.json").unlink()
    os.mkfifo(duplex.parent / "manifest.json")
    assert found(duplex) == [("GP002", 1)]


def test_a_manifest_that_is_asked_for_and_gone_is_told_of(duplex: Path) -> None:
    assert found(duplex, duplex.parent / "gone.json") == [("GP002", 1)]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"not json", "GP806"),
        (b"\xff\xfe", "GP806"),
        (b"[]", "GP806"),
        (b'{"files": [{"file": "cards-a4.pdf"}]}', "GP806"),
        (b'{"files": [{"file": "card-a4.pdf"}]}', "GP806"),
        (b"[" * 100_000, "GP806"),
    ],
)
def test_a_spoilt_manifest_is_one_finding(duplex: Path, content: bytes, code: str) -> None:
    (duplex.parent / "manifest.json").write_bytes(content)
    assert found(duplex) == [(code, 1)]


def test_a_manifest_of_other_files_names_the_nearest(duplex: Path) -> None:
    tell(duplex, lambda file: file.update(file="card-a4.pdf"))
    [finding] = preflight(duplex).diagnostics
    assert finding.hint == "did you mean 'card-a4.pdf'?"


@pytest.mark.parametrize("size", [0, 4, 100, 5000, -9, -200])
def test_a_file_that_is_cut_short_is_one_finding(duplex: Path, size: int) -> None:
    whole = duplex.read_bytes()
    duplex.write_bytes(whole[:size])
    assert found(duplex) == [("GP808", 1)]


def test_a_damaged_jpeg_is_told_without_the_path_that_is_told_before_it(tmp_path: Path) -> None:
    saved = io.BytesIO()
    Image.radial_gradient("L").save(saved, "JPEG")
    content = saved.getvalue()
    path = tmp_path / "cards.pdf"
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(90, 90))
        picture = pikepdf.Stream(pdf, content[: len(content) // 2] + b"\xff\xd9")
        picture.Type, picture.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
        picture.Width = picture.Height = 256
        picture.ColorSpace, picture.BitsPerComponent = pikepdf.Name.DeviceGray, 8
        picture.Filter = pikepdf.Name.DCTDecode
        pdf.pages[0].Resources = pikepdf.Dictionary(XObject={"/P": picture})
        pdf.pages[0].Contents = pikepdf.Stream(pdf, b"90 0 0 90 0 0 cm /P Do")
        pdf.save(path)
    (told,) = [found for found in preflight(path).diagnostics if "JPEG" in found.message]
    assert told.message.startswith("the file is damaged: error decoding")
    assert "save it again" in told.hint


def test_a_file_with_a_spoilt_stream_is_one_finding(duplex: Path) -> None:
    whole = bytearray(duplex.read_bytes())
    start = whole.index(b"stream\n", len(whole) // 2) + 20
    whole[start : start + 40] = bytes(40)
    duplex.write_bytes(whole)
    assert found(duplex) == [("GP808", 1)]


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n", b"hello", b"%PDF-1.7\n%%EOF"])
def test_what_is_not_a_pdf_is_one_finding(duplex: Path, content: bytes) -> None:
    duplex.write_bytes(content)
    assert found(duplex) == [("GP808", 1)]


@pytest.mark.parametrize("user", ["", "secret"])
def test_an_encrypted_file_is_one_finding(duplex: Path, user: str) -> None:
    with pikepdf.open(duplex, allow_overwriting_input=True) as pdf:
        pdf.save(duplex, encryption=pikepdf.Encryption(owner="owner", user=user))
    [finding] = preflight(duplex).diagnostics
    assert finding.code == "GP808"
    assert "encrypted" in finding.message


def test_a_file_that_is_not_there_or_a_folder_is_one_finding(tmp_path: Path) -> None:
    assert found(tmp_path / "gone.pdf") == [("GP002", 1)]
    assert found(tmp_path) == [("GP002", 1)]


@pytest.mark.parametrize("key", ["/Contents", "/Resources", "/MediaBox", "/TrimBox"])
@pytest.mark.parametrize("value", [3, pikepdf.String("no"), pikepdf.Array([1])])
def test_odd_things_in_a_page_never_raise(duplex: Path, key: str, value: object) -> None:
    tamper(duplex, lambda pdf: pdf.pages[0].obj.__setitem__(key, value))
    assert any(not d.code.startswith("GP0") for d in preflight(duplex).diagnostics)


def test_the_table_has_every_check_once_and_codes_that_are_known() -> None:
    assert len({check.run for check in CHECKS}) == len(CHECKS)
    assert {check.code for check in CHECKS} <= CODES.keys()


@pytest.mark.usefixtures("copied_workers")
def test_a_page_that_breaks_its_process_down_is_told_of_and_others_are_looked_at(
    duplex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = scan_workers.look

    def crash_at_the_second(task: scan_workers.ScanTask) -> Sequence[scan_workers.Observation]:
        if any(item.page == 2 for item in task.items):
            os.kill(os.getpid(), signal.SIGKILL)
        return look(task)

    monkeypatch.setattr(scan_workers, "look", crash_at_the_second)
    report = preflight(duplex)
    [fault] = report.diagnostics
    assert (fault.code, fault.span.line) == ("GP872", 2), fault.message
    assert len(report.ink) == 1  # of the first page


@pytest.mark.usefixtures("copied_workers")
def test_after_a_page_that_takes_too_long_nothing_is_tried_again(
    duplex: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, tries = scan_workers.look, tmp_path / "tries"

    def take_too_long(task: scan_workers.ScanTask) -> Sequence[scan_workers.Observation]:
        with tries.open("a") as file:
            file.write(f"{type(task.items[0]).__name__}\n")
        if isinstance(task.items[0], scan_workers.WholePage):
            os.kill(os.getpid(), signal.SIGXCPU)
        return look(task)

    def mark(pdf: pikepdf.Pdf) -> None:
        for page in pdf.pages:
            page.contents_add(b"0 0 9 9 re W n /P sh")
            page.Resources.Shading = pikepdf.Dictionary()

    tamper(duplex, mark)
    monkeypatch.setattr(scan_workers, "look", take_too_long)
    report = preflight(duplex, jobs=1)
    [told] = [finding for finding in report.findings if finding.code == "GP872"]
    assert [finding.page for finding in (told, *told.others)] == [1, 2]
    assert tries.read_text().split() == ["WholePage"]


def test_a_check_that_breaks_down_is_one_finding_of_a_strangers_file(
    duplex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(_: object) -> Iterator[Finding]:
        raise struct.error("unpack requires a buffer of 2 bytes")
        yield

    odd = replace(CHECKS[0], run=break_down)
    monkeypatch.setattr(inspection, "CHECKS", (odd, *CHECKS[1:]))
    [fault] = preflight(duplex).diagnostics
    assert "nobody can tell whether ‘every page is the size of its paper" in fault.message
    assert [found.code for found in preflight(duplex, own=True).findings] == ["GP010"]


def test_a_check_that_is_wrong_itself_is_a_bug_and_the_others_tell_what_they_find(
    duplex: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def break_down(_: object) -> Iterator[Finding]:
        return iter({}["gone"])

    tamper(duplex, lambda pdf: pdf.pages[0].__delitem__("/TrimBox"))
    wrong = [replace(check, run=break_down) for check in CHECKS if check.code in ("GP801", "GP821")]
    rest = [check for check in CHECKS if check.code not in ("GP801", "GP821")]
    for module in (inspection, checks):
        monkeypatch.setattr(module, "CHECKS", (*wrong, *rest))
    assert {code for code, _ in found(duplex)} == {"GP802", "GP010"}
    monkeypatch.setattr(click, "get_app_dir", lambda _: str(duplex.parent / "app"))
    assert run(["preflight", str(duplex), "--no-cache"]) == OUR_BUG
    assert "so nobody can tell whether no text is too small (KeyError)" in capsys.readouterr().err
    assert (duplex.parent / "app/crash.log").read_text().count("in break_down") == 1


def test_a_check_that_breaks_down_over_an_object_of_the_file_says_that_it_is_damaged(
    duplex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(subject: Subject) -> Iterator[Finding]:
        box = subject.pdf.pages[0].obj["/MediaBox"]
        yield Finding("GP801", str(box["/Width"]))

    monkeypatch.setattr(inspection, "CHECKS", (replace(CHECKS[0], run=break_down), *CHECKS[1:]))
    [fault] = preflight(duplex).diagnostics
    assert fault.code == "GP808"
    assert "nobody can tell whether ‘every page is the size of its paper" in fault.message


def test_what_stops_the_checks_of_a_build_is_told_where_the_pack_asks_for_the_file(
    duplex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_limits, "MOST_DRAWN", 10)
    asked = Span("cards/mini/pack.yaml", 5, 3)
    build = preflight_build(duplex.parent, places={duplex.name: asked})
    [fault] = build.reports[0].diagnostics
    assert (fault.code, fault.span) == ("GP808", asked)
    assert fault.message.startswith(f"{duplex.name}: page 1: ")
    assert fault.hint.startswith("draw less")


def test_findings_are_listed_up_to_a_number(duplex: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def complain(_: object) -> Iterator[Finding]:
        return (Finding("GP801", f"fault {number}") for number in itertools.count())

    monkeypatch.setattr(inspection, "CHECKS", (replace(CHECKS[0], run=complain),))
    report = preflight(duplex)
    assert [(f.code, f.times) for f in report.findings] == [
        ("GP801", inspection.MOST_FINDINGS),
        ("GP873", 1),
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes in folders")
def test_a_pipe_is_no_file_to_wait_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "cards-a4.pdf")
    assert found(tmp_path / "cards-a4.pdf") == [("GP002", 1)]

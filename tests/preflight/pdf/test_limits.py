"""Files that cannot be checked, or only with far too much work, end in one clear finding."""

from __future__ import annotations

import functools
import os
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf
from preflight.pdf.made import card, findings, told

from generator import limits, workers
from generator.diagnostics import Severity
from generator.preflight.pdf import check_pdf, pdf_check


def no_pdf(path: Path) -> None:
    path.write_bytes(b"%PDF-1.7\nno more than words")


def cut_short(path: Path) -> None:
    card(path)
    path.write_bytes(path.read_bytes()[:-30])


def without_pages(path: Path) -> None:
    with Pdf.new() as pdf:
        pdf.save(path)


def locked(path: Path) -> None:
    card(path)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.save(path, encryption=pikepdf.Encryption(user="secret", owner="secret"))


def half_locked(path: Path) -> None:
    card(path)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.save(path, encryption=pikepdf.Encryption(user="", owner="secret"))


def without_size(path: Path) -> None:
    def edit(pdf: Pdf) -> None:
        del pdf.pages[0].obj.MediaBox

    card(path, edit=edit)


def broken_stream(path: Path) -> None:
    def edit(pdf: Pdf) -> None:
        stream = pdf.pages[0].obj.Contents
        stream.write(b"no such packing", filter=Name.FlateDecode)

    card(path, edit=edit)


def in_another_place(path: Path) -> None:
    def edit(pdf: Pdf) -> None:
        pdf.pages[0].obj.Rotate = Name.Upright

    card(path, edit=edit)


def bomb(path: Path) -> None:
    """A content stream of 120 MB, packed twice."""
    squeezer = zlib.compressobj(9, wbits=-15)
    blanks = b" " * 10_000_000
    part = squeezer.compress(blanks) + squeezer.flush(zlib.Z_FULL_FLUSH)
    check = functools.reduce(lambda known, _: zlib.adler32(blanks, known), range(12), 1)
    once = b"\x78\xda" + 12 * part + b"\x03\x00" + check.to_bytes(4, "big")

    def edit(pdf: Pdf) -> None:
        stream = pdf.pages[0].obj.Contents
        filters = Array([Name.FlateDecode, Name.FlateDecode])
        stream.write(zlib.compress(once, 9), filter=filters)

    card(path, edit=edit)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (no_pdf, "the file is damaged"),
        (cut_short, "the file is damaged: its end is missing"),
        (without_pages, "the file has no pages"),
        (locked, "the file is encrypted"),
        (half_locked, "the file is encrypted"),
        (without_size, "the file is damaged"),
        (broken_stream, "the file is damaged"),
        (in_another_place, "the file is damaged"),
        (bomb, "this PDF takes too"),
    ],
)
def test_a_file_that_cannot_be_checked_has_one_finding(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Path], None],
    message: str,
) -> None:
    monkeypatch.setattr(pdf_check, "SECONDS", 3)
    monkeypatch.setattr(limits, "MOST_MEMORY", 50_000_000)  # of the helper, beyond its parent's
    make(tmp_path / "card.pdf")
    [found] = findings(tmp_path / "card.pdf")
    assert (found.code, found.severity) == ("GP808", Severity.ERROR)
    assert found.message.startswith(message)
    assert str(tmp_path) not in found.message


def test_what_is_no_file_cannot_be_read(tmp_path: Path) -> None:
    assert told(tmp_path / "none.pdf") == {"GP002"}
    assert told(tmp_path) == {"GP002"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files here")
def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "card.pdf")
    assert told(tmp_path / "card.pdf") == {"GP002"}


def test_forms_that_draw_each_other_twice_are_followed_once(tmp_path: Path) -> None:
    """Thirty levels would draw a thousand million marks without a limit."""

    def edit(pdf: Pdf) -> None:
        inner = pdf.make_stream(b"0 0 9 9 re f", Subtype=Name.Form, BBox=Array([0, 0, 99, 99]))
        for _ in range(30):
            resources = Dictionary(XObject=Dictionary(X=inner))
            inner = pdf.make_stream(
                b"/X Do q 1 0 0 1 1 1 cm /X Do Q", Subtype=Name.Form,
                BBox=Array([0, 0, 99, 99]), Resources=resources,
            )  # fmt: skip
        pdf.pages[0].obj.Resources = Dictionary(XObject=Dictionary(X=inner))

    assert findings(card(tmp_path / "card.pdf", "/X Do", edit=edit)) == ()


def test_a_form_that_draws_itself_comes_to_an_end(tmp_path: Path) -> None:
    def edit(pdf: Pdf) -> None:
        form = pdf.make_indirect(
            pdf.make_stream(b"/X Do", Subtype=Name.Form, BBox=Array([0, 0, 99, 99]))
        )
        form.Resources = Dictionary(XObject=Dictionary(X=form))
        pdf.pages[0].obj.Resources = Dictionary(XObject=Dictionary(X=form))

    assert findings(card(tmp_path / "card.pdf", "/X Do", edit=edit)) == ()


def spin(_: object) -> object:
    """Work that never ends."""
    while True:
        pass


def test_work_without_an_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_check, "SECONDS", 1)
    monkeypatch.setattr(pdf_check, "_check", spin)
    [found] = check_pdf(card(tmp_path / "card.pdf"))
    assert found.message == "this PDF takes too long to check"


def test_it_is_ended_by_the_clock_where_no_system_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_CLOCK", 0.02)
    monkeypatch.setattr(pdf_check, "_check", lambda _: time.sleep(60))
    [found] = check_pdf(card(tmp_path / "card.pdf"))
    assert found.message == "this PDF takes too long to check"


def test_a_process_that_breaks_down_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_check, "_check", lambda _: os._exit(9))
    [found] = check_pdf(card(tmp_path / "card.pdf"))
    assert found.message.startswith("this PDF is damaged so badly")

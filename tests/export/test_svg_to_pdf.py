import os
import signal
from hashlib import sha256
from pathlib import Path

import pikepdf
import pytest
from export.hand_made import RED, face, text
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from generator import workers
from generator.diagnostics import Span
from generator.export import svg_to_pdf
from generator.export.svg_to_pdf import chunk_count, compile_art, even_chunks
from generator.fonts import own_fonts
from generator.geometry import Size, pt_to_mm
from generator.model.catalogue import Stock
from generator.model.face import Asset, Face

STICKER = Stock("sticker", Size(16, 20.5), bleed=1.5)


def photo(folder: Path, colour: str = RED) -> Asset:
    path = folder / f"photo{colour.strip('#')}.jpg"
    Image.new("RGB", (40, 40), colour).save(path, quality=95)
    return as_found(path)


def as_found(path: Path) -> Asset:
    return Asset("assets/0123456789abcdef.jpg", path, sha256(path.read_bytes()).hexdigest())


def with_photo(asset: Asset) -> Face:
    return face(
        "p", f'<image href="{asset.href}" x="0" y="0" width="63" height="88"/>', assets=(asset,)
    )


def test_each_distinct_face_is_a_page_of_its_trim_and_bleed(tmp_path: Path) -> None:
    faces = [face("a", text("A")), face("b", stock=STICKER), face("c", text("A"))]
    compiled = compile_art(faces, own_fonts(), tmp_path)
    assert compiled.diagnostics == ()
    assert compiled.value.pages == {faces[0].sha256: (0, 0), faces[1].sha256: (0, 1)}
    with pikepdf.open(compiled.value.files[0]) as pdf:
        sizes = [[pt_to_mm(float(v)) for v in page.mediabox[2:]] for page in pdf.pages]
    assert sizes == [pytest.approx([69, 94], abs=1e-4), pytest.approx([19, 23.5], abs=1e-4)]


def test_nothing_to_draw_is_no_file(tmp_path: Path) -> None:
    compiled = compile_art([], own_fonts(), tmp_path)
    assert (compiled.value.files, list(tmp_path.iterdir())) == ((), [])


def test_bytes_do_not_depend_on_the_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.export.svg_to_pdf.ALONE_UP_TO", 2)
    faces = [face(f"card-{n}", text(f"Card {n}")) for n in range(6)]
    bytes_of = []
    for jobs in (1, 2, 3):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        compiled = compile_art(faces, own_fonts(), folder, jobs=jobs).value
        bytes_of.append([file.read_bytes() for file in compiled.files])
    assert len(bytes_of[0]) == 2
    assert bytes_of[0] == bytes_of[1] == bytes_of[2]


def test_progress_ends_at_the_number_of_distinct_faces(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    faces = [face("a"), face("b", text("B")), face("c")]
    compile_art(faces, own_fonts(), tmp_path, progress=lambda *now: told.append(now))
    assert told == [(2, 2)]


def test_scratch_holds_nothing_but_the_pdf(tmp_path: Path) -> None:
    compile_art([face("a")], own_fonts(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["art-0.pdf"]


def test_every_refused_face_is_told_of_where_it_was_defined(tmp_path: Path) -> None:
    bad = '<image href="/etc/passwd.png" width="5" height="5"/>'
    faces = [
        face("a"),
        face("b", bad, line=7),
        face("c", text("C")),
        face("d", bad + "<g/>", line=9),
    ]
    compiled = compile_art(faces, own_fonts(), tmp_path)
    assert not compiled.ok
    assert [(d.code, d.span) for d in compiled.diagnostics] == [
        ("GP703", Span("cards/hand/made.yaml", 7, 3)),
        ("GP703", Span("cards/hand/made.yaml", 9, 3)),
    ]
    assert "front of 'b'" in compiled.diagnostics[0].message
    assert "absolute paths are not allowed" in compiled.diagnostics[0].message
    assert list(tmp_path.iterdir()) == []


def test_svg_that_is_not_well_formed_is_refused(tmp_path: Path) -> None:
    [fault] = compile_art([face("a", "<g>")], own_fonts(), tmp_path).diagnostics
    assert (fault.code, fault.span.line) == ("GP703", 1)


def test_a_picture_goes_in_as_it_is_and_is_read_only_at_its_href(tmp_path: Path) -> None:
    asset = photo(tmp_path)
    compiled = compile_art([with_photo(asset)], own_fonts(), tmp_path)
    assert compiled.ok
    with pikepdf.open(compiled.value.files[0]) as pdf:
        [image] = pdf.pages[0].images.values()
        assert image.read_raw_bytes() == asset.path.read_bytes()


def test_a_picture_that_has_gone_is_told_of(tmp_path: Path) -> None:
    asset = Asset("assets/0123456789abcdef.jpg", tmp_path / "gone.jpg", "")
    [fault] = compile_art([with_photo(asset)], own_fonts(), tmp_path).diagnostics
    assert (fault.code, "gone.jpg" in fault.message) == ("GP703", True)


SWAPS = {
    "another picture": lambda path: path.write_bytes(b"another"),
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path)),
    "a link out": lambda path: (path.unlink(), path.symlink_to("/etc/hostname")),
    "a device": lambda path: (path.unlink(), path.symlink_to("/dev/zero")),
}


@pytest.mark.parametrize("swap", SWAPS)
def test_a_picture_that_is_another_since_it_was_checked(swap: str, tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    asset = photo(tmp_path / "art")
    SWAPS[swap](asset.path)
    [fault] = compile_art([with_photo(asset)], own_fonts(), tmp_path).diagnostics
    assert (fault.code, asset.path.name in fault.message) == ("GP703", True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "art-0.pdf").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        compile_art([face("a")], own_fonts(), tmp_path)


@pytest.mark.usefixtures("copied_workers")
def test_an_engine_that_breaks_down_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(svg_to_pdf, "_drawn", lambda _: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(workers.WorkerCrash) as caught:
        compile_art([face("a")], own_fonts(), tmp_path)
    (told,) = caught.value.diagnostics
    assert told.code == "GP010"


@given(st.integers(0, 20_000))
def test_no_chunk_is_larger_than_three_hundred(faces: int) -> None:
    count = chunk_count(faces)
    assert (count == 0) == (faces == 0)
    assert faces <= 300 * count


def test_many_faces_are_two_chunks_at_least_few_are_one() -> None:
    assert [chunk_count(n) for n in (0, 1, 120, 121, 540, 600, 601, 5400)] == [
        0,
        1,
        1,
        2,
        2,
        2,
        3,
        18,
    ]


@given(st.integers(1, 50), st.integers(1, 20))
def test_chunks_keep_the_order_and_are_even(faces: int, count: int) -> None:
    whole = list(range(faces))
    chunks = even_chunks(whole, count)
    assert [one for chunk in chunks for one in chunk] == whole
    sizes = [len(chunk) for chunk in chunks]
    assert len(sizes) == count
    assert max(sizes) - min(sizes) <= 1

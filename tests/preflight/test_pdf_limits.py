import base64
import io
import os
import re
import zlib
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from PIL import Image
from PIL.TiffImagePlugin import TiffImageFile

from generator.pdf_forms import Fingerprints
from generator.preflight import pdf_limits, preflight


def packed(piece: bytes, size: int, times: int = 1) -> bytes:
    packer = zlib.compressobj(9)
    pieces = (packer.compress(piece * 4096) for _ in range(size // (4096 * len(piece))))
    found = b"".join(pieces) + packer.flush()
    for _ in range(times - 1):
        found = zlib.compress(found)
    return found


def form(pdf: Pdf, content: bytes, **entries: Object) -> Stream:
    box = Array([0, 0, 9, 9])
    return pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=box, **entries)


def draw(pdf: Pdf, drawn: Stream) -> None:
    page = pdf.pages[0]
    page.resources.XObject["/More"] = drawn
    page.contents_add(b"/More Do")


def packed_content(pdf: Pdf) -> None:
    content = packed(b"q ", 60_000_000)
    pdf.pages[0].obj.Contents = pdf.make_stream(content, Filter=Name.FlateDecode)


def packed_twice(pdf: Pdf) -> None:
    content, filters = packed(b"q ", 60_000_000, 2), Array([Name.FlateDecode] * 2)
    pdf.pages[0].obj.Contents = pdf.make_stream(content, Filter=filters)


def packed_as_text(pdf: Pdf) -> None:
    content = base64.a85encode(packed(b"q ", 60_000_000))
    filters = Array([Name.ASCII85Decode, Name.FlateDecode])
    pdf.pages[0].obj.Contents = pdf.make_stream(content, Filter=filters)


def many_runs(pdf: Pdf) -> None:
    content = b"\x81 " * 500_000
    pdf.pages[0].obj.Contents = pdf.make_stream(content, Filter=Name.RunLengthDecode)


def many_operators(pdf: Pdf) -> None:
    content = packed(b"0 0 m 1 1 l S ", 2_000_000)
    pdf.pages[0].obj.Contents = pdf.make_stream(content, Filter=Name.FlateDecode)


def forms_in_forms(pdf: Pdf, name: bytes = b"/A Do ") -> None:
    drawn = form(pdf, b"0 0 1 1 re f")
    for _ in range(10):
        drawn = form(pdf, name * 10, Resources=Dictionary(XObject=Dictionary(A=drawn)))
    draw(pdf, drawn)


def forms_written_oddly(pdf: Pdf) -> None:
    forms_in_forms(pdf, b"/#41%c\nDo ")


def form_in_itself(pdf: Pdf) -> None:
    drawn = form(pdf, b"/A Do")
    drawn.Resources = Dictionary(XObject=Dictionary(A=drawn))
    draw(pdf, drawn)


def large_picture(pdf: Pdf) -> None:
    picture = pdf.make_stream(b"", Type=Name.XObject, Subtype=Name.Image)
    picture.Width = picture.Height = 100_000
    draw(pdf, picture)


def long_chain(pdf: Pdf) -> None:
    link = pdf.make_indirect(Dictionary())
    for _ in range(300):
        link = pdf.make_indirect(Dictionary(Next=link))
    pdf.pages[0].obj.Chain = link


@pytest.mark.thorough(but=4)
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (packed_content, "a stream unpacks to over 50 MB"),
        (packed_twice, "a stream unpacks to over 50 MB"),
        (packed_as_text, "a stream unpacks to over 50 MB"),
        (many_runs, "a stream unpacks to over 50 MB"),
        (many_operators, "page 1: .* operators, over 200,000"),
        (forms_in_forms, "page 1: .* MB of operators, over 40"),
        (forms_written_oddly, "page 1: .* MB of operators, over 40"),
        (form_in_itself, "page 1: .*a form draws itself"),
        (large_picture, "a picture has 100000 × 100000 pixels, over 100 million"),
        (long_chain, "its objects lead on to others over 200 times"),
    ],
)
def test_far_more_than_a_print_is_one_finding(
    duplex: Path, change: Callable[[Pdf], None], reason: str
) -> None:
    with pikepdf.open(duplex, allow_overwriting_input=True) as pdf:
        change(pdf)
        levels = pikepdf.StreamDecodeLevel
        pdf.save(duplex, compress_streams=False, stream_decode_level=levels.none)
    [fault] = preflight(duplex).diagnostics
    assert fault.code == "GP808"
    assert re.search(reason, fault.message)


def test_a_page_tree_that_is_round_is_refused() -> None:
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.Root.Pages.Kids.append(pdf.Root.Pages)
        with pytest.raises(pdf_limits.TooMuchError, match="leads back to itself"):
            pdf_limits.check_objects(pdf)


def test_forms_without_resources_of_their_own_may_lie_in_those_of_their_page(duplex: Path) -> None:
    with pikepdf.open(duplex) as pdf:
        draw(pdf, form(pdf, b"0 0 1 1 re f"))
        pdf_limits.check_drawing(pdf, Fingerprints(pdf), 0)


def test_thousands_of_pages_that_share_a_stream_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pdf_limits, "MOST_DRAWN_WHOLE", 1_000_000)
    with pikepdf.new() as pdf:
        shared = pdf.make_stream(b"0 0 9 9 re f " * 1_000)
        for _ in range(80):
            pdf.add_blank_page().obj.Contents = shared
        with pytest.raises(pdf_limits.TooMuchError, match="its pages draw over 1 MB"):
            pdf_limits.check_drawing(pdf, Fingerprints(pdf), 600)


def test_pages_that_are_drawn_whole_share_what_they_may_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether or not a manifest knows them."""
    monkeypatch.setattr(pdf_limits, "MOST_DRAWN_WHOLE", 1_000_000)
    with pikepdf.new() as pdf:
        drawn = form(pdf, b"0 0 9 9 re f " * 1_000)
        for _ in range(80):
            page = pdf.add_blank_page()
            page.Resources = Dictionary(XObject=Dictionary(F=drawn))
            page.Contents = pdf.make_stream(b"/F Do")
        drawing = pdf_limits.check_drawing(pdf, Fingerprints(pdf), 600)
    assert drawing.pages[0] == (5, 13_005)
    assert list(drawing.forms.values()) == [13_000]
    drawing.check_whole(range(1, 71))
    with pytest.raises(pdf_limits.TooMuchError, match="its pages draw over 1 MB"):
        drawing.check_whole(range(1, 81))


def jpeg_page(pixels: tuple[int, int], told: tuple[int, int]) -> Pdf:
    """A page with a JPEG of so many pixels, in a PDF that tells how many there are."""
    content = io.BytesIO()
    Image.new("L", (8, 8)).save(content, "JPEG")
    width, height = pixels
    size = b"\x08" + height.to_bytes(2) + width.to_bytes(2)
    sized = content.getvalue().replace(b"\x08\x00\x08\x00\x08", size)
    pdf = pikepdf.new()
    picture = pdf.make_stream(sized, Type=Name.XObject, Subtype=Name.Image, Filter=Name.DCTDecode)
    picture.Width, picture.Height = told
    picture.BitsPerComponent, picture.ColorSpace = 8, Name.DeviceGray
    page = pdf.add_blank_page()
    page.Resources = Dictionary(XObject=Dictionary(I=picture))
    page.Contents = pdf.make_stream(b"/I Do")
    return pdf


def test_a_jpeg_is_as_large_as_it_says_itself() -> None:
    with (
        jpeg_page((65_000, 65_000), (8, 8)) as pdf,
        pytest.raises(pdf_limits.TooMuchError, match="a picture has 65000 × 65000 pixels"),
    ):
        pdf_limits.check_streams(pdf, Fingerprints(pdf), 600)


def test_a_photograph_of_a_whole_page_is_read(tmp_path: Path) -> None:
    """A twentieth of the memory that qpdf is allowed for a JPEG is all that it takes of one."""
    content = io.BytesIO()
    Image.new("RGB", (3000, 3000)).save(content, "JPEG")
    with jpeg_page((8, 8), (3000, 3000)) as pdf:
        picture = pdf.pages[0].resources.XObject.I
        picture.write(content.getvalue(), filter=Name.DCTDecode)
        picture.ColorSpace = Name.DeviceRGB
        pdf.save(tmp_path / "a.pdf")
    assert preflight(tmp_path / "a.pdf").faults == ()


@pytest.mark.parametrize("text", [Name.ASCII85Decode, Name.ASCIIHexDecode])
def test_a_picture_that_is_written_as_text_is_as_large_as_it_is(text: Name) -> None:
    """As some programs write every picture; packed bytes may stand for a thousand times as many."""
    inner = zlib.compress(os.urandom(70_000))
    inner += bytes(-len(inner) % 4)
    content = {
        Name.ASCII85Decode: base64.a85encode(inner) + b"!!!!!" * 500_000 + b"~>",
        Name.ASCIIHexDecode: inner.hex().encode() + b"00" * 2_000_000 + b">",
    }[text]
    with Pdf.new() as pdf:
        pdf.make_stream(
            content,
            Subtype=Name.Image, Width=100, Height=700, Filter=Array([text, Name.FlateDecode]),
        )  # fmt: skip
        whole, pictures = pdf_limits.check_streams(pdf, Fingerprints(pdf), len(content))
    assert 140_000 < whole == pictures < 3_000_000


def in_lzw(pixels: bytes) -> bytes:
    """As a TIFF has them."""
    content = io.BytesIO()
    Image.frombytes("L", (len(pixels), 1), pixels).save(content, "TIFF", compression="tiff_lzw")
    with Image.open(content) as tiff:
        assert isinstance(tiff, TiffImageFile)
        [start], [size] = tiff.tag_v2[273], tiff.tag_v2[279]
    return content.getvalue()[start : start + size]


@pytest.mark.parametrize(
    ("name", "pixels", "content"),
    [
        (Name.LZWDecode, 200_000, in_lzw(os.urandom(190_000) + bytes(10_000))),
        (Name.RunLengthDecode, 960_128, b"\x7f" + bytes(128) + b"\xff\x00" * 480_000 + b"\x80"),
    ],
)  # fmt: skip
def test_a_picture_in_lzw_or_runs_is_as_large_as_it_is(
    name: Name, pixels: int, content: bytes
) -> None:
    """Each byte of them may stand for 64, or 2,730."""
    with Pdf.new() as pdf:
        pdf.make_stream(content, Subtype=Name.Image, Width=1000, Height=9, Filter=name)
        assert pdf_limits.check_streams(pdf, Fingerprints(pdf), len(content)) == (pixels, pixels)


def test_streams_in_lzw_and_in_runs_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """However each of them is packed besides, and whether or not it is a picture."""
    monkeypatch.setattr("generator.preflight.pdf_limits._MOST_CODED", 1_000_000)
    with Pdf.new() as pdf:
        codes, long_runs = bytes(400_000), (b"\x7f" + bytes(128)) * 10_000
        pdf.make_stream(codes, Filter=Name.LZWDecode)
        pdf.make_stream(long_runs, Filter=Name.RunLengthDecode)
        filters = Array([Name.FlateDecode, Name.RunLengthDecode])
        pdf.make_stream(zlib.compress(2 * codes), Filter=filters)
        pdf_limits.check_streams(pdf, Fingerprints(pdf), 3_000_000)
        picture = {"Subtype": Name.Image, "Width": 1000, "Height": 9}
        pdf.make_stream(codes[:-1], Filter=Name.LZWDecode, **picture)
        with pytest.raises(pdf_limits.TooMuchError, match="over 1 million codes of LZW, and runs"):
            pdf_limits.check_streams(pdf, Fingerprints(pdf), 3_400_000)


def test_limits_of_qpdf_are_those_of_before_when_the_work_is_done(duplex: Path) -> None:
    before = pikepdf.settings.get_qpdf_limits()
    preflight(duplex)
    assert pikepdf.settings.get_qpdf_limits() == before


@pytest.mark.parametrize("after", [b"", b"\n", b"\0" * 3_000_000])
def test_what_comes_after_a_packed_stream_is_nobodys(duplex: Path, after: bytes) -> None:
    with pikepdf.open(duplex) as pdf:
        content = zlib.compress(bytes(2_000_000)) + after
        pdf.Root.More = pdf.make_stream(content, Filter=Name.FlateDecode)
        pdf_limits.check_streams(pdf, Fingerprints(pdf), len(content))


def test_a_picture_in_jbig2_starts_no_other_program(
    duplex: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "jbig2dec"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with Pdf.open(duplex, allow_overwriting_input=True) as pdf:
        size = {"Width": 8, "Height": 8, "BitsPerComponent": 1, "ColorSpace": Name.DeviceGray}
        picture = Stream(pdf, b"a", **size, Type=Name.XObject, Subtype=Name.Image)
        picture.Filter = Name.JBIG2Decode
        draw(pdf, picture)
        pdf.save(duplex)
    preflight(duplex)
    assert not (tmp_path / "sprung").exists()

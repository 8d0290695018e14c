import os
from html import escape
from pathlib import Path

import pytest
import typst
from text.printed import FONTS, letters, make_font

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.fonts import FontLibrary, fonts_of, own_font
from generator.project import Project


@pytest.fixture(scope="module")
def library() -> FontLibrary:
    return FontLibrary([FONTS])


def test_it_knows_the_shipped_families_and_no_others(library: FontLibrary) -> None:
    widths = {name for name in library.families if library.find(name).family != name}
    assert set(library.families) - widths == set(library.typst.families())
    assert "Alegreya Sans" in library.families
    assert "Barlow Condensed" in widths


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (400, 400),
        (450, 500),
        (500, 500),
        (550, 700),
        (600, 700),
        (700, 700),
        (800, 900),
        (950, 900),
        (100, 400),
        (300, 400),
    ],
)
def test_it_finds_the_nearest_weight_as_css_does(
    library: FontLibrary, wanted: int, found: int
) -> None:
    assert library.find("Alegreya Sans", wanted).weight == found


def test_between_regular_and_medium_the_lighter_is_taken_last(tmp_path: Path) -> None:
    for weight, source in ((400, "Regular"), (900, "Black")):
        make_font(
            tmp_path / f"{weight}.ttf",
            "Gauge",
            source=f"alegreya-sans/AlegreyaSans_{weight}{source}.ttf",
        )
    assert FontLibrary([tmp_path]).find("Gauge", 450).weight == 400
    assert FontLibrary([tmp_path]).find("Gauge", 510).weight == 900


@pytest.mark.parametrize(
    ("family", "weight", "found"),
    [
        ("Alegreya Sans", 400, (400, True)),
        ("Alegreya Sans", 900, (700, True)),
        ("Cinzel", 400, (700, False)),
    ],
)
def test_slant_goes_before_weight_if_the_family_has_it(
    library: FontLibrary, family: str, weight: int, found: tuple[int, bool]
) -> None:
    file = library.find(family, weight, italic=True)
    assert (file.weight, file.italic) == found


def test_an_unknown_family_is_named_with_the_nearest_known(library: FontLibrary) -> None:
    place = Span("templates/x/styles.yaml", 3, 9)
    with pytest.raises(GridpressError) as raised:
        library.find("Alegrya Sans", span=place)
    (found,) = raised.value.diagnostics
    assert (found.code, found.span) == ("GP403", place)
    assert found.message == "there is no font family 'Alegrya Sans'"
    assert found.hint == "did you mean 'Alegreya Sans'?"


def test_a_family_that_is_there_as_a_web_font_is_told_so(tmp_path: Path) -> None:
    for name in ("a.woff2", "b.zip", "c.eot", "Gauge-Bold.woff2", "note.txt"):
        (tmp_path / name).write_bytes(b"wOF2")
    with pytest.raises(GridpressError) as raised:
        FontLibrary([tmp_path]).find("Gauge")
    (found,) = raised.value.diagnostics
    assert "Gauge-Bold.woff2, a.woff2, b.zip in fonts/: only TTF and OTF" in found.hint


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"wOFF\0\1\0\0", "is a font for web pages (WOFF)"),
        (b"<!DOCTYPE html>", "is a web page, not the file itself"),
        (b"PK\3\4", "is a packed folder"),
        (b"version https://git-lfs.github.com/spec/v1", "is a Git LFS pointer"),
        (b"", "is empty"),
        (b"hello", "is not a font"),
    ],
)
def test_a_font_file_that_is_something_else(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.ttf").write_bytes(content)
    (fault,) = faults(tmp_path)
    assert (fault.code, said in fault.message) == ("GP403", True)


@pytest.mark.parametrize(
    ("rights", "is_forbidden"), [(0, False), (2, True), (4, False), (8, False), (0x102, True)]
)
def test_a_font_says_whether_it_may_be_embedded(
    rights: int, is_forbidden: bool, tmp_path: Path
) -> None:
    make_font(tmp_path / "a.ttf", "Gauge", rights=rights)
    library = FontLibrary([tmp_path])
    assert library.forbids_embedding(library.find("Gauge")) is is_forbidden


def test_without_fonts_it_says_where_to_put_them(tmp_path: Path) -> None:
    library = FontLibrary([tmp_path])
    assert library.families == ()
    with pytest.raises(GridpressError) as raised:
        library.find("Cinzel")
    assert "fonts/" in raised.value.diagnostics[0].hint


def test_a_condensed_family_goes_by_the_name_that_people_use(tmp_path: Path) -> None:
    make_font(tmp_path / "a.ttf", "Gauge", scale=1.2)
    make_font(tmp_path / "b.ttf", "Gauge Condensed", width_class=3)
    library = FontLibrary([tmp_path])
    assert library.typst.families() == ["Gauge"]
    assert library.families == ("Gauge", "Gauge Condensed")
    narrow, wide = library.find("Gauge Condensed"), library.find("Gauge")
    assert (narrow.family, narrow.stretch) == ("Gauge", 0.75)
    assert library.path(narrow).read_bytes() == (tmp_path / "b.ttf").read_bytes()
    assert wide.stretch == 1.0
    assert library.path(wide).read_bytes() == (tmp_path / "a.ttf").read_bytes()
    assert library.find("Gauge", stretch=0.75) == narrow
    assert narrow.svg["font-stretch"] == "condensed"
    assert "font-stretch" not in wide.svg


def test_the_engine_draws_with_the_very_file_that_was_found(tmp_path: Path) -> None:
    make_font(tmp_path / "one" / "gauge.ttf", "Gauge 8", scale=1.0)
    make_font(tmp_path / "two" / "gauge.ttf", "Gauge 8", scale=1.5)
    make_font(tmp_path / "two" / "narrow.ttf", "Gauge 8 Condensed", scale=0.5, width_class=3)
    library = FontLibrary([tmp_path / "one", tmp_path / "two"])
    first = (tmp_path / "one/gauge.ttf").read_bytes()
    assert library.path(library.find("Gauge 8")).read_bytes() == first
    for family, scale in (("Gauge 8", 1.0), ("Gauge 8 Condensed", 0.5)):
        look = "".join(f' {k}="{v}"' for k, v in library.find(family).svg.items())
        m, n = letters(f'<text{look} font-size="10" x="5" y="20">mn</text>', library)
        assert n.x - m.x == pytest.approx(9.35 * scale, abs=0.01)


@pytest.mark.parametrize("family", ["Gauge's", "2 Gauges", "Gäuge", "Gauge-Six"])
def test_the_engine_understands_odd_names(tmp_path: Path, family: str) -> None:
    make_font(tmp_path / "gauge.ttf", family, scale=2.0)
    library = FontLibrary([tmp_path, FONTS])
    look = "".join(f' {k}="{escape(v)}"' for k, v in library.find(family).svg.items())
    m, n = letters(f'<text{look} font-size="10" x="5" y="20">mn</text>', library)
    assert n.x - m.x == pytest.approx(2 * 9.35, abs=0.01)


def test_damaged_files_are_all_reported_each_at_its_own(tmp_path: Path) -> None:
    whole = (FONTS / "noto-sans" / "NotoSans_400Regular.ttf").read_bytes()
    (tmp_path / "cut.ttf").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "page.otf").write_bytes(b"<html>not found</html>")
    (tmp_path / "empty.ttc").write_bytes(b"")
    (tmp_path / "fine.ttf").write_bytes(whole)
    (tmp_path / "OFL.txt").write_text("licence")
    with pytest.raises(GridpressError) as raised:
        FontLibrary([tmp_path])
    found = raised.value.diagnostics
    assert {d.code for d in found} == {"GP403"}
    assert sorted(Path(d.span.file).name for d in found) == ["cut.ttf", "empty.ttc", "page.otf"]


def faults(folder: Path) -> list[Diagnostic]:
    with pytest.raises(GridpressError) as raised:
        FontLibrary([folder])
    return list(raised.value.diagnostics)


def test_a_link_out_of_the_fonts_is_refused(tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts/linked.ttf").symlink_to(FONTS / "noto-sans/NotoSans_400Regular.ttf")
    (tmp_path / "fonts/all").symlink_to(FONTS)
    assert [d.code for d in faults(tmp_path / "fonts")] == ["GP004", "GP004"]


def test_a_link_inside_is_followed(tmp_path: Path) -> None:
    make_font(tmp_path / "more/a.ttf", "Gauge")
    (tmp_path / "b.ttf").symlink_to("more/a.ttf")
    assert FontLibrary([tmp_path]).families == ("Gauge",)


def test_a_pipe_among_fonts_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.ttf")
    assert [d.code for d in faults(tmp_path)] == ["GP002"]


def test_a_font_that_is_not_sound_reaches_no_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.ttf").write_bytes(b"ttcf\0\1\0\0\xff\xff\xff\xff")
    monkeypatch.setattr(typst, "Fonts", lambda **_: pytest.fail("opened"))
    (fault,) = faults(tmp_path)
    assert (fault.code, Path(fault.span.file).name) == ("GP403", "x.ttf")
    assert "is damaged" in fault.message


def test_a_font_of_2_gb_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "vast.ttf").open("wb") as file:
        file.truncate(2**31)
    (fault,) = faults(tmp_path)
    assert (fault.code, "2147 MB" in fault.message) == ("GP403", True)


def test_rulers_are_set_in_no_font_of_a_strangers(tmp_path: Path) -> None:
    make_font(tmp_path / "fonts/a.ttf", "Noto Sans", scale=2)
    project = Project(tmp_path, FONTS.parent)
    theirs = fonts_of(project)
    assert not theirs.path(theirs.find("Noto Sans")).is_relative_to(FONTS)
    assert own_font().is_relative_to(FONTS)


@pytest.mark.parametrize("target", ["/", "{outside}", "loop"])
def test_a_fonts_folder_that_is_a_link_out(target: str, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    make_font(tmp_path / "outside/a.ttf", "Gauge")
    loop = tmp_path / "project/fonts"
    loop.symlink_to(loop if target == "loop" else target.format(outside=tmp_path / "outside"))
    with pytest.raises(GridpressError) as raised:
        fonts_of(Project(tmp_path / "project", FONTS.parent))
    code = "GP002" if target == "loop" else "GP004"
    assert [d.code for d in raised.value.diagnostics] == [code]

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace
from PIL import Image, ImageDraw
from preflight.by_hand import altered, placed

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.model.catalogue import Edge, Shape
from generator.model.manifest import TextEntry
from generator.pdf_forms import DPI
from generator.preflight.faces import FaceFinding, Look, Specimen, look_at
from generator.preflight.page_objects import Colour
from generator.preflight.painted import Painted, PaintedText
from generator.preflight.raster import Raster
from generator.preflight.text_checks import contrasts, safe_zone, sizes, visibility

TRIM = Rect(20, 30, 60, 60)
BONE, INK, GREY = (247, 239, 223), (28, 28, 28), (150, 150, 150)
SOURCE = "cards/hand/made.yaml:7:9"
FACE = Look(TRIM, Shape.RECTANGLE, 3, 3, Edge.INK)


def told_text(size_pt: float, box: Rect) -> TextEntry:
    place = (box.x, box.y, box.width, box.height)
    return TextEntry(style="body", size_pt=size_pt, box_mm=place, source=SOURCE)


PRINTED = placed(
    Rect(100, 40, 60, 60),
    source="cards/hand/made.yaml:3:1",
    safe=3.0,
    texts=(told_text(9, Rect(10, 20, 30, 3)),),
)
LINE = PaintedText(Rect(30, 50, 30, 3), 9, "Body", "Twelve legs", INK, 255, 0, 0, 5)


def specimen(
    *runs: PaintedText,
    ground: Colour = BONE,
    patches: tuple[tuple[Rect, Colour], ...] = (),
    over: tuple[tuple[Rect, Colour], ...] = (),
    face: Look = FACE,
    told: bool = True,
) -> Specimen:
    """A face with letters like combs; `patches` are painted before them, `over` after them."""
    art = face.art
    scale = DPI / 25.4
    size = (round(art.width * scale), round(art.height * scale))

    def pixels(box: Rect) -> tuple[float, float, float, float]:
        left, top = (box.x - art.x) * scale, (box.y - art.y) * scale
        return (left, top, left + box.width * scale - 1, top + box.height * scale - 1)

    behind = Image.new("RGB", size, ground)
    for box, colour in patches:
        ImageDraw.Draw(behind).rectangle(pixels(box), colour)
    seen = behind.copy()
    for run in runs:
        if run.mode == 3:
            continue
        shown = run.box.cut_to(run.clip) if run.clip else run.box
        left, top, right, bottom = pixels(shown)
        mask = Image.new("L", size)
        for x in range(round(left), round(right) + 1, 3):
            ImageDraw.Draw(mask).rectangle((x, top, x + 1, bottom), run.alpha)
        seen.paste(run.colour, mask=mask)
    for box, colour in over:
        for image in (behind, seen):
            ImageDraw.Draw(image).rectangle(pixels(box), colour)
    if told:
        texts = (told_text(run.size_pt, run.box.moved(-TRIM.x, -TRIM.y)) for run in runs)
        face = replace(face, texts=tuple(texts))
    return Specimen(face, Painted(runs, (), ()), Raster(seen, art), Raster(behind, art))


def everything(sample: Specimen) -> list[FaceFinding]:
    return [f for check in (sizes, safe_zone, visibility, contrasts) for f in check(sample)]


def test_good_text_has_no_finding() -> None:
    small = replace(LINE, box=Rect(30, 60, 20, 2.2), size_pt=6.5, words="Six feet")
    assert everything(specimen(LINE, small)) == []


def test_a_finding_names_page_place_component_and_line() -> None:
    [seen] = sizes(specimen(replace(LINE, size_pt=4.6)))
    found = seen.told(PRINTED, 2, 3)
    assert (found.page, found.place, found.component) == (2, Rect(130, 90, 30, 3), "card/ant")
    assert (found.source, found.copies) == (SOURCE, 3)
    assert "the front of 'ant': text in style 'body' is printed at 4.6 pt" in found.message
    assert "‘Twelve legs’" in found.message


def test_what_no_text_of_the_manifest_covers_is_told_by_its_component() -> None:
    [found] = sizes(specimen(replace(LINE, size_pt=4.6), told=False))
    assert found.text == -1
    assert found.told(PRINTED, 2, 3).source == PRINTED.source


# GP821


@pytest.mark.parametrize(
    ("size", "severity"),
    [(4.9, Severity.ERROR), (5.0, Severity.WARNING), (6.4, Severity.WARNING), (6.5, None)],
)
def test_small_text(size: float, severity: Severity | None) -> None:
    found = list(sizes(specimen(replace(LINE, size_pt=size))))
    assert [f.severity for f in found] == ([severity] if severity else [])


def test_of_a_style_only_the_smallest_is_told() -> None:
    runs = [
        replace(LINE, box=Rect(30, 40 + 6 * n, 30, 3), size_pt=4 + n / 2, words=f"Line {n}")
        for n in range(4)
    ]
    [found] = sizes(specimen(*runs))
    assert "‘Line 0’" in found.message


# GP823


def at(x: float, y: float, width: float = 10, height: float = 3) -> PaintedText:
    return replace(LINE, box=Rect(x, y, width, height))


def test_text_near_the_cut_is_a_warning_and_over_it_an_error() -> None:
    assert list(safe_zone(specimen(at(23, 50)))) == []
    [near] = safe_zone(specimen(at(22.5, 50)))
    assert near.severity is Severity.WARNING
    assert "0.5 mm out of the safe zone" in near.message
    [over] = safe_zone(specimen(at(19, 50)))
    assert over.severity is Severity.ERROR
    assert "over the cut" in over.message


def test_a_circle_is_less_than_its_box() -> None:
    corner = at(32, 36)
    assert list(safe_zone(specimen(corner))) == []
    [found] = safe_zone(specimen(corner, face=replace(FACE, shape=Shape.CIRCLE)))
    assert found.severity is Severity.WARNING


def test_empty_corners_of_a_box_may_leave_a_circle() -> None:
    """The ink of a run that thins out towards its corner counts, not the box."""
    run = at(29, 39, 20, 6)
    circle = replace(FACE, shape=Shape.CIRCLE)
    full = specimen(run, face=circle)
    assert list(safe_zone(full))
    ImageDraw.Draw(full.seen.image).polygon([(0, 120), (0, 0), (120, 0)], BONE)
    ImageDraw.Draw(full.ground.image).polygon([(0, 120), (0, 0), (120, 0)], BONE)
    thinned = replace(full)
    assert list(safe_zone(thinned)) == []


@pytest.mark.parametrize(("box", "fits"), [(TRIM, True), (Rect(20, 30, 60, 70), False)])
def test_a_hexagon_has_slanted_sides(box: Rect, fits: bool) -> None:
    """Flat on top its corners are left and right, pointy they are above and below."""
    face = replace(FACE, box=box, shape=Shape.HEXAGON)
    assert (list(safe_zone(specimen(at(38, 34, 24), face=face))) == []) is fits


def test_a_turned_face_is_looked_at_upright_and_told_of_as_it_lies() -> None:
    """A quarter turn clockwise brings the top of the face to the right."""
    turned = altered(
        PRINTED, box=Rect(20, 30, 88, 63), rotation=90, clip=Rect(17, 28, 94, 68), bleed=3
    )
    look = look_at(turned)
    assert (look.box, look.clip) == (Rect(0, 0, 63, 88), Rect(-2, -3, 68, 94))
    assert look == look_at(altered(turned, box=Rect(50, 31, 88, 63), clip=Rect(47, 29, 94, 68)))
    found = FaceFinding("GP821", "", place=Rect(10, 5, 30, 3), text=0).told(turned, 1, 1)
    assert (found.place, found.source) == (Rect(108 - 5 - 3, 40, 3, 30), SOURCE)


# GP824


def test_what_is_clipped_is_told_with_what_is_lost() -> None:
    [found] = visibility(specimen(replace(LINE, clip=Rect(20, 30, 35, 60))))
    assert found.place == Rect(55, 50, 5, 3)
    assert "part of a text" in found.message


def test_a_clip_beside_the_text_does_no_harm() -> None:
    assert list(visibility(specimen(replace(LINE, clip=Rect(29.95, 49.95, 30.1, 3.1))))) == []


@pytest.mark.parametrize("cover", [Rect(29, 49, 32, 6), Rect(54, 49, 8, 6), Rect(40, 49, 6, 6),
                                   Rect(29, 49, 32, 2.2)])  # fmt: skip
def test_what_is_painted_over_is_told(cover: Rect) -> None:
    [found] = visibility(specimen(LINE, over=((cover, GREY),)))
    assert found.code == "GP824"
    assert found.place is not None
    assert found.place.overlaps(cover)


@pytest.mark.parametrize("change", [{"mode": 3}, {"alpha": 0}])
def test_text_that_is_not_painted_is_told(change: dict[str, Any]) -> None:
    [found] = everything(specimen(replace(LINE, **change)))
    assert found.code == "GP824"
    assert "invisible" in found.hint


def test_text_beyond_the_art_is_cut_off() -> None:
    [found] = visibility(specimen(at(10, 50)))
    assert found.code == "GP824"


def test_of_text_that_is_cut_off_or_covered_the_contrast_is_not_told_too() -> None:
    pale = replace(LINE, colour=(150, 150, 150))
    assert [f.code for f in everything(specimen(pale))] == ["GP825"]
    cut = specimen(replace(pale, clip=Rect(20, 30, 35, 60)))
    assert [f.code for f in everything(cut)] == ["GP824"]
    covered = specimen(pale, over=((Rect(54, 49, 8, 6), (250, 240, 30)),))
    assert [f.code for f in everything(covered)] == ["GP824"]


def test_a_full_stop_is_seen() -> None:
    assert everything(specimen(replace(LINE, box=Rect(40, 50, 0.3, 0.3), words="."))) == []


@pytest.mark.parametrize(("size", "seen"), [(59, True), (9, False)])
def test_a_box_may_be_wider_than_the_ink_of_large_letters(size: float, seen: bool) -> None:
    run = replace(LINE, box=Rect(30, 40, 36, 16), size_pt=size, words="4-6")
    bare = (Rect(29, 55.4, 38, 2), BONE)
    assert (list(visibility(specimen(run, over=(bare,)))) == []) == seen


@pytest.mark.parametrize(
    ("words", "seen"),
    [("☀\ufe0f", True), ("1\ufe0f\u20e3", True), ("☀\u200e", True), ("☀", False), ("☀é", False)],
)
def test_the_box_of_an_emoji_ends_behind_the_white_beside_it(words: str, seen: bool) -> None:
    """A sign without ink stands where the pen has gone: 0.1 em behind what is seen."""
    run = replace(LINE, box=Rect(40, 50, 6, 5), size_pt=14, words=words)
    bare = (Rect(45.5, 49, 2, 7), BONE)
    assert (list(visibility(specimen(run, over=(bare,)))) == []) == seen


@pytest.mark.parametrize(("turn", "seen"), [(0, False), (40, True), (90, False), (130, True)])
def test_the_corners_of_a_slanting_letter_are_empty(turn: float, seen: bool) -> None:
    """A 4 of 10 pt turned by 40° leaves a millimetre of its upright box free on one side."""
    run = replace(LINE, box=Rect(40, 50, 3, 3), size_pt=10, words="4", turn=turn)
    bare = (Rect(39, 49, 2, 5), BONE)
    assert (list(visibility(specimen(run, over=(bare,)))) == []) == seen


@pytest.mark.parametrize("shift", [0.0, 0.06, 0.12, 0.18, 0.24])
def test_letters_between_pixels_are_seen(shift: float) -> None:
    """The only high letter is the first: it must not fall off the pixels that are looked at."""
    whole = specimen(LINE)
    page = Raster(whole.seen.image, whole.seen.box)
    art = whole.look.art.grown(-1 - shift)
    sample = replace_rasters(whole, page.cut(art), Raster(whole.ground.image, page.box).cut(art))
    assert everything(sample) == []


def replace_rasters(sample: Specimen, seen: Raster, ground: Raster) -> Specimen:
    return Specimen(sample.look, sample.painted, seen, ground)


def test_a_shadow_under_the_same_words_is_no_text() -> None:
    shadow = replace(LINE, box=LINE.box.moved(0.3, 0.3), colour=(240, 230, 210), order=4)
    assert everything(specimen(shadow, LINE)) == []


# GP825


@pytest.mark.parametrize(
    ("colour", "size", "faint"),
    [
        ((118, 118, 118), 9, False),  # 4.54:1 on white
        ((120, 120, 120), 9, True),  # 4.42:1
        ((120, 120, 120), 14, False),
        ((150, 150, 150), 14, True),  # 2.96:1
        ((255, 255, 255), 9, True),
    ],
)
def test_contrast_with_white(colour: Colour, size: float, faint: bool) -> None:
    run = replace(LINE, colour=colour, size_pt=size)
    found = everything(specimen(run, ground=(255, 255, 255)))
    assert [f.code for f in found] == (["GP825"] if faint else [])


def test_one_letter_on_a_dark_patch_is_found() -> None:
    patch = Rect(45, 48, 3.5, 8)
    [found] = everything(specimen(LINE, patches=((patch, (40, 30, 30)),)))
    assert found.code == "GP825"
    assert found.place is not None
    assert found.place.overlaps(patch)
    assert found.place.width < 4


def test_a_line_that_crosses_the_words_is_no_ground() -> None:
    assert everything(specimen(LINE, patches=((Rect(20, 51.4, 60, 0.3), INK),))) == []


def test_what_a_face_fades_is_counted() -> None:
    assert contrast_of(replace(LINE, alpha=90)) == "GP825"
    assert contrast_of(LINE) == ""


def test_an_outline_that_stands_out_is_enough() -> None:
    dark = specimen(replace(LINE, mode=2, stroke=(255, 255, 255)), ground=(40, 40, 40))
    assert list(contrasts(dark)) == []
    plain = specimen(LINE, ground=(40, 40, 40))
    assert [f.code for f in contrasts(plain)] == ["GP825"]


def with_a_gradient(ink: Colour, ground: Colour) -> Specimen:
    """What PDFium says of such text: that it is white, whatever its pixels are."""
    drawn = specimen(replace(LINE, colour=ink), ground=ground)
    white = Painted((replace(LINE, colour=(255, 255, 255)),), (), ())
    return replace(drawn, painted=white)


@pytest.mark.parametrize(
    ("ink", "ground", "faint"),
    [(INK, BONE, False), ((190, 180, 170), BONE, True), (INK, (60, 60, 60), True)],
)
def test_text_with_a_gradient_is_judged_by_its_pixels(
    ink: Colour, ground: Colour, faint: bool
) -> None:
    found = list(contrasts(with_a_gradient(ink, ground)))
    assert [f.code for f in found] == (["GP825"] if faint else [])
    if faint:
        ink_told = "#{:02x}{:02x}{:02x}".format(*ink)
        assert f"with what is behind it, {ink_told} on" in found[0].message


def test_pdfium_tells_the_words_of_a_shadow_and_not_again_those_over_it() -> None:
    shadow = replace(LINE, box=LINE.box.moved(0.3, 0.3), colour=(240, 230, 210), order=4)
    pale = replace(LINE, words="", colour=(240, 230, 210))
    assert everything(specimen(shadow, replace(LINE, words=""))) == []
    [found] = contrasts(specimen(shadow, pale))
    assert "‘Twelve legs’" in found.message


def test_what_was_painted_below_as_an_outline_makes_words_stand_out() -> None:
    outline = replace(LINE, box=LINE.box.grown(0.2), mode=2, stroke=(255, 255, 255), order=4)
    sample = specimen(outline, replace(LINE, words=""), ground=(60, 60, 60))
    assert list(contrasts(sample)) == []
    assert [f.code for f in contrasts(specimen(LINE, ground=(60, 60, 60)))] == ["GP825"]


def test_a_pale_line_on_letters_that_are_filled_is_not_judged_alone() -> None:
    below = replace(LINE, mode=2, stroke=INK, order=4)
    line = replace(LINE, words="", mode=1, stroke=(250, 248, 240))
    assert list(contrasts(specimen(below, line))) == []
    assert [f.code for f in contrasts(specimen(line))] == ["GP825"]


def test_letters_for_decoration_may_be_pale_small_and_cut_off() -> None:
    pale = replace(LINE, box=Rect(18, 50, 30, 3), colour=(235, 226, 208), size_pt=4)
    sample = specimen(pale)
    adorned = tuple(structs.replace(told, decoration=True) for told in sample.look.texts)
    assert {f.code for f in everything(sample)} == {"GP821", "GP823", "GP825"}
    look = replace(sample.look, texts=adorned)
    assert everything(replace(sample, look=look)) == []


def test_white_text_is_not_judged_by_its_shadow() -> None:
    shadow = replace(LINE, box=LINE.box.moved(0.3, 0.3), colour=INK, order=4)
    white = replace(LINE, colour=(255, 255, 255))
    assert [f.code for f in contrasts(specimen(shadow, white))] == ["GP825"]


def contrast_of(run: PaintedText) -> str:
    return " ".join(found.code for found in contrasts(specimen(run)))

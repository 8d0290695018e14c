import json
import re
from pathlib import Path

import pikepdf
import pytest
from export.hand_made import face, place, sheet, text, two_cards, write
from msgspec import structs
from msgspec.structs import replace
from preflight.by_hand import Drawn, altered, deck, page_of
from preflight.tampering import codes, found, messages, rewrite, tamper, tell

from generator.model.catalogue import Shape
from generator.model.face import Side
from generator.model.manifest import KindEntry, Manifest, RulesEntry, read_manifest
from generator.model.pack import Backs, Layout
from generator.preflight.checking import Subject
from generator.preflight.manifest_checks import agreement, counts, faces_present, faces_unique
from generator.preflight.manifest_reader import Expected, untold

FIRST = re.compile(r"q 1 0 0 1 (\S+) (\S+) cm /(\S+) Do Q\n")


def moved(content: str, right_mm: float) -> str:
    """The content with its first face moved."""
    match = FIRST.search(content)
    assert match
    x = float(match[1]) + right_mm * 72 / 25.4
    return content.replace(match[0], f"q 1 0 0 1 {x:.4f} {match[2]} cm /{match[3]} Do Q\n", 1)


def test_a_file_that_has_changed_is_told_of(duplex: Path) -> None:
    with pikepdf.open(duplex, allow_overwriting_input=True) as pdf:
        pdf.docinfo["/Title"] = "Another"
        pdf.save(duplex)
    assert found(duplex) == [("GP806", 1), ("GP861", 1)]  # not what its metadata says


@pytest.mark.parametrize("by", [0.1, -0.1, 0.03, 5])
def test_a_face_out_of_its_place_is_told_of(fronts: Path, by: float) -> None:
    rewrite(fronts, 0, lambda content: moved(content, by))
    assert found(fronts) == [("GP806", 1)]
    assert f"'card-0', copy 1 is {abs(by):.2f} mm away" in messages(fronts)


def test_a_face_within_the_tolerance_is_not(fronts: Path) -> None:
    rewrite(fronts, 0, lambda content: moved(content, 0.01))
    assert found(fronts) == []


def test_a_face_that_is_not_drawn_is_told_of(fronts: Path) -> None:
    rewrite(fronts, 0, lambda content: FIRST.sub("", content, count=1))
    assert codes(fronts) == {"GP806"}
    assert "3 faces are drawn, the manifest lists 4" in messages(fronts)
    assert "'card-0', copy 1 is not drawn" in messages(fronts)


def test_a_face_drawn_twice_is_told_of(fronts: Path) -> None:
    rewrite(fronts, 0, lambda content: FIRST.sub(lambda m: 2 * m[0], content, count=1))
    assert codes(fronts) == {"GP806"}
    assert "not in the manifest" in messages(fronts)


def test_the_wrong_face_in_the_right_place_is_told_of(fronts: Path) -> None:
    def swap(content: str) -> str:
        one, other = FIRST.findall(content)[:2]
        return content.replace(
            f"{one[0]} {one[1]} cm /{one[2]}", f"{one[0]} {one[1]} cm /{other[2]}"
        )

    rewrite(fronts, 0, swap)
    assert codes(fronts) == {"GP806"}


def test_a_turned_face_is_told_of(fronts: Path) -> None:
    rewrite(
        fronts,
        0,
        lambda s: s.replace("q 1 0 0 1 48.189 527.2441", "q -1 0 0 -1 243.7795 793.7008", 1),
    )
    assert found(fronts) == [("GP806", 1)]
    assert "turned by 180°, not by 0°" in messages(fronts)


def test_a_face_at_another_scale_is_told_of(fronts: Path) -> None:
    def shrink(s: str) -> str:
        return s.replace("q 1 0 0 1 48.189 527.2441", "q 0.97 0 0 0.97 51.1228 531.241", 1)

    rewrite(fronts, 0, shrink)
    assert ("GP806", 1) in found(fronts)
    assert "97.00 %" in messages(fronts)


def test_a_mirrored_face_is_told_of(fronts: Path) -> None:
    rewrite(
        fronts,
        0,
        lambda s: s.replace("q 1 0 0 1 48.189 527.2441", "q -1 0 0 1 243.7795 527.2441", 1),
    )
    assert codes(fronts) == {"GP806", "GP827"}


def test_a_page_too_few_or_too_many_is_told_of(duplex: Path) -> None:
    tamper(duplex, lambda pdf: pdf.pages.append(pdf.pages[0]))
    assert "the file has 3 pages, the manifest 2" in messages(duplex)


def test_a_missing_page_is_told_of(duplex: Path) -> None:
    tamper(duplex, lambda pdf: pdf.pages.__delitem__(1))
    assert ("GP806", 1) in found(duplex)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"w_mm": 60, "x_mm": 21.5}, "an even bleed"),
        ({"bleed_mm": 4}, "has 3.00 mm of bleed, not 4 mm"),
        ({"sha256": "0" * 64}, "is not drawn"),
    ],
)
def test_a_manifest_that_promises_more_is_told_of(
    fronts: Path, change: dict[str, object], message: str
) -> None:
    tell(fronts, lambda file: file["pages"][0]["placements"][0].update(change))
    assert "GP806" in codes(fronts)
    assert message in messages(fronts)


PATCH = "q 1 1 1 rg 60 600 100 80 re f Q"
STAMP = "BT /F1+0 60 Tf 100 400 Td (TRIAL) Tj ET"
PIXEL = "q 40 0 0 40 100 650 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q"


@pytest.mark.parametrize(
    ("drawn", "what"), [(PATCH, "a shape"), (STAMP, "text"), (PIXEL, "a picture")]
)
def test_what_is_put_over_the_page_is_told_of(fronts: Path, drawn: str, what: str) -> None:
    rewrite(fronts, 0, lambda content: f"{content}\n{drawn}\n")
    assert ("GP806", 1) in found(fronts)
    assert f"{what} is put on the page that is neither a face nor a mark" in messages(fronts)


def test_a_page_whose_greys_mean_others_is_told_of(fronts: Path) -> None:
    """It prints its marks darker, and no operator of it is another one."""
    with pikepdf.open(fronts, allow_overwriting_input=True) as pdf:
        darker = pikepdf.Dictionary(WhitePoint=pikepdf.Array([0.95, 1, 1.09]), Gamma=4)
        spaces = pikepdf.Dictionary(DefaultGray=pikepdf.Array([pikepdf.Name.CalGray, darker]))
        pdf.pages[0].obj.Resources.ColorSpace = spaces
        pdf.save(fronts)
    assert "another meaning of grey, RGB or CMYK is put on the page" in messages(fronts)


def test_faces_seen_through_an_effect_are_told_of(fronts: Path) -> None:
    def fade(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        states = {"/Thin": pikepdf.Dictionary(LW=1), "/Pale": pikepdf.Dictionary(ca=0.3)}
        page.Resources.ExtGState = pikepdf.Dictionary(states)
        page.Contents.write(b"/Thin gs /Pale gs\n" + page.Contents.read_bytes())

    tamper(fronts, fade)
    assert ("GP806", 1) in found(fronts)
    assert "transparency" in messages(fronts)


def test_a_page_behind_another_clip_is_told_of(fronts: Path) -> None:
    window = "q 0 0 20 842 re W n "
    rewrite(fronts, 0, lambda s: f"{window}{FIRST.search(s)[0]}Q\n{FIRST.sub('', s, count=1)}")  # type: ignore[index]
    assert ("GP806", 1) in found(fronts)
    assert "is cut to another part of it" in messages(fronts)


ANT, BEE = Drawn("ant", copies=2, quantity=2), Drawn("bee")
BACKS = (Drawn("ant", copies=2, quantity=2, face="back"), Drawn("bee", face="back"))
DECK, _ = deck(ANT, BEE, *BACKS)


def with_placements(*placements: Expected) -> Subject:
    assert DECK.expected
    [page] = DECK.expected.pages
    more = replace(DECK.expected, pages=(structs.replace(page, placements=placements),))
    return replace(DECK, expected=more)


def placements() -> tuple[Expected, ...]:
    assert DECK.expected
    [page] = DECK.expected.pages
    return page.placements


def without(component: str, copy: int, face: str) -> Subject:
    return with_placements(
        *(p for p in placements() if (p.component, p.copy, p.face) != (component, copy, face))
    )


def test_a_whole_deck_is_left_in_peace() -> None:
    assert [*counts(DECK), *faces_present(DECK), *faces_unique(DECK)] == []


def test_a_piece_that_is_missing_is_told_of() -> None:
    [finding] = counts(with_placements(*(p for p in placements() if p.copy == 1)))
    assert finding.code == "GP851"
    assert finding.message == "1 of 'ant' are in the file, its quantity is 2"
    assert (finding.page, finding.component) == (1, "card/ant")
    assert str(finding.source) == "cards/hand/ant.yaml:3:5"


def test_a_component_of_which_nothing_is_there_is_told_of() -> None:
    [finding] = counts(with_placements(*(p for p in placements() if p.component == "ant")))
    assert finding.message.startswith("0 of 'bee'")
    assert (finding.page, finding.place, finding.component) == (0, None, "card/bee")


def test_a_piece_too_many_is_told_of() -> None:
    third = [altered(p, copy=3) for p in placements() if p.component == "ant" and p.copy == 1]
    [finding] = counts(with_placements(*placements(), *third))
    assert finding.message.startswith("3 of 'ant'")


@pytest.mark.parametrize(("face", "copy"), [("back", 1), ("back", 2), ("front", 2)])
def test_a_face_that_the_other_copy_has_is_missed(face: str, copy: int) -> None:
    [finding] = faces_present(without("ant", copy, face))
    assert finding.code == "GP854"
    assert finding.message == f"'ant', copy {copy}, has no {face}"
    assert finding.place == placements()[0].box


def test_a_component_without_a_front_misses_it() -> None:
    [finding] = faces_present(without("bee", 1, "front"))
    assert finding.message == "'bee', copy 1, has no front"


def test_a_component_may_be_blank_behind() -> None:
    assert list(faces_present(without("bee", 1, "back"))) == []
    assert (
        list(faces_present(with_placements(*(p for p in placements() if p.face == "front")))) == []
    )


def test_other_kinds_have_other_faces() -> None:
    subject, _ = deck(ANT, BACKS[0], Drawn("die", kind="sticker"))
    assert list(faces_present(subject)) == []


def test_a_face_that_is_there_twice_is_told_of_once() -> None:
    first = placements()[0]
    assert DECK.expected
    [page] = DECK.expected.pages
    again = page_of(first, first, number=2)
    expected = replace(DECK.expected, pages=(page, again))
    [finding] = faces_unique(replace(DECK, expected=expected))
    assert finding.code == "GP855"
    assert finding.message == "the front of 'ant', copy 1 stands 3 times in the file"


def test_a_file_without_definitions_is_not_counted() -> None:
    assert DECK.expected
    assert list(counts(replace(DECK, expected=replace(DECK.expected, components={})))) == []
    for check in (counts, faces_present, faces_unique):
        assert list(check(replace(DECK, expected=None))) == []


SHOWN = "Half-way fish, ﬁne Čaj 7"


def built(folder: Path, words: str | None) -> Path:
    """A card that shows some words, and a manifest that says it should show others."""
    card = face("card-1", text(SHOWN))
    path = write(folder, [sheet([place(card, 20, 20)])], backs=Backs.NONE)
    manifest = folder / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    told["words"] = {} if words is None else {card.sha256: words}
    manifest.write_text(json.dumps(told), encoding="utf-8")
    return path


def odd(path: Path) -> list[tuple[str, int]]:
    return [(code, page) for code, page in found(path) if code == "GP856"]


@pytest.mark.parametrize(
    "words", [SHOWN, "Halfway fish fine Čaj 7", "fine Čaj 7 fish Half way", None]
)
def test_a_face_with_its_own_words_is_fine(tmp_path: Path, words: str | None) -> None:
    assert odd(built(tmp_path, words)) == []


def test_a_text_and_its_shadow_may_count_as_one(tmp_path: Path) -> None:
    assert odd(built(tmp_path, f"{SHOWN}\n{SHOWN}")) == []


def test_a_letter_that_readers_see_twice_is_no_surplus(tmp_path: Path) -> None:
    assert odd(built(tmp_path, SHOWN.replace("j", ""))) == [("GP856", 1)]
    assert odd(built(tmp_path, SHOWN.replace("fish", "fis"))) == [("GP856", 1)]
    assert odd(built(tmp_path, SHOWN.replace("fish", "fsh"))) == []


def test_a_face_that_lacks_words_is_told_of(tmp_path: Path) -> None:
    path = built(tmp_path, f"{SHOWN} and more")
    assert odd(path) == [("GP856", 1)]
    assert "does not show its own words, ‘Half-way" in messages(path)
    assert "of its letters 7 are missing, 0 too many" in messages(path)


def test_a_face_with_the_words_of_another_is_told_of(tmp_path: Path) -> None:
    path = built(tmp_path, SHOWN.replace("7", "8"))
    assert odd(path) == [("GP856", 1)]
    assert "of its letters 1 are missing, 1 too many" in messages(path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Manifest:
    """A manifest that leaves nothing out, of two cards."""
    made = two_cards(tmp_path_factory.mktemp("whole"), "")
    told = read_manifest(made.with_name("manifest.json").read_bytes())
    faces = {placed.sha256: "" for placed in told.files[0].pages[0].placements}
    [page] = told.files[0].pages
    page = replace(page, placements=tuple(replace(p, marked=True) for p in page.placements))
    rules = RulesEntry(layout=Layout.NUP)
    file = replace(told.files[0], pages=(page,), rules=rules, lettering=("0a",))
    return replace(told, files=(file,), words=faces, texts=dict.fromkeys(faces, ()))


def test_a_whole_manifest(whole: Manifest) -> None:
    assert list(untold(whole.files[0], whole)) == []


@pytest.mark.parametrize(
    ("field", "empty"),
    [
        ("rules", None), ("marks", ()), ("forms", {}), ("lettering", ()), ("proofs", {}),
        ("painter", ""), ("words", {}), ("texts", {}),
    ],
)  # fmt: skip
def test_what_a_manifest_leaves_out(whole: Manifest, field: str, empty: object) -> None:
    file = whole.files[0]
    if hasattr(file, field):
        file = replace(file, **{field: empty})
    else:
        whole = replace(whole, **{field: empty})
    [said] = untold(file, whole)
    assert field in said


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("marked", False, "labels"),
        ("shape", Shape.PATH, "die_mm"),
        ("side", Side.BACK, "backs"),
    ],
)
def test_what_a_placement_leaves_out(
    whole: Manifest, field: str, value: object, words: str
) -> None:
    [page] = whole.files[0].pages
    first, *others = page.placements
    placed = (replace(first, **{field: value}), *others)
    [said] = untold(replace(whole.files[0], pages=(replace(page, placements=placed),)), whole)
    assert f"({words})" in said


def test_another_bleed_of_a_kind_than_of_its_pieces(whole: Manifest) -> None:
    [page] = whole.files[0].pages
    kind = KindEntry(title="", why="", quantities={}, bleed=2.9, safe=3.0, components={})
    kinds = {placed.kind: kind for placed in page.placements}
    [said] = untold(whole.files[0], replace(whole, kinds=kinds))
    assert said == "one bleed of each kind and of its pieces (bleed_mm)"


def test_it_is_told(deck_of_one: Subject) -> None:
    expected = deck_of_one.expected
    assert expected is not None
    told = structs.replace(expected, untold=("rules",))
    [finding, *_] = agreement(structs.replace(deck_of_one, expected=told, sha256=told.sha256))
    assert finding.message.endswith("which nobody could look for: rules")


@pytest.fixture
def deck_of_one() -> Subject:
    subject, _ = deck(Drawn("ant"))
    return subject


def test_a_sheet_that_lost_its_back(deck_of_one: Subject) -> None:
    expected = deck_of_one.expected
    assert expected is not None
    pages = tuple(structs.replace(page, label="1 front") for page in expected.pages)
    duplex = structs.replace(expected, pages=pages, backs=Backs.DUPLEX_LONG)
    [finding] = faces_present(structs.replace(deck_of_one, expected=duplex))
    assert (finding.code, finding.message) == ("GP854", "sheet 1 has a front and no back")

from dataclasses import replace

import pytest
from msgspec import structs
from preflight.by_hand import Drawn, altered, deck, page_of

from generator.preflight.manifest_reader import Expected
from generator.preflight.set_checks import counts, faces_present, faces_unique
from generator.preflight.subject import Subject

ANT, BEE = Drawn("ant", copies=2, quantity=2), Drawn("bee")
BACKS = (replace(ANT, face="back"), replace(BEE, face="back"))
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

"""`book`: a text flows over pages, each block appears once, splits only where allowed, and faults
name their lines."""

from collections.abc import Sequence

import pytest
from render.studio import Studio

from generator.diagnostics import Diagnostic, Span
from generator.model.face import Face

BOX = "4, 4, 54, 60"


def pages(studio: Studio, text: str, count: int, more: str = "") -> Sequence[Face]:
    studio.write("cards/mini/rules.md", text)
    calls = [f'{{{{ book("rules.md", {page}, {BOX}{more}) }}}}' for page in range(1, count + 1)]
    return [studio.face(call) for call in calls]


def told(studio: Studio, text: str, call: str = f'book("rules.md", 1, {BOX})') -> list[Diagnostic]:
    studio.write("cards/mini/rules.md", text)
    return list(studio.draw(f"{{{{ {call} }}}}").diagnostics)


def words(face: Face) -> list[str]:
    return str(face.words).split("\n")


def test_every_paragraph_is_on_one_page_and_none_is_lost(studio: Studio) -> None:
    texts = [f"Paragraph {n} has a few words that need some lines to stand on." for n in range(20)]
    said = [line for face in pages(studio, "\n\n".join(texts), 4) for line in words(face) if line]
    assert said == texts


@pytest.mark.parametrize("before", range(12))
@pytest.mark.parametrize("mark", ["", "- "])
def test_a_long_paragraph_is_parted_and_no_line_stands_alone(
    studio: Studio, before: int, mark: str
) -> None:
    long = " ".join(f"word{n}" for n in range(60))
    faces = pages(studio, "x\n\n" * before + f"{mark}{long}\n\nthe end\n", 2)
    parts = [[box.lines for box in face.text_boxes if box.lines > 1] for face in faces]
    assert all(lines >= 2 for of_page in parts for lines in of_page)
    said = [one for face in faces for one in words(face) if "word" in one or "end" in one]
    assert " ".join(said) == f"{long} the end"


@pytest.mark.parametrize("block", ["> {}", "| head |\n|---|\n| {} |", "{}:\n\n- a thing"])
def test_notes_tables_and_what_leads_keep_together(studio: Studio, block: str) -> None:
    together = block.format("word " * 30)
    first, second = pages(studio, "x\n\n" * 10 + together, 2)
    assert set(words(first)) == {"x"}
    assert "word" in " ".join(words(second))


def test_a_table_higher_than_a_page_goes_on_below_its_heads(studio: Studio) -> None:
    rows = "".join(f"| row {n} | x |\n" for n in range(20))
    faces = pages(studio, f"| What | How |\n|---|---|\n{rows}", 2)
    assert [words(face)[:2] for face in faces] == [["What", "How"]] * 2
    said = [one for face in faces for one in words(face) if one.startswith("row")]
    assert said == [f"row {n}" for n in range(20)]


def test_a_table_higher_than_a_page_begins_below_its_heading(studio: Studio) -> None:
    table = "## Pieces\n\n| What | How |\n|---|---|\n" + "| row | x |\n" * 20
    first, _ = pages(studio, f"Some words.\n\n{table}", 2)
    assert words(first)[:4] == ["Some words.", "Pieces", "What", "How"]
    filling = "\n\n".join(["Some words."] * 9)  # which leaves room for its heads alone
    first, second = pages(studio, f"{filling}\n\n{table}", 2)
    assert words(first)[-1] == "Some words."
    assert words(second)[:3] == ["Pieces", "What", "How"]


def test_words_of_the_locale_are_said(studio: Studio) -> None:
    (face,) = pages(studio, "Crack the [[Whip]].\n", 1)
    assert words(face) == ["Crack the Whip."]


def test_a_heading_goes_with_what_follows_it(studio: Studio) -> None:
    filling = "\n\n".join(["Some words."] * 9)
    first, second = pages(studio, f"{filling}\n\n## Next\n\n{'word ' * 40}\n", 2)
    assert "Next" not in words(first)
    assert words(second)[0] == "Next"


def test_pages_and_columns_can_be_begun(studio: Studio) -> None:
    first, second = pages(studio, "a\n\n***\n\nb\n\n---\n\nc\n", 2, ", columns=2, gap=4")
    assert (words(first), words(second)) == (["a", "b"], ["c"])
    left, right = (box.box.x for box in first.text_boxes[:2])
    assert right - left == pytest.approx((54 - 4) / 2 + 4, abs=1)


def test_contents_tell_the_pages(studio: Studio) -> None:
    first, _, third = pages(studio, "[contents]\n\n---\n\n# One\n\nx\n\n---\n\n## Two\n\ny\n", 3)
    assert words(first) == ["One", "2", "Two", "3"]
    assert words(third)[0] == "Two"


def test_lists_tables_notes_and_pictures_are_drawn(studio: Studio) -> None:
    studio.picture("art.png", 600, 300)
    table, picture = "| a | b |\n|---|---|\n| c | d |\n", '![cap](art.png "50%")\n'
    text = f"1. one\n2. two\n   - in\n\n> note\n\n{table}\n{picture}"
    (face,) = pages(studio, text, 1)
    assert words(face) == ["one", "1.", "two", "2.", "in", "note", "a", "b", "c", "d", "cap"]
    assert len(face.assets) == 1


def test_names_of_components_are_checked(studio: Studio) -> None:
    studio.values = {"name": "Watchtower"}
    (face,) = pages(studio, "See [](card/first) and [them](card/first).\n", 1)
    assert words(face) == ["See Watchtower and them."]
    (fault,) = told(studio, "x\n\nSee [](card/frist).\n")
    assert (fault.code, fault.span) == ("GP205", Span("rules.md", 3))
    assert "first" in fault.hint


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("x\n\n{nothing}\n", "GP502", 3),
        ("x\n\n```\ncode\n```\n", "GP401", 3),
        ("x\n\n# " + "word " * 200, "GP401", 3),
        ("x\n\n![](none.png)\n", "GP501", 3),
        ("x\n\n![](../../../etc/none.png)\n", "GP004", 3),
    ],
)
def test_faults_are_told_at_their_line(studio: Studio, text: str, code: str, line: int) -> None:
    (fault,) = told(studio, text)
    assert (fault.code, fault.span.file, fault.span.line) == (code, "rules.md", line)


def test_more_pages_than_there_are_is_a_fault(studio: Studio) -> None:
    call = f'book("rules.md", 1, {BOX}, pages=1)'
    (fault,) = told(studio, "a\n\n---\n\nb\n\n---\n\nc\n", call)
    assert (fault.code, fault.span.line) == ("GP401", 5)
    assert "takes 3 pages, but there are only 1" in fault.message


def test_what_has_no_page_yet_is_checked_all_the_same(studio: Studio) -> None:
    call = f'book("rules.md", 1, {BOX}, pages=1)'
    text = "a\n\n---\n\n[b](nokind/x) {nothing}\n"
    found = {one.code: one for one in told(studio, text, call)}
    assert found.keys() == {"GP401", "GP205", "GP502"}
    assert found["GP205"].message == "there is no kind 'nokind'"


def test_a_text_that_is_not_there_is_told(studio: Studio) -> None:
    (fault,) = studio.draw(f'{{{{ book("rule.md", 1, {BOX}) }}}}').diagnostics
    assert fault.code == "GP501"
    studio.write("cards/mini/rules.md", b"\xff\xfe\x00")
    (fault,) = studio.draw(f'{{{{ book("rules.md", 1, {BOX}) }}}}').diagnostics
    assert fault.code == "GP105"

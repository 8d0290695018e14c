import re

import pytest
from render.studio import Studio, operators, source, style, styles

from generator.diagnostics import Severity, Span
from generator.fonts import FontLibrary
from generator.geometry import Rect, Size
from generator.model.catalogue import Shape, Stock
from generator.model.values import Record
from generator.render.text_checks import left_over


def is_near(one: Rect, two: Rect) -> bool:
    return one.grown(1e-6).contains(two, 0) and two.grown(1e-6).contains(one, 0)


def test_a_box_holds_its_text_and_says_where_it_stands(studio: Studio) -> None:
    studio.values = {"text": source("Discard a card and move 2 hexes straight on.", rich=True)}
    face = studio.face('{{ text_box(c.text, 5, 10, 30, 20, "body") }}')
    (box,) = face.text_boxes
    assert box.box == Rect(5, 10, 30, 20)
    assert box.box.contains(box.used)
    assert (box.style, box.size_pt, box.lines) == ("body", 9, 2)
    assert box.span == studio.values["text"].span
    assert face.svg.count("<tspan") == 2
    assert "<?" not in face.svg


def test_groups_around_a_text_move_its_box(studio: Studio) -> None:
    face = studio.face(
        '<g transform="translate(20 30)"><g transform="rotate(180)">'
        '{{ text_box("Up", -10, -10, 10, 10, "body") }}</g></g>'
    )
    assert is_near(face.text_boxes[0].box, Rect(20, 30, 10, 10))


def test_a_turned_box_turns_about_its_middle(studio: Studio) -> None:
    face = studio.face('{{ text_box("Up", 10, 20, 20, 4, "body", rotate=90) }}')
    assert "q 0 1 -1 0 42 2 cm" in operators(face)
    assert is_near(face.text_boxes[0].box, Rect(18, 12, 4, 20))


def test_markup_counts_only_where_it_is_meant(studio: Studio) -> None:
    studio.values = {"plain": source("2 ** 3"), "rich": source("**Roll** a die", rich=True)}
    inside = studio.inside(
        '{{ text_line(c.plain, 5, 9, "body") }}{{ text_line(c.rich, 5, 19, "body") }}'
        '{{ text_line("**Now**", 5, 29, "body", rich=true) }}'
        '{{ text_line("**", 5, 39, "body") }}'
    )
    texts = re.findall(r">([^<>]+)<", inside)
    assert "2 ** 3" in texts
    assert "Roll" in texts
    assert "Now" in texts
    assert "**" in texts
    assert 'font-weight="700"' in inside


def test_text_is_escaped_once(studio: Studio) -> None:
    studio.values = {"text": source("Salt & <pepper>")}
    template = '{% set both %}{{ c.text }} & more{% endset %}{{ text_line(both, 5, 9, "body") }}'
    assert "Salt &amp; &lt;pepper&gt; &amp; more" in studio.inside(template)


def test_size_and_colour_of_a_single_text(studio: Studio) -> None:
    inside = studio.inside(
        '{{ text_line("A", 5, 9, "body", size=18, colour="bronze") }}'
        '{{ text_line("A", 5, 19, "body", colour="#123456") }}'
        '{{ text_line("A", 5, 29, "title") }}'
    )
    assert 'fill="#a8743a"' in inside
    assert 'font-size="6.35000"' in inside
    assert 'fill="#123456"' in inside
    assert inside.count('fill="#a8743a"') == 2, "a style's colour may be a name"


def test_a_line_shrinks_to_its_width(studio: Studio) -> None:
    (box,) = studio.face('{{ text_line("Recovery", 31, 9, "body", "middle", w=11) }}').text_boxes
    assert 7 <= box.size_pt < 9
    assert box.box.width <= 11
    assert box.box.centre.x == pytest.approx(31, abs=0.2)


def test_width_and_height_are_those_of_the_set_text(studio: Studio) -> None:
    template = (
        '{% set w = text_width(c.text, "body") %}{{ text_line(c.text, 4, 9, "body", w=w) }}'
        '{% set h = text_height(c.text, 30, "body") %}{{ text_box(c.text, 5, 10, 30, h, "body") }}'
    )
    studio.values = {"text": source("Discard a card, then move two hexes")}
    boxes = studio.face(template).text_boxes
    assert [box.size_pt for box in boxes] == [9, 9], "it fits where it was measured"


def test_icons_in_a_text_are_drawn_in_its_colour(studio: Studio) -> None:
    studio.icon("whip", '<path d="M0 0h9v4z"/>', "0 0 10 5")
    studio.values = {"text": source("Play {whip} now", rich=True)}
    drawn = operators(studio.face('{{ text_line(c.text, 5, 9, "body", colour="bronze") }}'))
    assert drawn.count("/RGB cs 0.658824 0.454902 0.227451 sc") == 2
    scale = float(re.findall(r"q (\S+) 0 0 \S+ \S+ \S+ cm", drawn)[-1])
    assert 5 * scale == pytest.approx(3.175), "1 em"


def test_a_script_without_a_font_is_told_once(studio: Studio) -> None:
    studio.ids = ("first", "second")
    studio.values = {"text": source("竜の勇者"), "more": source("Roll 🎲🔥 for ⚡ ❤️")}
    found = studio.findings(
        '{{ text_line(c.text, 5, 9, "body") }}{{ text_line(c.more, 5, 20, "body") }}'
    )
    assert [d.code for d in found] == ["GP402"] * 3
    told = "\n".join(f"{d.message} {d.hint}" for d in found)
    assert "cannot print Han" in told
    assert "cannot print emoji" in told
    assert told.count("write an icon instead") == 1
    assert "and 1 more" in told


def test_hidden_text_may_stand_anywhere(studio: Studio) -> None:
    note = '{{ text_line("Notes to self", -9, 1, "dust") }}'
    for look in ('style="display:none"', 'visibility="hidden"', 'display="none"'):
        assert studio.findings(f"<g {look}>{note}</g>") == ()
    assert [d.code for d in studio.findings(f"<g>{note}</g>")] == ["GP404", "GP405"]


def test_an_unknown_font_of_the_styles_is_told_where_it_is_named(studio: Studio) -> None:
    fonts = studio.styles["fonts"].with_values({"body": "Alegreja Sans"})
    studio.styles = studio.styles.with_values({"fonts": fonts})
    (told,) = studio.findings("<g/>")
    assert (str(told.span), told.code) == ("styles.yaml:1:15", "GP403")
    assert told.hint == "did you mean 'Alegreya Sans'?"


def test_a_font_that_may_not_be_embedded_is_told_where_it_is_named(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FontLibrary, "forbids_embedding", lambda _, f: f.family == "Alegreya Sans")
    (told,) = studio.findings("<g/>")
    assert (str(told.span), told.code) == ("styles.yaml:1:15", "GP408")


def test_a_template_may_translate_words(studio: Studio) -> None:
    studio.more = {"words": {"Whip": "Throttle"}}
    studio.values = {"card": source("Whip", rich=True)}
    template = "{{ text_line(word(c.card) ~ word('Reins'), 5, 9, 'body') }}"
    face = studio.face(template)
    assert ">ThrottleReins<" in face.svg
    assert face.text_boxes[0].span == studio.values["card"].span


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("Draw two. TODO", "TODO"),
        ("TODO: balance", "TODO"),
        ("[TODO]", "TODO"),
        ("Lorem  ipsum dolor", "Lorem  ipsum"),
        ("Hello {{ name }}", "{{ name }}"),
        ("TODO O NADA", ""),  # all or nothing
        ("Todo el mundo roba", ""),
        ("{name}", ""),
    ],
)
def test_what_was_left_in_a_text_is_known_from_words(words: str, left: str) -> None:
    assert left_over(words) == left


@pytest.mark.parametrize(
    ("words", "name", "lost"),
    [
        ("Draw **two**", "body", []),
        ("Draw *two*, **not *three***", "body", []),
        ("Draw two \\*", "single", []),
        ("Draw **two**", "single", ["bold"]),
        ("Draw *two*, **not** three", "single", ["bold", "italic"]),
        ("Draw **two**", "title", []),
        ("Draw *two*", "title", ["italic"]),
    ],
)
def test_words_that_a_font_cannot_mark_are_told_once(
    studio: Studio, words: str, name: str, lost: list[str]
) -> None:
    known = {"body": style("body", 9, 7), "single": style("single", 9, 7)}
    known["title"] = style("display", 15, 11, weight=700)
    fonts = {"body": "Alegreya Sans", "display": "Cinzel", "single": "Russo One"}
    span = Span("styles.yaml")
    studio.styles = styles(fonts=Record(fonts, span), styles=Record(known, span))
    studio.values = {"text": source(words, rich=True)}
    box = f'{{{{ text_box(c.text, 5, 10, 50, 20, "{name}") }}}}'
    told = [each for each in studio.findings(box + box) if each.code == "GP406"]
    assert [each.message.split()[0] for each in told] == lost
    assert all(each.severity is Severity.WARNING for each in told)


@pytest.mark.parametrize(
    ("call", "severity", "said"),
    [
        ('text_line("Fire", 1, 40, "body")', "warning", "mm out of the safe zone (left)"),
        ('text_line("Fire", -2, 40, "body")', "error", "mm over the cut (left)"),
        ('text_line("Fire", 59, 40, "body")', "error", "'Fire' reaches"),
        ('text_line("D", -6, 40, "title", size=40)', "warning", "mm over the cut (left)"),
    ],
)
def test_text_near_the_cut_is_a_warning_and_letters_lost_an_error(
    studio: Studio, call: str, severity: str, said: str
) -> None:
    [found] = studio.findings(f"{{{{ {call} }}}}")
    assert (found.code, found.severity) == ("GP404", severity)
    assert said in found.message


def test_in_a_circle_the_distance_to_its_outline_counts(studio: Studio) -> None:
    studio.stock = Stock("token", Size(30, 30), shape=Shape.CIRCLE)
    middle = '{{ text_line("Fire", 15, 16, "body", anchor="middle") }}'
    assert studio.findings(middle) == ()
    [found] = studio.findings('{{ text_line("Fire", 4, 8, "body") }}')
    assert (found.code, found.severity) == ("GP404", "warning")


@pytest.mark.parametrize("name", ["tiny", "dust"])
def test_small_text_is_a_warning_however_small_it_is(studio: Studio, name: str) -> None:
    [found] = studio.findings(f'{{{{ text_line("Fire", 9, 40, "{name}") }}}}')
    assert (found.code, found.severity) == ("GP405", "warning")

import random
import re

import pytest
from render.studio import Studio, operators, source, style, styles

from generator.geometry import Rect
from generator.model.pack import Record
from generator.render.texts import left_over


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


def test_text_of_a_template_is_placed_at_the_component(studio: Studio) -> None:
    (box,) = studio.face('{{ text_line("Recovery", 5, 9, "body") }}').text_boxes
    assert (box.span.file, box.span.line) == ("cards.yaml", 3)


def test_groups_around_a_text_move_its_box(studio: Studio) -> None:
    face = studio.face(
        '<g transform="translate(20 30)"><g transform="rotate(180)">'
        '{{ text_box("Up", -10, -10, 10, 10, "body") }}</g></g>'
    )
    assert is_near(face.text_boxes[0].box, Rect(20, 30, 10, 10))


def test_groups_that_enlarge_a_text_enlarge_its_size(studio: Studio) -> None:
    face = studio.face(
        '<g transform="scale(2)">{{ text_line("Up", 5, 9, "tiny") }}</g>',
    )
    assert face.text_boxes[0].size_pt == 12


def test_a_turned_box_turns_about_its_middle(studio: Studio) -> None:
    face = studio.face('{{ text_box("Up", 10, 20, 20, 4, "body", rotate=90) }}')
    assert "q 0 1 -1 0 42 2 cm" in operators(face)
    assert is_near(face.text_boxes[0].box, Rect(18, 12, 4, 20))


def test_a_turned_line_turns_about_its_point(studio: Studio) -> None:
    face = studio.face('{{ text_line("Up", 10, 20, "body", rotate=-90) }}')
    assert "q 0 -1 1 0 -10 30 cm" in operators(face)


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


def test_numbers_are_text_too(studio: Studio) -> None:
    inside = studio.inside('{{ text_line(7, 5, 9, "body") }}{{ text_line(2.50, 5, 19, "body") }}')
    assert ">7</tspan>" in inside
    assert ">2.5</tspan>" in inside


def test_an_empty_text_prints_nothing(studio: Studio) -> None:
    face = studio.face('{{ text_box("", 5, 5, 20, 9, "body") }}')
    assert "<text" not in face.svg


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


def test_a_smaller_size_may_be_under_the_styles_smallest(studio: Studio) -> None:
    face = studio.face('{{ text_line("A", 5, 9, "title", size=8) }}')
    assert face.text_boxes[0].size_pt == 8


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


def test_a_box_without_a_height_is_as_high_as_its_text(studio: Studio) -> None:
    (box,) = studio.face('{{ text_box("one two", 5, 10, 9, none, "body") }}').text_boxes
    assert box.lines == 2
    assert 6 < box.box.height < 9


def test_icons_in_a_text_are_drawn_in_its_colour(studio: Studio) -> None:
    studio.icon("whip", '<path d="M0 0h9v9z"/>', "0 0 10 5")
    studio.values = {"text": source("Play {whip} now", rich=True)}
    drawn = operators(studio.face('{{ text_line(c.text, 5, 9, "body", colour="bronze") }}'))
    assert drawn.count("/RGB cs 0.658824 0.454902 0.227451 sc") == 2
    scale = float(re.findall(r"q (\S+) 0 0 \S+ \S+ \S+ cm", drawn)[-1])
    assert 5 * scale == pytest.approx(3.175), "1 em"


def test_language_and_fallback_come_with_the_style(studio: Studio) -> None:
    studio.styles = styles(fallback=(source("Noto Sans"),))
    inside = studio.inside('{{ text_line("Ϟ 9", 5, 9, "title") }}')
    assert "Noto Sans" in inside


def test_an_unknown_font_of_the_styles_is_told_where_it_is_named(studio: Studio) -> None:
    fonts = studio.styles["fonts"].with_values({"body": "Alegreja Sans"})
    studio.styles = studio.styles.with_values({"fonts": fonts})
    (told,) = studio.findings("<g/>")
    assert (str(told.span), told.code) == ("styles.yaml:1:15", "GP403")
    assert told.hint == "did you mean 'Alegreya Sans'?"


def test_a_template_may_translate_words(studio: Studio) -> None:
    studio.more = {"words": {"Whip": "Throttle"}}
    studio.values = {"card": source("Whip", rich=True)}
    template = "{{ text_line(word(c.card) ~ word('Reins'), 5, 9, 'body') }}"
    face = studio.face(template)
    assert ">ThrottleReins<" in face.svg
    assert face.text_boxes[0].span == studio.values["card"].span


def test_a_style_says_how_wide_a_font_is(studio: Studio) -> None:
    wide = style("body", 9, 7, stretch=75)
    every = Record({**studio.styles["styles"], "body": wide}, studio.styles.span)
    studio.styles = studio.styles.with_values({"styles": every})
    assert studio.face('{{ text_line("A", 5, 9, "body") }}').text_boxes[0].size_pt == 9


def test_many_short_texts_are_told(studio: Studio) -> None:
    spent = '{% for i in range(19) %}{% set x = ("a" * 999999)|upper %}{% endfor %}'
    loop = '{% for i in range(2000) %}{{ text_width(i % 9, "body") }}{% endfor %}'
    (told,) = studio.findings(spent + loop)
    assert (told.code, told.span.line) == ("GP306", 1)
    assert "characters" in told.message


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("TODO: how far?", "TODO"),
        ("Dolor sit amet, consectetur", "Dolor sit amet"),
        ("Insert rules text here", "Insert rules text here"),
        ("Ein Blindtext.", "Blindtext"),
        ("Texto aquí", "Texto aquí"),
        ("À FAIRE", "À FAIRE"),
        ("Gain XXX coins", "XXX"),
        ("Cost: ???", "???"),
        ("#REF!", "#REF!"),
        ("nan", "nan"),
        ("Spend {{ c.cost }}", "{{ c.cost }}"),
        ("bread &amp; pies", "&amp;"),
        ("<u>Look</u> here", "<u>"),
        ("One<br/>two", "<br/>"),
        ('a <font color="red">b</font>', '<font color="red">'),
        ("a </strong> b", "</strong>"),
        ("[b]x[/b]", "[/b]"),
        ("a < b > c, <bear>, [B], <3", ""),
        ("Caf\u00c3\u00a9", "\u00c3\u00a9"),
        ("TODO O NADA", ""),  # all or nothing
        ("Todo el mundo roba", ""),
        ("What???", ""),
        ("Legion XXX", ""),
        ("The rules here are strict.", ""),
        ("Write your name here", ""),
        ("Nan is undefined by fear", ""),
        ("Fish & chips; beer", ""),
        ("cost tbd", "tbd"),
        ("Sed do eiusmod tempor", "Sed do eiusmod tempor"),
        ("Move 2. Ut labore et dolore magna. Rest", "Ut labore et dolore magna"),
        ("Magna Carta: quis?", ""),
        ("Hier könnte Ihr Text stehen", "Hier könnte Ihr Text stehen"),
        ("Gain 2. (Falta traducción)", "Falta traducción"),
        ("Вставьте текст", "Вставьте текст"),
        ("ここにテキスト", "ここにテキスト"),
        ("The text here is torn", ""),
        ("Hier steht der König", ""),
        ("Insert coin", ""),
        ("To be decided.", "To be decided"),
        ("To be decided by a duel", ""),
        ("Dummy card 3", "Dummy card 3"),
        ("__TITLE__", "__TITLE__"),
        ("À définir", "À définir"),
        ("Baker - Kopie", "Baker - Kopie"),
        ("Baker (copy)", "Baker (copy)"),
        ("Nome della carta", "Nome della carta"),
        ("blah blah", "blah blah"),
        ("to [insert name]", "[insert name]"),
        ("Caf\ufffd", "\ufffd"),
        *(
            (word.encode().decode("cp1252"), half)
            for word, half in (
                ("Ελλην", "Î•Î»"),
                ("日本", "æ—¥æœ¬"),
                ("Žižkov", "Å½"),
                ("Pięć", "Ä™"),
            )
        ),
        ("Ðобро", "Ðо"),
        ("În Île, Æsir — Ñandú, Ðorđe, Östra Ångby, »Ä« – çà", ""),
        ("caf\\u00e9", "\\u00e9"),
        ("%(name)s rests", "%(name)s"),
        ("At the the end", "the the"),
        ("Breathe the thick air, of offal", ""),
        ("Copy of a crown", ""),
        ("[TODO]", "TODO"),
        ("Noch zu übersetzen", "Noch zu übersetzen"),
        ("Titel hier", "Titel hier"),
        ("{% if x %}", "{% if x %}"),
        ("&uuml;ber", "&uuml;"),
        ("please change me", "change me"),
        ("XXX Roman Legion", ""),
        ("ï»¿Name", "ï»¿"),
        ("Noch offene Karten", ""),
        ("None", "None"),
        ("None costs more", ""),
        ("{name}", ""),
        ("Draw %d cards", "%d"),
        ("50%sure, 5% d", ""),
        ("Move.\\n", "\\n"),
        ("C:\\new", ""),
        ("Move.\\nThen rest.", "\\n"),
        ("Lorem  Ipsum", "Lorem  Ipsum"),
        ("T-O-D-O", "T-O-D-O"),
        ("TKTK", "TKTK"),
        ("To be done.", "To be done"),
        ("To be continued", ""),
        ("Needs art", "Needs art"),
        ("Needs art to win", ""),
        ("Fill in", "Fill in"),
        ("Move 2 (tbc).", "(tbc)"),
        ("Test card 3", "Test card 3"),
        ("Aenean commodo ligula", "Aenean commodo ligula"),
    ],
)
def test_what_was_left_in_a_text_is_known_from_words(words: str, left: str) -> None:
    assert left_over(words) == left


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("TODO!", "'TODO!' was left in the place of a text"),
        ("Draw two. TODO", "'TODO' was left in a text that is printed: 'Draw two. TODO'"),
    ],
)
def test_words_that_are_all_of_a_text_are_named_once(studio: Studio, words: str, told: str) -> None:
    studio.values = {"text": source(words)}
    [said] = studio.findings('{{ text_box(c.text, 5, 10, 30, 20, "body") }}')
    assert (said.code, said.message) == ("GP407", told)


def test_looking_for_what_was_left_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    dice = random.Random(1)
    for _ in range(300):
        left_over("".join(dice.choices("to do: balance ‘Ж日’ {a} %d \\n (copy)", k=200)))
    assert capfd.readouterr().err == ""

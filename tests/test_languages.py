"""One pack in several languages: the files of each, and the findings of its locale."""

import json
import shutil
from pathlib import Path

import pypdfium2
import pytest

from generator import load
from generator.build import Order, Session, lay_out, press_pack
from generator.cli import run
from generator.model.manifest import in_locale, manifest_beside, of_part, sibling_file
from generator.preflight import preflight
from generator.project import Target, find_targets

BASE = Path(__file__).parent / "fixtures/faults/base"


@pytest.fixture
def mini(tmp_path: Path) -> Target:
    shutil.copytree(BASE, tmp_path / "project")
    return find_targets([str(tmp_path / "project")])[0]


def speak(pack: Target, **locales: str) -> None:
    folder = pack.project.cards(pack.pack) / "locales"
    folder.mkdir(exist_ok=True)
    for name, text in locales.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


GERMAN = "components: {card: {first: {name: Glut}}}\n"


@pytest.mark.parametrize("locale", ["de", "pt-BR", "de.at", "engines"])
def test_a_file_tells_which_manifest_is_its_own(locale: str) -> None:
    name = in_locale("cards-a4.pdf", locale)
    assert (name, manifest_beside(name)) == (f"cards-a4.{locale}.pdf", f"manifest.{locale}.json")
    part = of_part(name)
    assert (
        manifest_beside(part)
        == f"manifest.{locale}.only.json"
        == sibling_file(part, "manifest.json")
    )
    assert manifest_beside("cards-a4.pdf") == "manifest.json"


def test_each_language_has_files_of_its_own_and_clears_no_others(
    mini: Target, tmp_path: Path
) -> None:
    speak(mini, de=GERMAN, fr="components: {card: {first: {name: Braise}}}\n")
    pack = mini.project.cards("mini") / "pack.yaml"
    both = pack.read_text("utf-8").replace("[a4]", "[a4, letter]")
    pack.write_text(both, encoding="utf-8")
    out, folder = tmp_path / "out", tmp_path / "out/mini"
    assert press_pack(mini, Order(), out).value
    whole = files(folder)
    assert press_pack(mini, Order(locale="de"), out).value
    german = {name: made for name, made in files(folder).items() if name not in whole}
    listed = [file["file"] for file in json.loads(german["manifest.de.json"])["files"]]
    assert listed == ["cards-a4.de.pdf", "cards-letter.de.pdf"]
    assert json.loads(german["manifest.de.json"])["locale"] == "de"
    assert "locale" not in json.loads(whole["manifest.json"])
    assert german.keys() == {*listed, "manifest.de.json"}
    assert files(folder) == whole | german
    slug = pypdfium2.PdfDocument(folder / "cards-a4.de.pdf")[0].get_textpage().get_text_range()
    assert "cards-a4.de.pdf" in slug
    assert preflight(folder / "cards-a4.de.pdf") == ()
    assert press_pack(mini, Order(locale="de", only="first"), out).value
    part = files(folder)
    assert {"cards-a4.de.only.pdf", "manifest.de.only.json"} < part.keys() - whole.keys()
    assert part.items() >= (whole | german).items()
    pack.write_text(both.replace(", letter", ""), encoding="utf-8")
    assert press_pack(mini, Order(locale="de"), out).value
    assert part.keys() - files(folder).keys() == {"cards-letter.de.pdf"}, "its own, and no other"
    assert press_pack(mini, Order(), out).value
    gone = part.keys() - files(folder).keys()
    assert gone == {"cards-letter.de.pdf", "cards-letter.pdf"}
    assert "cards-letter.de.only.pdf" in files(folder), "a part stays until the next one"


def test_the_language_of_the_pack_is_printed_under_the_usual_names(
    mini: Target, tmp_path: Path
) -> None:
    assert press_pack(mini, Order(), tmp_path / "one").value
    assert press_pack(mini, Order(locale="EN"), tmp_path / "two").value
    assert files(tmp_path / "one/mini") == files(tmp_path / "two/mini")


def test_a_locale_is_known_in_any_case(mini: Target, tmp_path: Path) -> None:
    speak(mini, **{"de": GERMAN, "pt-BR": GERMAN})
    for typed, meant in {"DE": "de", "De": "de", "pt_br": "pt-BR", "en": None, "xx": "xx"}.items():
        assert load.locale_named(mini.project, "mini", typed) == meant
    args = [str(mini.project.root), "--locale", "DE", "-o", str(tmp_path)]
    assert run(["build", *args, "--only", "first"]) == 0
    assert (tmp_path / "mini/cards-a4.de.only.pdf").is_file()
    assert run(["preview", *args, "--dpi", "36"]) == 0
    assert (tmp_path / "mini/preview.de/card.png").is_file()
    assert run(["export", *args, "--for", "images"]) == 0
    assert (tmp_path / "mini/images.de/manifest.json").is_file()
    assert not (tmp_path / "mini/preview").exists()
    assert not (tmp_path / "mini/images").exists()
    with Session(mini, Order(locale="DE")) as session:
        session.look()
        (printed,) = session.print(tmp_path).value
    assert printed.path.name == "cards-a4.de.pdf"


def test_a_locale_has_a_title_for_the_pack(mini: Target, tmp_path: Path) -> None:
    speak(mini, de="title: Klein\n" + GERMAN, fr="title:\n", es="title: [x]\n")
    (printed,) = press_pack(mini, Order(locale="de"), tmp_path).value
    assert "Klein 1.0.0" in pypdfium2.PdfDocument(printed.path)[0].get_textpage().get_text_range()
    german, french, spanish = (lay_out(mini, Order(locale=name)) for name in ("de", "fr", "es"))
    assert german.value is not None
    assert french.value is not None
    assert german.value.opened.pack.title == "Klein"
    assert french.value.opened.pack.title == "Mini", "what is left empty stays as it is"
    (fault,) = spanish.diagnostics
    assert (fault.code, fault.span.file[-14:]) == ("GP213", "ocales/es.yaml")


def told(pack: Target, locale: str) -> list[tuple[str, int, str]]:
    found = lay_out(pack, Order(locale=locale)).diagnostics
    return [(one.code, one.span.line, one.message) for one in found]


def write_cards(pack: Target, *cards: str, template: str = "") -> None:
    cards_file = pack.project.cards("mini") / "cards.yaml"
    rest = "speed: 3, suit: sun, art: art/field.png, mark: dot"
    lines = "".join(f"  - {{{card}, {rest}}}\n" for card in cards)
    cards_file.write_text(f"kind: card\ncomponents:\n{lines}", encoding="utf-8")
    drawn = pack.project.root / "templates/mini/card.svg.j2"
    drawn.write_text(drawn.read_text("utf-8") + template, encoding="utf-8")


CARDS = (
    'id: one, name: One, text: "Take [[Gold]]."',
    "id: two, name: Two, text: Move.",
    'id: xiv, name: XIV, text: "[[Gold]] 2 {dot}"',
)
NOTHING = """{% if word("Deck") == "" or word('Draw pile') == "" %}x{% endif %}"""


def test_words_that_nothing_asks_for_are_told_where_they_stand(mini: Target) -> None:
    write_cards(mini, *CARDS, template=NOTHING + "{# word('Old') #}")
    words = "words: {Gold: G, Deck: S, Draw pile: Z,\n  Old: A,\n  Dekc: S}\n"
    speak(mini, engines=words)
    asks = "nothing in the pack uses the word"
    assert told(mini, "engines") == [
        ("GP217", 2, f"{asks} 'Old'"),
        ("GP217", 3, f"{asks} 'Dekc'"),
    ]
    found = lay_out(mini, Order(locale="engines")).diagnostics
    assert found[1].hint == "did you mean 'Deck'?"


def test_words_of_face_files_are_used_and_need_a_translation(mini: Target) -> None:
    write_cards(mini, *CARDS)
    kind = mini.project.cards("mini") / "kinds/card.yaml"
    written = kind.read_text("utf-8").replace("front: card.svg.j2", "front: card.face.yaml")
    kind.write_text(written, "utf-8")
    boxes = "\n".join(
        (
            "  foot: {words: Draw pile, at: [5, 70, 50, 5]}",
            "  row: {row: [{words: Gold}, {text: name}], at: [5, 60, 50, 5]}",
            '  name: {text: "{{ word(name) }}", at: [5, 50, 50, 5]}',
        )
    )
    face = mini.project.root / "templates/mini/card.face.yaml"
    face.write_text(f"face: poker\nboxes:\n{boxes}\n", "utf-8")
    speak(mini, engines="words: {Gold: G, Draw pile: Z, Two: II,\n  rocket: R}\n")
    assert told(mini, "engines") == [("GP217", 2, "nothing in the pack uses the word 'rocket'")]
    speak(mini, de="words: {Gold: G, Two: Zwei}\ncomponents: {card: {}}\n")
    lacks = "words of the templates without a translation: 'Draw pile'"
    assert ("GP218", 1, lacks) in told(mini, "de")


def test_a_rulebook_that_a_language_does_not_have_is_told(mini: Target) -> None:
    write_cards(mini, *CARDS, template='{% set rules = "rules.md" %}')
    home = mini.project.cards("mini")
    for name in ("rules.md", "notes.md"):
        (home / name).write_text("# Play\n", "utf-8")
    speak(mini, de="components: {card: {}}\n", engines="words: {}")
    assert told(mini, "engines") == []
    lacks = "rules.md is not translated: there is no rules.de.md beside it"
    assert told(mini, "de") == [("GP218", 1, lacks)]
    (home / "rules.de.md").write_text("# Spiel\n", "utf-8")
    assert told(mini, "de") == []

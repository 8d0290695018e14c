import json
import re
from pathlib import Path

import pytest

from generator.looks import SIZES

STATIC = Path(__file__).parents[2] / "generator" / "studio" / "static"
SCRIPTS = sorted((STATIC / "js").rglob("*.js"))
SHEETS = sorted((STATIC / "css").glob("*.css"))
LANGUAGES = ("en", "de")


def words(language: str) -> dict[str, str]:
    return json.loads((STATIC / "words" / f"{language}.json").read_text("utf-8"))


def asked_keys(known: dict[str, str]) -> set[str]:
    """Return the keys as scripts ask for them: without the forms for one and for many."""
    counted = {key.removesuffix(".one") for key in known if key.endswith(".one")}
    return counted | {key for key in known if key.rpartition(".")[0] not in counted}


def test_every_language_has_the_same_words():
    first, *rest = (words(language) for language in LANGUAGES)
    for other in rest:
        assert list(first) == list(other)
        names = re.compile(r"\{\w+\}")
        assert not [
            key for key in first if {*names.findall(first[key])} != {*names.findall(other[key])}
        ]


def test_every_word_that_a_script_asks_for_is_known_and_none_is_left_over():
    known = asked_keys(words("en"))
    text = re.sub(
        r"/\*.*?\*/", "", "\n".join(path.read_text("utf-8") for path in SCRIPTS), flags=re.S
    )
    whole = {*re.findall(r"""(?<![\w.])t\(\s*"([\w.-]+)\"""", text)}
    begun = {*re.findall(r"(?<![\w.])t\(\s*`([\w.-]+)\$\{", text)}
    chosen = {*re.findall(r'"([a-z]+(?:\.[a-zA-Z]+)+)"', text)}  # t(a ? "b.c" : "b.d")
    assert whole <= known
    assert all(any(key.startswith(prefix) for key in known) for prefix in begun)
    asked = whole | chosen
    assert not [key for key in known - asked if not key.startswith(tuple(begun))]


def test_what_a_script_calls_of_another_is_imported():
    """A name without an import fails only when its view opens, and then the view stays empty."""
    texts = [re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.S) for path in SCRIPTS]
    exported = {*re.findall(r"^export (?:async )?(?:function|const) (\w+)", "\n".join(texts), re.M)}
    missing = []
    for path, text in zip(SCRIPTS, texts, strict=True):
        called = {*re.findall(r"(?<![\w.$])(\w+)\(", text), *re.findall(r"<\$\{(\w+)\}", text)}
        for name in called & exported:
            known = rf"\b(?:function|const) {name}\b|[{{(,]\s*(?:\w+ as )?{name}\s*[,}})=]"
            if not re.search(known, text):
                missing.append(f"{path.name}: {name}")
    assert not missing


@pytest.mark.parametrize("path", [*SCRIPTS, *SHEETS], ids=lambda path: path.name)
def test_sources_of_the_page_are_short(path):
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) < 350
    assert not [line for line in lines if len(line) > 100]


def test_every_class_that_a_style_sheet_names_is_used():
    """Classes that the server gives, such as `saving`, are keys of the words too."""
    text = re.sub(
        r'/\*.*?\*/|"[^"]*"', "", "\n".join(path.read_text("utf-8") for path in SHEETS), flags=re.S
    )
    selectors = " ".join(re.findall(r"([^{}]+)\{", text))
    named = {*re.findall(r"\.([a-z][\w-]*)", selectors)}
    used = " ".join(path.read_text("utf-8") for path in SCRIPTS) + " ".join(words("en"))
    known = {*re.findall(r"[\w-]+", used + (STATIC / "index.html").read_text("utf-8"))}
    assert not {one for one in named - known if not one.startswith("cm-")}


def test_every_icon_that_a_script_names_is_drawn():
    drawn = {*re.findall(r'<symbol id="([\w-]+)"', (STATIC / "icons.svg").read_text("utf-8"))}
    text = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    named = {*re.findall(r'(?:icon=|<\$\{Icon\} name=)"([\w-]+)"', text)}
    assert named <= drawn


def test_looks_are_offered_in_the_sizes_that_they_have():
    text = (STATIC / "js" / "parts" / "looks.js").read_text("utf-8")
    told = re.findall(r"(\w+): \[([\d.]+), ([\d.]+)\]", text)
    sizes = {name: (float(width), float(height)) for name, width, height in told}
    assert sizes == {name: (size.width, size.height) for name, size in SIZES.items()}

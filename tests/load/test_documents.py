"""YAML files: every text as it was written, every fault at its place."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from bundles import unbundled
from hypothesis import assume, given
from hypothesis import strategies as st

from generator.cache import Cache
from generator.diagnostics import CODES, Diagnostic, GridpressError, Outcome, Span
from generator.load import read_document
from generator.load.documents import (
    MAX_BYTES,
    MAX_DEPTH,
    Documents,
    parse_yaml,
    read_text,
)
from generator.load.syntax_errors import explain
from generator.model.source import Document, Mapping, Node, Scalar, Sequence

TEXTS = unbundled(Path(__file__).parents[1] / "fixtures/load/yaml.txt")
MARK = "# expect: "


def expected(text: str) -> list[tuple[str, str, str]]:
    """Return place, code and words of each message that a fixture's first lines promise."""
    marks = [line.removeprefix(MARK) for line in text.splitlines() if line.startswith(MARK)]
    return [(place, code, words) for place, code, words in (m.split(" ", 2) for m in marks)]


def plain(node: Node) -> Any:
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {key.text: plain(value) for key, value in node.entries}


def read(path: Path, content: bytes | str) -> Outcome[Document | None]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_document(path, "cards.yaml")


def one(outcome: Outcome[Document | None]) -> Diagnostic:
    (diagnostic,) = outcome.diagnostics
    return diagnostic


@pytest.mark.parametrize(
    "name",
    [name for name, text in TEXTS.items() if MARK in text],
    ids=lambda name: name.removesuffix(".yaml"),
)
def test_a_fault_has_its_place_code_and_words(name: str, tmp_path: Path) -> None:
    found = read(tmp_path / name, TEXTS[name]).diagnostics
    promised = expected(TEXTS[name])
    assert [(f"{d.span.line}:{d.span.column}", d.code) for d in found] == [p[:2] for p in promised]
    for diagnostic, (_, _, words) in zip(found, promised, strict=True):
        assert diagnostic.span.file == "cards.yaml"
        assert diagnostic.hint or name == "empty-key.yaml"
        assert words in diagnostic.message


@pytest.mark.parametrize(
    ("components", "place"),
    [
        ('- name: "Its\n- name: "Hers"\n- name: "Theirs"', "2:9"),
        ("- &a {n: 1}\n- {<<: *a, m: [1}\n- {m: [2]}", "3:15"),
        ("- name: @a\n- name: @b\n", "2:9"),
        ("# first\n- name: fine\n  text: 'It's'\n- text: 'a'", "4:13"),
    ],
)
def test_a_file_that_is_not_yaml_has_one_fault_at_the_broken_component(
    components: str, place: str
) -> None:
    root, (fault,) = parse_yaml(f"components:\n{components}\n", "cards.yaml")
    assert root is None
    assert str(fault.span) == f"cards.yaml:{place}"


def test_scalars_stay_as_written() -> None:
    root, faults = parse_yaml(TEXTS["good.yaml"], "good.yaml")
    assert faults == []
    assert root is not None
    assert plain(root) == {
        "lap": "1:30",
        "number": "0123",
        "driver": "no",
        "big": "1_000",
        "hex": "0x1F",
        "float": "1.50",
        "date": "2020-01-02",
        "nothing": "",
        "tilde": "~",
        "null": "null",
        "octal": "0o17",
        "inf": ".inf",
        "<<": "plain text",
        "story": "Once **upon**\na time\n",
        "folded": "one line",
        "base": {"speed": "4", "hits": "1"},
        "fast": {"speed": "4", "hits": "3"},
        "list": [{"speed": "4", "hits": "1"}, "é"],
    }
    assert isinstance(root, Mapping)
    assert [key for key in ("nothing", "tilde", "null") if null(root.get(key))] == [
        "nothing",
        "tilde",
    ]


def null(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.is_null


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n  ? b\n", "\nq: 1\n"])
def test_a_value_that_is_missing_stands_where_its_key_ends(end: str) -> None:
    root, _ = parse_yaml(f"p:\n  ? a{end}", "f.yaml")
    assert isinstance(root, Mapping)
    inner = root.get("p")
    assert isinstance(inner, Mapping)
    assert inner.entries[0][1].span == Span("f.yaml", 2, 6)


def test_every_node_knows_its_place() -> None:
    root, _ = parse_yaml('a: 1\nbé😀: {c: "x",\n  d: [p, q]}\n', "f.yaml")
    assert isinstance(root, Mapping)
    assert root.span == Span("f.yaml", 1, 1)
    (_, first), (key, inner) = root.entries
    assert (first.span.line, first.span.column) == (1, 4)
    assert (key.span.line, key.span.column) == (2, 1)
    assert (inner.span.line, inner.span.column) == (2, 6)
    assert isinstance(inner, Mapping)
    assert [(v.span.line, v.span.column) for _, v in inner.entries] == [(2, 10), (3, 6)]
    listed = inner.get("d")
    assert isinstance(listed, Sequence)
    assert [item.span.column for item in listed.items] == [7, 10]


@given(st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S")), min_size=1))
def test_any_plain_scalar_is_the_text_that_stands_there(text: str) -> None:
    document = f"key: {text}\n"
    try:
        scalars = [e for e in yaml.parse(document) if isinstance(e, yaml.ScalarEvent)]
    except yaml.YAMLError:
        scalars = []
    # A comment, a list, a quoted text and the like are no plain scalar.
    assume([(s.value, s.style) for s in scalars[1:]] == [(text, None)])
    root, faults = parse_yaml(document, "f.yaml")
    assert faults == []
    assert isinstance(root, Mapping)
    assert root.get("key") == Scalar(text, Span("f.yaml", 1, 6), plain=True, raw=text)


@given(st.text())
def test_any_quoted_text_comes_back(text: str) -> None:
    written = yaml.safe_dump({"key": text}, default_style='"', allow_unicode=False)
    root, faults = parse_yaml(written, "f.yaml")
    assert isinstance(root, Mapping)
    value = root.get("key")
    assert isinstance(value, Scalar)
    assert (value.text, value.plain) == (text, False)
    assert [fault.code for fault in faults] in ([], ["GP101"])  # characters not to be printed


@given(st.binary(max_size=200))
def test_reading_never_raises(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    outcome = read(path, content)
    assert outcome.value is not None or not outcome.ok
    assert all(diagnostic.code in CODES for diagnostic in outcome.diagnostics)


@given(st.text(alphabet="ab:-?&*!|>'\"%@`#,[]{} \n\t\\", max_size=60))
def test_parsing_never_raises(text: str) -> None:
    root, faults = parse_yaml(text, "f.yaml")
    assert root is not None or faults
    assert all(fault.span.line >= 1 and fault.span.column >= 1 for fault in faults)


# Limits.


@pytest.mark.parametrize(
    "text",
    [
        "[" * 500,
        "{a: " * 100_000,
        "- " * 100_000,
        "? " * 100_000,
        "".join(" " * n + "a:\n" for n in range(2_000)),
    ],
    ids=["lists", "mappings", "items", "keys", "lines"],
)
def test_deep_nesting_is_refused_where_it_gets_too_deep(text: str) -> None:
    root, faults = parse_yaml(text, "f.yaml")
    assert root is None
    assert [(fault.code, fault.message) for fault in faults] == [
        ("GP104", "nested deeper than 100 levels")
    ]


def test_nesting_to_the_limit_is_read() -> None:
    root, faults = parse_yaml("[" * MAX_DEPTH + "]" * MAX_DEPTH, "f.yaml")
    assert faults == []
    assert root is not None
    _, (fault,) = parse_yaml("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "f.yaml")
    assert (fault.code, fault.span) == ("GP104", Span("f.yaml", 1, MAX_DEPTH + 1))


@pytest.mark.parametrize("text", ["*a", "*a: 1\nb: 2", "b: {*a : 1}", "b: *a", "- *a"])
def test_an_alias_of_nothing_is_one_fault_wherever_it_stands(text: str) -> None:
    _, faults = parse_yaml(text, "f.yaml")
    assert [(fault.code, fault.message, fault.span.column) for fault in faults] == [
        ("GP101", "*a has no &a before it", text.index("*") + 1)
    ]


def test_nesting_by_aliases_counts_too() -> None:
    text = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 200))
    root, faults = parse_yaml(text, "f.yaml")
    assert root is None
    assert [(fault.code, fault.span.line) for fault in faults] == [("GP104", MAX_DEPTH)]


def test_a_file_at_the_limit_is_read_and_one_beyond_is_not(tmp_path: Path) -> None:
    fitting = b"a: " + b"x" * (MAX_BYTES - 3)
    assert read(tmp_path / "f.yaml", fitting).ok
    fault = one(read(tmp_path / "f.yaml", fitting + b"x"))
    assert (fault.code, fault.span) == ("GP103", Span("cards.yaml"))


def test_a_huge_file_is_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f.yaml"
    with path.open("wb") as file:
        file.truncate(10 * MAX_BYTES)
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("opened"))
    fault = one(read_document(path, "cards.yaml"))
    assert (fault.code, fault.message) == ("GP103", "the file has 50.0 MB, the most is 5 MB")


# Encodings.


@pytest.mark.parametrize(
    ("content", "line", "column", "hint"),
    [
        ("a: 1\nb: mü\n".encode("latin-1"), 2, 5, "in Windows-1252 (ANSI) the byte would be 'ü'"),
        ("é: 1\r\né: ä\r\n".encode() + b"c: \x81", 3, 4, "save the file as UTF-8"),
        (b"\xef\xbb\xbfa: \xff", 1, 4, "'ÿ'"),
        ("a: ä".encode("utf-16"), 1, 1, "save it as UTF-8"),
        (b"\xfe\xff" + "a: ä".encode("utf-16-be"), 1, 1, "save it as UTF-8"),
        ("a: b".encode("utf-16-le"), 1, 2, "it may be UTF-16"),
        (b"a: \xed\xa0\x80", 1, 4, "UTF-8"),
    ],
)
def test_text_that_is_not_utf8(
    tmp_path: Path, content: bytes, line: int, column: int, hint: str
) -> None:
    outcome = read(tmp_path / "f.yaml", content)
    fault = one(outcome)
    assert outcome.value is None
    assert (fault.code, fault.span) == ("GP105", Span("cards.yaml", line, column))
    assert hint in fault.hint


def test_a_table_is_saved_anew_by_its_spreadsheet(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("Größe;1".encode("cp1252"))
    with pytest.raises(GridpressError) as caught:
        read_text(tmp_path / "a.csv", "a.csv")
    assert "CSV UTF-8" in caught.value.diagnostics[0].hint


def test_utf16_is_named(tmp_path: Path) -> None:
    assert "UTF-16" in one(read(tmp_path / "f.yaml", "a".encode("utf-16"))).message


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    outcome = read(tmp_path / "f.yaml", "\ufeffé: 1\r\n")
    assert outcome.diagnostics == ()
    assert outcome.value is not None
    assert plain(outcome.value.root) == {"é": "1"}
    assert outcome.value.root.span == Span("cards.yaml", 1, 1)


# Merge keys.


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("b: &b {x: 1, y: 2}\nm: {y: 3, <<: *b}", {"x": "1", "y": "3"}),
        ("b: &b {x: 1, y: 2}\nm: {<<: *b, y: 3}", {"x": "1", "y": "3"}),
        ("b: &b {x: 1}\nc: &c {x: 2, y: 2}\nm: {<<: [*b, *c]}", {"x": "1", "y": "2"}),
        ("b: &b {x: 1}\nc: &c {<<: *b, y: 2}\nm: {<<: *c}", {"x": "1", "y": "2"}),
        ("m: {'<<': 1}", {"<<": "1"}),
    ],
)
def test_merge_keys(text: str, values: dict[str, str]) -> None:
    root, faults = parse_yaml(text, "f.yaml")
    assert faults == []
    assert isinstance(root, Mapping)
    merged = root.get("m")
    assert isinstance(merged, Mapping)
    assert plain(merged) == values


def test_merged_values_keep_the_place_where_they_are_written() -> None:
    root, _ = parse_yaml("b: &b\n  x: 1\nm:\n  <<: *b\n", "f.yaml")
    assert isinstance(root, Mapping)
    merged = root.get("m")
    assert isinstance(merged, Mapping)
    value = merged.get("x")
    assert value is not None
    assert value.span == Span("f.yaml", 2, 6)


def test_a_file_holds_so_many_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.load.documents.MAX_VALUES", 2000)
    found = one(read(tmp_path / "x.yaml", "- \n" * 2000))
    assert (found.code, found.span.line) == ("GP110", 2000)


@pytest.mark.parametrize("escape", ["\\x1b", "\\u2028", "\\x85"])
def test_an_escape_brings_in_nothing_that_cannot_be_printed(tmp_path: Path, escape: str) -> None:
    found = one(read(tmp_path / "x.yaml", f'a: 1\nb: "{escape}"\n'))
    assert (found.code, found.span.line, found.span.column) == ("GP101", 2, 4)


def test_half_a_character_is_told_at_its_line() -> None:
    _, (found,) = parse_yaml('a: 1\nb: "\\ud800"\n', "x.yaml")
    assert (found.code, found.span.line) == ("GP101", 2)


SHIPPED = [
    path.read_text("utf-8")[:3000]
    for path in sorted((Path(__file__).parents[2] / "cards").glob("*/*.yaml"))
]
PIECES = st.sampled_from([*"\"'[]{}:\n|%#", "- ", "  ", "&a", "*a", "!x", ", ", "? "])


@given(st.sampled_from(SHIPPED), st.integers(0, 3000), st.integers(0, 12), PIECES, st.booleans())
def test_what_is_said_of_a_broken_file_is_said_at_a_place_in_it(
    text: str, start: int, cut: int, piece: str, ends: bool
) -> None:
    broken = text[:start] + piece + ("" if ends else text[start + cut :])
    _, found = parse_yaml(broken, "x.yaml")
    lines = broken.splitlines()
    for diagnostic in found:
        line, column = diagnostic.span.line, diagnostic.span.column
        assert 1 <= line <= max(1, len(lines))
        assert 1 <= column <= len(lines[line - 1] if lines else "") + 1


KEPT = """\
a: &all [x, 'y', {deep: ["1", ~]}]
b: *all
c: {<<: {d: 1}, e: one two  # said beside it
  }
"""


def test_a_file_that_was_read_before_comes_back_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cache = tmp_path / "a.yaml", Cache(tmp_path / "cache")
    path.write_text(KEPT)
    (tmp_path / "cache").mkdir(mode=0o700)
    first = Documents(cache).read(path, "a.yaml")
    with monkeypatch.context() as context:
        context.setattr("generator.load.documents.document_in", None)
        assert Documents(cache).read(path, "a.yaml") == first
        with pytest.raises(TypeError):
            Documents(cache).read(path, "under/another/name.yaml")
    path.write_text(KEPT.replace("x", "z"))
    assert Documents(cache).read(path, "a.yaml") == read_document(path, "a.yaml") != first


@pytest.mark.parametrize("text", ["a: [1", "a: 1\na: 2\n", 'a: "\\uD800"\n', 'a: "\\0"\n'])
def test_what_has_a_fault_is_told_of_again(text: str, tmp_path: Path) -> None:
    path, cache = tmp_path / "a.yaml", Cache(tmp_path / "cache")
    path.write_text(text)
    first, again = (Documents(cache).read(path, "a.yaml") for _ in range(2))
    assert first == again == read_document(path, "a.yaml")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("text: *bold* move", 'put the whole text in quotes: text: "…"'),
        ('text: "He said "go" now"', 'none of it; inside "…" write \\"'),
        ("text: 'It's mine'", "none of it; inside '…' write ' twice"),
        ("{a: Take {star}, then go}", "a text with a comma or { } needs quotes inside"),
    ],
)
def test_the_hint_names_the_key_and_the_quotes_that_stand_there(line: str, hint: str) -> None:
    with pytest.raises(yaml.YAMLError) as found:
        list(yaml.parse(line, Loader=yaml.CSafeLoader))
    assert hint in explain(found.value, line, "cards.yaml").hint


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: Take card #3 and\n", "1:14 #3 and"),
        ("a: Take the\n  card #3\n", "2:8 #3"),
        ("a: [Take #3\n  , b]\n", "1:10 #3"),
        ("a: {b: Take #3\n  , c: 1}\n", "1:13 #3"),
        ("a: Take # three\n", "1:9 # three"),
        ("a: Take\t#3\n", "1:9 #3"),
        ("a: Take    #3\n", "1:12 #3"),
        ("a: #3 is\n", "1:4 #3 is"),
        ("a:\n  #3 is\n", "2:3 #3 is"),
        ("a:\n  - #3 is\n", "2:5 #3 is"),
        ("a:\n  - b  # c\n\n  - #3 is\n", "4:5 #3 is"),
        ("a: Take\t# set apart\n", ""),
        ("a: Take  # set apart\n", ""),
        ("a: Take\n# alone\n", ""),
        ("a:\n  # nothing yet\n", ""),
        ("a:\n  #- item\n", ""),
        ("a: Take#3\n", ""),
        ("a: 'Take #3'\n", ""),
        ("a: |\n  Take #3\n", ""),
    ],
)
def test_what_a_comment_may_have_cut_off(text: str, told: str) -> None:
    root, faults = parse_yaml(text, "x.yaml")
    assert faults == []
    cuts: list[str] = []
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if isinstance(node, Scalar) and node.cut:
            cuts.append(f"{node.cut.span.line}:{node.cut.span.column} {node.cut.text}")
        nodes += getattr(node, "items", ())
        nodes += [value for _, value in getattr(node, "entries", ())]
    assert cuts == ([told] if told else [])

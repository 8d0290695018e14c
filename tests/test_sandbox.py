"""Templates and expressions: their results, their faults, and their inability to do harm."""

from contextlib import suppress
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, FileSystemLoader, Undefined
from markupsafe import Markup

from generator.diagnostics import CODES, Diagnostic, GridpressError, Span
from generator.model.values import Items, Record, SourceText
from generator.sandbox import (
    BoundedEnvironment,
    SandboxError,
    compile_expression,
    load_template,
    render,
)
from generator.sandbox.bounds import MAX_OUTPUT, MAX_STEPS, rounded

SPAN = Span("cards/x/cards.yaml", 7, 9)
NAME = SourceText("Goat & Co", SPAN)
CARD = Record({"name": NAME, "items": (3, 1, 2), "hits": 2, "loot": {"gold": 4}}, SPAN)


def write(text: str, **context: Any) -> str:
    """Return what a template writes, with the card as `c`."""
    templates = BoundedEnvironment(DictLoader({"face.j2": text}))
    return render(load_template(templates, "face.j2"), {"c": CARD, **context})


def fault(text: str, **context: Any) -> SandboxError:
    with pytest.raises(SandboxError) as caught:
        write(text, **context)
    assert caught.value.kind in CODES
    return caught.value


def keep(text: str, **names: Any) -> Any:
    """Return the value that an expression passes to a template, with its spans."""
    seen: list[Any] = []
    write("{{ see(" + text + ") }}", see=lambda value: seen.append(value) or "", **names)
    return seen[0]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{{ c.name }}", "Goat &amp; Co"),
        ("{{ c.items | join('-') }}", "3-1-2"),
        ("{{ c['items'] | sort | join }}", "123"),
        ("{% for i in c.items %}{{ loop.index }}:{{ i }} {% endfor %}", "1:3 2:1 3:2 "),
        ("{% for k, v in c.loot.items() %}{{ k }}={{ v }}{% endfor %}", "gold=4"),
        ("{% for k, v in c | items if k == 'hits' %}{{ k }}={{ v }}{% endfor %}", "hits=2"),
        ("{{ 0.1 + 0.2 }} {{ 3.0 }} {{ 7 // 2 }} {{ -c.hits }}", "0.3 3 3 -2"),
        ("{{ c.name ~ '!' }}", "Goat &amp; Co!"),
        ("{{ ([1, 2] + [3]) | sum }}", "6"),
        ("{{ '%.1f mm' | format(2.55) }} {{ '%03d' % 7 }}", "2.5 mm 007"),
        ("{{ c.items[1:] | join(', ') }} {{ c.name[:4] }}", "1, 2 Goat"),
        ("{{ 'a b'.split() | last }}{{ c.name.upper() }}", "bGOAT &amp; CO"),
        ("{% set n = namespace(x=1) %}{% set n.x = n.x + 1 %}{{ n.x }}", "2"),
        (
            "{% macro m(x) %}<b>{{ x }}</b>{% endmacro %}{{ m(c.name) ~ '<' }}",
            "<b>Goat &amp; Co</b>&lt;",
        ),
        ("{% set x %}<b>{{ c.name }}</b>{% endset %}{{ x }}", "<b>Goat &amp; Co</b>"),
        ("{% filter upper %}{{ c.name }}{% endfilter %}", "GOAT &AMP; CO"),
        (
            "{% macro m() %}<i>{{ caller() }}</i>{% endmacro %}{% call m() %}<b>{% endcall %}",
            "<i><b></i>",
        ),
        (
            "{% for t in [[1, [2]], [3]] recursive %}"
            "{% if t is sequence %}({{ loop(t) }}){% else %}{{ t }}{% endif %}{% endfor %}",
            "(1(2))(3)",
        ),
        (
            "{{ floor(2.7) }} {{ ceil(2.1) }} {{ round(2.675, 2) }} {{ max(1, c.hits) }}",
            "2 3 2.68 2",
        ),
        ("{{ c.nothing | default('none') }}", "none"),
        ("{{ [1, 2, 3, 4] | batch(2) | map('sum') | join(' ') }}", "3 7"),
        ("{{ '<' | safe }}{{ '<' }}", "<&lt;"),
    ],
)
def test_a_template_writes(text: str, written: str) -> None:
    assert write(text) == written


def test_blocks_leave_no_lines_of_their_own() -> None:
    assert write("{% if c.hits %}\n  {% set x = 1 %}\nx\n{% endif %}\n") == "x\n"


def test_a_field_named_like_a_method_is_the_field() -> None:
    record = Record({"items": 1, "keys": 2, "span_of": 3, "fill": 4}, SPAN)
    assert write("{{ r.items }}{{ r.keys }}{{ r.span_of }}{{ r.fill }}", r=record) == "1234"


@pytest.mark.parametrize("method", ["keys", "values", "get", "span_of", "fill", "defer", "span"])
def test_methods_of_a_record_are_out_of_reach(method: str) -> None:
    assert fault(f"{{{{ c.{method} }}}}").kind == "GP303"


@pytest.mark.parametrize(
    "expression",
    [
        "c.name ~ '!'",
        "'The ' ~ c.name",
        "c.name + '!'",
        "c.name | upper",
        "c.name | lower",
        "c.name | trim",
        "c.name | title",
        "c.name | replace('Goat', 'Ram')",
        "c.name | truncate(5)",
        "c.name | default('')",
        "c.name.upper()",
        "c.name[:3]",
        "'%s!' % c.name",
        "[1, c.name] | join(' ')",
        "c.name * 2",
    ],
)
def test_text_keeps_its_place_and_markup(expression: str) -> None:
    rich = SourceText("Goat", SPAN, rich=True)
    value = keep(expression, c={"name": rich})
    assert isinstance(value, SourceText)
    assert value.span == SPAN
    assert value.rich


def test_the_first_text_gives_the_place() -> None:
    other = SourceText("x", Span("other.yaml"))
    assert keep("a ~ b", a=NAME, b=other).span == SPAN
    assert keep("b ~ a", a=NAME, b=other).span == other.span


# The place and message of a fault.


def test_a_fault_knows_the_name_that_is_missing() -> None:
    assert fault("{{ crad }}").missing == "crad"
    assert fault("{{ c.nmae }}").missing == "nmae"
    assert fault("{{ c.items[9] }}").missing == fault("{{ 1 / 0 }}").missing == ""


def test_a_fault_in_a_macro_knows_who_called_it() -> None:
    error = fault("{% macro m(x) %}\n{{ x + 'a' }}\n{% endmacro %}\n\n{{ m(1) }}")
    assert (error.line, error.callers) == (2, ((5, "<template>"),))
    assert fault("{{ c.nmae }}").callers == ()


@pytest.mark.parametrize(
    ("text", "kind", "line", "message", "hint"),
    [
        ("\n{{ crad }}", "GP303", 2, "'crad' is not known here", ""),
        ("{{ c.nmae }}", "GP303", 1, "there is no 'nmae' among these values", "'name'?"),
        ("\n\n{{ c.items[9] }}", "GP303", 3, "a list has no item 9: it has 3", ""),
        ("{{ c.hits.size }}", "GP303", 1, "a number has no 'size'", ""),
        ("{{ 'a' < 1 }}", "GP304", 1, "text and a number cannot be compared with <", ""),
        ("{{ none < 1 }}", "GP304", 1, "nothing (none) and a number cannot be", "ask for it first"),
        ("{{ 1 + 'a' }}", "GP304", 1, "a number + text cannot be worked out", ""),
        ("{{ 1 / 0 }}", "GP304", 1, "a division by zero", ""),
        (
            "{% macro m() %}{% endmacro %}{% call m() %}x{% endcall %}",
            "GP304",
            1,
            "it has no {{ caller() }}",
            "",
        ),
        ("{{ c.items }}", "GP304", 1, "only text and numbers can be written, not a list", ""),
        ("{{ none }}", "GP304", 1, "not nothing (none)", ""),
        ("{{ c.hits() }}", "GP304", 1, "a number cannot be called", ""),
        ("{{ {'a': 1}('a') }}", "GP304", 1, "like a function: write its name and .a, without", ""),
        ("{% for x in 3 %}{% endfor %}", "GP304", 1, "a list is needed here, not a number", ""),
        ("{{ 'a'.format(1) }}", "GP305", 1, "'format' of text cannot be used here", ""),
        ("\n{{ c.name", "GP302", 2, "unexpected end of template", ""),
        ("{% fro x in y %}", "GP302", 1, "there is no tag 'fro'", "'from'?"),
        ("{{ [1] | map('uper') | list }}", "GP302", 1, "there is no filter 'uper'", "'upper'?"),
        ("{{ round(1, 2, 3) }}", "GP304", 1, "this is given too many or too few values", ""),
        ("{{ min([]) }}", "GP304", 1, "the list is empty", ""),
        ("{{ len(3) }}", "GP304", 1, "a list is needed here, not a number", ""),
        ("{% set c.name = 1 %}", "GP304", 1, "only the values of a namespace can be set", ""),
        ("{{ ceil() }}", "GP304", 1, "ceil() is given too many or too few values", ""),
        ("{{ range() }}", "GP304", 1, "this needs 'start' too", ""),
        ("{{ floor('a') }}", "GP304", 1, "a number is needed here, not text", ""),
        ("{{ -'a' }}", "GP304", 1, "a number is needed here, not text", ""),
        ("{{ '%d' % 'a' }}", "GP304", 1, "a number is needed here, not text", ""),
        ("{{ '%d' % (1, 2) }}", "GP304", 1, "as many values as the text has % forms", ""),
        ("{{ 'a'.split(3) }}", "GP304", 1, "text is needed here, not a number", ""),
        ("{{ {c: 1} }}", "GP304", 1, "a map cannot be a name in a map", ""),
        ("{% for a, b in [[1]] %}{% endfor %}", "GP304", 1, "2 values are needed here, not 1", ""),
        ("{% set a, b = [1, 2, 3] %}", "GP304", 1, "2 values are needed here, not more", ""),
        ("{{ 2.0 ** 99999 }}", "GP304", 1, "a number becomes too large", ""),
        ("{{ range.a }}", "GP303", 1, "a function has no 'a'", ""),
        ("{{ c.name | uper }}", "GP302", 1, "there is no filter 'uper'", "'upper'?"),
        ("{{ c is od }}", "GP302", 1, "there is no test 'od'", "'odd'?"),
        ("{% include 5 %}", "GP304", 1, "name of a template is needed here, not a number", ""),
        ("{% include ['a', 'b'] %}", "GP301", 1, "none of the templates given were found", ""),
        ("\n{% include 'parts.j2' %}", "GP301", 2, "there is no template 'parts.j2'", ""),
    ],
)
def test_a_fault_has_its_line_and_plain_words(
    text: str, kind: str, line: int, message: str, hint: str
) -> None:
    error = fault(text)
    assert (error.kind, error.line) == (kind, line)
    assert message in error.message
    assert hint in error.hint


def test_a_fault_inside_an_imported_macro_is_at_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "face.j2").write_text("\n{% import 'm.j2' as m %}\n{{ m.box() }}")
    (tmp_path / "m.j2").write_text("{% macro box() %}\n\n\n{{ nope }}{% endmacro %}")
    templates = BoundedEnvironment(FileSystemLoader(tmp_path))
    with pytest.raises(SandboxError) as caught:
        render(load_template(templates, "face.j2"), {})
    assert (caught.value.template, caught.value.line) == (str(tmp_path / "m.j2"), 4)


def test_a_syntax_error_in_an_imported_file_is_at_its_own_line(tmp_path: Path) -> None:
    (tmp_path / "face.j2").write_text("{% import 'm.j2' as m %}")
    (tmp_path / "m.j2").write_text("\n\n{% macro %}")
    templates = BoundedEnvironment(FileSystemLoader(tmp_path))
    with pytest.raises(SandboxError) as caught:
        render(load_template(templates, "face.j2"), {})
    error = caught.value
    assert (error.kind, error.template, error.line) == ("GP302", str(tmp_path / "m.j2"), 3)


def test_a_template_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "face.j2").write_bytes(b"\xff")
    with pytest.raises(SandboxError) as caught:
        load_template(BoundedEnvironment(FileSystemLoader(tmp_path)), "face.j2")
    assert caught.value.kind == "GP302"


def test_a_missing_template() -> None:
    with pytest.raises(SandboxError) as caught:
        load_template(BoundedEnvironment(DictLoader({})), "face.j2")
    assert caught.value.kind == "GP301"


def test_templates_come_from_the_loader_only(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "face.j2").write_text("{% include name %}")
    template = load_template(BoundedEnvironment(FileSystemLoader(tmp_path / "in")), "face.j2")
    for name in ("../secret.txt", str(tmp_path / "secret.txt"), "/etc/passwd"):
        with pytest.raises(SandboxError) as caught:
            render(template, {"name": name})
        assert caught.value.kind == "GP301"


def test_what_a_helper_raises_comes_through() -> None:
    finding = Diagnostic(SPAN, "GP401", "the text does not fit")

    def text_box() -> str:
        raise GridpressError(finding)

    with pytest.raises(GridpressError) as caught:
        write("{{ text_box() }}", text_box=text_box)
    assert caught.value.diagnostics == (finding,)


def test_an_unknown_name_is_not_handed_to_a_helper() -> None:
    error = fault("{{ box(c.nmae) }}", box=lambda x: "")
    assert (error.kind, error.message) == ("GP303", "there is no 'nmae' among these values")


def test_a_macro_may_ask_for_what_is_not_there() -> None:
    assert write("{% macro m(x) %}{{ x is defined }}{% endmacro %}{{ m(c.nope) }}") == "False"


def test_a_wrong_call_of_a_helper_is_the_templates_fault() -> None:
    error = fault("\n{{ box(1, 2) }}", box=lambda x: "")
    assert (error.kind, error.line) == ("GP304", 2)


# Values out of reach.

ESCAPES = [
    "''.__class__",
    "''['__class__']",
    "''|attr('__class__')",
    "c.__class__",
    "c._values",
    "c['_values']",
    "c.name.span",
    "f.__globals__",
    "f['__globals__']",
    "f.__code__",
    "o.method.__func__",
    "o.method.__self__",
    "o._private",
    "sum.func",
    "c.name.upper.func",
    "namespace.mro()",
    "namespace().__class__",
    "self._TemplateReference__context",
    "loop",
    "'{0.__class__}'.format(c)",
    "'%s'.format",
    "c.name.join([1])",
    "'a'.encode()",
    "'a'.replace('a', 'b')",
    "'a'.ljust(9)",
    "(1).real",
    "[1].append(2)",
    "[1].copy()",
    "{'a': 1}.update({})",
    "{'a': 1}.fromkeys([1])",
    "['x'] | map(attribute='__class__') | first",
    "['x'] | map('attr', '__class__') | list",
    "['x'] | groupby('__class__')",
    "path.read_text()",
    "path.parent",
    "module.system('x')",
    "kind()",
    "kind.mro()",
    "error.__traceback__",
    "error.args",
    "m._func",
]


class _Helper:
    _private = "secret"

    def method(self) -> str:
        return ""


@pytest.mark.parametrize("expression", ESCAPES)
def test_an_escape_leads_nowhere(expression: str) -> None:
    text = "{% macro m() %}{% endmacro %}{{ see(" + expression + ") }}"
    seen: list[Any] = []
    given = {
        "see": seen.append,
        "f": lambda: "",
        "o": _Helper(),
        "path": Path("/etc/passwd"),
        "module": __import__("os"),
        "kind": dict,
        "error": ValueError(),
    }
    error = fault(text, **given)
    assert error.kind in ("GP302", "GP303", "GP304", "GP305")
    # Only names that do not exist got as far as the helper.
    assert all(leaf == "x" for leaf in leaves(seen) if not isinstance(leaf, Undefined))


def leaves(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def test_random_is_not_to_be_had() -> None:
    assert fault("{{ [1] | random }}").kind == "GP302"


# Templates that must end, and soon.

LOOP = "{% set n = namespace(x=START) %}{% for i in range(99) %}{% set n.x = NEXT %}{% endfor %}"


def repeated(start: str, following: str) -> str:
    return LOOP.replace("START", start).replace("NEXT", following)


BOMBS = [
    "{{ 'x' * 10**9 }}",
    "{{ 10**9 * 'x' }}",
    "{{ [0] * 10**9 }}",
    "{{ 9**9**9**9 }}",
    "{{ 10**300 * 10**300 }}",
    "{{ round(5, -10**9) }}",
    "{{ '%1000000000d' % 1 }}",
    "{{ '%*d' % (1000000000, 1) }}",
    "{{ '%1000000000d' | format(1) }}",
    "{{ '%99999999d' is even }}",
    "{{ ('a' * 1000) | replace('a', 'b' * 100000) }}",
    "{{ ['a' * 100000] * 1000 | join }}",
    "{{ [1, 2] | join('a' * 900000) | join('b' * 900000) }}",
    "{{ range(10**9) }}",
    "{{ [1] | batch(10**9, 'x') | list }}",
    "{{ [1] | slice(10**9) | list }}",
    "{{ 'x' | center(10**9) }}",
    "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
    "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
    "{% include 'face.j2' %}",
    "{% extends 'face.j2' %}",
    "{% import 'face.j2' as f %}{{ f }}",
    "{% block b %}{{ self.b() }}{{ self.b() }}{% endblock %}",
    repeated("'ab'", "n.x ~ n.x"),
    repeated("'ab'", "n.x + n.x"),
    repeated("'ab'", "n.x | replace('a', 'aa') | replace('b', 'bb')"),
    repeated("'ab'", "[n.x, n.x] | join"),
    repeated("'ab'", "'%s%s' % (n.x, n.x)"),
    repeated("[1]", "n.x + n.x"),
    repeated("[1]", "[n.x, n.x] | sum(start=[])"),
    repeated("7", "n.x * n.x"),
    "{% set big = 'x' * 999999 %}{% set y %}{% for i in range(9999) %}{{ big }}{% endfor %}"
    "{% endset %}",
    "{% for i in range(9999) %}" + "x" * 1000 + "{% endfor %}",
    "{% set a = 'x' * 99999 %}"
    + "".join(
        f"{{% set {b} %}}{{{{ {a} }}}}{{{{ {a} }}}}{{% endset %}}"
        for a, b in zip("abcdefghijklmnop", "bcdefghijklmnopq", strict=True)
    ),
]


@pytest.mark.parametrize("text", BOMBS)
def test_a_bomb_does_not_go_off(text: str) -> None:
    assert fault(text).kind in ("GP302", "GP304", "GP306")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{% for i in [1] %}\n{% if 1 %}\n{% include 'face.j2' %}{% endif %}{% endfor %}", 3),
        ("{% for i in [1] %}\n\n{% import 'face.j2' as me with context %}{% endfor %}", 3),
        ("{% macro m() %}\n{% include 'face.j2' %}\n{% endmacro %}\n{{ m() }}", 2),
        ("{% macro m() %}\n{% import 'face.j2' as me %}{{ me.m() }}{% endmacro %}\n\n{{ m() }}", 2),
    ],
)
def test_a_template_that_goes_round_is_told_where_it_does(text: str, line: int) -> None:
    told = fault(text)
    assert (told.kind, told.line) == ("GP306", line)


def test_deep_nesting_is_a_clean_error() -> None:
    for text in ("{{ " + "(" * 5000, "{{ " + "[" * 400 + "]" * 400 + " }}", "{% if 1 %}" * 3000):
        assert fault(text).kind in ("GP302", "GP306")


def test_output_is_bounded_but_not_by_less_than_promised() -> None:
    line = "x" * 1000
    just = "{% for i in range(" + str(MAX_OUTPUT // 1000) + ") %}" + line + "{% endfor %}"
    assert len(write(just)) == MAX_OUTPUT
    assert fault(just + "x").kind == "GP306"


def test_every_render_has_its_own_budget() -> None:
    templates = BoundedEnvironment(DictLoader({"f": "{% for i in range(9000) %}{% endfor %}ok"}))
    template = load_template(templates, "f")
    for _ in range(MAX_STEPS // 9000 + 2):
        assert render(template, {}) == "ok"


# Expressions.


@pytest.mark.parametrize(
    ("text", "names", "value"),
    [
        ("a + b * 2", {"a": 1, "b": 2}, 5),
        ("not speed", {"speed": None}, True),
        ("moves | map('sum') | list", {"moves": [[1, 2], [3]]}, [3, 3]),
        ("sum(moves) / len(moves)", {"moves": (1, 2)}, 1.5),
        ("min(a, 4) + max([1, a])", {"a": 9}, 13),
        ("any(a) and not all(a)", {"a": [0, 1]}, True),
        ("count(a) + count(a, 2)", {"a": [2, 1, 2]}, 5),
        ("count(a | select('odd'))", {"a": [1, 2, 3]}, 2),
        ("round(2.5) + floor(-0.5) + ceil(0.1) + abs(-1)", {}, 4),
        ("sorted(a, reverse=true)", {"a": [1, 3, 2]}, [3, 2, 1]),
        ("range(3) | list", {}, [0, 1, 2]),
        ("card.count > 0", {"card": Record({"count": 1}, SPAN)}, True),
        ("'odd' if a is odd else 'even'", {"a": 3}, "odd"),
        ("name ~ '!'", {"name": "<b>"}, "<b>!"),
        ("a.b[1].c", {"a": {"b": [0, {"c": 5}]}}, 5),
        ("count + 1", {"count": 4}, 5),
        ("a == [1, 2] and [a] == [[1, 2]]", {"a": Items((1, 2))}, True),
    ],
)
def test_an_expression(text: str, names: dict[str, Any], value: Any) -> None:
    assert compile_expression(text)(names) == value


def test_an_expression_knows_the_names_it_needs() -> None:
    expression = compile_expression("sum(moves) + players if pack.options.truce else name | length")
    assert expression.names == {"moves", "players", "pack", "name"}


def test_an_expression_keeps_the_place_of_text() -> None:
    value = compile_expression("name ~ '!' | upper")({"name": NAME})
    assert isinstance(value, SourceText)
    assert value.span == SPAN
    assert not isinstance(value, Markup)


@pytest.mark.parametrize(
    ("text", "names", "message", "hint"),
    [
        ("nmae", {"name": 1}, "'nmae' is not known here", "did you mean 'name'?"),
        ("summ(a)", {"a": [1]}, "'summ' is not known here", "did you mean 'sum'?"),
        ("card.colr", {"card": {"colour": 1}}, "there is no 'colr'", "did you mean 'colour'?"),
        ("a +", {"a": 1}, "unexpected end", ""),
        ("a b", {"a": 1}, "there is something after", ""),
        ("", {}, "", ""),
        ("a < 'x'", {"a": 1}, "a number and text cannot be compared", ""),
        ("1 / 0", {}, "a division by zero", ""),
        ("a[5]", {"a": []}, "a list has no item 5: it is empty", ""),
        ("sum(['a'])", {}, "sum needs numbers, not text", ""),
        ("9 ** 9999", {}, "more than 300 digits", ""),
        ("'x' * 10 ** 9", {}, "more than 1,000,000 characters", ""),
        ("(-8) ** 0.5", {}, "not a real number", ""),
        ("a.__class__", {"a": 1}, "'__class__' of a number cannot be used here", ""),
        ("range(99999)", {}, "more than 10,000 numbers", ""),
        (r"'\ud800'", {}, "halves of a character", ""),
        ("[" * 2000, {}, "nested", ""),
    ],
)
def test_a_wrong_expression(text: str, names: dict[str, Any], message: str, hint: str) -> None:
    with pytest.raises(SandboxError) as caught:
        compile_expression(text)(names)
    assert caught.value.kind == "GP211"
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert len(caught.value.message) < 300


def test_a_fault_raised_by_a_value_comes_through() -> None:
    class Late(dict[str, Any]):
        def __getitem__(self, name: str) -> Any:
            raise SandboxError("from within", "GP211")

    with pytest.raises(SandboxError, match=r"^from within$"):
        compile_expression("a.b")({"a": Late(b=1)})


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_rounding_goes_to_the_nearest(value: float, decimals: int) -> None:
    assert abs(rounded(value, decimals) - value) <= 0.5 * 10**-decimals * (1 + 1e-6)


@given(st.text(max_size=40))
def test_any_text_as_a_template_ends_in_text_or_a_sandbox_error(text: str) -> None:
    kinds: set[str] = set()
    for source in (text, "{{ " + text + " }}", "{% " + text + " %}"):
        try:
            assert isinstance(write(source), str)
        except SandboxError as error:
            kinds.add(error.kind)
    assert kinds <= CODES.keys()


@given(st.text(alphabet="()[]{}+-*/%~|.,:'\"<>=0a1 ", max_size=30))
def test_any_text_as_an_expression_ends_in_a_value_or_a_sandbox_error(text: str) -> None:
    with suppress(SandboxError):
        compile_expression(text)({"a": [1, 2]})


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("count", {"count"}),
        ("count > 0", {"count"}),
        ("sum([a, min(b, 2)])", {"a", "b"}),
        ("count + count(c)", {"count", "c"}),
    ],
)
def test_a_field_may_be_named_like_a_function(text: str, names: set[str]) -> None:
    assert compile_expression(text).names == names


@pytest.mark.parametrize(
    "text",
    [
        "{% if c.hits > 9 %}{% set x = 1 %}{% endif %}{{ x }}",
        "{% if c.hits %}{% set y = 1 %}{% else %}{% set x = 1 %}{% endif %}{{ x }}",
        "{% for i in [] %}{% set x = 1 %}{% endfor %}{{ x }}",
        "{% for i in [1] %}{% set x = 1 %}{% endfor %}{% for i in [1] %}{{ x }}{% endfor %}",
        "{% macro m() %}{% set x = 1 %}{% endmacro %}{{ m() }}{{ x }}",
        "{% set n = namespace() %}{% for i in [1] %}{% set x = 1 %}{% macro m() %}{{ x }}"
        "{% endmacro %}{% set n.m = m %}{% endfor %}{{ n.m() }}",
        "{% set n = namespace() %}{% for j in [1] %}{% set x = 1 %}{% for i in [1] recursive %}"
        "{% if n.l is defined %}{{ x }}{% endif %}{% set n.l = loop %}{% endfor %}{% endfor %}"
        "{{ n.l([1]) }}",
        "{{ x }}{% set x = 1 %}",
        "{% block b %}{{ x }}{% endblock %}",
    ],
)
def test_what_is_set_elsewhere_is_not_known_here(text: str) -> None:
    error = fault(text)
    assert (error.kind, error.message) == ("GP303", "'x' is not known here")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{% set x = 1 %}{% if c.hits %}{{ x }}{% set x = 2 %}{% endif %}{{ x }}", "12"),
        ("{% set a, b = 1, 2 %}{% set a, b = b, a %}{{ a }}{{ b }}", "21"),
        ("{% macro m(a) %}{% set a = a + 1 %}{{ a }}{% endmacro %}{{ m(1) }}", "2"),
        ("{% set x %}5{% endset %}{% with y = x %}{{ y }}{{ x }}{% endwith %}", "55"),
    ],
)
def test_what_is_set_is_known(text: str, written: str) -> None:
    assert write(text) == written


def test_a_filter_that_is_not_there_is_told_where_it_would_be_used() -> None:
    assert write("{% if c.hits > 9 %}{{ c.hits | nope }}{% endif %}ok") == "ok"
    assert fault("\n{% if c.hits %}{{ c.hits | nope }}{% endif %}").line == 2


@given(
    st.one_of(
        st.floats(-2e6, 2e6),
        st.decimals(-2_000_000, 2_000_000, places=5).map(float),
        st.integers(-(10**9), 10**9).map(lambda n: (2 * n + 1) / 2_000),
    ),
    st.integers(1, 6),
)
def test_half_goes_away_from_zero(value: float, decimals: int) -> None:
    exact = Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    assert rounded(value, decimals) == float(exact)

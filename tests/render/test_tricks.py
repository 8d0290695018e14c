"""Templates that try to reach out of the sandbox, or to flood it, are reported at their line."""

from __future__ import annotations

import pytest
from render.studio import Studio

FILE = "templates/mini/face.svg.j2"

REACHING = [
    # From a value to its class and on, with a dot, an index, a filter or a name put together.
    "{{ ''.__class__ }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ ''['__cla' ~ 'ss__'] }}",
    "{{ ''[['__cla', 'ss__'] | join] }}",
    "{{ '' | attr('__class__') }}",
    "{{ [''] | map(attribute='__class__') | list }}",
    "{{ [''] | selectattr('__class__') | list }}",
    "{{ ['', 'a'] | sort(attribute='__class__') | first }}",
    "{{ c.name.span }}{{ c.name.rich }}",
    "{{ c._values }}{{ c.span_of('name') }}",
    "{{ c.__reduce_ex__(4) }}",
    "{{ {}.items().mapping }}",
    # Format strings, which walk attributes by themselves.
    "{{ '{0.__class__}'.format(c) }}",
    "{{ '{a.__class__}'.format_map({'a': c}) }}",
    "{{ '%(a)s' % {'a': 1} }}",
    "{{ '%s' % c }}",
    # Attributes of functions, macros, loops and blocks.
    "{{ range.__globals__ }}",
    "{{ text_box.__globals__ }}{{ text_box.__self__ }}{{ text_box.__func__ }}",
    "{{ word.__closure__ }}",
    "{{ draw.__class__ }}{{ draw._palette }}{{ draw.line.__self__ }}",
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "{{ namespace().__class__ }}",
    "{{ namespace(['a', 'b']) }}",
    "{{ lipsum.__globals__['os'].popen('id').read() }}",
    "{{ self.__init__.__globals__ }}",
    "{{ self._TemplateReference__context.environment }}",
    "{{ environment }}{{ context }}{{ resolve }}{{ missing }}{{ concat }}",
    "{{ __builtins__ }}{{ __import__('os') }}{{ __jinja_template__ }}",
    "{{ open('/etc/passwd').read() }}{{ eval('1') }}{{ exec('1') }}",
    "{% macro m() %}{% endmacro %}{{ m._func }}{{ m.__init__ }}",
    "{% macro m() %}{{ caller.__globals__ }}{% endmacro %}{% call m() %}{% endcall %}",
    "{% for i in [1] %}{{ loop._iterator }}{{ loop.__class__ }}{% endfor %}",
    "{% block b %}{{ self.b.__self__ }}{% endblock %}",
    "{{ ([1] | map('string')).gi_frame }}",
    "{{ nothing.__class__ }}",
    # Changing what is shared.
    "{% set x = [1] %}{{ x.append(2) }}",
    "{% set x = {} %}{{ x.update({1: 2}) }}{{ x.setdefault(1, 2) }}{{ x.clear() }}",
    "{% set c.name = 'x' %}",
    # Words of others.
    "{% do [].append(1) %}",
    # Templates from elsewhere.
    "{% include '/etc/passwd' %}",
    "{% include '../../cards/mini/cards.yaml' %}",
    "{% include 'file:///etc/passwd' %}",
    "{% include 'http://example.org/x' %}",
    "{% include ('../' * 9) ~ 'etc/passwd' %}",
    "{% extends '../x.svg.j2' %}",
    "{% include c %}",
    "{% include none %}",
]

FLOODING = [
    "{{ 'x' * 10 ** 9 }}",
    "{{ range(10 ** 9) | list }}",
    "{{ '%99999999d' % 1 }}",
    "{{ c.name | truncate(10 ** 9, end='x' * 10 ** 9) }}",
    "{% for i in range(9999) %}{% for j in range(9999) %}{% endfor %}{% endfor %}",
    "{% for i in range(9999) %}{{ 'x' * 9999 }}{% endfor %}",
    "{% set x %}{% for i in range(9999) %}{{ 'x' * 9999 }}{% endfor %}{% endset %}",
    "{% macro m(n) %}{{ m(n + 1) }}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}",
    "{% include 'face.svg.j2' %}",
    "{% import 'face.svg.j2' as f %}",
    "{% extends 'face.svg.j2' %}",
    "{% for i in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "{{ " + "a" * 9999 + " }}",
    "{{ 1 | " + "a" * 9999 + " }}",
    "{% " + "a" * 9999 + " %}",
]

WRITING = [
    "<script>1</script>",
    "{% autoescape false %}{{ '<script>1</script>' }}{% endautoescape %}",
    "{{ '<script>1</script>' | safe }}",
    "<g onload='1'/>",
    "<a href='https://example.org'/>",
    "<image href='https://example.org/x.png' width='1' height='1'/>",
    "<image href='file:///etc/passwd' width='1' height='1'/>",
    "<image href='../../secret.png' width='1' height='1'/>",
    "<image href='data:image/png;base64,AAAA' width='1' height='1'/>",
    "<image xlink:href='/etc/passwd' width='1' height='1'/>",
    "<use href='https://example.org/x.svg#a'/>",
    "<use href='file:///x.svg#a'/>",
    "<rect width='1' height='1' fill='url(https://example.org/x)'/>",
    "<style>@import url(https://example.org/x.css);</style>",
    "<rect style='fill: url(file:///x)' width='1' height='1'/>",
    "<foreignObject><iframe/></foreignObject>",
    "<xi:include href='/etc/passwd'/>",
    "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>",
    "<text>&x;</text>",
    "<?xml-stylesheet href='x.css'?>",
    "<?php 1 ?>",
    "</svg><svg onload='1'>",
    "<set attributeName='x' to='1'/>",
    "<text>\x01</text>",
]


@pytest.mark.parametrize("trick", [*REACHING, *FLOODING, *WRITING], ids=lambda trick: trick[:70])
def test_a_trick_is_told_at_its_line(studio: Studio, trick: str) -> None:
    studio.write("secret.png", b"secret")
    studio.template(f"<g/>\n<g/>\n{trick}\n<g/>\n")
    outcome = studio.draw()
    assert not outcome.ok
    found = outcome.diagnostics[0]
    assert (found.span.file, found.span.line) == (FILE, 3), str(found)
    assert found.code in ("GP004", "GP301", "GP302", "GP303", "GP304", "GP305", "GP306", "GP307",
                          "GP308"), str(found)  # fmt: skip
    assert found.hint
    assert len(found.message) < 600
    assert "secret" not in found.message.replace(trick, "") or "secret" in trick


def test_a_trick_in_a_macro_is_told_in_its_own_file(studio: Studio) -> None:
    studio.template("{% macro m(x) %}\n\n{{ x.__class__ }}\n{% endmacro %}", "parts/m.svg.j2")
    studio.template("{% from 'parts/m.svg.j2' import m %}\n{{ m(1) }}")
    (found,) = studio.draw().diagnostics
    assert str(found.span).startswith("templates/mini/parts/m.svg.j2:3:")


def test_what_is_too_much_on_one_face_is_tried_on_no_other(studio: Studio) -> None:
    studio.ids = tuple(f"c{number}" for number in range(50))
    studio.template("{% if c.id != 'c0' %}{{ nothing }}{% endif %}\n{{ 'x' * 10 ** 9 }}")
    (found,) = studio.draw().diagnostics
    assert found.code == "GP306"
    assert "and 49 more" in found.message

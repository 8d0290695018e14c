"""What the loaders know by name, and what trips loaders in general: the words mutations draw on."""

from __future__ import annotations

from typing import Final


def _lines(text: str) -> tuple[str, ...]:
    """A word a line."""
    return tuple(text.strip("\n").split("\n"))


NUMBERS: Final = (
    *"""
0 -0 1 -1 2 7 63 64 99 100 255 256 9999 10000 65535 65536 2147483647 2147483648 -2147483649
9223372036854775808 0.0000001 1e-9 1e9 1e99 1e308 1e309 -1e400 .5 5. 0x10 0b1 1_000 0123 1:30
inf -.inf .nan NaN Infinity ١٢ 1,5 ½ 9999999999999999999999999999999999999999
""".split(),
    *("1" + "0" * 400, "0." + "0" * 400 + "1", "9" * 5000),
)

LENGTHS: Final = _lines(r"""
0mm
-3mm
1e3mm
0.0001mm
99999mm
3in
12pt
5
5 cm
1em
""")

LETTERS: Final = (
    *("\xad", "\u200b", "\u200d", "\u202e", "\u2066", "\u2028"),
    *("\x85", "\ufeff", "\ufffd", "\u0301", "\u0e33", "\u05d0\u05d1"),
    *("\u0627\u0644\u0639", "\ufb01", "\xdf", "\u0130", "\u01c5", "\U0001f9d9"),
    *(
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U000e0041",
        "\U0010fffd",
        "\u304c",
        "\u4e2d",
        "\u1100",
    ),
    *("\x00", "\x07", "\x1b[31m", "\x1b]0;x\x07", "\x7f", "\x9b"),
    *("\r", "\t", "\x0b", "\ue000"),
)

TRAPS: Final = _lines(r"""
~
null
yes
No
on
true
''
""
[]
{}
[[]]
{a: {b: {}}}
- -
!!python/object/apply:os.system ['id']
!!binary aGk=
!x y
&a [*a]
*a
<<: *a
2020-01-01
12:30:45
0o17
=
<<
? a
|
>-
%YAML 1.3
---
...
@a
"\ud800"
"\udfff\ud800"
"\x1b[2J"
"\u202e"
"\0"
"\u2028"
"\uFFFF"
"\U0010FFFF"
"\e[31m"
"\x9b31m"
"\N\_\L\P"
'{{ 1 }}'
'{% x %}'
../canary/secret
/etc/passwd
art/../../x.png
C:\x
\\host\x
con
.
file:///etc/passwd
http://localhost/x
[a, b
{a: b
a: b: c
'a
"a
""")

YAML_KEYS: Final = tuple(
    """
kind components rows defaults id title stock faces front back fields derived checks set_checks
quantity why made_from each where brings tile layout type of choices optional default unique min
max min_length max_length length pattern columns that at message hint severity count sum is like
width height path grid pitch call turn leaves side radius kerb either_way owned starts finish
marks drawn tiles course closed removable vehicles abreast markers opposite heading margin
requires options stocks prints kinds papers media backs gutter labels overlap credits players
version language waivers words size bleed safe shape corner_radius folds description fonts
fallback colours ink styles font weight italic leading colour align hyphenate tolerance label
first paper card 1 null
""".split()
)

YAML_VALUES: Final = _lines(r"""
id
text
rich
int
number
choice
bool
length
colour
image
icon
ref
list
map
table
course
nup
nested
booklet
poster
duplex-long
duplex-short
gutterfold
none
rectangle
rounded
circle
hexagon
path
a4
letter
square
octagon
up
left
right
warning
error
justify
M0 0H1e9V-1Z
M0 0 C
M
M0 0H60V40L50 50H0Z
M0 0A0 0 0 1 1 5 5
Z
M0 0LNaN 1
card
suit
token
marker
self
components
players
tokens.csv
more.xlsx
#fff
#ffff
#12
rgb(1,2,3)
rgb(1e9,-1,2)
red
transparent
currentColor
art/field.png
art
star
NAME
(a+)+$
(?:a?){60}a{60}
(a*)*b
[
\p{L}
(?P<n>x)(?P=n)
(?<=a+)b
a{1,99999}
(?i)x
^(([a-z])+.)+[A-Z]([a-z])+$
>= 1.0
1 9L 10R 2
3x L
9999x L
L L L L L L
S S
1 3L 3R
2×L
3L#2
0x S
""")

EXPRESSIONS: Final = _lines(r"""
1 / 0
1 // 0
1 % 0
0 ** -1
9 ** 9 ** 9
2 ** 100000
-1 ** 0.5
1e308 * 10
'a' * 999999999
[0] * 99999999
range(999999999) | list
range(1000000) | sum
range(3000) | map('string') | join('x') | replace('1', '1' * 99)
'%999999999d' % 1
'%s' | format(1)
'{0.__class__}'.format(1)
'' .__class__.__mro__
c.__init__
''|attr('__class__')
c['__class__']
c | map(attribute='__class__') | list
self
cycler('a')
namespace(a=1)
lipsum(99)
joiner()
range.__self__
caller()
name.encode()
name.format_map({})
name.join(moves)
name | upper | list
undefined
components
components.card
components.card | list
components[name]
pack.options
id == id == id
not not not id
(((((((((1)))))))))
[[[[[[[]]]]]]]
{1: 2}[3]
{'a': 1} | dictsort
{} | items | list
[1, 'a'] | sort
[none, 1] | max
[] | first
[] | max
sum('a')
min()
abs('a')
round(1e308, 400)
round(1, -999999999)
int('9' * 5000)
'0x' | int(0, 16)
'9' * 4400 | int
1.5 | round(2, 'x')
x if y
'a' | batch(0) | list
'abc' | slice(0) | list
moves | groupby('x')
'a' | indent(9999)
'a' | center(999999999)
'x' | truncate(-1)
'<b>' | safe
'a' | wordwrap(0)
1 | e
moves | sum(start='a')
moves | map('nosuch') | list
moves | select('nosuch') | list
moves[99]
moves[-1]
moves[::0]
moves[1e9]
name[0:9:-1]
speed < 'a'
1 in 2
true + true
none + 1
1 ~ 2
'\ud800'
'\x1b[0m'
1 is divisibleby 0
9 is odd
''.join(['a'] * 99999)
('a' * 90000).rfind('b' * 40000)
('ab' * 40000) | sort | list
['a' * 9999] * 99 | unique | list
moves | map('add', 1) | list
len(len)
range(1, 9, 0)
1.0e309
-(1e309)
1e309 - 1e309
(1e309 - 1e309) | int
1e309 | int
1e309 | round
[1, 2] < [1, 'a']
'é' | upper | urlencode
1 if 1 else
|
{{ 1 }}
{% if %}
#}
""")

STATEMENTS: Final = _lines(r"""
{% for i in range(9) %}
{% endfor %}
{% if c %}
{% elif x %}
{% endif %}
{% else %}
{% set x = 1 %}
{% set x %}
{% endset %}
{% macro m(a, b=1) %}
{% endmacro %}
{% call m() %}
{% endcall %}
{% filter upper %}
{% endfilter %}
{% raw %}
{% endraw %}
{% block b %}
{% endblock %}
{% extends 'card.svg.j2' %}
{% include 'card.svg.j2' %}
{% import 'card.svg.j2' as x %}
{% from 'parts/badge.svg.j2' import badge %}
{% do 1 %}
{% include '../../../canary/secret.txt' %}
{% include '/etc/passwd' %}
{% include c.name %}
{% include ['a', 'b'] ignore missing %}
{% with a=1 %}{% endwith %}
{% autoescape false %}
{% macro r(n) %}{{ r(n) }}{% endmacro %}{{ r(1) }}
{# x
{{
}}
{%
%}
{{{
-%}
{% for i in range(100000) %}x{% endfor %}
{% for i in c %}{{ i }}{% endfor %}
{{ loop.index }}
{% for a in range(300) %}{% for b in range(300) %}<g/>{% endfor %}{% endfor %}
{% for a in range(9999) %}{{ text_line(a, 5, 5, 'body') }}{% endfor %}
{{ super() }}
{% set ns = namespace(a=1) %}{% set ns.a = ns %}{{ ns }}
{{ self.b() }}
{% break %}
""")

CALLS: Final = _lines(r"""
text_box(c.text, 4, 30, 30, 26, 'body')
text_box(c.name, 0, 0, 0, 0, 'body')
word('Whip')
text_box(c.name * 3000, 4, 4, 30, 30, 'body')
text_box('a\u00ad' * 2000, 4, 4, 9, 9, 'body')
text_box(c.text, 0, 0, -5, 5, 'body')
text_box(c.text, 0, 0, 1e9, 1e9, 'title', size=9999)
text_box('*' * 500, 1, 1, 30, 30, 'body', rich=true)
text_box('**a', 1, 1, 9, 9, 'body', rich=1)
text_box('{star' * 90, 1, 1, 30, 30, 'body', rich=true)
text_box(none, 1, 1, 9, 9, 'body')
text_line(c.name, 5, 5, 'nosuch')
text_line('', 0, 0, 'body', w=0)
text_line(1, 1, 1, 'body')
text_line(c.name, 1e30, 1, 'body')
text_line(c.name, 5, 5, 'body', rotate='a')
text_width(1, 2)
text_height(c.text, 0, 'body')
text_height('', -1, 'body')
text_width('', 'body', size=0)
rooms(['M0 0L9 9L0 9Z'] * 999, 0, 0, 63, 88, least=0.1)
clearing(['M0 0L9 9' ~ 'L9 8L1 3' * 300] * 20, 0, 0, 63, 88, 1)
rooms([c.name], 0, 0, 999999, 1, gap=-5)
icon('star', 1, 1, 0)
icon('star', 1, 1, 1e9)
icon('../../../canary/secret', 1, 1, 5)
icon('', 1, 1, 5)
icon('star', 1, 1, 5, colour='#12345')
icon(c, 1, 1, 5)
icon('a/../star', 1, 1, 5)
image('art/field.png', 1, 1, 0, 0)
image('art/field.png', 1, 1, 8, 8, fit='x')
image('../../../canary/secret.png', 1, 1, 8, 8)
image('art/field.png', 1, 1, 1e-9, 8, fit='stretch')
image('art', 1, 1, 8, 8)
image(none, 1, 1, 8, 8)
image('art/field.png', 1, 1, 3000, 3000)
draw.polygon([])
draw.polygon([[1]])
draw.polyline([[0, 0], [1, 'a']], stroke='ink')
draw.regular(9, 9, 5, 0)
draw.regular(9, 9, 5, 99999)
draw.star(9, 9, 1e9, 1, 2)
draw.arc(9, 9, 0, 0, 0, stroke='ink')
draw.arc(9, 9, 5, 0, 1e300, stroke='ink')
draw.ring_sector(9, 9, 5, 5, 0, 360)
draw.gear(9, 9, 0, 5, 4)
draw.gear(9, 9, 9999, 5, 4)
draw.grid(1, 1, 9, 9, 0, 0, stroke='ink')
draw.grid(1, 1, 9, 9, 9999, 9999, stroke='ink')
draw.hatch(1, 1, 60, 60, gap=0.001, stroke='ink')
draw.hatch(1, 1, 9, 9, gap=0, stroke='ink')
draw.hatch(1, 1, 9, 9, gap=-1, stroke='ink')
draw.ticks(9, 9, 1, 2, 0, 360, 0, stroke='ink')
draw.blob(9, 9, 5, count=0)
draw.blob(9, 9, 5, rough=1e9)
draw.blob(9, 9, 5, count=99999)
draw.dots([[1, 1]] * 9999)
draw.dots([])
draw.hexagon(0, 0, -1)
draw.rounded_rect(1, 1, 9, 9, 99)
draw.rounded_rect(1, 1, 9, 9, [1])
draw.arrow(1, 1, 1, 1)
polar(1, 1, 1e300, 1e300)
jitter(c.id, 999999)
jitter([], 3)
scatter(1, 1, 9, 9, 99999, 1)
scatter(1, 1, -9, 9, 3, c)
jitter('a', -1)
polar('a', 1, 1, 1)
draw.arc(1, 1, 1, 1, 1)
draw.star(9, 9, 5, 5, 2, fill='url(#x)', nosuch=1)
draw.dots([[1, 1]], 0.5, style='fill:red')
""")

SVG: Final = (
    *_lines(r"""
<g>
</g>
<g/>
<rect/>
<rect width='-1' height='1'/>
<rect width='1e400' height='5'/>
<circle r='-1'/>
<circle cx='1' cy='1' r='0'/>
<ellipse rx='1e9' ry='1e-9'/>
<line x1='a'/>
<path d=''/>
<path d='M'/>
<path d='M0 0L1'/>
<path d='M0 0A1 1 0 2 2 5 5'/>
<path d='L1 1'/>
<polygon points='1'/>
<polygon points='1,2,3'/>
<polyline points=''/>
<text x='1' y='9' font-size='3'>a</text>
<text>&#x1b;</text>
<tspan/>
<text font-family='nosuch' y='9' font-size='3'>x</text>
<textPath href='#x'>x</textPath>
<use href='#a' id='a'/>
<g id='a'><use href='#a'/></g>
<use href='#nosuch'/>
<use href='x.svg#a'/>
<image width='5' height='5'/>
<image href='../../../canary/secret.png' width='5' height='5'/>
<image href='art/field.png'/>
<image href='data:image/png;base64,AAAA' width='5' height='5'/>
<image href='http://localhost/a.png' width='5' height='5'/>
<image href='/etc/passwd' width='1' height='1'/>
<linearGradient id='l'/>
<linearGradient id='m' href='#m'/>
<radialGradient id='r' r='-1'><stop/></radialGradient>
<stop offset='x'/>
<rect fill='url(#l)' width='9' height='9'/>
<rect fill='url(#nosuch)' width='9' height='9'/>
<clipPath id='c'><use href='#c'/></clipPath>
<g clip-path='url(#c)'/>
<mask id='k'><g mask='url(#k)'/></mask>
<g mask='url(#k)'><rect width='5' height='5'/></g>
<symbol id='s' viewBox='0 0 0 0'/>
<use href='#s'/>
<filter id='f'/>
<style>@import 'x'</style>
<script>1</script>
<foreignObject/>
<animate/>
<svg/>
<svg viewBox='0 0 1e-300 1'><g/></svg>
<?xml version='1.0'?>
<?x y?>
<!-- -- -->
<!DOCTYPE a [<!ENTITY b 'x'>]>
<!DOCTYPE a SYSTEM '../canary/secret.txt'>
&b;
&lt;
&#0;
&#xD800;
<![CDATA[x]]>
]]>
<a:b/>
<a xmlns:a='b'/>
xmlns='x'
<g transform='rotate(1e400)'/>
<g transform='scale(0)'><text y='5' font-size='3'>x</text></g>
<g transform='matrix(1,2)'/>
<g transform='skewX(90)'><rect width='5' height='5'/></g>
<g opacity='nan'/>
<g fill='#12'/>
<g stroke-dasharray='0 0'><path d='M0 0h9' stroke='red'/></g>
<g stroke-dasharray='-1'/>
<g stroke-width='1e30'/>
<g stroke-dasharray='0.00001'><path d='M0 0h900' stroke='red'/></g>
<a/><b/>
<title>x</title>
"""),
    *(
        "<path d='M0 0" + "h1v1" * 3000 + "'/>",
        "<g transform='" + " " * 3000 + "'/>",
        "<g opacity='0.5'>" * 60,
        "<g " + " ".join(f"a{n}='1'" for n in range(300)) + "/>",
        "<desc>\x0c</desc>",
    ),
)

CHARACTERS: Final = (*"[]{}():,-?&*!|>'\"%@`#=<>/\\.;~^$+_0", " ", "\n", "\t")

PROFILES: Final = tuple("drivethru tgc mpc press-eu press-us home".split())
"""Who takes which PDF, by the names in the shipped `pdf_profiles.yaml`."""

OPTIONS: Final = (
    *("", ",", "0,0,0,0", "1,2,3", "0.5,-0.25,166,253", "21,0", "1e3,0", "\u22121,0", "nan,inf"),
    *("0,0,999,999", "0,0,-1,1", "0,0,0,0.001", "x" * 61, "a4", "A4", "letter", "half", "../leaf"),
    *("crews=on", "damage=99999999999", "weather", "=", "=on", "night=off=on", "'", '"', "\\"),
)
"""What is given to options that take numbers or names."""

"""What the SVG engine drew in, the same pages in fewer objects out.

The engine draws each shape with an opacity in a group of its own, in a group of its own, and keeps
what a form names beside it: four objects for a line. Printers and preflight take as long over a
group as over a page, so that a shape alone is painted where it stands.

What programs draw each in its own way is written so that all draw it alike: what is filled and
stroked at one go where one sees through it is filled first, then stroked; and dashes begin at no
place before their line.
"""

from __future__ import annotations

import io
import re
from itertools import count
from typing import Final

from pikepdf import Dictionary, Name, Object, Pdf, Stream

from generator.units import summed

_WRAPPER: Final = re.compile(rb"\s*q\s*/(\w+) Do\s+Q\s*")
"""A form that only draws another."""
_NUMBERS: Final = rb"[-\d.]+(?:\s+[-\d.]+)*\s+"
_LONE_SHAPE: Final = re.compile(
    rb"\s*q\s*(?:%(n)scm\s*)?/(?P<space>\w+) (?P<how>cs|CS) %(n)s(?:scn|SCN)\s"
    rb"[-\d.\s\[\]wMJjdmlchre]*(?:f\*?|S)\s+Q\s*" % {b"n": _NUMBERS}
)
"""A shape filled or stroked, and nothing else: it overlaps with nothing in its group."""
_DRAWN: Final = re.compile(rb"/(\w+) gs\s*/(\w+) Do\b")
"""A form with an opacity."""
_STEP: Final = re.compile(
    rb"\((?:[^()\\]|\\.)*+\)?|(?<![^\s])(?P<stack>[qQ])(?![^\s/])|/(?P<state>\w+) gs\b"
    rb"|(?P<path>(?:(?:[-\d.]++\s++){1,6}+(?:[mlcvy]|re)\s++|h\s++)++)"
    rb"(?:(?P<close>[Bb])(?P<odd>\*?)(?=\s|$))?+"
    rb"|\[(?P<dashes>[\d.\s]++)\]\s*+(?P<before>-[\d.]++)\s++d(?=\s|$)",
    re.S,
)
"""Texts; what saves and restores a state, and sets one; a path, taken as a whole so that none is
gone through twice, and what fills and strokes it at once; dashes that begin before their line."""
_AT_ONCE: Final = re.compile(rb"(?<!\S)[Bb]\*?(?!\S)")
_EARLY: Final = re.compile(rb"\]\s*-")
"""What fills and strokes a path at once; dashes that begin before their line; words like them."""
_OPACITY: Final = frozenset(("/Type", "/CA", "/ca"))


def simplified(drawn: bytes) -> bytes:
    """The same pages as one PDF. Raises pikepdf.PdfError for what is no PDF."""
    with Pdf.open(io.BytesIO(drawn)) as pdf:
        known: dict[tuple[int, int], Stream] = {}
        for page in pdf.pages:
            _lift(page.obj, page.obj.Contents, known)
            _settle(page.obj.Contents, page.obj.get("/Resources", Dictionary()))
        for form in known.values():
            _settle(form, form.get("/Resources", Dictionary()))
        written = io.BytesIO()
        pdf.save(written, static_id=True)
    return written.getvalue()


def _lift(holder: Object, content: Object, known: dict[tuple[int, int], Stream]) -> None:
    """Draw the shapes of lone groups in the content that has them; `holder` has its resources."""
    if "/Resources" not in holder:
        return
    resources = holder.Resources = Dictionary(dict(holder.Resources))
    forms = {
        name: _form(form, known)
        for name, form in dict(resources.get("/XObject", {})).items()
        if isinstance(form, Stream) and form.get("/Subtype") == Name.Form
    }
    if not forms:
        return
    shapes = {name.encode()[1:]: _lone_shape(form, resources) for name, form in forms.items()}

    def drawn(found: re.Match[bytes]) -> bytes:
        state, shape = resources.ExtGState[f"/{found[1].decode()}"], shapes.get(found[2])
        if not shape or not _OPACITY.issuperset(state):
            return found[0]
        return b"/%s gs %s" % (found[1], shape)

    text = _DRAWN.sub(drawn, content.read_bytes())
    content.write(text)
    left = {f"/{name.decode()}" for name in re.findall(rb"/(\w+) Do\b", text)}
    for name, form in forms.items():
        if name in left:
            resources.XObject[name] = form
        else:
            del resources.XObject[name]


def _form(form: Stream, known: dict[tuple[int, int], Stream]) -> Stream:
    """A form with its own lone groups lifted; of one that only draws another, that other."""
    if form.objgen not in known:
        known[form.objgen] = form
        _lift(form, form, known)
        known[form.objgen] = _unwrapped(form)
    return known[form.objgen]


def _unwrapped(form: Stream) -> Stream:
    wrapper = _WRAPPER.fullmatch(form.read_bytes())
    if wrapper is None:
        return form
    inner = form.Resources.XObject[f"/{wrapper[1].decode()}"]
    alike = ("/BBox", "/Group", "/Matrix", "/Subtype")
    if isinstance(inner, Stream) and all(inner.get(key) == form.get(key) for key in alike):
        return inner
    return form


def _lone_shape(form: Stream, resources: Object) -> bytes:
    """The operators of a group's only shape, to be painted with these resources; empty for a group
    with anything else in it."""
    content = form.read_bytes()
    found = _LONE_SHAPE.fullmatch(content)
    if found is None or "/Matrix" in form:
        return b""
    start, end = found.span("space")
    space = form.Resources.ColorSpace[f"/{found['space'].decode()}"]
    return content[:start] + _named(space, resources) + content[end:]


def _named(space: Object, resources: Object) -> bytes:
    """The name of a colour space among resources, to which it is added."""
    if "/ColorSpace" not in resources:
        resources.ColorSpace = Dictionary()
    spaces = dict(resources.ColorSpace)
    name = next((name for name, known in spaces.items() if known.objgen == space.objgen), None)
    if name is None:
        name = next(name for name in map("/c{}".format, count()) if name not in spaces)
        resources.ColorSpace[name] = space
    return name[1:].encode()


def _settle(content: Object, resources: Object) -> None:
    """Fill, then stroke, what a state makes less than opaque; have dashes begin on their line."""
    states = {
        name.encode()[1:]: (float(state.get("/ca", -1)), float(state.get("/CA", -1)))
        for name, state in dict(resources.get("/ExtGState", {})).items()
    }
    before = content.read_bytes()
    is_opaque = _OPAQUE.issuperset(states.values())
    if not _EARLY.search(before) and (is_opaque or not _AT_ONCE.search(before)):
        return  # as nearly all, which a look at each step would take long to find
    now, saved = _PLAIN, list[tuple[float, float]]()

    def settled(found: re.Match[bytes]) -> bytes:
        nonlocal now
        if found["stack"] == b"q":
            saved.append(now)
        elif found["stack"]:
            now = saved.pop() if saved else now
        elif found["dashes"]:
            return _begun(list(map(float, found["dashes"].split())), float(found["before"]))
        elif found["state"]:
            fill, stroke = states.get(found["state"], now)
            now = now[0] if fill < 0 else fill, now[1] if stroke < 0 else stroke
        elif found["close"] and now != _PLAIN:
            line = b"S" if found["close"] == b"B" else b"s"
            return b"%sf%s\n%s%s" % (found["path"], found["odd"], found["path"], line)
        return bytes(found[0])

    after = _STEP.sub(settled, before)
    if after != before:
        content.write(after)


_PLAIN: Final = (1.0, 1.0)
"""How opaque all is filled and stroked until a state says otherwise."""
_OPAQUE: Final = frozenset((_PLAIN, (-1.0, -1.0)))
"""The same of states that say so, or nothing of it."""


def _begun(dashes: list[float], phase: float) -> bytes:
    """Dashes with their phase, which is negative, brought to what it is a round or more later."""
    round_ = 2 * summed(dashes)  # of an odd number of them, the second time dash and gap change
    begun = phase % round_ if round_ else 0.0
    return b"[%s] %.6g d" % (b" ".join(b"%.6g" % dash for dash in dashes), begun)

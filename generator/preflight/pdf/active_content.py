"""GP808: finds what acts when a PDF is opened, and files inside it; print shops refuse both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pikepdf import Array, Dictionary, Pdf, Stream

from generator.preflight.finding import Finding
from generator.preflight.pdf.gathered import warned
from generator.preflight.pdf.pdf_subject import SubjectFile

_ACTIONS: Final = {
    "/JavaScript": "a script (JavaScript)",
    "/Launch": "an action that starts a program",
    "/SubmitForm": "an action that sends data away",
    "/ImportData": "an action that reads another file",
    **dict.fromkeys(("/Sound", "/Movie", "/Rendition", "/RichMediaExecute"), "sound or video"),
}
_NOTES: Final = {
    "/FileAttachment": "an attached file",
    **dict.fromkeys(("/Screen", "/Movie", "/RichMedia", "/Sound", "/3D"), "sound or video"),
}
_MOST: Final = 10_000
"""Actions, fields or entries of one tree that are looked at."""
_HINT: Final = "print shops refuse such files: export it again without this"


def active_content(subject: SubjectFile) -> Iterator[Finding]:
    """Find scripts, actions that do more than turn to a page, attached files and media."""
    found = dict.fromkeys(_in_catalogue(subject.pdf))
    for what in found:
        yield warned("GP808", f"the file has {what}", _HINT)
    for number, page in enumerate(subject.pdf.pages, start=1):
        seen = [*_in_actions(page.obj.get("/AA"))]
        for note in page.obj.get("/Annots", Array()):
            if isinstance(note, Dictionary):
                kind = _NOTES.get(str(note.get("/Subtype", "")))
                seen += [kind] if kind else []
                seen += _acts(note)
        for what in dict.fromkeys(seen):
            yield warned("GP808", f"the page has {what}", _HINT, page=number)


def _in_catalogue(pdf: Pdf) -> Iterator[str]:
    root = pdf.Root
    yield from _acts(root)
    yield from _in_action(root.get("/OpenAction"))
    names = root.get("/Names", Dictionary())
    if "/JavaScript" in names:
        yield _ACTIONS["/JavaScript"]
    if _has_leaf(names.get("/EmbeddedFiles")) or "/AF" in root or "/Collection" in root:
        yield _NOTES["/FileAttachment"]
    form = root.get("/AcroForm", Dictionary())
    if "/XFA" in form:
        yield "a form that a program fills in (XFA)"
    for field in _tree(form.get("/Fields", Array())):
        yield from _acts(field)


def _acts(thing: Any) -> Iterator[str]:
    """Yield what an object does by itself."""
    yield from _in_action(thing.get("/A"))
    yield from _in_actions(thing.get("/AA"))


def _in_actions(actions: Any) -> Iterator[str]:
    for _, action in actions.items() if isinstance(actions, Dictionary) else ():
        yield from _in_action(action)


def _in_action(action: Any) -> Iterator[str]:
    """Yield what an action and those after it do."""
    waiting, steps = [action], 0
    while waiting and steps < _MOST:
        steps += 1
        each = waiting.pop()
        if isinstance(each, Array):
            waiting += list(each)
        elif isinstance(each, Dictionary):
            kind = _ACTIONS.get(str(each.get("/S", "")))
            if kind:
                yield kind
            waiting.append(each.get("/Next"))


def _tree(nodes: Any) -> Iterator[Any]:
    """The fields of a form with those below them, each once."""
    waiting, seen = list(nodes), set[tuple[int, int]]()
    while waiting and len(seen) < _MOST:
        node = waiting.pop()
        if isinstance(node, Dictionary) and (not node.is_indirect or node.objgen not in seen):
            seen.add(node.objgen)
            yield node
            waiting += list(node.get("/Kids", Array()))


def _has_leaf(tree: Any) -> bool:
    """True when a tree of names has any name."""
    if not isinstance(tree, Dictionary | Stream):
        return False
    return any(len(node.get("/Names", Array())) for node in _tree([tree]))

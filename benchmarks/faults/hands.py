"""A finished PDF and what its manifest says, open under the hands of another program."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pikepdf
from PIL import Image

from faults.damage import DRAWN, seal

MM = 72 / 25.4
LINE = re.compile(r"(/T\w+) (\S+) Tf 1 0 0 -1 (\S+) (\S+) Tm \[([^\n]*)\n")
"""A line of text: font, size, x, y, what is shown and what comes after it."""
GLYPHS = re.compile(r"<([0-9A-F]{4,})>")


@dataclass(slots=True)
class Finished:
    """A file that is open: faces are found by whose they are, pages by their number from 0."""

    path: Path
    pdf: pikepdf.Pdf
    told: dict[str, Any]

    def page(self, number: int = 0) -> str:
        """What a page does."""
        return self.pdf.pages[number].Contents.read_bytes().decode("latin-1")

    def write_page(self, content: str, number: int = 0) -> None:
        self.pdf.pages[number].Contents.write(content.encode("latin-1"))

    def edit_page(self, change: Callable[[str], str], number: int = 0) -> None:
        """A page does otherwise."""
        before = self.page(number)
        after = change(before)
        if after == before:
            raise SystemExit(f"{self.path.name}: nothing to change on page {number + 1}")
        self.write_page(after, number)

    def faces(self, page: int = 0) -> list[pikepdf.Object]:
        """The forms that a page draws, in order, each once."""
        objects = self.pdf.pages[page].resources.XObject
        names = dict.fromkeys(found["face"] for found in DRAWN.finditer(self.page(page)))
        return [objects[f"/{name}"] for name in names]

    def name(self, component: str, face: str = "front") -> str:
        """The resource name of a face."""
        for page in self.told["pages"]:
            for placed in page["placements"]:
                if (placed["component"], placed["face"]) == (component, face):
                    return f"/F{placed['sha256'][:16]}"
        raise SystemExit(f"no {face} of {component} in {self.path.name}")

    def face(self, component: str, face: str = "front") -> pikepdf.Object:
        """The form of a face."""
        name = self.name(component, face)
        for page in self.pdf.pages:
            if name in page.resources.XObject:
                return page.resources.XObject[name]
        raise SystemExit(f"{name} is drawn nowhere")

    def exchange(self, one: str, other: str) -> None:
        """Two faces, by their resource names, are each drawn where the other was."""
        for page in self.pdf.pages:
            objects = page.resources.XObject
            found = {name: objects[name] for name in (one, other) if name in objects}
            if len(found) < 2:
                form = self._form(other if one in found else one)
                found.setdefault(one, form)
                found.setdefault(other, form)
            for name, instead in ((one, other), (other, one)):
                if name in objects:
                    objects[name] = found[instead]

    def show_instead(self, name: str, other: str) -> None:
        """A face, by its resource name, is drawn as another."""
        form = self._form(other)
        for page in self.pdf.pages:
            if name in page.resources.XObject:
                page.resources.XObject[name] = form

    def _form(self, name: str) -> pikepdf.Object:
        return next(
            p.resources.XObject[name] for p in self.pdf.pages if name in p.resources.XObject
        )


@contextmanager
def at(folder: Path, file: str, *, sealed: bool = True, **save: Any) -> Iterator[Finished]:
    """A file of a build; in the end it is saved, and the manifest has its new sha256."""
    path, manifest = folder / file, folder / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    [of_file] = [entry for entry in told["files"] if entry["file"] == file]
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        yield Finished(path, pdf, of_file)
        pdf.save(path, deterministic_id="encryption" not in save, **save)
    if sealed:
        seal(path)


@contextmanager
def told(folder: Path, file: str) -> Iterator[dict[str, Any]]:
    """What the manifest says of a file, to be changed."""
    manifest = folder / "manifest.json"
    whole = json.loads(manifest.read_text(encoding="utf-8"))
    [of_file] = [entry for entry in whole["files"] if entry["file"] == file]
    yield of_file
    manifest.write_text(json.dumps(whole), encoding="utf-8")


def content(form: pikepdf.Object) -> str:
    """What a form does."""
    return form.read_bytes().decode("latin-1")


def edit(form: pikepdf.Object, change: Callable[[str], str]) -> None:
    """A form does otherwise."""
    before = content(form)
    after = change(before)
    if after == before:
        raise SystemExit("nothing to change in a form")
    form.write(after.encode("latin-1"))


def size(form: pikepdf.Object) -> tuple[float, float]:
    """Width and height, pt."""
    x1, y1, x2, y2 = (float(value) for value in form.BBox)
    return x2 - x1, y2 - y1


def about_middle(form: pikepdf.Object, a: float, b: float, c: float, d: float) -> None:
    """All that a form draws, through a matrix about its middle."""
    width, height = size(form)
    x, y = width / 2, height / 2
    moved = x - a * x - c * y, y - b * x - d * y
    before(form, f"{a:.5f} {b:.5f} {c:.5f} {d:.5f} {moved[0]:.4f} {moved[1]:.4f} cm")


def before(form: pikepdf.Object, operators: str) -> None:
    """A form does something first."""
    edit(form, lambda told: f"q {operators}\n{told}\nQ\n")


def after(form: pikepdf.Object, operators: str) -> None:
    """A form does something in the end."""
    edit(form, lambda told: f"q\n{told}\nQ\nq {operators} Q\n")


def art(form: pikepdf.Object) -> list[pikepdf.Object]:
    """The drawings in a face."""
    inner = dict(form.get("/Resources", {}).get("/XObject", {}))
    return [thing for thing in inner.values() if thing.get("/Subtype") == pikepdf.Name.Form]


def drawing(form: pikepdf.Object) -> pikepdf.Object:
    """What a face draws first, below its text; of one without text all."""
    return next(iter(art(form)), form)


def resources(thing: pikepdf.Object, category: str) -> pikepdf.Object:
    """The resources of a form or page of one sort, to add to."""
    if category not in thing.Resources:
        thing.Resources[category] = pikepdf.Dictionary()
    return thing.Resources[category]


def pictures(form: pikepdf.Object) -> list[pikepdf.Object]:
    """The pictures of a face, in the order of painting."""
    found: list[pikepdf.Object] = []
    objects = dict(form.get("/Resources", {}).get("/XObject", {}))
    for name in re.findall(r"(/\w+) Do", content(form)):
        thing = objects[name]
        found += pictures(thing) if thing.get("/Subtype") == pikepdf.Name.Form else [thing]
    return found


def repaint(picture: Any, change: Callable[[Image.Image], Image.Image]) -> None:
    """A picture with other pixels, as many as before."""
    seen = pikepdf.PdfImage(picture).as_pil_image().convert("RGB")
    painted = change(seen).convert("RGB").resize(seen.size)
    mask = picture.get("/SMask")
    picture.write(painted.tobytes())
    picture.ColorSpace, picture.BitsPerComponent = pikepdf.Name.DeviceRGB, 8
    for key in ("/Decode", "/DecodeParms"):
        if key in picture:
            del picture[key]
    if mask is not None:
        picture.SMask = mask


def lines(form: pikepdf.Object) -> list[re.Match[str]]:
    """The lines of text of a face."""
    return list(LINE.finditer(content(form)))


def set_line(form: pikepdf.Object, number: int, change: Callable[[re.Match[str]], str]) -> None:
    """A line of a face is set otherwise."""
    found = lines(form)[number]
    edit(form, lambda told: told[: found.start()] + change(found) + told[found.end() :])


def line(found: re.Match[str], x: float = 0, y: float = 0, scale: float = 1) -> str:
    """A line as it was, moved by mm or of another size."""
    return (
        f"{found[1]} {float(found[2]) * scale:.6g} Tf 1 0 0 -1 {float(found[3]) + x:.6g} "
        f"{float(found[4]) + y:.6g} Tm [{found[5]}\n"
    )


def glyphs_exchanged(told: str, dice: random.Random) -> str:
    """Two unlike glyphs of a line in each other's places."""
    places = [
        (found.start(1) + k, found[1][k : k + 4])
        for found in GLYPHS.finditer(told)
        for k in range(0, len(found[1]), 4)
        if not told[: found.start()].rstrip().endswith("/ActualText")
    ]
    while True:
        (one, first), (other, second) = dice.sample(places, 2)
        if first != second and len(first) == len(second) == 4:
            break
    letters = list(told)
    letters[one : one + 4], letters[other : other + 4] = second, first
    return "".join(letters)

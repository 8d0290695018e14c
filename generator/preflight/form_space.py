"""A place in the space of a form in, the same place on the page where the form is drawn out."""

from __future__ import annotations

from collections.abc import Iterable

from pikepdf import Object

from generator.geometry import Point, Rect, bounds
from generator.preflight.reading import Draw
from generator.units import pt_to_mm


def point_on_page(point: Point, draw: Draw, form: Object) -> Point:
    """From units of the form, 1/72 in counted upwards, to mm from the page's top-left corner."""
    x1, y1, x2, y2 = (float(value) for value in form.BBox)
    across, down = draw.scale
    right = pt_to_mm(point.x - (x1 + x2) / 2) * across
    up = pt_to_mm(point.y - (y1 + y2) / 2) * down
    return draw.centre.moved(right, -up).turned(draw.rotation, draw.centre)


def box_on_page(corners: Iterable[Point], draw: Draw, form: Object) -> Rect:
    """The upright box on the page, mm, around points of a form."""
    return bounds([point_on_page(corner, draw, form) for corner in corners])

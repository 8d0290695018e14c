"""The render stage: components and templates in; faces, as SVG with measured text, out."""

from generator.render.render_pool import render_faces
from generator.render.renderer import StandingFaces

__all__ = ["StandingFaces", "render_faces"]

"""The render stage: components and templates in; faces, as SVG with measured text, out."""

from generator.render.renderer import StandingFaces, render_faces

__all__ = ["StandingFaces", "render_faces"]

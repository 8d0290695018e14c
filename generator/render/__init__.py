"""The render stage: components and templates in; faces, as SVG with measured text, out."""

from generator.render.renderer import render_faces

__all__ = ["render_faces"]

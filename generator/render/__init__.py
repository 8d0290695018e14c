"""The render stage: components and templates in; faces, as SVG with measured text, out."""

from generator.render.render_pool import render_faces
from generator.render.renderer import Drawn, Renderer, Setting

__all__ = ["Drawn", "Renderer", "Setting", "render_faces"]

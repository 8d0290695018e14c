"""The render stage: draws components with their templates as faces."""

from generator.render.renderer import render_faces

__all__ = ["render_faces"]

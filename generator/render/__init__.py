"""The render stage: draws components with their templates as faces."""

from generator.render.deck import Deck, faces_to_draw
from generator.render.face_environment import Setting
from generator.render.renderer import DrawnFace, FaceTask

__all__ = ["Deck", "DrawnFace", "FaceTask", "Setting", "faces_to_draw"]

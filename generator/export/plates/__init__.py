"""Faces in; plates that PDFs print them with, made without the SVG engine, out."""

from generator.export.plates.plate import Plate, Platemaker
from generator.export.plates.store import PlateStore

__all__ = ["Plate", "PlateStore", "Platemaker"]

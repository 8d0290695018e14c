"""The impose stage: pieces and a paper in, sheets on which everything has its place out."""

from generator.impose.dress import Slug
from generator.impose.imposing import impose
from generator.impose.marks import MarkStyle

__all__ = ["MarkStyle", "Slug", "impose"]

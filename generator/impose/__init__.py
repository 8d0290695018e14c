"""The impose stage: pieces and a paper in, sheets on which everything has its place out."""

from generator.impose.imposing import impose
from generator.impose.sheet_marks import Slug

__all__ = ["Slug", "impose"]

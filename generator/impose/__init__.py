"""The impose stage: pieces and a paper in, sheets on which everything has its place out."""

from generator.impose.imposing import Slug, impose

__all__ = ["Slug", "impose"]

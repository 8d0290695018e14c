"""Gridpress: YAML definitions of game components in, print-ready PDF sheets out."""

__version__ = "0.1.0"

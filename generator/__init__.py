"""Gridpress: YAML definitions of game components in, print-ready PDF sheets out."""

__version__ = "1.1.0.dev0"

"""Gridpress: YAML definitions of game components in, print-ready PDF sheets out."""

import os

# numpy starts threads for matrices, which nobody here multiplies; a process with threads that
# Python does not know cannot be copied, and workers would all begin anew.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "1.1.0.dev0"

"""Runs the templates and expressions of a pack in Jinja's sandbox.

`vocabulary.py` lists what they may call, `bounds.py` limits what they compute, and `faults.py`
explains errors in an author's words.
"""

from generator.sandbox.bounds import as_text, described
from generator.sandbox.compiling import BoundedTemplate
from generator.sandbox.environment import (
    BoundedEnvironment,
    Expression,
    call_macro,
    compile_expression,
    load_template,
    render,
)
from generator.sandbox.faults import SandboxError

__all__ = [
    "BoundedEnvironment",
    "BoundedTemplate",
    "Expression",
    "SandboxError",
    "as_text",
    "call_macro",
    "compile_expression",
    "described",
    "load_template",
    "render",
]

"""Runs templates and expressions of strangers without harm to the machine or the time.

A template is Jinja2 in an immutable sandbox: what may be called and reached is listed by hand
(`vocabulary.py`), what is worked out is bounded (`budget.py`), loops and calls are counted.
"""

from generator.sandbox.budget import Budget, Purse, as_text, described
from generator.sandbox.compiling import BoundedTemplate
from generator.sandbox.environment import (
    BoundedEnvironment,
    Expression,
    compile_expression,
    load_template,
    render,
    writing,
)
from generator.sandbox.faults import SandboxError

__all__ = [
    "BoundedEnvironment",
    "BoundedTemplate",
    "Budget",
    "Expression",
    "Purse",
    "SandboxError",
    "as_text",
    "compile_expression",
    "described",
    "load_template",
    "render",
    "writing",
]

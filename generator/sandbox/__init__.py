"""Templates and expressions in, text and values out: without harm to the machine or the time.

A template is Jinja2 in an immutable sandbox: what may be called and reached is listed by hand
(`vocabulary.py`), what is worked out is bounded (`bounds.py`), loops and calls are counted.
"""

from generator.sandbox.compiling import BoundedTemplate
from generator.sandbox.environment import BoundedEnvironment
from generator.sandbox.expressions import Expression, compile_expression
from generator.sandbox.faults import SandboxError
from generator.sandbox.rendering import load_template, render, writing

__all__ = [
    "BoundedEnvironment",
    "BoundedTemplate",
    "Expression",
    "SandboxError",
    "compile_expression",
    "load_template",
    "render",
    "writing",
]

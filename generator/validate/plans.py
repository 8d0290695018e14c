"""A kind with its expressions compiled: what components are made and checked by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.diagnostics import Severity, Span
from generator.model.pack import Kind
from generator.model.values import SourceText
from generator.validate.formulas import Formula, Message


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """A check, compiled."""

    that: Formula
    message: Message
    span: Span
    severity: Severity
    at: Message | None = None
    hint: Message | None = None


@dataclass(frozen=True, slots=True)
class SetCheckPlan:
    """A set check, compiled. `measure` is count, sum or unique."""

    measure: str
    span: Span
    severity: Severity
    of: Formula | None = None
    where: Formula | None = None
    is_: Formula | None = None
    min: Formula | None = None
    max: Formula | None = None
    message: Message | None = None
    hint: Message | None = None


@dataclass(frozen=True, slots=True)
class StockPlan:
    """How the stock of each component is worked out: the kind's own is the one that it is like,
    and the formulas for width, height and path stand in for what is given there."""

    span: Span
    formulas: Mapping[str, Formula]


@dataclass(frozen=True, slots=True)
class TilePlan:
    """How a component is a tile of a track: its grid, how its face is driven as drawn, and the
    formulas of all else."""

    span: Span
    grid: str
    drawn: str
    formulas: Mapping[str, Formula]


@dataclass(frozen=True, slots=True)
class LayoutPlan:
    """How a component is a layout: the kinds of its tiles, the field that has its course, and the
    formulas of what it is to serve."""

    span: Span
    tiles: tuple[SourceText, ...]
    course: SourceText
    formulas: Mapping[str, Formula]


@dataclass(frozen=True, slots=True)
class KindPlan:
    """A kind and its compiled rules.

    A kind that is not `sound` has a fault in its file: its components' fields are read, but
    nothing is derived from them or checked.
    """

    kind: Kind
    sound: bool
    derived: Mapping[str, Formula] = field(default_factory=dict)
    checks: tuple[CheckPlan, ...] = ()
    set_checks: tuple[SetCheckPlan, ...] = ()
    stock: StockPlan | None = None
    quantity: Formula | None = None
    quantities: Mapping[int, Formula] = field(default_factory=dict)
    where: Formula | None = None
    why: Message | None = None
    brings: Formula | None = None
    tile: TilePlan | None = None
    layout: LayoutPlan | None = None

    @property
    def parent_name(self) -> str | None:
        """The name under which a made component knows what it is made from."""
        made_from = self.kind.made_from
        return None if made_from is None else made_from.replace("-", "_")

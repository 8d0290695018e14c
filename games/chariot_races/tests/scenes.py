"""Scenes for tests of the rules: the engine uncompiled, on open ground, with prescribed dice."""

import importlib
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from chariots import components
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_races.race import kernel, layout
from gridpress_chariot_races.race.layout import (
    REINS,
    ROLL_ATTACK,
    ROLL_CONTROL,
    ROLL_DEFENCE,
    WHIP,
)
from gridpress_chariot_races.race.setup import DIRECTIONS

PACKAGE = "gridpress_chariot_races.race"
SHARED = ("kernel", "layout", "arena", "setup")
"""Modules without compiled parts, which are used as they are."""
MODULES = ("rolls", "ways", "car", "control", "moving", "rounds", "setup")
SIDE, ACROSS = 0, 2
"""Facings to the east, and 60° to the left of it."""


def _hidden() -> dict[str, Any]:
    """Take the loaded modules of the engine out of `sys.modules`."""
    package = sys.modules[PACKAGE]
    names = [name.rpartition(".")[2] for name in sys.modules if name.startswith(f"{PACKAGE}.")]
    for name in set(names).difference(SHARED):
        package.__dict__.pop(name, None)
    return {n: sys.modules.pop(f"{PACKAGE}.{n}") for n in names if n not in SHARED}


@cache
def engine(learnt: bool = False) -> SimpleNamespace:
    """Return the engine's modules as plain Python; `choices` is the simple or the learnt driver."""
    package = sys.modules[PACKAGE]
    compiled = kernel.kernel, kernel.inlined, kernel.entry
    before = _hidden()
    kernel.kernel = kernel.inlined = kernel.entry = lambda function: function  # type: ignore[assignment]
    try:
        sys.modules.pop("plain_driver", None)
        choices = importlib.import_module(f"{PACKAGE}.hooks" if learnt else "plain_driver")
        sys.modules[f"{PACKAGE}.hooks"] = package.hooks = choices  # type: ignore[attr-defined]
        made = {name: importlib.import_module(f"{PACKAGE}.{name}") for name in MODULES}
        return SimpleNamespace(**made, choices=choices)
    finally:
        kernel.kernel, kernel.inlined, kernel.entry = compiled
        _hidden()
        for name, module in before.items():
            sys.modules[f"{PACKAGE}.{name}"] = module
            setattr(package, name, module)


FILES = {
    "trait": "traits.yaml",
    "special": "specials.yaml",
    "damage-effect": "effects.yaml",
    "stamina-effect": "stamina-effects.yaml",
}


@cache
def known() -> Mapping[str, Any]:
    return {kind: components(file) for kind, file in FILES.items()}


def values(**changes: Any) -> dict[str, Any]:
    """Return the Basic Chariot with changed fields, its damage track empty except for wipe-out."""
    plain = {"damage_levels": 6, "damage": [{"at": 6, "effect": "wipe-out"}]}
    return {**components("vehicles.yaml")[0], **plain, **changes}


class Scene:
    """Cars on a field of 20 by 20 hexes; car v is vehicle v.

    `dice[purpose]` holds the faces to come: slide 0, haste 1, slow 1, left 2, right 2, damage 3.
    Running out of dice is an error.
    """

    def __init__(
        self,
        *vehicles: Mapping[str, Any],
        options: Iterable[str] | Mapping[str, int] = ("stamina",),
    ) -> None:
        self.engine = engine()
        setup = self.engine.setup
        made = [setup.vehicle_record(one, known()) for one in vehicles or (values(),)]
        table = np.array(made, dtype=layout.VEHICLE_DTYPE).view(np.recarray)
        cells = _field()
        arena = SimpleNamespace(along=range(len(cells)), lap=1e6)
        figures = options if isinstance(options, Mapping) else dict.fromkeys(options, 0)
        rules = setup.Rules(figures).record(
            setup.RaceType(), len(made), arena, Die((0, 1, 1, 2, 2, 3))
        )
        race = setup.race_of(rules, table, cells)
        self.race = opened(race)[0]
        self.dice: dict[int, list[int]] = {}
        self.rules.race_round = 2
        self.engine.rolls.roll_die = self._draw
        for v in range(len(made)):
            self.cars[v].vehicle = v
            self.engine.rounds.ready(self.race, v, self.cell(3 + v, 5), SIDE, 0.0)

    @property
    def cars(self) -> Any:
        return self.race.cars[: self.rules.cars].view(np.recarray)

    @property
    def rules(self) -> Any:
        return self.race.rules

    def cell(self, q: int, r: int) -> int:
        return q * 20 + r

    def put(self, v: int, at: tuple[int, int], facing: int = SIDE, rating: int = 0) -> Any:
        """Put a car at the right-most boxes of a rating."""
        car = self.cars[v]
        if self.race.cells[car.cell].car == v:
            self.race.cells[car.cell].car = -1
        car.cell, car.facing, car.lean = self.cell(*at), facing, 0
        self.race.cells[car.cell].car = v
        self.engine.car.rate(self.race, v, 6)
        self.engine.car.rate(self.race, v, rating)
        self.engine.car.steady(self.race, v)
        return car

    def phase(self, v: int, phase: int) -> Any:
        self.engine.moving.begin_phase(self.race, v)
        self.engine.moving.drive(self.race, v, phase)
        assert self.used_up
        return self.cars[v]

    def tell(self, purpose: int, *faces: int) -> None:
        self.dice.setdefault(purpose, []).extend(faces)

    def _draw(self, race: Any, v: int, purpose: int) -> int:
        told = self.dice.get(purpose)
        assert told, f"a die for purpose {purpose} was rolled, and none was told"
        return told.pop(0)

    def chooses(self, **hooks: Any) -> None:
        """Let the driver do this alone; `aside` takes the first facing allowed."""
        choices = self.engine.choices
        for name in HOOKS:
            setattr(choices, name, hooks.get(name, _nothing))
        if "aside" not in hooks:
            choices.aside = _first_facing

    @property
    def used_up(self) -> bool:
        return not any(self.dice.values())


HOOKS = (
    "swap speed_plan speed_reroll speed_keep movement path turn_at_end attack defence fight_reroll "
    "control_cards control_reread control_reroll control_discard damage_again slide_side at_end"
).split()


def _nothing(race: Any, v: int) -> None:
    pass


def _first_facing(race: Any, v: int) -> None:
    order = race.cars[v].order
    order.facing = next(f for f in range(12) if order.mask >> f & 1)


def opened(array: Any) -> Any:
    """Return records whose fields can be read by name."""
    return array.view(np.recarray) if getattr(array.dtype, "names", None) else array


def _field() -> Any:
    cells = np.zeros(400, layout.CELL_DTYPE)
    cells["car"] = -1
    for n, cell in enumerate(cells):
        q, r = divmod(n, 20)
        near = [(q + dq, r + dr) for dq, dr in DIRECTIONS]
        cell["neighbour"] = [a * 20 + b if 0 <= a < 20 and 0 <= b < 20 else -1 for a, b in near]
        cell["along"], cell["q"], cell["r"] = q, q, r
    return cells


def trait(name: str, number: int = 1) -> dict[str, Any]:
    return {"traits": [{"trait": name, "number": number}]}


def plays(**uses: int) -> Any:
    """Return a hook that plays the first Whips and Reins."""

    def hook(race: Any, v: int) -> None:
        order = race.cars[v].order
        order.accelerate = uses.get("accelerate", 0)
        order.boxes = uses.get("boxes", 0)
        for n in range(uses.get("whips", 0)):
            order.uses[n] = WHIP
        for n in range(uses.get("reins", 0)):
            order.uses[3 + n] = REINS

    return hook


def check(scene: Scene) -> int:
    scene.engine.rounds.speed_check(scene.race, 0)
    assert scene.used_up
    return int(scene.cars[0].rating)


def roll(scene: Scene, *faces: int, turn: int = 0, heading: int = -1) -> Any:
    """Make a control roll with the first car."""
    scene.tell(ROLL_CONTROL, *faces)
    scene.engine.control.push_roll(scene.race, 0, heading, turn, False, -1, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert scene.used_up
    return scene.cars[0]


def attack(scene: Scene, kind: int, own: list[int], others: list[int]) -> None:
    """Attack the second car with one card."""
    scene.tell(ROLL_ATTACK, *own)
    scene.tell(ROLL_DEFENCE, *others)
    scene.engine.car.clear_order(scene.race, 0)
    scene.engine.moving.resolve(scene.race, 0, 1, kind, 1)
    assert scene.used_up


def two(**options: Any) -> Scene:
    scene = Scene(values(), values(), **options)
    scene.chooses()
    scene.put(0, (5, 5), SIDE, 2)
    scene.put(1, (5, 6), SIDE, 2)
    return scene


def collide(scene: Scene, first: int, second: int, facing: int, direction: int = 0) -> Any:
    """Drive the first car into the second."""
    scene.put(0, (5, 5), SIDE, first)
    scene.put(1, (6, 5), facing, second)
    scene.cars[0].left = 1
    assert not scene.engine.control.enter(scene.race, 0, direction, False, False, -1)
    scene.engine.control.work_off_tasks(scene.race)
    assert scene.used_up
    return scene.cars


def orders(uses: Mapping[int, int] | None = None, **fields: int) -> Any:
    """Return a hook that writes these fields and plays these cards, up to `times` times."""
    left = [fields.pop("times", 1000)]

    def hook(race: Any, v: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            return
        for name, number in fields.items():
            setattr(race.cars[v].order, name, number)
        for card, use in (uses or {}).items():
            race.cars[v].order.uses[card] = use

    return hook


def special(name: str, side: str, number: Any = None, once: bool = False) -> dict[str, Any]:
    """Return fields of a vehicle with one special, which is card 6 of the Basic Chariot."""
    return {"specials": [{"special": name, "side": side, "number": number, "once": once}]}

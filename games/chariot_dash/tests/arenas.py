"""Small arenas, and drivers that do as they are told, for tests of races."""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from chariots import OPTIONS, shipped
from gridpress_chariot_dash.cards import Moment, Play
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.movement import Pose, Target
from gridpress_chariot_dash.race.arena import Arena, arena_on
from gridpress_chariot_dash.race.charioteer import Charioteer
from gridpress_chariot_dash.race.driver import Drive, Race, Racer, SpeedChoice, Strike
from gridpress_chariot_dash.speed_check import SpeedPlan
from gridpress_chariot_dash.state import Options
from gridpress_chariot_dash.vehicle import Vehicle

from generator.tracks.courses import Course, CourseEntry, Tile, lay
from generator.tracks.grids import HEXAGONS
from generator.tracks.pieces import LEFT, TileMeasures

BY_ID = {vehicle.id: vehicle for vehicle in shipped()}


def oval_course(*spare: str) -> Course:
    """Three lanes, six bends, a start grid and a straight; tiles named in `spare` are left out."""
    bend = TileMeasures(HEXAGONS, 25, turn=LEFT, enters=3, leaves=3, radius=2)
    straight = TileMeasures(HEXAGONS, 25, length=4, enters=3, leaves=3)
    tiles = {
        "grid": Tile("grid", straight.ways(), starts=6),
        "plain": Tile("plain", straight.ways()),
        "bend": Tile("bend", bend.ways(), owned=6),
    }
    names = ["grid", "bend", "bend", "bend", "plain", "bend", "bend", "bend"]
    return lay(
        HEXAGONS, [(tiles[n], CourseEntry(n, _way(tiles[n]))) for n in names if n not in spare]
    )


def _way(tile: Tile) -> str:
    return next(iter(tile.ways))


def oval(**pieces: Mapping[str, Any]) -> Arena:
    """The oval, with what stands on its pieces by their names."""
    return arena_on(oval_course(), pieces, "oval")


@cache
def empty_oval() -> Arena:
    return oval()


@cache
def remembering(arena: Arena, options: Options, die: Die) -> Charioteer:
    """The game's own driver, one for all tests, so that he need not learn a track twice."""
    return Charioteer(arena, options, die)


class Straight:
    """A driver who never plays a card and always drives the first way that there is."""

    def __init__(self, arena: Arena, options: Options, die: object) -> None:
        self.arena = arena

    def speed(self, race: Race, me: Racer) -> SpeedChoice:
        return SpeedChoice((), SpeedPlan(accelerate=bool(me.state.modifiers.eager)))

    def phase(self, race: Race, me: Racer, phase: int, left: int | None) -> Drive:
        state = me.state
        hexes = state.vehicle.moves[state.speed][phase] if left is None else left
        ways = self.arena.ways(self.arena.node(me.pose), hexes) if hexes else ()
        return Drive(ways[0] if ways else None)

    def control(self, race: Race, me: Racer, *, forced: bool) -> tuple[Play, ...]:
        return ()

    def attack(
        self,
        race: Race,
        me: Racer,
        targets: tuple[Racer, ...],
        on: tuple[Target, ...] = tuple(Target),
    ) -> Strike | None:
        return None

    def defend(self, race: Race, me: Racer, attacker: Racer, on: Target) -> tuple[Play, ...]:
        return ()

    def special(self, race: Race, me: Racer, moment: Moment, stake: int) -> tuple[Play, ...]:
        return ()


def standing(arena: Arena, *places: tuple[Vehicle, Pose, int]) -> Race:
    """A race in which vehicles already stand somewhere at a speed, driven by `Straight`."""
    drivers = [Straight(arena, OPTIONS, None)] * len(places)
    race = Race(arena, [v for v, _, _ in places], drivers, 1, OPTIONS, Random(1))
    race.round = 2
    race.occupied.clear()
    for racer, (_, pose, speed) in zip(race.racers, places, strict=True):
        racer.pose = pose
        racer.state = racer.state.rated(speed)
        race.occupied[pose.hex] = racer
    return race

"""The marker on the speed table: boxes, ratings, and the CLP that a safe rating takes away."""

from __future__ import annotations

from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import SAFE, Race


@kernel
def is_safe(race: Race, v: int) -> bool:
    """Whether turns at this rating need no control roll."""
    car = race.cars[v]
    return bool(car.control[car.rating] == SAFE)


@kernel
def steady(race: Race, v: int) -> None:
    """All CLP go, down to the minimum."""
    car = race.cars[v]
    car.clp = race.vehicles[car.vehicle].clp_least


@kernel
def unsteady(race: Race, v: int, points: int) -> None:
    """CLP taken, or removed if negative; no upper end (CD-73)."""
    car = race.cars[v]
    car.clp = max(race.vehicles[car.vehicle].clp_least, car.clp + points)


@kernel
def _settle(race: Race, v: int) -> None:
    car = race.cars[v]
    car.rating = race.vehicles[car.vehicle].rating_up[car.up]
    if is_safe(race, v):
        steady(race, v)


@kernel
def brake(race: Race, v: int, boxes: int) -> None:
    """Left in the deceleration row, at most to the first box of rating 0 (CD-17, CD-18)."""
    car = race.cars[v]
    if boxes > 0:
        car.down = max(0, car.down - boxes)
        car.up = race.vehicles[car.vehicle].above[car.down]
    _settle(race, v)


@kernel
def speed_up(race: Race, v: int, boxes: int, whips: bool) -> None:
    """Right in the acceleration row. What goes past its end, or past a maximum speed, goes back as
    over-whipping (CD-19) if `whips`, else it is lost, as of haste (CD-33)."""
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    if boxes > 0:
        end = vehicle.last_up[min(6, car.speed_most)]
        box = car.up + boxes
        car.up = min(box, end)
        car.down = vehicle.below[car.up]
        if box > end and whips:
            brake(race, v, box - end)
    _settle(race, v)


@kernel
def rate(race: Race, v: int, rating: int) -> None:
    """The rating itself changes (CD-20): down to right-most boxes, up to left-most ones; CD-21."""
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    rating = max(0, min(rating, 6, car.speed_most))
    if rating == car.rating:
        return
    if rating < car.rating:
        car.up, car.down = vehicle.last_up[rating], vehicle.last_down[rating]
    else:
        car.up, car.down = vehicle.first_up[rating], vehicle.first_down[rating]
    _settle(race, v)

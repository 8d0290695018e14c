"""Rounds and races: order, speed checks, wrecks, runners, standings and the end (CD-3 to CD-10).

Speed checks follow CD-14 to CD-21 and X-1. Many races run in one call: line-ups and seeds in,
results out.
"""

from __future__ import annotations

from gridpress_chariot_dash.dice import ANY_TWO, LOWEST_TWO

from gridpress_chariot_races.race import hooks as choices
from gridpress_chariot_races.race.car import (
    brake,
    calm,
    change_stamina,
    clear_order,
    damage,
    play,
    racing,
    rate,
    recover,
    roll_again,
    speed_up,
    swap_cards,
    unsteady,
)
from gridpress_chariot_races.race.control import (
    NOTHING,
    TASK_AGAIN,
    TASK_ASIDE,
    TASK_SHUNT,
    crash_dice,
    damage_dice,
    meeting,
    push,
    push_roll,
    work_off_tasks,
)
from gridpress_chariot_races.race.kernel import entry, inlined, kernel
from gridpress_chariot_races.race.layout import (
    AT_ACCELERATING,
    AT_ANY_AFTER,
    AT_DECELERATING,
    CARDS,
    CLP_EACH_ROUND,
    DAMAGE_EACH_ROUND,
    DOWN_ADD,
    DOWN_DICE,
    DOWN_DISCARDS,
    DOWN_FREE,
    DOWN_REROLLS,
    DOWN_SUBTRACT,
    EAGER,
    FASTEST,
    FOX,
    GATES,
    GIVES_DICE,
    GIVES_DISCARDS,
    GIVES_REROLLS,
    GIVES_VALUE,
    HAND,
    KEEP_ANY,
    LOSSES,
    MODS,
    NO_CAP,
    PURSUIT,
    ROLL_SPEED,
    SCORING,
    SWAP,
    TOUGHEST,
    TRAITS,
    UP_ADD,
    UP_DICE,
    UP_DISCARDS,
    UP_FREE,
    UP_REROLLS,
    UP_RIVAL,
    UP_SUBTRACT,
    Array,
    Race,
)
from gridpress_chariot_races.race.moving import begin_phase, drive, end_phase, order_of_moves
from gridpress_chariot_races.race.rolls import limit_of, mixed, modifier, roll, value_of
from gridpress_chariot_races.race.ways import straight_direction


@kernel
def kept(race: Race, v: int, limit: int) -> int:
    """Return the sum of the two dice that the driver keeps, within the limit."""
    order = race.cars[v].order
    count = race.cars[v].count
    low, next_low = 99, 99
    high, next_high = 0, 0
    for n in range(count):
        one = value_of(race, race.cars[v].dice[n])
        if one < low:
            low, next_low = one, low
        elif one < next_low:
            next_low = one
        if one > high:
            high, next_high = one, high
        elif one > next_high:
            next_high = one
    if limit == LOWEST_TWO:
        return low + next_low
    if 0 <= order.first < count and 0 <= order.second < count and order.first != order.second:
        one = value_of(race, race.cars[v].dice[order.first])
        other = value_of(race, race.cars[v].dice[order.second])
        if limit == ANY_TWO or min(one, other) == low:
            return one + other
    return high + (next_high if limit == ANY_TWO else low)


@kernel
def _single(race: Race, v: int) -> int:
    """Return the one die kept under X-1, by default the highest."""
    first, high = race.cars[v].order.first, 0
    if 0 <= first < race.cars[v].count:
        return value_of(race, race.cars[v].dice[first])
    for n in range(race.cars[v].count):
        high = max(high, value_of(race, race.cars[v].dice[n]))
    return high


@kernel
def may_accelerate(race: Race, v: int) -> bool:
    """Tell whether a car may accelerate: leaders under grandstanding may not."""
    rules, car = race.rules, race.cars[v]
    return not (rules.grandstanding and car.leads_by >= rules.grandstanding_by)


@kernel
def move_boxes(race: Race, v: int, boxes: int, accelerate: bool) -> None:
    """Move by the boxes of a check, negative ones the other way (CD-16)."""
    car = race.cars[v]
    if boxes < 0:
        boxes, accelerate = -boxes, not accelerate
    if accelerate:
        speed_up(race, v, min(boxes, car.up_most), True)
    else:
        brake(race, v, min(boxes, car.down_most))


@kernel
def speed_check(race: Race, v: int) -> None:
    """Make a car's speed check, up to steadying at a safe rating (CD-21)."""
    rules, car, order = race.rules, race.cars[v], race.cars[v].order
    clear_order(race, v)
    choices.speed_plan(race, v)
    up = order.accelerate == 1
    allowed = may_accelerate(race, v)
    if up and not allowed:
        up = False
    cards = play(race, v, AT_ACCELERATING if up else AT_DECELERATING, 0)
    if cards == 0:
        eager = car.mods[EAGER] > 0
        up = eager and allowed
        if eager and not allowed:
            move_boxes(race, v, 0, True)
            car.virtual_whips, car.virtual_reins = 0, 0
            return
    virtual = car.virtual_whips + car.virtual_reins
    whips, reins = order.whips + car.virtual_whips, order.reins + car.virtual_reins
    car.virtual_whips, car.virtual_reins = 0, 0
    which = UP_FREE if up else DOWN_FREE
    if car.mods[which] > 0 or car.mod_dice[which] > 0:
        free = modifier(race, v, which)
        move_boxes(race, v, max(0, min(free, order.boxes)), up)
        return
    rerolls = modifier(race, v, UP_REROLLS if up else DOWN_REROLLS)
    dice = modifier(race, v, UP_DICE if up else DOWN_DICE)
    dice += modifier(race, v, UP_DISCARDS if up else DOWN_DISCARDS)
    dice += order.gives[GIVES_DICE] + order.gives[GIVES_DISCARDS]
    if up and rules.shame and car.trails_by >= rules.shame_by:
        dice += 1
    keeps = 1 if rules.simple_check else 2
    if not rules.simple_check:
        dice += cards + virtual
    roll(race, v, ROLL_SPEED, keeps + max(0, dice))
    order.accelerate = 1 if up else 0
    order.hexes = limit_of(whips, reins) if up else limit_of(reins, whips)
    if car.mods[KEEP_ANY] > 0:
        order.hexes = ANY_TWO
    order.mask, order.card, order.rerolls = 0, -1, rerolls + order.gives[GIVES_REROLLS]
    choices.speed_reroll(race, v)
    roll_again(race, v, ROLL_SPEED, rerolls, AT_ANY_AFTER)
    choices.speed_keep(race, v)
    if rules.simple_check:
        most = cards + virtual
        change = max(-most, min(most, order.boxes))
        change -= (most - change) % 2  # each card adds or subtracts 1
        total = max(0, _single(race, v) + max(-most, change))
    else:
        total = kept(race, v, order.hexes)
    total += modifier(race, v, UP_ADD if up else DOWN_ADD) + order.gives[GIVES_VALUE]
    if up and car.rival_ahead:
        total += modifier(race, v, UP_RIVAL)
    total = max(0, total) - modifier(race, v, UP_SUBTRACT if up else DOWN_SUBTRACT)
    move_boxes(race, v, total, up)


@kernel
def ready(race: Race, v: int, cell: int, facing: int, progress: float) -> None:
    """Put a car on the grid (CD-2), with a rolling start if that is in force."""
    rules, car = race.rules, race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    car.clp, car.stamina, car.level = vehicle.clp_least, 10, 0
    car.resilience = vehicle.resilience
    for rating in range(7):
        car.control[rating] = vehicle.control[rating]
    for m in range(MODS):
        car.mods[m], car.mod_dice[m] = 0, 0
    for t in range(TRAITS):
        car.has_trait[t] = 1 if t < vehicle.traits else 0
        if t < vehicle.traits:
            for m in range(MODS):
                car.mods[m] += vehicle.trait_mods[t, m]
                car.mod_dice[m] += vehicle.trait_dice[t, m]
    for c in range(CARDS):
        car.pile[c] = HAND
    car.up_most, car.down_most, car.speed_most, car.turning = NO_CAP, NO_CAP, NO_CAP, 0
    car.up, car.down, car.rating = 0, 0, 0
    car.virtual_whips, car.virtual_reins = 0, 0
    car.wrecked, car.rests, car.finished, car.laps, car.caught = 0, 0, 0, 0, 0
    car.finish_order, car.wreck_order = 0, 0
    car.score, car.leads_by, car.trails_by = 0, 0, 0
    car.spaces, car.rolls, car.lost, car.cards_used, car.collisions, car.attacks = 0, 0, 0, 0, 0, 0
    begin_phase(race, v)
    car.cell, car.facing, car.progress, car.start = cell, facing, progress, progress
    race.cells[cell].car = v
    if rules.rolling_start_hexes:
        rating, most = 0, 0
        for speed in range(1, 7):
            hexes = 0
            for phase in range(4):
                hexes += vehicle.moves[speed, phase]
            if most < hexes <= rules.rolling_start_hexes:
                rating, most = speed, hexes
        rate(race, v, rating)
    elif rules.rolling_start:
        rate(race, v, rules.rolling_start)


@kernel
def _standings(race: Race) -> None:
    n, ranked = race.rules.cars, race.rules.ranked
    for v in range(n):
        car = race.cars[v]
        if not racing(race, v):
            continue
        behind, before = 9e9, 9e9
        for w in range(n):
            if w == v or not racing(race, w):
                continue
            other = race.cars[w].progress
            if other > car.progress + 1e-9:
                before = min(before, other - car.progress)
            elif other < car.progress - 1e-9:
                behind = min(behind, car.progress - other)
        leads, trails = before == 9e9 and behind < 9e9, behind == 9e9 and before < 9e9
        car.leads_by = int(behind + 1e-6) if leads and ranked else 0
        car.trails_by = int(before + 1e-6) if trails and ranked else 0
        car.rival_ahead = 0
        if car.rival >= 0 and racing(race, car.rival):
            car.rival_ahead = 1 if race.cars[car.rival].progress > car.progress else 0


@kernel
def _begin_round(race: Race, v: int) -> None:
    """Start a round (CD-10 a)."""
    car = race.cars[v]
    for purpose in range(6):
        car.drawn[purpose] = 0
    if car.mods[SWAP] > 0 or car.mod_dice[SWAP] > 0:
        clear_order(race, v)
        choices.swap(race, v)
        swap_cards(race, v)
    damage(race, v, modifier(race, v, DAMAGE_EACH_ROUND), 0)
    unsteady(race, v, max(0, modifier(race, v, CLP_EACH_ROUND)))


@kernel
def _wreck_moves(race: Race, v: int) -> None:
    """Move the wreck (CD-49): rating − 1, then one hex, leaving debris."""
    car = race.cars[v]
    rating = car.rating - 1
    car.rating = max(0, rating)
    if rating <= 0:
        car.rests = 1
        return
    direction = straight_direction(car.wreck_heading, car.lean, False)
    if car.wreck_heading % 2:
        car.lean = 1 if direction != car.wreck_heading // 2 else -1
    to = race.cells[car.cell].neighbour[direction]
    if to < 0 or race.cells[to].solid:
        car.rests = 1
        return
    w = race.cells[to].car
    if w >= 0:
        car.rests = 1
        if not race.cars[w].wrecked:
            _wreck_hits(race, v, w, direction)
        return
    here = race.cells[car.cell]
    here.fragile += 1
    here.low = 1
    if here.car == v:
        here.car = -1
    car.cell = to
    race.cells[to].car = v


@inlined
def _wreck_hits(race: Race, v: int, w: int, direction: int) -> None:
    car, other = race.cars[v], race.cars[w]
    kind, by = meeting(race, v, w, direction), car.rating - other.rating
    hurt = crash_dice(race, w, -1, damage_dice(kind, car.rating, other.rating))
    other.collisions += 1
    push(race, TASK_ASIDE, w, car.cell, direction, 0, 0, 0)
    push(race, TASK_SHUNT, v, w, direction, 0, kind, by)
    owner = push(race, TASK_AGAIN, w, NOTHING, direction, 0, 0, 0)
    race.rules.stack[owner].c = car.cell
    if hurt and racing(race, w):
        push_roll(race, w, direction, 0, False, owner, -1)
    work_off_tasks(race)


@kernel
def _enter(race: Race, n: int) -> None:
    """Let a runner enter at a place of the map, or of the edge, drawn by lot (CD-78)."""
    rules, runner = race.rules, race.rules.runner[n]
    for attempt in range(100):
        lot = mixed(rules.key + 100 * n + attempt)
        gate = rules.gates[lot % GATES]
        cell, way, at_edge = gate.cell, gate.direction, gate.cell >= 0
        if not at_edge:
            cell, way = lot % rules.cells, (lot >> 16) % 6
            neighbour = race.cells[cell].neighbour
            at_edge = neighbour[(way + 3) % 6] < 0 <= neighbour[way]
        spot = race.cells[cell]
        if at_edge and spot.car < 0 and not spot.solid and not spot.runner:
            runner.cell, runner.direction, spot.runner = cell, way, n + 1
            return


@kernel
def _runners_move(race: Race) -> None:
    """Move runners one hex (CD-6)."""
    for n in range(race.rules.runners):
        runner = race.rules.runner[n]
        if runner.cell < 0:
            continue
        to = race.cells[runner.cell].neighbour[runner.direction]
        if to >= 0 and (race.cells[to].car >= 0 or race.cells[to].solid or race.cells[to].runner):
            continue
        race.cells[runner.cell].runner = 0
        runner.cell = to
        if to >= 0:
            race.cells[to].runner = n + 1


@kernel
def _end_round(race: Race, v: int) -> None:
    """End a round (CD-10 e)."""
    if race.rules.stamina:
        change_stamina(race, v)
    unsteady(race, v, -max(0, calm(race, v)))
    clear_order(race, v)
    choices.at_end(race, v)
    recover(race, v)


@kernel
def catches(race: Race, v: int, w: int) -> bool:
    """Tell whether v catches w (CD-4)."""
    car = race.cars[v]
    return bool(
        car.progress >= race.cars[w].progress + _start_behind(race, v, w) or car.caught == w + 1
    )


@kernel
def _start_behind(race: Race, v: int, w: int) -> float:
    """Return the lead that w starts with: half a lap in Pursuit."""
    if race.rules.kind == PURSUIT and v > w:
        return float(race.rules.lap)
    return 0.0


@kernel
def _is_over(race: Race) -> bool:
    rules = race.rules
    left, last = 0, -1
    for v in range(rules.cars):
        if racing(race, v):
            left, last = left + 1, v
        elif rules.kind == SCORING and race.cars[v].finished:
            return True
    if left == 0 or rules.cars == 1:
        return left == 0
    if left > 1:
        last = -1
    if rules.kind == TOUGHEST:
        return left == 1
    if rules.kind == PURSUIT:
        return left < 2 or catches(race, 0, 1) or catches(race, 1, 0)
    return rules.kind == FOX and (last == rules.fox or _fox_is_caught(race))


@kernel
def _fox_is_caught(race: Race) -> bool:
    rules = race.rules
    for v in range(rules.cars):
        if v != rules.fox and racing(race, v) and catches(race, v, rules.fox):
            race.cars[v].caught = rules.fox + 1
            return True
    return not racing(race, rules.fox)


@inlined
def play_round(race: Race) -> bool:
    """Play a round and return whether the race goes on."""
    rules = race.rules
    rules.race_round += 1
    n = rules.cars
    rules.order += 1
    _standings(race)
    for v in range(n):
        if racing(race, v):
            _begin_round(race, v)
    for v in range(n):
        if racing(race, v):
            speed_check(race, v)
    moving = order_of_moves(race, True)
    for place in range(moving):
        _wreck_moves(race, race.rules.ahead[place])
    for phase in range(4):
        rules.phase = phase
        for v in range(n):
            if racing(race, v):  # a wreck continues over the same corners (CD-49)
                begin_phase(race, v)
        moving = order_of_moves(race, False)
        for place in range(moving):
            v = race.rules.ahead[place]
            if racing(race, v):
                drive(race, v, phase)
            if rules.kind in (PURSUIT, FOX) and _is_over(race):
                return False
        for v in range(n):
            if racing(race, v):
                end_phase(race, v)
        if rules.runners:
            _runners_move(race)
        if _is_over(race):
            return False
    for v in range(n):
        if racing(race, v):
            _end_round(race, v)
    n = rules.race_round // 2 - 1
    if rules.race_round % 2 == 0 and n < rules.runners:  # at the end of rounds 2 and 4 (CD-78)
        _enter(race, n)
    return rules.race_round < rules.rounds


@kernel
def begin(race: Race, key: int) -> None:
    """Set the seed of the race and clear the stack and the cells."""
    rules = race.rules
    rules.key = mixed(key)
    rules.race_round, rules.phase, rules.tasks, rules.order, rules.over = 0, 0, 0, 0, 0


@inlined
def run_race(race: Race) -> None:
    """Play rounds until the race is over."""
    while play_round(race):
        pass
    race.rules.over = 1


@kernel
def clear_track(race: Race, track: Array) -> None:
    """Restore what a race may change on the track."""
    for n in range(track.size):
        cell, was = race.cells[n], track[n]
        cell.car, cell.runner, cell.points, cell.low = -1, was.runner, was.points, was.low
        cell.fragile, cell.fragile_rating = was.fragile, was.fragile_rating


@kernel
def _worth(race: Race, v: int) -> float:
    """Return the value that decides places (CD-9), also at a limit (CD-80); wrecks come last,
    later ones first."""
    car, rules = race.cars[v], race.rules
    if rules.kind == SCORING:
        return float(car.score)
    if rules.kind == FOX and v != rules.fox and car.caught == rules.fox + 1:
        return 2e6
    if car.finished:
        return float(3e6 - car.finish_order)
    if car.wrecked:
        return float(-1e6 + car.wreck_order)
    worth = float(car.progress)
    if rules.kind == TOUGHEST:
        worth = float(-car.level)
    elif rules.kind == FOX and v == rules.fox:
        worth = 1e6
    elif rules.kind == PURSUIT:
        worth = 1e6 if catches(race, v, 1 - v) else worth - car.start
    return worth


@kernel
def _place(race: Race, v: int) -> int:
    own, place = _worth(race, v), 1
    for w in range(race.rules.cars):
        place += _worth(race, w) > own
    return place


@kernel
def place_scores(race: Race) -> None:
    """Score places (CD-5)."""
    rules = race.rules
    if rules.kind != SCORING:
        return
    rules.kind = FASTEST
    for v in range(rules.cars):
        place = _place(race, v)
        if place <= 3:
            race.cars[v].score += rules.place_points[place - 1]
    rules.kind = SCORING


@kernel
def _best_other(v: int, places: Array) -> int:
    """Return the best placed opponent on the grid, for the trait Rival, or −1."""
    best = -1
    for w in range(places.size):
        if w != v and (best < 0 or places[w] < places[best]):
            best = w
    return best


@kernel
def heat(
    race: Race, track: Array, grid: Array, lineup: Array, places: Array, key: int, runs: Array
) -> None:
    """Race one line-up and write its results to `runs`."""
    rules = race.rules
    clear_track(race, track)
    begin(race, key)
    for v in range(rules.cars):
        car = race.cars[v]
        car.vehicle = lineup[v]
        start = grid[places[v]]
        ready(race, v, start.cell, start.facing, start.progress)
        car.team = v % rules.teams + 1 if rules.teams > 0 else 0
        car.rival = _best_other(v, places)
    for n in range(rules.runners):
        rules.runner[n].cell = -1
    run_race(race)
    place_scores(race)
    first = 0
    for v in range(rules.cars):
        first += _place(race, v) == 1
    for v in range(rules.cars):
        car, out = race.cars[v], runs[v]
        out.vehicle, out.grid, out.place = car.vehicle, places[v] + 1, _place(race, v)
        out.won = int(first == 1 and out.place == 1 and (rules.cars > 1 or car.finished > 0))
        out.finished, out.wiped_out = int(car.finished > 0), int(car.wrecked > 0)
        out.rounds = rules.race_round
        if car.finished:
            out.rounds = car.finished
        elif car.wrecked:
            out.rounds = car.wrecked
        if rules.kind == TOUGHEST and not car.wrecked:
            out.finished = 1
        out.progress, out.spaces, out.rolls, out.lost = (
            car.progress,
            car.spaces,
            car.rolls,
            car.lost,
        )
        out.damage, out.cards, out.collisions = car.level, car.cards_used, car.collisions
        out.attacks, out.score = car.attacks, car.score
        for n in range(LOSSES):
            out.lost_at[n] = car.lost_at[n] if n < car.lost else -1


@entry
def heats(
    race: Race, track: Array, grid: Array, lineups: Array, places: Array, keys: Array, runs: Array
) -> None:
    """Race many line-ups, one for each row."""
    for n in range(keys.size):
        heat(race, track, grid, lineups[n], places[n], keys[n], runs[n])

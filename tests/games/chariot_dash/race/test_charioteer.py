"""The game's own driver: what he has learnt never changes what he does."""

from games.chariot_dash.helpers import OPTIONS
from games.chariot_dash.race.arenas import BY_ID, empty_oval, standing

from generator.games.chariot_dash.cards import Piles
from generator.games.chariot_dash.movement import Pose
from generator.games.chariot_dash.race.charioteer import Charioteer


def test_dice_of_faster_rounds_to_come_count_at_a_safe_speed() -> None:
    """At a safe speed nothing is rolled, with or without a damaged steering gear."""
    arena = empty_oval()
    race = standing(arena, (BY_ID["basic"], Pose((4, 6), 3), 1))
    (me,) = race.racers
    whole = me.state._replace(piles=Piles((2,)))
    damaged = whole.conditioned(control_dice=1)
    learned = Charioteer(arena, OPTIONS)
    drives = []
    for me.state in (whole, damaged):
        drives.append(learned.phase(race, me, 1, None))
        assert drives[-1] == Charioteer(arena, OPTIONS).phase(race, me, 1, None)
    assert drives[0] != drives[1]

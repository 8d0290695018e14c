"""The vocabulary in which packs declare what traits, specials and effects do: plain names."""

from __future__ import annotations

from typing import Final

TRAITS: Final = frozenset(
    "recover swap reins-as-whip keep-any eager accelerating.rival accelerating.free "
    "accelerating.discards accelerating.rerolls accelerating.subtract accelerating.add "
    "accelerating.dice decelerating.dice decelerating.free decelerating.discards "
    "decelerating.rerolls decelerating.subtract "
    "decelerating.add flies leaps grounded control.discards control.rerolls control.dice clp.calms "
    "spins-further slides-further whip-as-reins attacks-ahead attack.vehicle.ties "
    "attack.vehicle.dice attack.vehicle.rerolls attack.vehicle.value defence.vehicle.dice "
    "defence.vehicle.rerolls defence.vehicle.value ambushes attack.personal.ties "
    "attack.personal.dice attack.personal.rerolls attack.personal.value defence.personal.dice "
    "defence.personal.rerolls defence.personal.value damage.collision.dice damage.control.dice "
    "damage.other.dice damage.dice".split()
)
EFFECTS: Final = TRAITS | frozenset(
    "clp.each-round unsafe resilience damage.now damage.each-round lose-trait lose-card "
    "accelerating.most decelerating.most speed.most slow-as-haste haste-as-slow random "
    "wipe-out".split()
)
SPECIALS: Final = frozenset(
    "value add dice discards rerolls slow-as-haste haste-as-slow rams stops rolls-again "
    "discards-icon recovers-all".split()
)
STAMINA: Final = frozenset("speed virtual.reins virtual.whips clp".split())

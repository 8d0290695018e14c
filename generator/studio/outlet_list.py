"""Lists the outlets of a project: code of an errand."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from generator import guests
from generator.build import Standing, StepProgress
from generator.diagnostics import GridpressError
from generator.model.catalogue import OUTLETS
from generator.outlets import outlet_named
from generator.project import Project
from generator.studio.errand_orders import OutletTold, ShopTold
from generator.studio.messages import PackToOpen

_OPTIONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "images": ("dpi", "form", "bleed", "transparent", "ink"),
        "svg": ("ink",),
        "cutter": ("ink",),
        "tts": ("url",),
    }
)


def outlets_told(pack: PackToOpen, progress: StepProgress) -> tuple[OutletTold, ...]:
    """Return all outlets: programs, shops, and those of guests. Raises GridpressError."""
    found = Standing().shops(Project(pack.root, pack.shipped, around=pack.root))
    if not found.ok:
        raise GridpressError(*found.diagnostics)
    shops = found.value
    own = (
        OutletTold(name, outlet_named(name, shops).title, words, _OPTIONS.get(name, ()))
        for name, words in OUTLETS.items()
    )
    sold = (
        OutletTold(
            name,
            shop.title,
            shop.takes,
            shop=ShopTold(len(shop.products), shop.format, shop.dpi, shop.repeats),
        )
        for name, shop in shops.items()
    )
    brought = (
        OutletTold(name, kind.title, kind.help) for name, (_, kind) in guests.outlets().items()
    )
    return (*own, *sold, *brought)

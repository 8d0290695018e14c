"""What all tests share: properties are never judged by the clock; a process reads each text once
and looks for garbage as seldom as a command does; `--update` renews what is kept to compare with.
"""

import functools
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from fuzzing.warming import remember_texts
from hypothesis import settings

from generator import guests, receipts, sound_fonts, workers
from generator.cache import VARIABLE
from generator.load import documents
from generator.model.source import Node, PackSource
from generator.project import shipped_root
from generator.sandbox.environment import BoundedEnvironment
from generator.validate import checked_pack, corrections
from generator.validate.checked_pack import CheckedPack

settings.register_profile("gridpress", deadline=None)
settings.load_profile("gridpress")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell has it in what it runs behind
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --update` writes the files that tests compare with, to be looked at in the diff."""
    parser.addoption("--spawn", action="store_true", help="workers as on Windows and macOS")
    parser.addoption("--update", action="store_true", help="renew the files compared with")


@pytest.fixture(autouse=True, scope="session")
def _workers_of_other_systems(request: pytest.FixtureRequest) -> Iterator[None]:
    """With `--spawn` no worker is a copy of its parent, as on systems other than Linux."""
    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("--spawn"):
            patch.setattr(workers, "_has_only_our_threads", lambda: False)
        yield


@pytest.fixture(autouse=True, scope="session")
def _cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads what its user's builds have kept, nor leaves anything there. All processes that
    run these tests share one, which is empty at first."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(base / "cache"))
        yield


@pytest.fixture(autouse=True, scope="session")
def _garbage_is_looked_for_seldom() -> None:
    """What tests keep for each other is much to look over: it was a fifth of the time of some."""
    workers.collect_seldom()


@pytest.fixture(autouse=True, scope="session")
def _texts_are_read_once() -> Iterator[None]:
    """What follows from a text alone: most of a build is to read and compile what is the same in
    all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "parse", documents.parse)
        patch.setattr(BoundedEnvironment, "compile", BoundedEnvironment.compile)
        remember_texts()
        yield


@pytest.fixture(autouse=True, scope="session")
def _what_is_shipped_stays() -> Iterator[None]:
    """No test writes to it: what a build keeps is not compared with it, and a font that was found
    sound is not looked over again."""
    files, contents, shipped = receipts._files, sound_fonts.contents, shipped_root()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(receipts, "_files", lambda root: iter(()) if root == shipped else files(root))
        patch.setattr(sound_fonts, "contents", functools.lru_cache(64)(contents))
        yield


@pytest.fixture(autouse=True, scope="session")
def _what_is_shipped_is_checked_once() -> Iterator[None]:
    """Of a shipped pack, opened or required, the same is found each time: in files that say the
    same, for the same players, with the same stocks and guests, as long as its pictures and icons
    are there. What is found for an order of some components is not kept: it would be too much."""
    check, kept = checked_pack._checked, dict[Any, Any]()

    def checked(source: PackSource, order: Any, known: dict[str, CheckedPack]) -> CheckedPack:
        if order.only is not None or not _is_shipped(source, order.assets):
            return check(source, order, known)
        asked = source.pack.file, order.players, order.shops is None
        key = *asked, *guests.offered().items()
        before = kept.get(key)
        if before and _is_alike(source, order, before):
            order.seen_assets.update(before[3])
            known[source.name] = before[2]
        else:
            found = check(source, order, known)
            kept[key] = source, order, found, dict(order.seen_assets)
        return known[source.name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checked_pack, "_checked", checked)
        yield


def _is_shipped(source: PackSource, assets: Any) -> bool:
    """Whether it was read where Gridpress lies, not in a copy."""
    folders = getattr(assets, "image_folders", ())
    return shipped_root() / "cards" / source.name in folders


def _is_alike(source: PackSource, order: Any, before: Any) -> bool:
    same, other, _, seen = before
    return (
        _is_same(source, same)
        and (order.catalogue, order.shops) == (other.catalogue, other.shops)
        and all(corrections._is_there(what, name, order.assets) for what, name in seen)
    )


def _is_same(one: PackSource, other: PackSource) -> bool:
    return (
        (one.name, one.complete, one.hidden) == (other.name, other.complete, other.hidden)
        and len(one.required) == len(other.required)
        and all(map(_is_same, one.required, other.required))
        and len(mine := [*_nodes(one)]) == len(theirs := [*_nodes(other)])
        and all(map(_is_node, mine, theirs))
    )


def _nodes(source: PackSource) -> Iterator[Node | None]:
    for document in (source.pack, source.styles, source.locale, *source.kinds):
        yield None if document is None else document.root
    yield from (component.node for component in source.components)


def _is_node(one: Node | None, other: Node | None) -> bool:
    return one is other or bool(one and other and corrections._is_same(one, other))


@pytest.fixture
def copied_workers() -> None:
    """For tests that change what workers do: these have to be copies of this process."""
    if workers.context().get_start_method() != "fork":
        pytest.skip("workers are no copies of this process")

"""Receipts of builds, so that a build is not repeated while nothing has changed.

A build reads only below a few folders. A receipt holds while all files in these, and all files that
the build delivered, are the same byte for byte. It is for one order, one output folder and one
current folder, because messages name files relative to that.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from generator.build.order import Order, PrintedFile
from generator.cache import Sort
from generator.diagnostics import Diagnostic, Outcome
from generator.project import PARTS, PROFILE_FILE, Project, Target, workbooks_in
from generator.writing import TargetFolder, file_digest

_MOST: Final = 200_000_000
"""Bytes of a project beyond which reading everything takes as long as building."""


class _Receipt(Struct, frozen=True):
    """The findings of a build, its files, and the sha256 of everything that it delivered."""

    found: tuple[Diagnostic, ...]
    printed: tuple[PrintedFile, ...]
    delivered: dict[str, str | None]


_DECODER: Final = msgspec.msgpack.Decoder(_Receipt, dec_hook=lambda to, value: to(value))


class Inputs(NamedTuple):
    """A digest of the files that a build of a project may read, and when one was last saved."""

    digest: bytes
    newest_ns: int


def inputs_of(project: Project) -> Inputs | None:
    """Return all that a build of a project may read. None where builds cannot be compared: with
    unsaved text, links, special files or more than 200 MB."""
    if project.unsaved:
        return None
    digest, left, newest = hashlib.blake2b(digest_size=32), _MOST, 0
    try:
        roots = dict.fromkeys((project.root, project.shipped))
        for path in (path for root in roots for path in _files(root)):
            status = path.lstat()
            left, newest = left - status.st_size, max(newest, status.st_mtime_ns)
            if left < 0 or path.is_symlink() or not path.is_file():
                return None
            content = path.read_bytes()
            digest.update(b"%d:%b%d:" % (len(name := os.fsencode(path)), name, len(content)))
            digest.update(content)
    except OSError:
        return None
    return Inputs(digest.digest(), newest)


def _files(root: Path) -> Iterator[Path]:
    """Yield the files below a root that a build may read, and links to folders."""
    yield from (root / name for name in workbooks_in(root))
    if os.path.lexists(root / PROFILE_FILE):
        yield root / PROFILE_FILE
    for part in PARTS:
        if (root / part).is_symlink() or (root / part).is_fifo():
            yield root / part
        for folder, folders, files in os.walk(root / part):
            folders.sort()
            here = Path(folder)
            yield from (here / name for name in folders if (here / name).is_symlink())
            yield from (here / name for name in sorted(files))


def known_outcome(
    target: Target, order: Order, place: TargetFolder, inputs: Inputs
) -> Outcome[tuple[PrintedFile, ...]] | None:
    """Return the files and findings of the last such build, if nothing has changed since."""
    content = order.cache.get(Sort.BUILDS, *_key(target, order, place, inputs))
    if content is None:
        return None
    receipt = _DECODER.decode(content)
    if _delivered(place, list(receipt.delivered)) != receipt.delivered:
        return None
    return Outcome(receipt.printed, receipt.found)


def keep_receipt(
    target: Target,
    order: Order,
    place: TargetFolder,
    inputs: Inputs,
    done: Outcome[tuple[PrintedFile, ...]],
    others: Sequence[str],
) -> None:
    """Keep the outcome of a build that began with these inputs; `others` are files that it wrote
    beside the printed ones. Keep nothing if a file was saved during the build."""
    delivered = _delivered(place, [*(file.path.name for file in done.value), *others])
    printed = all(delivered.get(file.path.name) == file.sha256 for file in done.value)
    if not done.value or not printed or inputs != inputs_of(target.project):
        return
    receipt = _Receipt(done.diagnostics, done.value, delivered)
    with suppress(UnicodeEncodeError):  # a name that is no text
        content = msgspec.msgpack.encode(receipt, enc_hook=str)
        order.cache.put(Sort.BUILDS, content, *_key(target, order, place, inputs))


def _key(
    target: Target, order: Order, place: TargetFolder, inputs: Inputs
) -> Iterator[bytes | str]:
    project = target.project
    yield inputs.digest
    for path in (project.root, project.shipped, project.around, place.path):
        yield str(path)
    yield target.pack
    asked = [name for name in order.__struct_fields__ if name not in ("jobs", "cache")]
    yield repr([getattr(order, name) for name in asked])


def _delivered(place: TargetFolder, names: list[str]) -> dict[str, str | None]:
    return {name: file_digest(place, name) for name in names}

"""The manifest as bytes: a written one is read again, other content is refused."""

import json
from typing import Any

import pytest
from export.hand_made import duplex_sheets, write

from generator.model.manifest import (
    MOST_BYTES,
    ManifestError,
    manifest_bytes,
    read_manifest,
)

PLACEMENT = ("files", 0, "pages", 0, "placements", 0)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("told")
    write(folder, duplex_sheets())
    return (folder / "manifest.json").read_text(encoding="utf-8")


def test_what_is_written_is_read_again(text: str) -> None:
    manifest = read_manifest(text.encode())
    assert json.loads(manifest_bytes(manifest)) == json.loads(text)


def changed(text: str, path: tuple[str | int, ...], value: Any) -> bytes:
    manifest = json.loads(text)
    within = manifest
    for step in path[:-1]:
        within = within[step]
    within[path[-1]] = value
    return json.dumps(manifest).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b'{"pack": "\xff"}',
        b'{"a": ' + b"[" * 100_000,
        b'{"players": NaN}',
        b'{"players": ' + b"1" * 5_000,
        b"[]",
        b"{}",
    ],
    ids=lambda content: repr(content[:12]),
)
def test_what_is_no_manifest_is_refused(content: bytes) -> None:
    with pytest.raises(ManifestError):
        read_manifest(content)


def test_what_is_too_long_is_not_read() -> None:
    with pytest.raises(ManifestError, match="it has more than 50 MB"):
        read_manifest(b" " * (MOST_BYTES + 1))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((*PLACEMENT, "w_mm"), "3"),
        ((*PLACEMENT, "w_mm"), None),
        ((*PLACEMENT, "w_mm"), 0),
        ((*PLACEMENT, "w_mm"), 1e300),
        ((*PLACEMENT, "w_mm"), 10**400),
        ((*PLACEMENT, "copy"), 3.5),
        ((*PLACEMENT, "side"), "left"),
        (PLACEMENT, {}),
        (("files", 0, "pages", 0, "page"), 2),
        (("waivers",), [{}]),
    ],
)
def test_another_value_is_refused(text: str, path: tuple[str | int, ...], value: Any) -> None:
    with pytest.raises(ManifestError):
        read_manifest(changed(text, path, value))

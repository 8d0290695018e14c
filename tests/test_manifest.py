"""The manifest as bytes: what is written is read again, what is none is told of at its place."""

import json
import re
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
    ("content", "reason"),
    [
        (b"", "it is cut off"),
        (b"\xff\xfe", "line 1, column 1"),
        (b'{"pack": "\xff"}', "it is not UTF-8"),
        (b"{\n 1}", "line 2, column 2"),
        (b'{"a": ' + b"[" * 100_000, "too deep"),
        (b'{"players": NaN}', "line 1, column 13"),
        (b'{"players": -Infinity}', "line 1, column 14"),
        (b'{"players": ' + b"1" * 5_000, "out of range"),
        (b"[]", "the manifest: expected an object, got a list"),
        (b"{}", "the manifest: it lacks 'gridpress'"),
    ],
)
def test_what_is_no_json_or_no_manifest_is_told(content: bytes, reason: str) -> None:
    with pytest.raises(ManifestError, match=reason):
        read_manifest(content)


def test_what_is_too_long_is_not_read() -> None:
    with pytest.raises(ManifestError, match="it has more than 50 MB"):
        read_manifest(b" " * (MOST_BYTES + 1))


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ((*PLACEMENT, "w_mm"), "3", "expected a number, got a text"),
        ((*PLACEMENT, "w_mm"), True, "expected a number, got true or false"),
        ((*PLACEMENT, "w_mm"), None, "expected a number, got null"),
        ((*PLACEMENT, "w_mm"), 0, "expected a number >= 0.01"),
        ((*PLACEMENT, "w_mm"), 1e300, "expected a number <= 20000"),
        ((*PLACEMENT, "w_mm"), 10**400, "number out of range"),
        ((*PLACEMENT, "x_mm"), -1e300, "expected a number >= -20000"),
        ((*PLACEMENT, "copy"), 3.5, "expected a whole number, got a number"),
        ((*PLACEMENT, "side"), "left", "invalid enum value 'left'"),
        (PLACEMENT, {}, "it lacks 'component'"),
        (("files", 0, "pages", 0, "page"), 2, "the pages are not numbered 1, 2, 3"),
        (("files", 0, "printer"), {"name": ""}, "files[0].printer: it lacks 'front_mm'"),
        (("waivers",), [{}] * 1001, "waivers[0]: it lacks"),
    ],
)
def test_another_value_is_told_by_its_path(
    text: str, path: tuple[str | int, ...], value: Any, reason: str
) -> None:
    with pytest.raises(ManifestError, match=re.escape(reason)) as caught:
        read_manifest(changed(text, path, value))
    assert str(caught.value).startswith("files[0]" if path[0] == "files" else "waivers")

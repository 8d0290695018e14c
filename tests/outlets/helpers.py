"""Helpers for tests of outlets."""

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

FIXTURES = Path(__file__).parents[1] / "fixtures"
PIPS = ("#cc0000", "#00aa00", "#0000cc", "#aaaa00", "#00aaaa", "#aa00aa")


def add_kind(project: Path, kind: str, *lines: str, components: str = "") -> None:
    cards = project / "cards/mini"
    text = "\n".join((f"kind: {kind}", f"stock: {kind}", *lines))
    fields = "" if "fields:" in text else "fields: {}\n"
    (cards / f"kinds/{kind}.yaml").write_text(f"{text}\n{fields}", encoding="utf-8")
    rows = components or f"{{id: {kind}}}"
    (cards / f"{kind}s.yaml").write_text(f"kind: {kind}\ncomponents: [{rows}]\n", encoding="utf-8")


def change(path: Path, *swaps: str) -> None:
    """Replace texts in a file: old, new, old, new …; a single text is appended."""
    text = path.read_text("utf-8")
    if len(swaps) == 1:
        text += swaps[0]
    for old, new in zip(swaps[::2], swaps[1::2], strict=False):
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def is_valid(found: Any, schema: str) -> None:
    """Hold a document against the format that its program takes."""
    told = json.loads((FIXTURES / f"outlets/{schema}.schema.json").read_text("utf-8"))
    faults = Draft202012Validator(told).iter_errors(found)
    assert [f"{fault.json_path}: {fault.message}" for fault in faults] == []


def is_near(colour: object, wanted: str, off: int = 12) -> bool:
    """Return True for a pixel of about this colour."""
    assert isinstance(colour, tuple)
    rgb = bytes.fromhex(wanted.removeprefix("#"))
    return max(abs(a - b) for a, b in zip(colour[:3], rgb, strict=True)) < off

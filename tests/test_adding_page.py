"""The examples of docs/adding.md work as they are printed."""

import re
from pathlib import Path

import pytest
from preflight.drawn import BLED, findings, flat, text

from generator.cli import run
from generator.preflight import face_texts
from generator.validate import definition_files, field_types

PAGE = (Path(__file__).parent.parent / "docs/adding.md").read_text("utf-8")
READER, ENTRY, CHECK = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)


def test_the_field_reads_its_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {**field_types.FIELD_TYPES}
    names = {**vars(field_types), "FIELD_TYPES": known}
    exec(READER + ENTRY, names)
    # Replace an existing type, because the names of types are read when Gridpress starts.
    types = {**definition_files.COMPONENT_TYPES, "bool": known["percent"]}
    monkeypatch.setattr("generator.validate.pack_builder.COMPONENT_TYPES", types)
    monkeypatch.chdir(tmp_path)
    assert run(["new", "pack", "duel"]) == 0
    kind, cards = Path("cards/duel/kinds/card.yaml"), Path("cards/duel/cards.yaml")
    field = "fields:\n  share: {type: bool, optional: true}\n"
    kind.write_text(kind.read_text("utf-8").replace("fields:\n", field))
    plain = cards.read_text("utf-8")
    for value, status in (("45%", 0), ("half", 1)):
        cards.write_text(re.sub(r"(\n +)(name: )", rf"\1share: {value}\1\2", plain, count=1))
        capsys.readouterr()
        assert run(["check", "."]) == status
    shown = re.search(r"^(.*): error\[GP203\]: (.*)\n(.*)$", PAGE, re.M)
    assert shown
    said = capsys.readouterr().err
    assert f"{shown[2]}\n{shown[3]}" in said


def test_the_check_finds_its_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {**vars(face_texts)}
    exec(CHECK, names)
    monkeypatch.setattr(face_texts, "_mirrored", names["_shouted"])
    found = [
        [each.code for each in findings(flat(BLED), text(5, 5, words))]
        for words in ("TAKE A CARD NOW", "Take a card now")
    ]
    assert found == [["GP889"], []]

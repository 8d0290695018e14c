"""Files that are started: all of them or none."""

from pathlib import Path

import pytest

from generator.diagnostics import GridpressError
from generator.writing import write_texts


def test_files_are_written_with_their_folders(tmp_path: Path) -> None:
    path = tmp_path / "cards/größe/pack.yaml"
    assert write_texts({path: "title: ğ\n"}, "") == (path,)
    assert path.read_text("utf-8") == "title: ğ\n"


def test_what_cannot_be_written_leaves_all_as_it_was(tmp_path: Path) -> None:
    kept, new = tmp_path / "kept", tmp_path / "new"
    kept.write_text("before")
    wrong = kept / "x"  # no folder
    with pytest.raises(GridpressError) as caught:
        write_texts({kept: "after", new: "new", wrong: "never"}, "choose another")
    (told,) = caught.value.diagnostics
    assert (told.code, told.span.file, told.hint) == ("GP702", str(wrong), "choose another")
    assert kept.read_text() == "before"
    assert not new.exists()

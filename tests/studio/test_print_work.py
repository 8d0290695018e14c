"""The work of prints and exports: the components they take, and the places of their findings."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from generator.build import Order
from generator.diagnostics import Span
from generator.model.pack import Called, Component, Print
from generator.model.values import Record
from generator.project import shipped_root
from generator.starters import start_pack
from generator.studio.errand_orders import ExportWanted, MadeFiles, PrintOrder
from generator.studio.last_print import (
    Printed,
    last_print,
    last_printed,
    note_printed,
    pdf_pages,
)
from generator.studio.messages import PackToOpen
from generator.studio.print_work import export_for_outlet, print_pack

CARDS = "cards/duel/cards.yaml"
A4 = PrintOrder(papers=("a4",))
CHANGES = PrintOrder(papers=("a4",), only_changed=True)


class Heard:
    """Progress that notes which files can be looked at."""

    def __init__(self) -> None:
        self.files: list[str] = []

    def __call__(self, step: str, done: int, total: int) -> None: ...

    def ready(self, made: MadeFiles) -> None:
        self.files += (name for name, _ in made.files)


@pytest.fixture
def pack(tmp_path: Path) -> PackToOpen:
    start_pack(tmp_path, "duel")
    return PackToOpen(tmp_path, shipped_root(), "duel")


def replaced(pack: PackToOpen, file: str, old: str, new: str) -> None:
    text = (pack.root / file).read_text("utf-8")
    assert old in text
    (pack.root / file).write_text(text.replace(old, new, 1), "utf-8")


def findings(made: MadeFiles) -> list[dict[str, Any]]:
    return [msgspec.json.decode(one) for one in made.findings]


def test_only_what_changed_since_somebody_took_the_pages_is_printed(pack: PackToOpen) -> None:
    heard = Heard()
    whole = print_pack(pack, A4, heard)
    assert heard.files == ["cards-a4.pdf"]
    assert print_pack(pack, CHANGES, heard).only is None  # nobody has taken them
    assert last_printed(whole.folder, None) is None
    note_printed(whole.folder / "cards-a4.pdf")
    assert print_pack(pack, CHANGES, heard).only == ()
    replaced(pack, CARDS, "name: Watchtower", "name: Lighthouse")
    print_pack(pack, A4, heard)
    some = print_pack(pack, CHANGES, heard)
    assert (some.only, some.files) == (("card/watchtower",), (("cards-a4.only.pdf", 2),))
    only = some.folder / "cards-a4.only.pdf"
    printed = pdf_pages(only)
    assert printed
    assert [{(face.id, face.side) for face in page.faces} for page in printed.pages] == [
        {("watchtower", "front")},
        {("watchtower", "back")},
    ]
    assert printed.backs == "duplex-long"
    note_printed(only)
    replaced(pack, CARDS, "name: Fair Wind", "name: Foul Wind")
    assert print_pack(pack, CHANGES, heard).only == ("card/fair-wind",)
    found = last_print(whole.folder, None)
    assert found
    assert found.files == whole.files


def test_what_was_never_printed_has_not_changed() -> None:
    names = {"component": "a", "name": "front", "sha256": "2"}
    faces: list[Any] = [SimpleNamespace(kind=kind, **names) for kind in ("card", "token", "map")]
    printed = Printed(0, {"card/a/front": "1"})
    prints = [Print("p", "", Span(""), kinds, ()) for kinds in (("card", "token"), ("map",))]
    assert printed.changed(prints, faces) == ("card/a", "token/a")


def test_a_component_that_is_named_comes_without_those_made_from_it() -> None:
    order = Order(these=frozenset(["crew/anna"]))
    of_anna = Component(
        *("anna", "marker", Record({}, Span("")), 1, Span("")), (Called("crew", "anna"),)
    )
    anna = Component("anna", "crew", Record({}, Span("")), 2, Span(""))
    asked = [order.asks_for(one) for one in (anna, anna.copy(2), of_anna)]
    assert (asked, order.is_part) == ([True, True, False], True)


def test_a_fault_of_the_sheets_is_pinned_to_its_places(pack: PackToOpen) -> None:
    (pack.root / "printer.yaml").write_text("tolerance: 4mm\n", "utf-8")
    found = findings(print_pack(pack, A4, Heard()))
    assert {(one["code"], one["kind"], one["id"]) for one in found} == {
        ("GP813", "card", "watchtower")
    }
    pages = found[0]["pages"]
    assert {(file, page) for file, page, _ in pages} == {("cards-a4.pdf", 2)}  # the backs
    assert len(pages) == 6
    assert pages[0][2][2:] == [63.5, 88.9]


def test_a_fault_of_a_value_leads_to_its_field(pack: PackToOpen) -> None:
    replaced(pack, CARDS, "cost: 4", "cost: four")
    (found,) = findings(print_pack(pack, A4, Heard()))
    assert (found["kind"], found["id"], found["path"]) == ("card", "watchtower", ["cost"])
    made = export_for_outlet(pack, ExportWanted("images"), Heard())
    (of_outlet,) = findings(made)
    assert (made.files, of_outlet["path"]) == ((), ["cost"])


def test_an_outlet_that_prints_tells_each_fault_once(pack: PackToOpen) -> None:
    replaced(pack, "templates/duel/styles.yaml", 'ink: "#231a14"', 'ink: "#d9c9ae"')
    found = findings(export_for_outlet(pack, ExportWanted("cutter"), Heard()))
    assert [one["code"] for one in found] == ["GP825", "GP825"]
    assert found[0]["waived_as"] == "card/*"

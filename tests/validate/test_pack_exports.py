"""Exports of several required packs."""

from generator.geometry import Size
from generator.load.documents import parse_yaml
from generator.model.catalogue import Catalogue, Stock
from generator.model.source import Document, PackSource
from generator.validate import check_pack
from generator.validate.pack_builder import PackExports, merged_exports

NEAR = PackExports(
    stocks={"card": Stock("card", Size(63, 88))}, options={"laps": 3}, words={"Whip": "a"}
)
FAR = PackExports(
    stocks={"card": Stock("card", Size(41, 63)), "chip": Stock("chip", Size(20, 20))},
    options={"laps": 5, "truce": True},
    words={"Whip": "b", "Reins": "b"},
    complete=False,
)


def test_of_two_of_one_name_the_first_counts() -> None:
    lent = merged_exports([NEAR, FAR])
    assert lent.stocks == {"card": NEAR.stocks["card"], "chip": FAR.stocks["chip"]}
    assert lent.options == {"laps": 3, "truce": True}
    assert lent.words == {"Whip": "a", "Reins": "b"}


def test_exports_are_complete_only_if_all_are() -> None:
    assert merged_exports([NEAR, NEAR]).complete
    assert not merged_exports([FAR, NEAR]).complete
    assert not merged_exports([NEAR, FAR]).complete


def test_a_fault_far_below_is_told_once_though_many_ways_lead_there() -> None:
    """Forty storeys of two packs, each requiring both below: 2^40 ways down."""
    below: tuple[PackSource, ...] = ()
    for storey in reversed(range(40)):
        rows = "".join(f", {side}{storey + 1}: '>= 1'" for side in "ab") if below else ""
        head = f"{{wrong: 1, title: x, version: 1.0.0, requires: {{{rows[2:]}}}}}"
        root, _ = parse_yaml(head, "pack.yaml")
        assert root is not None
        document = Document("pack.yaml", root)
        below = tuple(PackSource(f"{s}{storey}", document, (), (), required=below) for s in "ab")
    found = check_pack(below[0], Catalogue({}, {}, {})).diagnostics
    assert [d.message for d in found] == ["wrong: no such field"]

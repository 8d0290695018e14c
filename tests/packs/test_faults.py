"""Every check of every kind of the shipped packs catches what breaks it, at its line."""

from __future__ import annotations

import pytest
from packs.faults import PACKS, Fault, checks_of, table

FAULTS = [fault for pack in PACKS for fault in table(pack)]


@pytest.mark.thorough(but=5)
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_is_told_at_its_line(fault: Fault) -> None:
    heard = fault.heard()
    found = heard.diagnostics
    told = [d for d in found if fault.said in d.message]
    assert told, found
    assert {f"{d.severity}[{d.code}]" for d in told} == {fault.code}
    assert fault.told(heard) == fault.places(heard), told
    assert all(d.hint for d in told)
    assert {str(d.severity) for d in found} == fault.severities, found


@pytest.mark.thorough
@pytest.mark.parametrize("pack", PACKS)
def test_every_check_has_a_fault_that_provokes_it(pack: str) -> None:
    provoked = {check for fault in table(pack) for check in fault.provoked()}
    missing = [name for place, name in checks_of(pack).items() if place not in provoked]
    assert missing == [], f"add faults to tests/fixtures/packs/{pack}.yaml"

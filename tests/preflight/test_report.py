import json
from pathlib import Path

from msgspec import structs
from msgspec.structs import replace

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.model.manifest import WaiverEntry
from generator.preflight import (
    Build,
    diagnostics,
    preflight,
    preflight_build,
    report_texts,
)
from generator.preflight.checking import Finding, idle, one_a_cause, waive
from generator.preflight.report import gather

FAULT = Finding(
    "GP811",
    "the front of 'ember': <b>no bleed</b>",
    "draw on",
    page=1,
    place=Rect(20, 20, 63, 88),
    component="dragon/ember",
    source="cards/hand/dragons.yaml:7:5",
)
HERE = "cards/hand/pack.yaml:9:5"
SEEN = WaiverEntry(code="GP811", component="dragon/*", reason="a torn edge is meant", source=HERE)


def write(build: Build, title: str, folder: Path) -> None:
    for name, text in report_texts(build, title).items():
        (folder / name).write_text(text, encoding="utf-8")


def test_a_waiver_takes_its_finding_and_no_other() -> None:
    other = replace(FAULT, component="rider/anna")
    left, waived = waive([FAULT, other, replace(FAULT, code="GP812")], [SEEN])
    assert left == (other, replace(FAULT, code="GP812"))
    assert [(w.finding, w.waiver.reason) for w in waived] == [(FAULT, "a torn edge is meant")]


def test_a_waiver_that_is_for_nothing_is_told_of_at_its_line() -> None:
    [finding] = idle([SEEN, structs.replace(SEEN, code="GP825")], [SEEN])
    assert (finding.code, finding.severity, finding.source) == ("GP871", Severity.WARNING, HERE)
    assert "GP825" in finding.message


def test_the_same_fault_on_two_papers_is_one_entry(duplex: Path, fronts: Path) -> None:
    one, two = preflight(duplex), preflight(fronts)
    two = replace(two, file=fronts.with_name("cards-letter.pdf"))
    elsewhere = replace(FAULT, page=2, place=Rect(0, 0, 63, 88))
    build = Build((replace(one, findings=(FAULT,)), replace(two, findings=(elsewhere,))))
    [entry] = gather(build)
    assert entry.files == ("cards-a4.pdf", "cards-letter.pdf")


def test_six_cards_with_one_fault_are_one_finding_with_six_places() -> None:
    six = [
        replace(
            FAULT, message=f"the front of 'd{n}': {n}.5 mm of ‘No {n}’", component=f"dragon/d{n}"
        )
        for n in range(6)
    ]
    other = [replace(six[0], component="rider/anna"), replace(FAULT, message="the back of 'd1'")]
    told, *more = one_a_cause([*six, *other])
    assert more == other
    assert (told.times, len(told.as_dict()["places"])) == (6, 6)
    said = told.diagnostic("cards-a4.pdf")
    assert said.message.endswith("(and 5 more of it)")
    assert "as well as dragon/d1, dragon/d2" in said.hint
    assert one_a_cause([told, *more]) == (told, *more), "once more is the same"


def test_pages_with_one_fault_are_one_finding() -> None:
    pages = [Finding("GP802", "the page has no TrimBox", page=number) for number in (1, 2)]
    report = replace(preflight(Path("gone.pdf")), findings=tuple(pages), faults=())
    [entry] = gather(Build((report,)))
    assert [each.page for each in (entry.finding, *entry.finding.others)] == [1, 2]


def test_the_report_shows_the_fault_and_names_its_line(duplex: Path, tmp_path: Path) -> None:
    report = replace(preflight(duplex), findings=(FAULT,))
    write(Build((report,)), "Hand <1.0>", tmp_path)
    html = (tmp_path / "preflight.html").read_text(encoding="utf-8")
    assert "data:image/png;base64," in html
    assert "cards/hand/dragons.yaml:7:5" in html
    assert "&lt;b&gt;no bleed" in html
    assert "http" not in html, "nothing is fetched"
    told = json.loads((tmp_path / "preflight.json").read_text(encoding="utf-8"))
    [finding] = told["findings"]
    assert finding["place_mm"] == [20, 20, 63, 88]
    assert (finding["page"], finding["component"]) == (1, "dragon/ember")
    text = (tmp_path / "preflight.txt").read_text(encoding="utf-8")
    assert "error[GP811]" in text
    assert "from cards/hand/dragons.yaml:7:5" in text


def test_a_clean_build_says_so(duplex: Path, tmp_path: Path) -> None:
    write(preflight_build(duplex.parent), "Hand", tmp_path)
    assert "nothing found" in (tmp_path / "preflight.txt").read_text(encoding="utf-8")
    assert "To look at" not in (tmp_path / "preflight.html").read_text(encoding="utf-8")


def test_a_waiver_in_the_manifest_is_used_and_an_idle_one_told_of(duplex: Path) -> None:
    manifest = duplex.parent / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    told["waivers"] = [
        {"code": "GP811", "component": "*", "reason": "seen", "source": "cards/hand/pack.yaml:9:5"}
    ]
    manifest.write_text(json.dumps(told), encoding="utf-8")
    build = preflight_build(duplex.parent)
    assert [finding.code for finding in build.findings] == ["GP871"]


def test_pieces_of_another_file_are_further_places(duplex: Path) -> None:
    many = tuple(replace(FAULT, component=f"dragon/d{n}") for n in range(3))
    one = replace(preflight(duplex), findings=many[:2])
    build = Build((one, replace(one, file=duplex.with_name("more.pdf"), findings=many[1:])))
    [said] = diagnostics(build, Path("output/hand"))
    assert said.message.endswith("(and 2 more of it)")
    assert said.hint.count("dragon/d1") == 1
    assert "also in more.pdf" in said.hint

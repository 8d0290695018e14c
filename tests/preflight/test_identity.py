import json
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from preflight.tampering import rewrite_bytes, tamper

from generator.diagnostics import Severity
from generator.preflight import preflight


def found(path: Path) -> list[str]:
    findings = [d for d in preflight(path, own=True).diagnostics if d.code == "GP861"]
    assert all(finding.severity is Severity.WARNING for finding in findings)
    return [finding.message for finding in findings]


def told(name: str, value: str) -> Callable[[pikepdf.Pdf], None]:
    return lambda pdf: pdf.docinfo.__setitem__(name, String(value))


def say_in_metadata(pdf: pikepdf.Pdf, name: str, value: str) -> None:
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as xmp:
        xmp[name] = value


def swap_labels(pdf: pikepdf.Pdf) -> None:
    nums = pdf.Root.PageLabels.Nums
    nums[1], nums[3] = nums[3], nums[1]


def test_a_file_as_it_was_built_says_what_it_should(duplex: Path) -> None:
    assert found(duplex) == []


SPOILERS: dict[str, Callable[[pikepdf.Pdf], None]] = {
    "the file has no title": lambda pdf: pdf.docinfo.__delitem__("/Title"),
    "the pages have no labels": lambda pdf: pdf.Root.__delitem__("/PageLabels"),
    "page 1 has the label": swap_labels,
    "page 2 has the label": lambda pdf: pdf.Root.PageLabels.__setitem__(
        "/Nums", Array([0, pdf.Root.PageLabels.Nums[1]])
    ),
    "the file tells when it was made (CreationDate": told("/CreationDate", "D:20260301093000Z"),
    "the file tells when it was made (ModDate": told("/ModDate", "D:2026030109"),
    "the file tells when it was made (metadata": lambda pdf: say_in_metadata(
        pdf, "xmp:CreateDate", "2026-03-01T09:30:00+01:00"
    ),
    "computer that made it (Producer": told("/Producer", "Gridpress in /home/ann/game"),
    "computer that made it (Title": told("/Title", r"C:\Users\ann\cards.pdf"),
    "computer that made it (metadata": lambda pdf: say_in_metadata(
        pdf, "dc:source", "file:///game/cards.svg"
    ),
}


@pytest.mark.thorough(but=5)
@pytest.mark.parametrize("what", SPOILERS)
def test_what_is_missing_or_tells_too_much_is_told_of(duplex: Path, what: str) -> None:
    tamper(duplex, SPOILERS[what])
    [message] = found(duplex)
    assert what in message


@pytest.mark.parametrize("value", ["D:20000101000000Z", "D:20260301", "D:20260301000000+00'00'"])
def test_a_date_that_is_fixed_is_in_order(duplex: Path, value: str) -> None:
    tamper(duplex, told("/CreationDate", value))
    assert found(duplex) == []


@pytest.mark.parametrize(
    "title", ["Cards and/or tiles 1/2 (http://example.org/games/)", "C:\\x: Cards (A4)"]
)
def test_a_title_may_have_slashes(duplex: Path, title: str) -> None:
    def name(pdf: pikepdf.Pdf) -> None:
        pdf.docinfo.Title = String(title)
        say_in_metadata(pdf, "dc:title", title)

    tamper(duplex, name)
    assert found(duplex) == []


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (b">Hand made", b">Hamd made", "Hamd made"),
        (b"</rdf:li>", b"</rdf:lj>", "tags do not close"),
    ],
)
def test_metadata_says_what_the_file_does(duplex: Path, old: bytes, new: bytes, what: str) -> None:
    """Byte by byte: who saves such a file anew mends its tags."""
    rewrite_bytes(duplex, lambda data: data.replace(old, new, 1))
    [message] = found(duplex)
    assert message.startswith("the file's metadata (XMP) says something else")
    assert what in message


def test_what_no_build_says_of_itself_is_told_of(duplex: Path) -> None:
    tamper(duplex, told("/Author", "Ann"))
    assert found(duplex) == ["the file tells its Author, which no build does"]


def test_labels_that_count_are_others(duplex: Path) -> None:
    tamper(duplex, lambda pdf: pdf.Root.PageLabels.Nums[1].__setitem__("/S", Name.D))
    [message] = found(duplex)
    assert "has the label" in message


def test_labels_in_branches_are_found(duplex: Path) -> None:
    def branch(pdf: pikepdf.Pdf) -> None:
        pdf.Root.PageLabels = Dictionary(Kids=Array([pdf.Root.PageLabels]))

    tamper(duplex, branch)
    assert found(duplex) == []


def test_an_endless_tree_of_labels_ends(duplex: Path) -> None:
    def knot(pdf: pikepdf.Pdf) -> None:
        tree = pdf.make_indirect(Dictionary())
        tree.Kids = Array([tree])
        pdf.Root.PageLabels = tree

    tamper(duplex, knot)
    told = [said.message for said in preflight(duplex).diagnostics]
    assert told[0].endswith(("the pages have no labels", "traversing name/number tree")), told


def test_a_file_needs_an_identifier(duplex: Path) -> None:
    """Another program may have left it out."""
    whole = duplex.read_bytes()
    with pikepdf.open(duplex) as pdf:
        pdf.save(duplex.with_name("plain.pdf"), object_stream_mode=pikepdf.ObjectStreamMode.disable)
    plain = duplex.with_name("plain.pdf").read_bytes()
    assert b"/ID [" in plain
    duplex.write_bytes(plain.replace(b"/ID [", b"/IX ["))
    assert "the file has no identifier" in found(duplex)
    duplex.write_bytes(whole)
    assert found(duplex) == []


def test_without_a_manifest_any_labels_will_do(duplex: Path) -> None:
    (duplex.parent / "manifest.json").unlink()
    tamper_alone(duplex, swap_labels)
    assert found(duplex) == []
    tamper_alone(duplex, lambda pdf: pdf.Root.__delitem__("/PageLabels"))
    assert found(duplex) == []


def test_of_another_programs_file_nobody_minds_when_it_was_made(duplex: Path) -> None:
    """PDF/X asks for its dates."""
    (duplex.parent / "manifest.json").unlink()

    def dated(pdf: pikepdf.Pdf) -> None:
        pdf.docinfo["/CreationDate"] = "D:20260101093011Z"
        pdf.docinfo["/Creator"] = "/home/anna/cards.indd"

    tamper_alone(duplex, dated)
    [said] = found(duplex)
    assert "a folder of the computer" in said


def tamper_alone(path: Path, change: Callable[[pikepdf.Pdf], None]) -> None:
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        change(pdf)
        pdf.save(path)


def test_an_older_manifest_without_labels_is_enough(duplex: Path) -> None:
    manifest = duplex.parent / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    for page in told["files"][0]["pages"]:
        del page["label"]
    manifest.write_text(json.dumps(told), encoding="utf-8")
    assert found(duplex) == []

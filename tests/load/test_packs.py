"""Whole packs: the files read, their order, and every fault of every file in one pass."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.load import read_pack
from generator.load.packs import SUFFIXES
from generator.model.source import (
    ComponentSource,
    Document,
    Mapping,
    PackSource,
    Scalar,
)
from generator.project import Project

FIXTURES = Path(__file__).parent.parent / "fixtures" / "load" / "project"
MARK = "# expect: "


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are shown as from the project's folder."""
    monkeypatch.chdir(FIXTURES)


@pytest.fixture
def project() -> Project:
    return Project(FIXTURES, FIXTURES)


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a copy of the project that a test may change."""
    root = tmp_path / "project"
    shutil.copytree(FIXTURES, root)
    monkeypatch.chdir(root)
    return Project(root, root)


def values(component: ComponentSource) -> dict[str, str]:
    return {k.text: v.text for k, v in component.node.entries if isinstance(v, Scalar)}


def good(project: Project, locale: str | None = None) -> PackSource:
    outcome = read_pack(project, "good", locale)
    assert outcome.diagnostics == ()
    assert outcome.value is not None
    return outcome.value


def faults(project: Project, pack: str, locale: str | None = None) -> dict[str, list[Diagnostic]]:
    """Return the findings of each file, by its name."""
    outcome = read_pack(project, pack, locale)
    assert not outcome.ok
    found: dict[str, list[Diagnostic]] = {}
    for diagnostic in outcome.diagnostics:
        found.setdefault(Path(diagnostic.span.file).name, []).append(diagnostic)
    return found


def test_the_files_of_a_pack(project: Project) -> None:
    source = good(project)
    assert source.name == "good"
    assert source.pack.file == "cards/good/pack.yaml"
    assert [d.file for d in source.kinds] == [
        "cards/good/kinds/crash.yaml",
        "cards/good/kinds/dragon.yaml",
    ]
    assert source.styles is not None
    assert source.styles.file == "templates/good/styles.yaml"
    assert source.locale is None


def test_components_come_in_natural_order_with_their_defaults(project: Project) -> None:
    components = good(project).components
    assert [(c.kind.text, values(c)) for c in components] == [
        ("dragon", {"id": "ash", "name": "Ash", "colour": "red", "speed": "1"}),
        ("dragon", {"id": "bryn", "name": "Bryn", "colour": "~", "speed": "3"}),
        ("dragon", {"id": "last", "name": "Last"}),
        ("crash", {"id": "spin", "name": "Spin", "effect": "turn\naround"}),
        ("crash", {"id": "flip", "name": "Flip", "tags": "a; b", "effect": "none"}),
    ]


def test_components_know_where_they_stand(project: Project) -> None:
    components = good(project).components
    assert [str(c.node.span) for c in components] == [
        "cards/good/dragons2.yaml:6:5",
        "cards/good/dragons2.yaml:8:5",
        "cards/good/dragons10.yaml:3:5",
        "cards/good/more/tables/crashes.csv:2:1",
        "cards/good/more/tables/crashes.csv:5:1",
    ]
    default = components[4].node.get("effect")
    assert default is not None
    assert default.span == Span("cards/good/more/crashes.yaml", 2, 20)


def test_a_locale_replaces_fields(project: Project) -> None:
    source = good(project, "de")
    assert source.locale is not None
    assert source.locale.file == "cards/good/locales/de.yaml"
    by_id = {values(c)["id"]: c for c in source.components}
    assert values(by_id["ash"]) == {
        "id": "ash",
        "speed": "1",
        "colour": "red",
        "name": "Asche",
        "title": "Die Graue",
    }
    assert values(by_id["flip"])["name"] == "Überschlag"
    assert values(by_id["bryn"])["name"] == "Bryn"
    name = by_id["ash"].node.get("name")
    assert name is not None
    assert name.span == Span("cards/good/locales/de.yaml", 5, 13)


def test_the_packs_own_language_needs_no_locale(project: Project) -> None:
    source = good(project, "en")
    assert source.locale is None
    assert values(source.components[0])["name"] == "Ash"


@pytest.mark.parametrize("locale", ["fr", "../de", "/etc/passwd", "de.yaml", ""])
def test_a_missing_locale(project: Project, locale: str) -> None:
    outcome = read_pack(project, "good", locale)
    (fault,) = outcome.diagnostics
    assert (fault.code, fault.span) == ("GP005", Span("cards/good/locales"))
    assert "de" in fault.hint


def test_every_fault_of_every_file_in_one_pass(project: Project) -> None:
    found = faults(project, "faulty", "xx")
    promised: dict[str, list[tuple[str, str, str]]] = {}
    for path in FIXTURES.glob("cards/faulty/**/*.yaml"):
        for line in path.read_text("utf-8", "replace").splitlines():
            if line.startswith(MARK):
                place, code, words = line.removeprefix(MARK).split(" ", 2)
                promised.setdefault(path.name, []).append((place, code, words))
    assert len(promised) > 15
    for name, promises in promised.items():
        assert sorted((f"{d.span.line}:{d.span.column}", d.code) for d in found[name]) == sorted(
            promise[:2] for promise in promises
        ), name
        for place, _, words in promises:
            assert any(words in d.message for d in found[name] if str(d.span).endswith(place)), name
    # The rest are files that cannot hold such a comment.
    rest = {name: [(str(d.span), d.code) for d in said] for name, said in found.items()}
    assert {name: said for name, said in rest.items() if name not in promised} == {
        "latin1.yaml": [("cards/faulty/latin1.yaml:3:10", "GP105")],
        "text.xlsx": [("cards/faulty/text.xlsx:1:1", "GP108")],
        "sheet.ods": [("cards/faulty/sheet.ods:1:1", "GP108")],
        "blank.csv": [("cards/faulty/blank.csv:1:1", "GP108")],
        "quotes.csv": [("cards/faulty/quotes.csv:3:1", "GP108")],
        "crashes.csv": [
            ("cards/faulty/crashes.csv:1:4", "GP108"),
            ("cards/faulty/crashes.csv:2:3", "GP108"),
            ("cards/faulty/crashes.csv:3:5", "GP108"),
        ],
    }


@pytest.mark.parametrize(
    ("file", "hint"),
    [
        ("rows-missing.yaml", "did you mean 'crashes.csv'?"),
        ("rows-strange.yaml", "save the table as .csv or .xlsx"),
        ("rows-backslash.yaml", "write 'tables/crashes.csv'"),
        ("strange-key.yaml", "did you mean 'components'?"),
        ("xx.yaml", "did you mean 'dragon'?"),
    ],
)
def test_hints(project: Project, file: str, hint: str) -> None:
    assert any(hint in d.hint for d in faults(project, "faulty", "xx")[file])


def test_what_can_be_read_of_a_faulty_pack_is_there(project: Project) -> None:
    source = read_pack(project, "faulty").value
    assert source is not None
    assert "fine" in [values(c).get("id") for c in source.components]


def test_faults_come_sorted_and_always_the_same(project: Project) -> None:
    first = read_pack(project, "faulty", "xx").diagnostics
    assert list(first) == sorted(first, key=lambda d: d.span)
    assert first == read_pack(project, "faulty", "xx").diagnostics


def test_a_pack_without_pack_yaml(project: Project) -> None:
    outcome = read_pack(project, "none")
    assert outcome.value is None
    codes = {(d.code, d.span.file) for d in outcome.diagnostics}
    assert codes == {("GP002", "cards/none/pack.yaml")}


def test_styles_come_from_the_shipped_templates_if_the_project_has_none(
    copied: Project, tmp_path: Path
) -> None:
    shipped = tmp_path / "shipped"
    (shipped / "templates").mkdir(parents=True)
    (copied.root / "templates" / "good" / "styles.yaml").rename(shipped / "templates/styles.yaml")
    source = good(Project(copied.root, shipped))
    assert source.styles is not None
    assert source.styles.file.endswith("templates/styles.yaml")


def test_a_workbook_as_a_source_of_rows(copied: Project) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.create_sheet("Crashes")
    sheet.append(["id", "name"])
    sheet.append(["skid", "Skid"])
    book.save(copied.cards("good") / "more.xlsx")
    (copied.cards("good") / "z.yaml").write_text("kind: crash\nrows: more.xlsx#Crashes\n")
    last = good(copied).components[-1]
    assert values(last) == {"id": "skid", "name": "Skid"}
    assert last.node.span == Span("cards/good/more.xlsx", 2)


# Links and permissions.


def test_names_that_windows_takes_for_devices_are_refused(copied: Project) -> None:
    cards = copied.cards("good")
    (cards / "aux.yaml").write_text("kind: dragon\ncomponents: []\n")
    (cards / "con").mkdir()
    (cards / "console.yaml").write_text("kind: dragon\ncomponents: []\n")
    said = read_pack(copied, "good").diagnostics
    assert [(d.code, d.span.file) for d in said] == [
        ("GP004", "cards/good/aux.yaml"),
        ("GP004", "cards/good/con"),
    ]
    cards.rename(cards.with_name("nul"))
    assert ("GP004", "cards/nul/pack.yaml") in [
        (d.code, d.span.file) for d in read_pack(copied, "nul").diagnostics
    ]


def test_a_link_out_of_the_project_is_refused(copied: Project, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.yaml").write_text("kind: dragon\ncomponents: []\n")
    (outside / "secret.csv").write_text("id\n")
    cards = copied.cards("good")
    (cards / "link.yaml").symlink_to(outside / "secret.yaml")
    (cards / "folder").symlink_to(outside)
    (cards / "kinds" / "link.yaml").symlink_to(outside / "secret.yaml")
    (cards / "link.csv").symlink_to(outside / "secret.csv")
    (cards / "rows.yaml").write_text("kind: dragon\nrows: link.csv\n")
    said = read_pack(copied, "good").diagnostics
    assert [(d.code, d.span.file) for d in said] == [
        ("GP004", "cards/good/folder"),
        ("GP004", "cards/good/kinds/link.yaml"),
        ("GP004", "cards/good/link.csv"),
        ("GP004", "cards/good/link.yaml"),
    ]


@pytest.mark.parametrize("name", ["Good", "GOOD"])
def test_packs_that_some_systems_take_for_the_same_are_refused(copied: Project, name: str) -> None:
    other = copied.root / "cards" / name
    if other.exists():
        pytest.skip("they are the same here")
    other.mkdir()
    (other / "pack.yaml").write_text("title: Good\n")
    with pytest.raises(GridpressError, match="the same name on some systems"):
        copied.packs()


def test_a_link_inside_the_project_is_followed(copied: Project) -> None:
    (copied.cards("good") / "z").symlink_to(copied.cards("good").parent / "faulty" / "locales")
    (copied.cards("faulty") / "locales" / "xx.yaml").write_text("kind: crash\ncomponents: []\n")
    good(copied)


def test_a_folder_that_cannot_be_read(copied: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    scandir = os.scandir
    forbidden = copied.cards("good") / "more"

    def refuse(path: int | str | Path) -> object:
        if os.path.samestat(os.stat(path), os.stat(forbidden)):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    # chmod would not stop a test that runs as root
    monkeypatch.setattr(os, "scandir", refuse)
    (fault,) = read_pack(copied, "good").diagnostics
    assert (fault.code, fault.span.file) == ("GP002", "cards/good/more")
    assert "no permission" in fault.message


def test_only_yaml_files_are_read(project: Project) -> None:
    assert SUFFIXES == (".yaml", ".yml")
    kinds = [c.kind.span.file for c in good(project).components]
    assert not any("hidden" in file or "notes" in file for file in kinds)


def test_packs_that_many_require_are_named_once_and_nearest_first() -> None:
    """Forty storeys of two packs, each requiring both packs below, make 2^40 ways down."""
    head = Document("pack.yaml", Mapping((), Span("pack.yaml")))
    below: tuple[PackSource, ...] = ()
    for storey in reversed(range(40)):
        below = tuple(
            PackSource(f"{side}{storey}", head, (), (), required=below) for side in ("a", "b")
        )
    top = PackSource("top", head, (), (), required=below)
    assert top.requires[:4] == ("a0", "b0", "a1", "b1")
    assert len(top.requires) == 80


# Limits.


def told(project: Project) -> list[tuple[str, str]]:
    return [(d.span.file, d.code) for d in read_pack(project, "good").diagnostics]


def listed(lines: str, count: int, kind: str = "vehicle") -> str:
    return f"kind: {kind}\n{lines}components:\n" + "- {id: a}\n" * count


def test_a_pack_has_so_many_components(copied: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.load.packs.MAX_COMPONENTS", 200)
    many = copied.cards("good") / "zzz.yaml"
    many.write_text(listed("", 200))
    assert ("cards/good/zzz.yaml", "GP110") in told(copied)
    many.write_text(listed("", 100))
    assert not told(copied)

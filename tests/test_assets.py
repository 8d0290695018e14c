"""Names of pictures and icons: which are found, which are refused, and the place of the fault."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from generator import assets
from generator.assets import AssetFinder
from generator.cache import Cache
from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.files import Roots
from generator.svg_layers import LayeredArt

HERE = Span("cards/x/cards.yaml", 4, 12)
ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>'


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack's folder with a picture, and icons of its own and shared ones."""
    art = tmp_path / "pack" / "art"
    art.mkdir(parents=True)
    Image.new("RGB", (4, 2)).save(art / "dragon.png")
    for folder, names in (("own", ("whip", "wheel")), ("shared", ("whip", "crown", "sub/star"))):
        for name in names:
            path = tmp_path / folder / f"{name}.svg"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(ICON)
    return tmp_path / "pack"


@pytest.fixture
def finder(pack: Path) -> AssetFinder:
    return AssetFinder((pack,), (pack.parent / "own", pack.parent / "shared"))


def stopped(function: Callable[[], object]) -> Diagnostic:
    with pytest.raises(GridpressError) as caught:
        function()
    (fault,) = caught.value.diagnostics
    return fault


def test_a_picture_is_found(finder: AssetFinder, pack: Path) -> None:
    assert finder.image("art/dragon.png", HERE) == pack / "art" / "dragon.png"


def test_an_icon_is_found_in_the_nearest_folder(finder: AssetFinder, pack: Path) -> None:
    assert finder.icon("whip", HERE) == pack.parent / "own" / "whip.svg"
    assert finder.icon("crown", HERE) == pack.parent / "shared" / "crown.svg"
    assert finder.icon("sub/star", HERE) == pack.parent / "shared" / "sub" / "star.svg"


def test_icons_by_name_nearest_first(finder: AssetFinder, pack: Path) -> None:
    own, shared = pack.parent / "own", pack.parent / "shared"
    assert list(finder.icons().items()) == [
        ("wheel", own / "wheel.svg"),
        ("whip", own / "whip.svg"),
        ("crown", shared / "crown.svg"),
        ("sub/star", shared / "sub/star.svg"),
    ]


@pytest.mark.parametrize(
    ("what", "name", "code", "hint"),
    [
        ("image", "art/dargon.png", "GP501", "did you mean 'art/dragon.png'?"),
        ("image", "other", "GP501", "known: art/dragon.png"),
        ("image", "art", "GP501", "known: art/dragon.png"),
        ("image", "x" * 5000, "GP501", "known: art/dragon.png"),
        ("icon", "whpi", "GP502", "did you mean 'whip'?"),
        ("icon", "zzz", "GP502", "known: crown, sub/star, wheel, whip"),
        ("drawing", "horse", "GP502", ""),
    ],
)
def test_a_missing_file(finder: AssetFinder, what: str, name: str, code: str, hint: str) -> None:
    fault = stopped(lambda: getattr(finder, what)(name, HERE))
    told, _, searched = fault.hint.partition("\nlooked in ")
    if code == "GP502":
        where, _, told = told.partition("\n")
        assert f"/{name}.svg" in where or what == "drawing"
        assert ("gridpress list --icons" in where) == (what == "icon")
    assert (fault.code, fault.span, told) == (code, HERE, hint)
    assert searched.endswith("/pack") == (what == "image")
    assert repr(name[:600])[:-1] in fault.message


@pytest.mark.parametrize("what", ["image", "icon"])
@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../pack/art/dragon.png",
        "art/../art/dragon.png",
        "..",
        "\\\\server\\share",
        "art\\dragon.png",
        "..\\x",
        "C:\\x.png",
        "c:x.png",
        "file:///etc/passwd",
        "http://example.org/x.png",
        "data:image/png;base64,x",
        "~/x.png",
        "a\0b",
        "art/NUL.png",
        "com1/x",
        "aux .a.png",
    ],
)
def test_a_path_that_leaves(finder: AssetFinder, what: str, name: str) -> None:
    fault = stopped(lambda: getattr(finder, what)(name, HERE))
    assert (fault.code, fault.span) == ("GP004", HERE)


def test_no_name_at_all(finder: AssetFinder) -> None:
    assert stopped(lambda: finder.image("", HERE)).code == "GP004"


def test_a_link_that_leaves(finder: AssetFinder, pack: Path, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere.png"
    Image.new("RGB", (1, 1)).save(outside)
    (pack / "link.png").symlink_to(outside)
    (pack / "folder").symlink_to(tmp_path)
    for name in ("link.png", "folder/elsewhere.png"):
        assert stopped(lambda name=name: finder.image(name, HERE)).code == "GP004"  # type: ignore[misc]


def test_a_link_into_a_root_is_followed(pack: Path) -> None:
    (pack / "link.png").symlink_to(pack.parent / "more.png")
    Image.new("RGB", (1, 1)).save(pack.parent / "more.png")
    assert (
        AssetFinder((pack,), (), roots=Roots((pack.parent,))).image("link.png") == pack / "link.png"
    )


def test_without_a_place_the_name_is_the_place(finder: AssetFinder) -> None:
    assert stopped(lambda: finder.image("x.png")).span == Span("x.png")


def test_folders_that_do_not_exist_hold_nothing(tmp_path: Path) -> None:
    finder = AssetFinder((tmp_path / "none",), (tmp_path / "none",))
    assert stopped(lambda: finder.image("x.png", HERE)).hint.startswith("looked in ")


def test_a_picture_is_read_once_and_again_when_it_changes(finder: AssetFinder, pack: Path) -> None:
    path = pack / "art" / "dragon.png"
    first = finder.picture(path, HERE)
    assert finder.picture(path, Span("other.yaml")) is first
    Image.new("RGB", (40, 20)).save(path)
    assert finder.picture(path, HERE).width_px == 40


def test_faults_are_placed_where_the_name_is_each_time(finder: AssetFinder, pack: Path) -> None:
    path = pack / "bad.png"
    path.write_text("no picture")
    for span in (HERE, Span("other.yaml", 2, 3)):
        fault = stopped(lambda span=span: finder.picture(path, span))  # type: ignore[misc]
        assert (fault.code, fault.span) == ("GP503", span)


def test_art_of_an_icon(finder: AssetFinder) -> None:
    path = finder.icon("whip")
    assert finder.art(path).body == '<path d="M0 0"/>'
    assert finder.art(path) is finder.art(path)


def test_a_file_that_has_gone(finder: AssetFinder, pack: Path) -> None:
    fault = stopped(lambda: finder.picture(pack / "gone.png", HERE))
    assert (fault.code, fault.span) == ("GP002", HERE)


def test_what_was_a_good_picture_is_read_as_it_was_or_not(finder: AssetFinder, pack: Path) -> None:
    path = pack / "art/dragon.png"
    info, content = finder.picture(path), path.read_bytes()
    assert finder.content(path, info, HERE) == content
    path.write_bytes(b"another")
    fault = stopped(lambda: finder.content(path, info, HERE))
    assert (fault.code, fault.span) == ("GP002", HERE)


def test_names_that_no_file_has(finder: AssetFinder) -> None:
    for name in ("a\x1b[2Jb.png", "\ud800.png", "a\u202eb.png"):
        fault = stopped(lambda name=name: finder.image(name, HERE))  # type: ignore[misc]
        assert fault.code == "GP004"
        assert str(fault).isprintable() or "\n" in str(fault)
        str(fault).encode()


def test_a_text_of_the_locale_comes_first_in_each_folder(tmp_path: Path) -> None:
    own, lent = tmp_path / "own", tmp_path / "lent"
    for name in ("own/rules.md", "lent/rules.md", "lent/rules.de.md", "lent/aid.de.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    german = AssetFinder([own, lent], [], locale="de")
    assert german.document("rules.md", HERE)[1] == "own/rules.md"
    assert german.document("aid.md", HERE)[1] == "lent/aid.de.md"
    (own / "rules.de.md").write_text("deutsch")
    assert german.document("rules.md", HERE)[1] == "deutsch"
    assert AssetFinder([own], []).document("rules.md", HERE)[1] == "own/rules.md"


DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">
<defs><linearGradient id="coat"><stop stop-color="#aa0000"/></linearGradient></defs>
<g id="body"><path fill="url(#coat)" d="M0 0"/><g id="mane"/></g>
<g id="places"><g id="eye" transform="rotate(30) scale(2)"/><rect id="box" width="3"/></g></svg>"""


def test_what_a_drawing_says_is_found_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache")

    def drawn() -> LayeredArt:
        finder = AssetFinder((), (), Roots((tmp_path,)), art_folders=[tmp_path], cache=cache)
        return finder.drawing("horse", HERE)

    (tmp_path / "horse.svg").write_text(DRAWING)
    first = drawn()
    assert set(first.layers) == {"body", "body/mane", "places", "places/eye"}
    with monkeypatch.context() as context:
        context.setattr(assets, "layered", None)
        assert drawn() == first
    (tmp_path / "horse.svg").write_text(DRAWING.replace("mane", "tail"))
    assert "body/tail" in drawn().layers
    (tmp_path / "horse.svg").write_text(DRAWING.replace("#coat", "#cost"))
    assert stopped(drawn) == stopped(drawn)
    assert stopped(drawn).code == "GP503"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\x1a\n", "the icon whip.svg is a PNG picture"),
        (b"<!DOCTYPE html><html><p>", "the icon whip.svg is a web page, not the file itself"),
        (b"version https://git-lfs.github.com/spec/v1\n", "the icon whip.svg is a Git LFS pointer"),
        (b"", "the icon whip.svg is empty"),
    ],
)
def test_an_icon_that_is_something_else(
    content: bytes, said: str, finder: AssetFinder, pack: Path
) -> None:
    path = pack.parent / "own" / "whip.svg"
    path.write_bytes(content)
    found = stopped(lambda: finder.art(path))
    assert (found.code, found.message[: len(said)]) == ("GP503", said)


@pytest.mark.parametrize("content", [b"version https://git-lfs.github.com/", b"<html>", b"%PDF"])
def test_a_text_that_is_something_else(content: bytes, finder: AssetFinder, pack: Path) -> None:
    (pack / "rules.md").write_bytes(content)
    assert stopped(lambda: finder.document("rules.md", HERE)).code == "GP105"

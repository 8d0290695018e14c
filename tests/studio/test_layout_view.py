"""The boxes of face files, as sent to the studio's page."""

from studio.looked import Looked

from generator.studio.layout_view import LayoutView, layout_view

_LOOK = """\
face: poker
ground: "#ffffff"
boxes:
  band: {fill: "#222222", at: [0, 40, 63.5, 10]}
  name: {text: name, at: [5, 5, 50, 8]}
  foot: {words: Mini, at: [5, 80, 1cm, 4]}
variants: {by: speed, 2: {name: {size: 9pt}}}
"""
_OWN = """\
like: look.face.yaml
fields: {rules: text}
boxes:
  name:
    # lower than in the look
    at: [5, 8, 50, 8]
  foot: null
  cost: {badge: speed, at: [50, 5, 8, 8], when: speed > 5}
variants: {by: speed, 3: {band: {fill: "#880000"}}}
"""
_FOLDER = "templates/mini"


def _layout(mini: Looked, file: str, id_: str = "") -> LayoutView:
    faces = [one.face for one in mini.draw() if one.face is not None]
    face = next((one for one in faces if one.component == id_ and one.name == "front"), None)
    assert mini.check.source
    found = layout_view(f"{_FOLDER}/{file}", face, mini.check.source, mini.files, 1)
    assert found is not None
    return found


def _with_faces(mini: Looked) -> None:
    mini.write(f"{_FOLDER}/look.face.yaml", _LOOK)
    mini.write(f"{_FOLDER}/card.face.yaml", _OWN)


def test_values_stand_with_the_place_where_they_are_written(mini: Looked) -> None:
    _with_faces(mini)
    found = _layout(mini, "card.face.yaml")
    assert [one.path for one in found.files] == [
        f"{_FOLDER}/card.face.yaml", f"{_FOLDER}/look.face.yaml"
    ]  # fmt: skip
    boxes = {box.name: box for box in found.boxes}
    assert list(boxes) == ["band", "name", "foot", "cost"]
    name = boxes["name"]
    assert name.at == (5, 8, 50, 8)
    assert (name.values["at"].file, name.values["at"].path) == (
        f"{_FOLDER}/card.face.yaml", ("boxes", "name", "at")
    )  # fmt: skip
    assert (name.values["text"].file, name.values["text"].path) == (
        f"{_FOLDER}/look.face.yaml", ("boxes", "name", "text")
    )  # fmt: skip
    assert not name.own
    assert boxes["cost"].own
    assert boxes["cost"].what == "badge"
    assert boxes["foot"].dropped
    assert found.names == {"rules": "text"}


def test_a_file_that_others_take_over_names_them(mini: Looked) -> None:
    _with_faces(mini)
    found = _layout(mini, "look.face.yaml")
    assert found.heirs == (f"{_FOLDER}/card.face.yaml",)
    assert {box.name: box.at for box in found.boxes}["foot"] == (5, 80, 10, 4)


def test_the_variant_of_the_shown_face_and_the_boxes_on_it(mini: Looked) -> None:
    _with_faces(mini)
    mini.replace("cards/mini/kinds/card.yaml", "card.svg.j2", "card.face.yaml")
    found = _layout(mini, "card.face.yaml", "first")
    assert [(one.by, one.values, one.now) for one in found.variants] == [("speed", ("2", "3"), "3")]
    boxes = {box.name: box for box in found.boxes}
    assert boxes["band"].values["fill"].path == ("variants", "3", "band", "fill")
    assert boxes["band"].drawn
    assert not boxes["cost"].drawn


def test_a_box_has_the_keys_and_choices_that_the_check_knows(mini: Looked) -> None:
    _with_faces(mini)
    found = _layout(mini, "card.face.yaml")
    assert set(found.sorts["picture"]) == {"at", "when", "turn", "fit", "focus", "shape", "radius"}
    assert found.keys["fit"].choices == ("cover", "contain", "stretch")
    assert found.keys["opacity"].max == 1
    assert {key: found.keys[key].default for key in ("fit", "opacity", "style")} == {
        "fit": "cover", "opacity": 1, "style": None
    }  # fmt: skip
    known = {key for keys in found.sorts.values() for key in keys}
    assert known <= set(found.keys)


def test_boxes_of_a_file_with_a_fault_are_still_told(mini: Looked) -> None:
    _with_faces(mini)
    mini.replace(f"{_FOLDER}/card.face.yaml", "badge: speed", "bagde: speed")
    found = _layout(mini, "card.face.yaml")
    assert {box.name: box.what for box in found.boxes}["cost"] is None

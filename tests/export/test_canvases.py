"""Pictures of faces on a white ground are the same in parts as in one piece."""

from PIL import Image

from generator.export.canvases import _on_white


def test_a_picture_on_white_is_the_same_part_by_part() -> None:
    picture = Image.radial_gradient("L").resize((9, 150))
    alpha = Image.linear_gradient("L").resize((9, 150))
    seen = Image.merge("RGBA", (picture, alpha, picture.rotate(180), alpha))
    white = Image.new("RGBA", seen.size, (255, 255, 255, 255))
    assert _on_white(seen).tobytes() == Image.alpha_composite(white, seen).convert("RGB").tobytes()

"""Texts and pictures as they stand on a face in; those too small, too coarse or too near the
edge, told to the draft, out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.diagnostics import Diagnostic, Severity
from generator.geometry import Rect
from generator.matrices import Matrix
from generator.model.face import Asset, TextBox
from generator.render.attributes import is_number
from generator.render.copyfitting import shown
from generator.render.draft import Draft, PlacedPicture, PlacedText
from generator.render.proof import Shown
from generator.units import MM_PER_INCH

LEAST_PT: Final = 5.0
SMALL_PT: Final = 6.5
LEAST_DPI: Final = 100.0
COARSE_DPI: Final = 200.0
ROUNDING_PT: Final = 0.01
LEAST_AREA: Final = 1e-6
"""Of a picture, mm²."""
TOUCH_MM: Final = 0.15
"""What nobody sees, and what a letter may stand out of its own advance."""


def measure_texts(draft: Draft, texts: tuple[Shown, ...]) -> None:
    """Where texts stand on the face (`draft.boxes`), GP404, GP405."""
    safe = draft.stock.safe_zone
    for one in texts:
        if one.matrix is None or not isinstance(one.what, int):
            continue
        if one.what >= len(draft.texts):  # a mark that no helper left
            continue
        text = draft.texts[one.what]
        what, fitted, matrix = text.what, text.what.fitted, one.matrix
        size = round(fitted.size_pt * matrix.down, 3)
        used, lines = matrix.box(what.used), len(fitted.lines)
        span = text.source or draft.component.span
        box = matrix.box(what.box)
        draft.boxes.append(TextBox(box, used, what.style.name, size, lines, span))
        if lines and size < SMALL_PT - ROUNDING_PT:
            _blame_size(draft, text, size)
        if lines and fitted.overflow is None and not safe.contains(used, TOUCH_MM):
            _blame_place(draft, text, used, safe)


def _blame_size(draft: Draft, text: PlacedText, size: float) -> None:
    style = text.what.style.name
    severity = Severity.ERROR if size < LEAST_PT - ROUNDING_PT else Severity.WARNING
    message = f"text in style {style!r} prints at {size:.1f} pt"
    hint = "7 pt and more read well; raise the style's min in styles.yaml, or the size"
    draft.blame_template(text.call, "GP405", message, hint, severity, topic=style)


def _blame_place(draft: Draft, text: PlacedText, used: Rect, safe: Rect) -> None:
    if not (used.width and used.height):
        return
    style = text.what.style.name
    out = {
        "left": safe.x - used.x,
        "top": safe.y - used.y,
        "right": used.right - safe.right,
        "bottom": used.bottom - safe.bottom,
    }
    side, most = max(out.items(), key=lambda item: item[1])
    message = f"text in style {style!r} reaches {most:.1f} mm out of the safe zone ({side})"
    hint = f"keep text {draft.stock.safe:g} mm away from the cut; this one is {shown(text.words)!r}"
    draft.blame_template(text.call, "GP404", message, hint, Severity.WARNING, topic=style)


def measure_pictures(draft: Draft, pictures: tuple[Shown, ...]) -> tuple[Asset, ...]:
    """The pictures that the face shows, each once; GP308, GP505."""
    assets: dict[str, Asset] = {}
    for one in pictures:
        assert not isinstance(one.what, int)
        picture = draft.pictures.get(one.what.get("href", ""))
        if picture is None:
            continue
        assets[picture.asset.href] = picture.asset
        if one.matrix is not None:
            width, height = _size(one.what)
            if width * height * abs(one.matrix.area) < LEAST_AREA:
                _blame_flat(draft, picture)
            else:
                _check_dpi(draft, picture, dpi(one.what, picture, one.matrix))
    return tuple(assets.values())


def _size(attributes: Mapping[str, str]) -> tuple[float, float]:
    """Width and height of an `<image>`; 0 where it has none that is a number."""
    width, height = (
        0.0 if is_number(value) else float(value)
        for value in (attributes.get("width", ""), attributes.get("height", ""))
    )
    return width, height


def _blame_flat(draft: Draft, picture: PlacedPicture) -> None:
    message = f"{picture.name} is shown with no width or no height"
    hint = "give it a box larger than 0.001 mm, and let no group around it scale it to nothing"
    draft.blame_template(picture.call, "GP308", message, hint, topic=picture.name)


def dpi(attributes: Mapping[str, str], picture: PlacedPicture, matrix: Matrix) -> float:
    """Pixels an inch at the printed size, of the coarser axis where a picture is stretched."""
    width, height = _size(attributes)
    across = width * matrix.across / picture.info.width_px  # mm a pixel
    down = height * matrix.down / picture.info.height_px
    fit = attributes.get("preserveAspectRatio", "xMidYMid meet")
    pixel = min(across, down) if fit.endswith("meet") else max(across, down)
    return MM_PER_INCH / pixel


def _check_dpi(draft: Draft, picture: PlacedPicture, found: float) -> None:
    if found >= COARSE_DPI:
        return
    severity = Severity.ERROR if found < LEAST_DPI else Severity.WARNING
    info = picture.info
    message = (
        f"{picture.name} ({info.width_px} × {info.height_px} pixels) is printed at {int(found)} dpi"
    )
    share = 300 / found
    hint = (
        f"300 dpi are good: use one of about {round(info.width_px * share)} × "
        f"{round(info.height_px * share)} pixels, or show it smaller"
    )
    if picture.source is not None:
        draft.blame_value(Diagnostic(picture.source, "GP505", message, hint, severity))
    else:
        draft.blame_template(picture.call, "GP505", message, hint, severity, picture.name)

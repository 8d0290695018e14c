"""Draws the pictures of looks that Start shows: run `python docs/look_pictures.py` after a change
of a look."""

import hashlib
import json
from pathlib import Path

from generator.looks import CardLook, Dress, card_looks
from generator.studio.start_work import look_drawn

PICTURES = Path(__file__).parents[1] / "generator/studio/static/looks"


def main() -> None:
    """Draw each look in its own colours, and note what it is drawn from."""
    for name, look in card_looks().items():
        picture = look_drawn(Dress(look), lambda *_: None)
        (PICTURES / f"{name}.webp").write_bytes(picture)
    (PICTURES / "digests.json").write_text(json.dumps(digests(), indent=2) + "\n")


def digests() -> dict[str, str]:
    """Return a digest of the files of each look."""
    return {name: digest(look) for name, look in card_looks().items()}


def digest(look: CardLook) -> str:
    """Return a digest of what draws a look."""
    dress = Dress(look)
    told = json.dumps([dress.files(), dress.styles()])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


if __name__ == "__main__":
    main()

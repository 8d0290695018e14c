"""Large pictures that are drawn small again, laid otherwise, as a painter draws a face anew."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from generator.geometry import Matrix
from generator.preflight.undoing import laid_back


def proof(pixels: Any) -> Any:
    """As a proof keeps it: every seventeenth level."""
    return (np.round(pixels / 17) * 17).astype(np.int16)


@dataclass(frozen=True)
class Drawing:
    """A picture with so many pixels each way to one of a proof, and how it lies."""

    picture: Image.Image
    finer: int
    laid: Matrix = Matrix()  # noqa: RUF009, frozen

    def redraw(self, back: Matrix) -> tuple[Any, Any]:
        """Laid back by pixels of a proof, and where it is then."""
        width, height = self.picture.size
        a, b, c, d, e, f = back.then(self.laid).inverse
        e, f = e * self.finer, f * self.finer
        across, down = width / 2, height / 2
        whence = (a, c, across - a * across - c * down + e, b, d, down - b * across - d * down + f)
        mapped = self.picture.transform(
            self.picture.size,
            Image.Transform.AFFINE,
            whence,
            Image.Resampling.BICUBIC,
            fillcolor="white",
        )
        pixels = np.asarray(mapped.reduce(self.finer)).astype(float)
        right, below = laid_back(pixels.shape, back)
        high, wide = pixels.shape[:2]
        return pixels, (abs(right) <= (wide - 1) / 2) & (abs(below) <= (high - 1) / 2)

    @property
    def proof(self) -> Any:
        """What a proof keeps of it."""
        return proof(self.redraw(Matrix())[0])

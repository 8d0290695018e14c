"""What a build does short of putting files in place: `FOLDER OUTPUT JOBS`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from generator.workers import collecting_hardly


def main(folder: str, output: str, jobs: str) -> None:
    from generator.order import Order  # noqa: PLC0415, as in `build`
    from generator.prepress import lay_out, silent  # noqa: PLC0415, as in `build`
    from generator.press import write_print_files  # noqa: PLC0415
    from generator.project import find_targets  # noqa: PLC0415

    order = Order(jobs=int(jobs))
    [target] = find_targets([folder])
    with collecting_hardly(), tempfile.TemporaryDirectory() as scratch:
        laid_out = lay_out(target, order, Path(scratch)).value
        assert laid_out is not None
        target_folder = Path(output) / target.pack
        target_folder.mkdir(parents=True, exist_ok=True)
        assert not write_print_files(laid_out, order, target_folder, silent)


if __name__ == "__main__":
    main(*sys.argv[1:])

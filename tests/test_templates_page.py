"""Every example in docs/templates.md draws a face without a finding, and every helper is there."""

import re
import shutil
from pathlib import Path

import pytest

from generator.prepress import Order, lay_out
from generator.project import find_targets
from generator.render.drawing import Draw

ROOT = Path(__file__).parent.parent
BASE = ROOT / "tests/fixtures/faults/base"
PAGE = (ROOT / "docs/templates.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```jinja\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_draws_without_a_finding(example: str, tmp_path: Path) -> None:
    shutil.copytree(BASE, tmp_path, dirs_exist_ok=True)
    templates = tmp_path / "templates/mini"
    (templates / "card.svg.j2").write_text(example, encoding="utf-8")
    (templates / "icons/star.svg").write_text((templates / "icons/dot.svg").read_text())
    styles = (templates / "styles.yaml").read_text(encoding="utf-8")
    styles = styles.replace("colours: {", 'colours: {sand: "#d9b36c", ')
    styles += "  title: {font: body, size: 12pt, min: 8pt}\n"
    (templates / "styles.yaml").write_text(styles, encoding="utf-8")
    assert lay_out(find_targets([str(tmp_path)])[0], Order()).diagnostics == ()


def test_every_drawing_has_an_example() -> None:
    names = {name for name in vars(Draw) if not name.startswith("_")}
    assert names == set(re.findall(r"\bdraw\.(\w+)\(", PAGE))

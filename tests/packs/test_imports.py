"""What the templates of the shipped packs import, they use."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2] / "templates"
_FROM = re.compile(r"{%-?\s*from\s+\"[^\"]+\"\s+import\s+([^%]+?)\s*-?%}")
_WHOLE = re.compile(r"{%-?\s*import\s+\"[^\"]+\"\s+as\s+(\w+)\s*-?%}")


def unused(text: str) -> list[str]:
    """The imported names that nothing in a template asks for."""
    listed = [name.split()[-1] for names in _FROM.findall(text) for name in names.split(",")]
    rest = set(re.findall(r"\w+", _WHOLE.sub("", _FROM.sub("", text))))
    return [name for name in (*listed, *_WHOLE.findall(text)) if name not in rest]


def test_no_template_imports_what_it_does_not_use() -> None:
    assert unused('{% from "a.j2" import b, c as d %}{{ c }}{{ b }}') == ["d"]
    found = {str(path.relative_to(ROOT)): unused(path.read_text("utf-8"))
             for path in sorted(ROOT.rglob("*.j2"))}  # fmt: skip
    assert {path: names for path, names in found.items() if names} == {}

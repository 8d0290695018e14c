"""A pack looked at as the studio does."""

from pathlib import Path

from generator.build import FaceUpdate, Order, PackCheck, Session
from generator.project import Project, Target, shipped_root
from generator.studio.file_places import FilePlaces
from generator.studio.written_components import WrittenComponents


class Looked:
    """A session of a pack, with all that views are made from."""

    def __init__(self, root: Path, pack: str) -> None:
        project = Project(root, shipped_root(), around=root)
        self.root = root
        self.session = Session(Target(project, pack), Order())
        self.files = FilePlaces()
        self.look()

    def write(self, file: str, text: str) -> None:
        """Change a file, and look again."""
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.look()

    def replace(self, file: str, old: str, new: str) -> None:
        """Change words of a file, and look again."""
        text = (self.root / file).read_text("utf-8")
        assert old in text
        self.write(file, text.replace(old, new))

    def look(self) -> None:
        """Check the files as they are now."""
        self.check: PackCheck = self.session.check()
        assert self.check.opened
        assert self.check.source
        self.files.look_at(self.check.opened.target.project)
        self.written = WrittenComponents(self.check.source, self.files)

    def draw(self) -> list[FaceUpdate]:
        """Draw all faces."""
        return list(self.session.draw())

"""Reads and writes the text files of a project, each in its coding."""

from __future__ import annotations

from pathlib import Path

from generator import writing
from generator.files import FileTooLargeError, UnreadableError
from generator.project import Project
from generator.studio.edited_texts import MOST_TEXT, RefusedError, encoded_text, text_coding


class TextFiles:
    """The text files of a project, and the codings that they were read in."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._codings: dict[str, str] = {}

    def path(self, file: str) -> Path:
        """Return the path of a file of the project. Raises RefusedError for any other."""
        if not writing.is_plain_path(file):
            raise RefusedError(f"{file!r} is not a file of this project")
        project = self._project
        try:
            real = project.roots.real(project.root / file)
        except UnreadableError as error:
            raise RefusedError(f"{file} {error.reason}") from error
        if not real.is_relative_to(project.root.resolve()):
            raise RefusedError(f"{file} is not in the project: it can only be read")
        return project.root / file

    def read(self, file: str) -> str | None:
        """Return the text of a file, None without one. Raises RefusedError."""
        path = self.path(file)
        try:
            if not path.exists():
                return None
            content = self._project.roots.read(path, MOST_TEXT)
            coding = text_coding(content, file)
            text = content.decode(coding)
        except FileTooLargeError as error:
            raise RefusedError(f"{file} is too large to be edited here") from error
        except UnreadableError as error:
            raise RefusedError(f"{file} {error.reason}") from error
        except UnicodeDecodeError as error:
            raise RefusedError(f"{file} is not UTF-8 text: save it so in its program") from error
        if not content.isascii():  # else each coding would do
            self._codings[file] = coding
        return text

    def encoded(self, file: str, text: str) -> bytes:
        """Return a text in the coding of its file. Raises UnfitEditError for characters that this
        coding does not have."""
        return encoded_text(text, self._codings.get(file, "utf-8"))

    def write(self, file: str, text: str | None) -> None:
        """Write a file, or remove it. Raises OSError, GridpressError, and as `path` and `encoded`
        do."""
        if text is None:
            self.path(file).unlink(missing_ok=True)
        else:
            writing.replace_files(self._project.root, {file: lambda: self.encoded(file, text)})

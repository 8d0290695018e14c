"""`gridpress watch`: packs stay open; on each save, what is wrong or changed, and new PDFs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

import click

from generator import limits
from generator.cache import Cache
from generator.cli import options, report
from generator.cli.progress import progress_bar
from generator.diagnostics import Diagnostic
from generator.model.pack import Backs
from generator.project import find_targets
from generator.realfolder import Place
from generator.sums import summed
from generator.workers import collect_seldom

if TYPE_CHECKING:
    from generator.order import PrintedFile
    from generator.session import Look, Session

_NAMED = 3
"""Faces or files that are told by name; of more it is said how many there are."""


@click.command("watch")
@options.packs
@options.papers
@options.backs
@options.players
@options.only
@options.ink
@options.locale
@options.output
@options.jobs
@options.cache
@options.strict
def command(
    packs: tuple[str, ...],
    papers: tuple[str, ...],
    backs: str | None,
    players: int | None,
    only: str | None,
    ink: str,
    locale: str | None,
    output: Place,
    jobs: int,
    cache: Cache,
    strict: bool,
) -> int:
    """Print packs, and again what changes on each save, until Ctrl-C.

    Without a PACK or FOLDER, every pack is watched. What is wrong is told as `check` and `build`
    tell it; while a pack has errors, its last good build stays as it was.
    """
    collect_seldom()
    from generator.order import Order
    from generator.session import Session

    wanted = Backs(backs) if backs else None
    order = Order(papers, wanted, players, only, ink, locale, jobs, strict, cache)
    with ExitStack() as stack, limits.at("", limits.ENDLESS):
        targets = find_targets(packs)
        sessions = [stack.enter_context(Session(target, order)) for target in targets]
        _watch([_Watched(session, output, strict) for session in sessions])
    return 0


def _watch(packs: Sequence[_Watched]) -> None:
    """Print them; and again after each save, once its files are complete."""
    from generator.cli.watching import are_finished, saves

    for pack in packs:  # before there is another thread, which makes processes dearer
        pack.print()
        pack.tell()
    click.echo("watching; Ctrl-C ends it")
    begins, waits = True, False
    for saved in saves([pack.session.target.project for pack in packs]):
        if saved and not begins and not are_finished(saved):
            waits = True  # for the next save, or until nothing more comes
        elif saved or waits:
            waits = False
            for pack in packs:
                pack.print()
            if not any(pack.has_news for pack in packs) and not begins:
                click.echo(f"saved: the same prints ({summed(p.seconds for p in packs):.1f} s)")
            for pack in packs:
                if not pack.is_wrong:
                    pack.tell()
            begins = False
        else:
            for pack in packs:
                pack.tell()


@dataclass
class _Watched:
    """A pack, what was printed of it last, and what of that is still to be told: of mistakes, only
    those that are there when nothing more is saved for a moment."""

    session: Session
    output: Place
    strict: bool
    seconds: float = 0.0
    is_wrong: bool = False
    has_news: bool = False
    _said: tuple[Diagnostic, ...] | None = None
    _found: tuple[Diagnostic, ...] = ()
    _files: dict[str, str] = field(default_factory=dict)
    _changed: list[str] = field(default_factory=list)
    _printed: list[str] = field(default_factory=list)

    def print(self) -> None:
        """Look at the pack, and put its PDFs in place if it has no mistakes."""
        begun = monotonic()
        with limits.anew(), progress_bar(self.session.target.pack) as progress:
            look = self.session.look(progress)
            printed = self.session.print(self.output, progress, report.note)
        self.seconds = monotonic() - begun
        self._found = printed.diagnostics
        self.is_wrong = not printed.value
        self._note(look, printed.value)

    def _note(self, look: Look, files: Sequence[PrintedFile]) -> None:
        if self._files:
            self._changed += [f"{face.component} {face.name}" for face in look.changed]
        now = {file.path.name: file.sha256 for file in files}
        self._printed += [name for name in now if self._files.get(name) != now[name]]
        if files:
            self._printed += [f"no {name} any more" for name in self._files if name not in now]
            self._files = now
        self.has_news = bool(self._printed) or self._found != self._said

    def tell(self) -> None:
        """Say what there is to say, once."""
        if not self.has_news:
            return
        name = self.session.target.pack
        if self._found != self._said:
            report.show(self._found)
        if self.is_wrong:
            told = f"not printed ({report.summary(self._found)})"
        elif self._printed:
            changed = f"{_listed(self._changed, 'faces')} changed; " if self._changed else ""
            told = f"{changed}printed {_listed(self._printed, 'files')}"
        else:
            told = "the same prints"
        click.echo(f"{name}: {told} ({self.seconds:.1f} s)")
        self._said, self.has_news = self._found, False
        if not self.is_wrong:
            self._changed, self._printed = [], []


def _listed(names: Sequence[str], what: str) -> str:
    names = list(dict.fromkeys(names))
    return ", ".join(names) if len(names) <= _NAMED else f"{len(names)} {what}"

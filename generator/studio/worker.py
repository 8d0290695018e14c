"""The process that holds the session: it checks, draws and answers, the newest edit first."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any, Final

import msgspec

from generator import limits
from generator.build import FaceName, Order, PackCheck, Session
from generator.cache import flush, user_cache
from generator.diagnostics import Diagnostic, GridpressError
from generator.files import UnreadableError
from generator.project import Project, Target
from generator.studio.answers import Answers, keyed
from generator.studio.crashes import be_silent, note_crash
from generator.studio.messages import (
    BrokeDown,
    FaceKey,
    FacesDrawn,
    Findings,
    FromWorker,
    InView,
    PackSeen,
    PackToOpen,
    Question,
    Reply,
    SignOfLife,
    TextsChanged,
    ToWorker,
)
from generator.studio.view import FaceView, face_key
from generator.workers import collect_now, collect_seldom

_TOGETHER: Final = 0.04
"""Seconds for gathering drawn faces before they are sent."""
_SOON, _QUIET = 0.2, 2.0
"""Seconds without a message, after which results go to the cache and the garbage of the last look
is collected, and after which all of it is: each would hold up the next edit."""
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)


def work_on_pack(line: Connection, pack: PackToOpen) -> None:
    """Serve a pack until nobody listens any more. Code of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    limits.end_with_parent(_KILL)
    be_silent()
    limits.limit_this_process()
    gc.freeze()
    collect_seldom()
    with suppress(EOFError, OSError, KeyboardInterrupt):
        project = Project(pack.root, pack.shipped, around=pack.root)
        target, order = Target(project, pack.pack), Order(cache=user_cache())
        with Session(target, order, shows_unprinted=True) as session:
            _Worker(line, session).run()


class _Worker:
    """One session, and the results that the server has got."""

    def __init__(self, line: Connection, session: Session) -> None:
        self._line = line
        self._session = session
        self._number = self._seen = 0
        self._is_stale = False
        self._has_rested = True
        self._in_view: tuple[FaceKey, ...] = ()
        self._check: PackCheck | None = None
        self._model = b""
        self._found: tuple[bytes, ...] | None = None
        self._views: dict[FaceKey, bytes] = {}
        self._unsaved: dict[Path, bytes] = {}
        self._told = Answers()
        self._later: list[Question] = []
        self._answers: Mapping[str, Callable[..., Any]] = {
            "picture": session.picture,
            "rows": self._rows,
            "face": self._face,
            "layout": self._layout,
            "judgements": self._judgements,
            "icon": self._told.icon,
        }

    def run(self) -> None:
        """Serve until the line is closed."""
        while True:
            try:
                self._rest()
                self._take(self._line.recv())
                self._take_all()
                while self._is_stale:
                    self._look()
            except (EOFError, ConnectionError):
                raise
            except MemoryError:
                self._send(BrokeDown(limits.too_much_memory(limits.place()).message))
                return
            except Exception as error:  # its state is unknown
                log = note_crash(error)
                words = f"{type(error).__name__}: a bug in Gridpress; details are in {log}"
                self._send(BrokeDown(words))
                return
            self._send(SignOfLife(rests=True))

    def _rest(self) -> None:
        """Keep what was made, and clear up once when nothing has come for a while."""
        if self._has_rested or self._line.poll(_SOON):
            return
        with limits.at(""):
            flush()
            gc.collect()
        if not self._line.poll(_QUIET):
            with limits.at(""):
                collect_now()
            self._has_rested = True

    def _send(self, message: FromWorker) -> None:
        self._line.send(message)

    def _take_all(self) -> None:
        while self._line.poll():
            self._take(self._line.recv())

    def _take(self, message: ToWorker) -> None:
        if isinstance(message, InView):
            self._in_view = message.faces
        elif isinstance(message, Question):
            if self._is_stale and message.what != "picture":
                self._later.append(message)  # it is about the newest texts
            else:
                self._answer(message)
        else:
            self._change(message)

    def _change(self, change: TextsChanged) -> None:
        project = self._session.target.project
        for file, text in change.texts.items():
            with suppress(UnreadableError):
                real = project.roots.real(project.root / file)
                self._session.edit(real, text)
                self._unsaved.pop(real, None)
                if text is not None:
                    self._unsaved[real] = text.encode("utf-8", "surrogatepass")
        self._number = change.number
        self._is_stale = self._is_stale or change.looks

    def _answer(self, question: Question) -> None:
        with limits.at(""):
            self._send(self._reply(question))

    def _reply(self, question: Question) -> Reply:
        try:
            return Reply(question.id, self._answers[question.what](*question.given))
        except GridpressError as error:
            return Reply(question.id, error=error.diagnostics[0].message)

    def _rows(self, kind: str) -> bytes:
        rows = {"rows": self._told.rows(kind), "number": self._seen}
        return msgspec.json.encode(rows, enc_hook=str)

    def _face(self, key: FaceKey) -> bytes | None:
        parts = self._told.parts(key)
        return None if parts is None else msgspec.json.encode(parts)

    def _layout(self, file: str, key: FaceKey) -> bytes | None:
        layout = self._told.layout(file, key, self._seen)
        return None if layout is None else msgspec.json.encode(layout, enc_hook=str)

    def _judgements(self, kind: str, id_: str) -> bytes:
        return msgspec.json.encode(self._told.judgements(kind, id_))

    def _look(self) -> None:
        """Check, then draw until all is drawn or a newer edit comes."""
        self._is_stale = False
        self._send(SignOfLife())
        with limits.at("", self._allowance()):
            check = self._check = self._session.check()
            here = self._session.target.project
            project = Project(here.root, here.shipped, dict(self._unsaved), here.around)
            self._told.look_at(check, project)
            self._seen = self._number
            later, self._later = self._later, []
            for question in later:
                self._answer(question)
            self._tell_findings(check.diagnostics)
            self._tell_pack()
            self._draw(check)
        self._has_rested = False

    def _allowance(self) -> float:
        """Return the seconds that a look may take beyond those of its steps."""
        faces = len(self._check.faces) if self._check else 0
        return limits.COMPONENT * faces

    def _draw(self, check: PackCheck) -> None:
        names, standing = keyed(check.faces), self._told.standing()
        gone = tuple(key for key in self._views if key not in names and key not in standing)
        for key in gone:
            del self._views[key]
        faces: dict[FaceKey, bytes] = {}
        for key, view in standing.items():
            self._show(view, key, faces)
        self._flush_faces(faces, gone)
        left = dict(names)
        while left and not self._is_stale:
            self._draw_in_view(left, faces)
        if self._is_stale:
            self._flush_faces(faces)
            return
        self._tell_findings(self._session.findings())
        self._send(FacesDrawn(self._seen, faces, (), done=True))

    def _draw_in_view(self, left: dict[FaceKey, FaceName], faces: dict[FaceKey, bytes]) -> None:
        """Draw the faces that are left, those in view first, until a newer edit comes or others
        come into view."""
        in_view, sent = self._in_view, monotonic()
        first = [left[key] for key in in_view if key in left]
        with closing(self._session.draw(first, frozenset(left.values()))) as drawing:
            for update in drawing:
                key = face_key(update.name)
                del left[key]
                self._show(self._told.shown(update), key, faces)
                if (faces and key in in_view) or monotonic() - sent > _TOGETHER:
                    self._flush_faces(faces)
                    sent = monotonic()
                self._take_all()
                if self._is_stale or not left.keys().isdisjoint(set(self._in_view) - set(in_view)):
                    return
        left.clear()  # what is stale cannot be drawn

    def _show(self, face: FaceView | None, key: FaceKey, faces: dict[FaceKey, bytes]) -> None:
        seen = msgspec.json.encode(face)
        if face is not None and self._views.get(key) != seen:
            self._views[key] = faces[key] = seen

    def _flush_faces(self, faces: dict[FaceKey, bytes], gone: tuple[FaceKey, ...] = ()) -> None:
        if faces or gone:
            self._send(FacesDrawn(self._seen, dict(faces), gone))
            faces.clear()
        else:
            self._send(SignOfLife())

    def _tell_pack(self) -> None:
        model = msgspec.json.encode(self._told.model(), enc_hook=str)
        if model not in (self._model, b"null"):
            self._model = model
            self._send(PackSeen(self._seen, model))

    def _tell_findings(self, found: tuple[Diagnostic, ...]) -> None:
        told = tuple(msgspec.json.encode(self._told.finding(one), enc_hook=str) for one in found)
        if told != self._found:
            self._found = told
            self._send(Findings(self._seen, told))

"""The traces of all faces in, findings about faces that do not show their own words out."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from generator.preflight.faces import Trace
from generator.preflight.finding import Finding
from generator.preflight.subject import Subject

_AGAIN: Final = "build the pack again: the words in the file are not those that were drawn"
_LONGEST: Final = 40
"""Letters of a face that a message shows."""


def own_words(subject: Subject, traces: Sequence[Trace]) -> Iterator[Finding]:
    """GP856: each face shows the letters and digits of its own words, each as often as it should.

    Their order, and signs such as hyphens, which PDF readers take out, are not compared; nor are
    posters, of which no page has all the words. A text that is drawn twice, as with a shadow, may
    count once: readers take what lies nearly on itself for one. And they may count a letter with
    accents that a font sets of parts more than once.
    """
    for trace in traces:
        face = trace.expected
        if face.words is None or face.poster is not None:
            continue
        texts, there = face.words.split("\n"), _letters(trace.words)
        most, least = _letters(*texts), _letters(*set(texts))
        missing, surplus = (least - there).total(), (there - most).total()
        if missing or there.keys() - most.keys():
            yield Finding(
                "GP856",
                f"the {face.face} of {face.component!r} does not show its own words,"
                f" {_quoted(face.words)}: of its letters {missing} are missing, {surplus} too many",
                _AGAIN,
                page=trace.page,
                place=face.finished,
                component=f"{face.kind}/{face.component}",
                source=face.source,
                copies=trace.copies,
            )


def _letters(*texts: str) -> Counter[str]:
    """How often each letter and digit comes; ligatures and accents taken apart."""
    found: Counter[str] = Counter()
    for sign, count in Counter("".join(texts)).items():
        for part in _parts(sign):
            found[part] += count
    return found


@lru_cache(maxsize=4096)
def _parts(sign: str) -> tuple[str, ...]:
    """The letters and digits in a sign."""
    plain = unicodedata.normalize("NFKD", sign)
    return tuple(part for part in plain if unicodedata.category(part)[0] in "LN")


def _quoted(words: str) -> str:
    words = words.replace("\n", " ")
    if len(words) > _LONGEST:
        words = words[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return f"‘{words}’" if words else "none"

"""A pack into which other words are put is the pack that is checked anew; if it is not, it is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from validate.test_generated import components, source

from generator.diagnostics import GridpressError
from generator.model.catalogue import Catalogue
from generator.model.pack import Pack, Record, SourceText
from generator.validate import StandingPack, check_pack

SUIT = """
kind: suit
fields:
  name:  {type: text, unique: true}
  motto: {type: text}
  worth: {type: int, default: 1}
"""
CARD = """
kind: card
fields:
  name:  {type: text}
  story: {type: text}
  long:  {type: text}
  speed: {type: int}
  suit:  {type: ref, kind: suit, optional: true}
  notes: {type: list, of: {type: text}, default: []}
  icon:  {type: icon, optional: true}
derived:
  letters: long | length
  much: letters > 12
  said: suit.motto if speed > 4 and suit else ""
checks:
  - {that: speed < 9, message: too fast}
  - {that: '"!" not in long', message: do not shout}
  - {that: '"slow" not in story', message: tell of speed, severity: warning}
"""
TOKEN = """
kind: token
made_from: card
each: notes
derived: {told: card.name}
"""
FIRST = """
suit:
  - {id: sun, name: Sun, motto: shine on}
  - {id: moon, name: Moon, motto: stay up, worth: 2}
card:
  - {id: anna, notes: [one, two], name: Anna, story: She runs., long: a word, speed: 3, suit: sun}
  - {id: bert, name: Bert, story: He walks., long: words and more, speed: 5, suit: moon}
"""


def told(value: Any) -> Any:
    """All of a value that anybody can tell."""
    if isinstance(value, Record):
        inside = {name: told(value[name]) for name in value}
        return value.span, tuple(sorted(value.spans.items())), inside
    if isinstance(value, tuple):
        return tuple(map(told, value))
    if isinstance(value, SourceText):
        return str(value), value.span, value.rich
    return type(value), repr(value)


def all_told(pack: Pack) -> Any:
    rest = replace(pack, components={})
    found = [
        (one.kind, one.id, one.quantity, one.span, one.origins, told(one.values))
        for some in pack.components.values()
        for one in some
    ]
    return repr(rest), found


NOTHING = Catalogue({}, {}, {})


class Looks:
    """A pack that is looked at again and again, beside one that is checked anew each time."""

    def __init__(self) -> None:
        self.standing = StandingPack()
        self.files = source((SUIT, CARD, TOKEN), FIRST)

    def look(self, text: str, assets: Any = None) -> bool:
        """True when words were put in, rather than all checked again."""
        read = replace(self.files, components=components(text))
        seen = check_pack(read, NOTHING, assets=assets, standing=self.standing)
        anew = check_pack(read, NOTHING, assets=assets)
        assert seen.diagnostics == anew.diagnostics
        assert all_told(seen.value) == all_told(anew.value)
        # Others ask as well, when they draw: that makes no rule.
        assert [dict(one.values) for some in seen.value.components.values() for one in some]
        return self.standing.corrected is not None


@pytest.mark.parametrize(
    ("old", "new", "is_corrected"),
    [
        ("She runs.", "She flies.", True),
        ("a word", "another", True),  # `letters` changes with it
        ("words and more", "words", True),  # and here `much` too
        ("stay up", "sit up", False),  # which Bert's `said` says
        ("shine on", "go on", True),  # for which no card of its suit is fast enough
        ("Anna", "Anne", False),  # her tokens have the name
        ("a word", "a!", False),  # which must not be
        ("She runs.", "So slow.", False),  # of which there is something to say
        ("notes: [one", "notes: [ten", False),  # of which tokens are made
        ("speed: 3, suit: sun", "speed: 3, suit: moon", False),
        ("name: Sun", "name: Sol", False),  # no other suit may be called so
        ("She runs., long: a word", "She runs., long:  a word", True),
        ("She runs., long: a word", "She runs far and wide, long: a word", True),
        ("  - {id: bert", "\n  - {id: bert", False),
        ("worth: 2", "", False),  # then it is nowhere
        ("worth: 2", "worth: 3", True),
        ("speed: 5", "speed: 4", True),  # of which Bert says nothing now
        ("", "", True),
    ],
)
def test_words_that_no_rule_asks_for_are_put_in(old: str, new: str, is_corrected: bool) -> None:
    looks = Looks()
    assert not looks.look(FIRST)
    assert old in FIRST
    assert looks.look(FIRST.replace(old, new, 1)) == is_corrected
    looks.look(FIRST)


def test_what_a_rule_asks_for_only_now_counts_from_now_on() -> None:
    looks = Looks()
    looks.look(FIRST)
    fast = FIRST.replace("speed: 3", "speed: 7")
    looks.look(fast)
    assert not looks.look(fast.replace("shine on", "go on"))


def test_a_picture_that_is_gone_is_missed() -> None:
    class Assets:
        there = True

        def image(self, name: str) -> object:
            raise AssertionError(name)

        def icon(self, name: str) -> object:
            if not self.there:
                raise GridpressError
            return name

    looks, assets = Looks(), Assets()
    text = FIRST.replace("speed: 3,", "speed: 3, icon: dot,")
    looks.look(text, assets)
    assert looks.look(text.replace("She runs.", "She flies."), assets)
    assets.there = False
    assert looks.standing.correct(looks.files, (NOTHING, None, None), assets) is None


WORDS = ("She runs.", "He walks.", "a word", "words and more", "shine on", "stay up", "Anna", "two")
EDITS = st.dictionaries(st.sampled_from(WORDS), st.sampled_from(("x", "so slow", "no!", "y" * 13)))


@given(st.lists(EDITS, min_size=1, max_size=5))
def test_whatever_words_are_put_in_it_is_the_pack_that_is_checked_anew(
    edits: list[dict[str, str]],
) -> None:
    looks = Looks()
    looks.look(FIRST)
    for edit in edits:
        text = FIRST
        for old, new in edit.items():
            text = text.replace(old, new, 1)
        looks.look(text)

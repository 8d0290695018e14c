"""Find the circuits that a player asks for: all, some, or the longest.

Small sets are searched to the end. For large sets, some circuits are also laid at random. Sets that
counting rules out are never searched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from time import process_time
from typing import Final

import numpy as np
from msgspec.structs import replace

from generator.tracks.candidates import Candidate, Chooser
from generator.tracks.counting import TileChoice, choices, most_on_table, why_none
from generator.tracks.filling import Filler
from generator.tracks.inventory import Inventory, TileWord
from generator.tracks.solver import Solver, canonical, earlier_image, mirror_word

MOST_CIRCUIT_TILES: Final = 100
SECONDS: Final = 60
_PATIENCE: Final = 15_000
_GIVES_UP: Final = 3_000_000
_GIVES_UP_SOON: Final = 100_000
_POOL_TRIES: Final = 2_000_000
"""Tiles tried in vain before some circuits are laid at random, or fewer tiles are tried."""
_MANY: Final = 30
_LARGE: Final = 20
_LEAST_LAID: Final = 8
"""Fewest tiles of a circuit laid at random."""
_SOME: Final = 200
_POOL: Final = 4_000
_PICKED: Final = 1_000
_ROUNDS: Final = 60
_FEW_ROUNDS: Final = 3
_COLUMNS: Final = 64
_OF_ROUND: Final = 50
_FEW_OF_ROUND: Final = 10
"""Circuits taken of one round: those of a round are much alike."""
_STEADY: Final = (1.0, 2.0, 5.0)
_WINDING: Final = (0.02, 0.05, 0.1, 0.2, 0.5)
"""Steadiness of random circuits. Winding ones need less room."""
_EXCHANGES: Final = 1_200
_FILLINGS: Final = 3
_MOST_KNOWN: Final = 400_000


@dataclass(slots=True)
class CircuitFinder:
    """Finds circuits of up to `longest` tiles that `chooser` accepts. Gives up after so many
    `seconds` of processor time without a new one.

    With `mirror`, mirror images count as one. Circuits go on from `begun`. `table` is in cells.
    After a search, `notes` say what it gave up, `complete` if there are no other circuits, and
    `unproved` which greater lengths may have some.
    """

    inventory: Inventory
    chooser: Chooser
    longest: int
    mirror: bool = False
    seconds: float = SECONDS
    begun: TileWord = ()
    seed: int = 1
    table: tuple[float, float] | None = None
    report: Callable[[int, int], None] = lambda tried, found: None
    notes: list[str] = field(default_factory=list)
    complete: bool = True
    unproved: list[int] = field(default_factory=list)
    given: int = 0
    _fitting: int = field(init=False)
    _choices: list[TileChoice] = field(init=False)
    _since: float = field(init=False)
    _solver: Solver | None = None

    def __post_init__(self) -> None:
        self._since = process_time()
        self._fitting = self.inventory.owned
        if self.table is not None:
            self._fitting = most_on_table(self.inventory, *self.table)
        self._choices = [
            replace(one, lengths=able)
            for most, least in self.chooser.stocks
            for one in choices(self.inventory, most, min(self._fitting, MOST_CIRCUIT_TILES), least)
            if (able := frozenset(n for n in one.lengths if self.chooser.may_bend(one.most, n)))
        ]

    @property
    def solver(self) -> Solver:
        """Return the solver for these tiles."""
        if self._solver is None:
            least = [min(counts) for counts in zip(*(o.least for o in self._choices), strict=True)]
            longest = min(self.longest, self._fitting)
            self._solver = Solver(self.inventory, longest, self.table, least)
        return self._solver

    @property
    def gave_up(self) -> bool:
        """Return True after too long without a circuit."""
        return process_time() - self._since > self.seconds

    def _is_over(self) -> bool:
        gave_up = self.gave_up
        if gave_up:
            self.complete = False
            said = "another circuit" if self.given else "a circuit"
            more = f"--seconds {10 * self.seconds:g} searches longer"
            self._note(f"gave up after {self.seconds:g} s without {said}: {more}")
        return gave_up

    def why_none(self, lengths: Sequence[int]) -> str:
        """Return why no circuit has one of these lengths, as far as counting tells."""
        if len(lengths) == 1:
            return self._why_not(lengths[0])
        if self.possible(lengths[0], lengths[-1]):
            return ""
        reasons = {self._why_not(length) for length in lengths}
        return reasons.pop() if len(reasons) == 1 else self._counted("no number of them can")

    def _counted(self, none: str) -> str:
        reason = f"{none} both turn by 360° and lead back to each width"
        if self.chooser.wishes.bends is not None:
            reason += ", with as many bends as you ask for"
        if self.chooser.wishes.having:
            reason += ", with the tiles that you ask for"
        return reason

    def _why_not(self, length: int) -> str:
        table = f"no more than {self._fitting} of the tiles fit on the table by their areas"
        # Reasons for any number of tiles come first.
        if self.chooser.most and self.chooser.wishes.having and not self._choices:
            return "with the tiles that you ask for none turns by 360° and leads back to each width"
        if not self.chooser.most:
            return self.chooser.why_fewer
        if self._fitting < min(self.inventory.grid.turns, length):
            return table
        reason = why_none(self.inventory, length)
        if not reason and length > self.chooser.most:
            reason = self.chooser.why_fewer
        if not reason and length > self._fitting:
            reason = table
        if not reason and length not in self.possible(length, length):
            reason = self._counted(f"no {length} of them")
        return reason

    def possible(self, most: int, least: int = 1) -> list[int]:
        """Return the lengths that counting does not rule out, the longest first."""
        lengths = {length for one in self._choices for length in one.lengths}
        return [length for length in range(most, least - 1, -1) if length in lengths]

    def all_of(self, lengths: Sequence[int]) -> Iterator[Candidate]:
        """Yield all circuits of one length after the other."""
        for length in lengths:
            yield from self._of(length, None)
            if self.gave_up:
                return

    def longest_ones(self) -> Iterator[Candidate]:
        """Yield the circuits of as many tiles as possible."""
        lengths = self.possible(self.longest)
        filled: list[Candidate] = []
        is_filled = False
        for length in lengths:
            late = process_time() - self._since > self.seconds / 2
            is_large = self.table is not None and length > _LARGE
            if not self.begun and not is_filled and (is_large or late):
                is_filled = True
                filled = self._filled([n for n in lengths if n <= length])
            reached = len(filled[0].word) if filled else 0
            if self._is_over() or (is_filled and length > max(reached, _LARGE)):
                self.unproved.append(length)
                continue
            self.complete = True
            soon = length >= _MANY or self.table is not None
            tries = _GIVES_UP_SOON if soon else _GIVES_UP
            found = self._of(length, tries, filled if length == reached else ())
            first = next(found, None)
            if first is not None:
                yield first
                yield from found
                return
            if not self.complete:
                self.unproved.append(length)
        self.complete = not self.unproved

    def pool(self, lengths: Sequence[int]) -> list[Candidate]:
        """Return all circuits if they are found soon, else random ones; a note says which."""
        self.complete = True
        found = list(islice(self._soon(lengths), _POOL + 1))
        if self.complete and len(found) <= _POOL:
            self.notes.append(f"among {len(found):,} circuits in all")
            return found
        self.complete = False
        random = chain.from_iterable(self._random(length, self.seed) for length in lengths)
        some = [] if self.begun else list(islice(random, _PICKED))
        if len(some) > len(found) // 10:
            self.notes.append(f"among {len(some):,} laid at random: another --seed gives others")
            return some
        self.notes.append(f"among the first {len(found[:_POOL]):,} circuits: there are more")
        return found[:_POOL]

    def longest_pool(self) -> list[Candidate]:
        """Return a pool of circuits of as many tiles as possible."""
        first = next(self.longest_ones(), None)
        return self.pool([len(first.word)]) if first else []

    def _soon(self, lengths: Sequence[int]) -> Iterator[Candidate]:
        for length in lengths:
            yield from self._of(length, _POOL_TRIES, tries_in_all=True)
            if not self.complete:
                return

    def _of(
        self,
        length: int,
        gives_up: int | None,
        some: Sequence[Candidate] = (),
        tries_in_all: bool = False,
    ) -> Iterator[Candidate]:
        """Yield circuits of one length, first `some` that are known. Give up after so many tries
        without a circuit, or in all."""
        if length < max(len(self.begun), 1) or self._why_not(length):
            return
        known = {canonical(self.inventory, one.word) for one in some}
        patience, before, earlier = _PATIENCE, self.given, self.solver.tried
        yield from map(self._given, some)
        for words, tried_in_all in self.solver.search(length, self.begun):
            tried = tried_in_all - earlier
            new = (self._new(word, known) for word in words)
            yield from (self._given(one) for one in new if one is not None)
            self.report(tried, self.given)
            found = self.given > before
            in_vain = 0 if found and not tries_in_all else tried
            if self._is_over() or (gives_up is not None and in_vain > gives_up):
                self.complete = False
                return
            # With a limit, `longest_ones` has already filled the table.
            if not found and tried > patience and (gives_up is None or self.table is None):
                for one in islice(self._random(length, self.seed + patience), _SOME):
                    known.add(canonical(self.inventory, one.word))
                    yield self._given(one)
                patience *= 8

    def _given(self, one: Candidate) -> Candidate:
        self.given += 1
        self._since = process_time()
        return one

    def _new(self, word: TileWord, known: set[TileWord]) -> Candidate | None:
        """Return the circuit of a word if it is accepted and new."""
        if not self.begun:
            return None if known and word in known else self._accepted(word)
        # Circuits that go on from a begun course may come again from another start.
        one = canonical(self.inventory, word)
        image = mirror_word(self.inventory, word) if self.mirror else None
        found = None if one in known or image in known else self.chooser.candidate(word)
        if found is not None:
            if len(known) > _MOST_KNOWN:
                self._note("a circuit may come twice: there are too many to remember")
                known.clear()
            known.add(one)
        return found

    def _accepted(self, word: TileWord) -> Candidate | None:
        """Return the circuit of a canonical word if it is accepted, and not the second of two
        mirror images."""
        found = self.chooser.candidate(word)
        if found is None or not self.mirror:
            return found
        image = earlier_image(self.inventory, word)
        return None if image is not None and self.chooser.candidate(image) else found

    def _random(self, length: int, seed: int) -> Iterator[Candidate]:
        """Yield random circuits of one length."""
        words: Iterable[TileWord] = self._sampled(length, seed, _ROUNDS if not self.table else 8)
        if self.table is not None:
            start = self._reachable(self.possible(length))
            words = chain(words, self._longer(start, length, seed) if start else ())
        seen: set[TileWord] = set()
        for word in words:
            one = canonical(self.inventory, word) if len(word) == length else ()
            if one and one not in seen:
                seen.add(one)
                found = self._accepted(one)
                if found is not None:
                    yield found

    def _sampled(
        self, length: int, seed: int, rounds: int, most: int = _OF_ROUND
    ) -> Iterator[TileWord]:
        """Yield words of random circuits, at most so many of a round."""
        able = [one for one in self._choices if length in one.lengths]
        if not able or self.begun or length < _LEAST_LAID:
            return
        random = np.random.default_rng((seed, length))
        for number in range(rounds):
            if self._is_over():
                return
            one = able[int(random.integers(len(able)))]
            steady = float(random.choice(_WINDING if self.table else _STEADY))
            columns = _COLUMNS << min(number // 4, 3)
            words = self.solver.sample(length, random, columns, steady, one.most, one.least)
            yield from (words[n] for n in random.permutation(len(words))[:most])

    def _filled(self, lengths: Sequence[int]) -> list[Candidate]:
        """Return a circuit of as many tiles as can soon be laid, if any."""
        best = self._reachable(lengths)
        if best is None or len(best.word) == lengths[0] or self.table is None:
            return [best] if best else []
        for number in range(_FILLINGS):
            for word in self._longer(best, lengths[0], self.seed + number):
                if len(word) > len(best.word):
                    best = self._accepted(canonical(self.inventory, word)) or best
                if len(best.word) == lengths[0]:
                    return [best]
        return [best]

    def _reachable(self, lengths: Sequence[int]) -> Candidate | None:
        """Return a random circuit of nearly as many tiles as can be laid at random."""
        best, low, high = None, 0, len(lengths)
        while low < high:
            middle = (low + high) // 2 if best or high < len(lengths) or low else 0
            words = self._sampled(lengths[middle], self.seed, _FEW_ROUNDS, _FEW_OF_ROUND)
            found = (self._accepted(canonical(self.inventory, word)) for word in words)
            one = next((one for one in found if one is not None), None)
            if one is not None:
                best, high = one, middle
            else:
                low = middle + 1
        return best

    def _longer(self, start: Candidate, most: int, seed: int) -> Iterator[TileWord]:
        """Yield circuits of at most so many tiles on the table, made from one."""
        if self.begun:
            return

        def fits(word: TileWord) -> bool:
            wished = self.chooser.wishes.table
            one = Candidate(self.inventory, word, self.chooser.pitch)
            return wished is None or one.fits(*wished)

        used = Counter(self.inventory.moves[number].shape for number in start.word)
        filler = Filler(self.solver, fits, most, seed)
        for one in self._choices:
            limits = enumerate(zip(one.least, one.most, strict=True))
            if all(few <= used[shape] <= many for shape, (few, many) in limits):
                for word in filler.longer(start.word, _EXCHANGES, one.most, one.least):
                    if self._is_over():
                        return
                    yield word

    def _note(self, said: str) -> None:
        if said not in self.notes:
            self.notes.append(said)

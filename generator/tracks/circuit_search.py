"""Searches the circuits that a set of tiles makes as a player asks for them: all, some, or the
longest.

Small sets are searched to the end. Of large ones the search may not come to a first circuit for
long; then some are laid at random meanwhile. What cannot be, is told before anything is searched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import process_time
from typing import Final

from msgspec.structs import replace

from generator.tracks.circuit_wishes import Candidate, Chooser
from generator.tracks.inventory import (
    Inventory,
    TileChoice,
    TileWord,
    choices,
    most_on_table,
    why_none,
)
from generator.tracks.large_sets import Growth, random_circuits
from generator.tracks.solve import (
    MEMORY,
    MOST_MEMORY,
    Search,
    SearchProgress,
    TellProgress,
    canonical,
    image_before,
    mirror_word,
)

_PATIENCE: Final = 60_000
"""Tiles tried in vain before some are laid at random."""
_GIVES_UP: Final = 3_000_000
_GIVES_UP_SOON: Final = 100_000
"""Tiles tried in vain before fewer tiles are looked at: the second where there are very many."""
_MANY: Final = 30
_LARGE: Final = 20
"""Tiles of which circuits on a table are laid at random, from few to many."""
_LAID: Final = 8
"""Tiles of which circuits are laid at random at all."""
MOST_TILES: Final = 100
"""Of one circuit: the search for larger ones would show nothing for hours."""
_ROUNDS: Final = 40
_FEW_ROUNDS: Final = 6
_RING_ROUNDS, _RING_TRIES = 3, 20_000
"""In which a small circuit is looked for that others grow from."""
_FEW_GROWTHS, _GROWTHS = 2, 8
_EXCHANGES: Final = 1_200
_FAILURES: Final = 3
_SOME: Final = 200
"""Circuits that are laid at random before the search goes on."""
_BYTES_OF_KNOWN: Final = 400
SECONDS: Final = 60
"""Of processor time for which a search goes on without a circuit, unless it is told otherwise."""
POOL: Final = 4_000
"""Circuits among which the best, or those that differ most, are looked for."""
_PICKED: Final = 1_000
_POOL_TRIES: Final = 2_000_000


@dataclass(slots=True)
class Hunt:
    """A search for circuits that `chooser` takes, of 100 tiles at most, in so many megabytes; it
    gives up when it found none, or none any more, for so many `seconds` of processor time.

    `mirror` gives of mirror images one. `begun` is what they go on from. `seed` says what is picked
    at random. `notes` are what it gave up and what it found out, in words; `is_whole` says after
    the end whether there is no other circuit than those that it gave, `unsure` which greater
    numbers of tiles were given up before it was known that there is none of them.
    """

    inventory: Inventory
    chooser: Chooser
    mirror: bool = False
    memory: int = MEMORY
    seconds: float = SECONDS
    begun: TileWord = ()
    seed: int = 1
    symmetric: bool = False
    table: tuple[float, float] | None = None
    report: TellProgress = lambda progress: None
    notes: list[str] = field(default_factory=list)
    is_whole: bool = True
    unsure: list[int] = field(default_factory=list)
    given: int = 0
    most: int = field(init=False)
    _choices: list[TileChoice] = field(init=False)
    _since: float = field(init=False)

    def __post_init__(self) -> None:
        self._since = process_time()
        self.most = self.inventory.owned
        if self.table is not None:
            self.most = most_on_table(self.inventory, *self.table)
        self._choices = [
            replace(one, lengths=able)
            for most, least in self.chooser.stocks
            for one in choices(self.inventory, most, min(self.most, MOST_TILES), least)
            if (able := frozenset(n for n in one.lengths if self.chooser.may_bend(one.most, n)))
        ]

    @property
    def gave_up(self) -> bool:
        """True where it went on without a circuit for as long as it may."""
        return process_time() - self._since > self.seconds

    def _is_over(self) -> bool:
        gave_up = self.gave_up
        if gave_up:
            self.is_whole = False
            more = f"--seconds {10 * self.seconds:g} searches longer"
            said = "another circuit" if self.given else "a circuit"
            self._note(f"given up after {self.seconds:g} s without {said}: {more}")
        return gave_up

    def why_none(self, lengths: Sequence[int]) -> str:
        """What is known against circuits of any of so many tiles without a search; nothing if
        nothing is."""
        if len(lengths) == 1:
            return self._why_none_of(lengths[0])
        if self.possible(lengths[0], lengths[-1]):
            return ""
        reasons = {self._why_none_of(length) for length in lengths}
        if len(reasons) == 1:
            return reasons.pop()
        return self._counted("no number of them can")

    def _counted(self, none: str) -> str:
        """That counting rules something out, with what was asked for."""
        reason = f"{none} both turn by 360° and lead back to each width"
        if self.chooser.wishes.bends is not None:
            reason += ", with as many bends as you ask for"
        if self.chooser.wishes.having:
            reason += ", with the tiles that you ask for"
        return reason

    def _why_none_of(self, length: int) -> str:
        table = f"no more than {self.most} of the tiles fit on the table by their areas"
        # First what holds for any number of tiles.
        if self.chooser.most and self.chooser.wishes.having and not self._choices:
            return "with the tiles that you ask for none turns by 360° and leads back to each width"
        if not self.chooser.most:
            return self.chooser.why_fewer
        if self.most < min(self.inventory.grid.turns, length):
            return table
        reason = why_none(self.inventory, length)
        if not reason and length > self.chooser.most:
            reason = self.chooser.why_fewer
        if not reason and length > self.most:
            reason = table
        if not reason and length not in self.possible(length, length):
            reason = self._counted(f"no {length} of them")
        return reason

    def possible(self, most: int, least: int = 1) -> list[int]:
        """How many tiles circuits may have, the most first, as far as is known without a search."""
        lengths = {length for one in self._choices for length in one.lengths}
        return [length for length in range(most, least - 1, -1) if length in lengths]

    def all_of(self, lengths: Sequence[int]) -> Iterator[Candidate]:
        """The circuits of so many tiles, and of so many, one after the other."""
        for length in lengths:
            yield from self._of(length, None)
            if self.gave_up:
                return

    def soon(self, lengths: Sequence[int]) -> Candidate | None:
        """A circuit of one of these numbers of tiles, if it is found before long."""
        some = (one for length in lengths for one in self._of(length, _GIVES_UP_SOON))
        return next(some, None)

    def longest(self, most: int) -> Iterator[Candidate]:
        """The circuits of as many tiles as possible, so many at most."""
        for length, some in self._likely(self.possible(most)):
            soon = length >= _MANY or self.table is not None
            found = self._of(length, _GIVES_UP_SOON if soon else _GIVES_UP, some=some)
            first = next(found, None)
            if first is not None:
                yield first
                yield from found
                return
        self.is_whole = not self.unsure

    def longest_pool(self, most: int) -> list[Candidate]:
        """A pool of circuits of as many tiles as possible, so many at most."""
        for length, _ in self._likely(self.possible(most)):
            found = self.pool([length])
            if found:
                return found
            self.notes.pop()
        self.is_whole = not self.unsure
        return []

    def _likely(self, lengths: Sequence[int]) -> Iterator[tuple[int, Sequence[Candidate]]]:
        """How many tiles to look for, the most first, with circuits of so many that are known. What
        is left out, or was given up when the next is asked for, is `unsure`."""
        fills = bool(lengths) and self.table is not None and not self.begun
        begun = self._long_ones(lengths) if fills else []
        for length in lengths:
            late = process_time() - self._since > self.seconds / 2
            if late and not fills and not self.begun:
                # None of the largest was found soon: begin with small ones.
                fills = True
                begun = self._long_ones([n for n in lengths if n <= length])
            longest = len(begun[0].word) if begun else 0
            if self._is_over() or (fills and length > max(longest, _LARGE)):
                self.unsure.append(length)
                continue
            self.is_whole = True
            yield length, begun if length == longest else ()
            if not self.is_whole:
                self.unsure.append(length)

    def _long_ones(self, lengths: Sequence[int]) -> list[Candidate]:
        """Circuits on the table of as many tiles as can soon be laid, of one of these lengths."""
        found: list[Candidate] = []
        for one in self._growing(lengths):
            if not found or len(one.word) > len(found[0].word):
                found = [one]
                if len(one.word) == lengths[0]:
                    break
        return found

    def _growing(self, lengths: Sequence[int]) -> Iterator[Candidate]:
        """Ever longer ones, as far as some are soon found."""
        if self._grows:
            yield from self._longer(self._grown(lengths[0], self.seed, _FEW_GROWTHS), 0)
            return
        failed = 0
        last: Candidate | None = None
        for length in sorted(length for length in lengths if length >= _LAID):
            found = next(self._random([length], self.seed), None)
            failed = 0 if found else failed + 1
            if found is not None:
                last = found
                yield found
            elif failed > _FAILURES:
                break
        if last is not None and self.table is not None and not self.symmetric:
            used = Counter(self.inventory.moves[number].shape for number in last.word)
            yield from self._longer(self._exchanged(last.word, lengths[0], used), len(last.word))

    def _longer(self, words: Iterable[TileWord], longest: int) -> Iterator[Candidate]:
        """Of circuits those that are longer than all before, and as asked for."""
        for word in words:
            one = canonical(self.inventory, word) if len(word) > longest else ()
            found = self._taken(one) if one else None
            if found is not None:
                longest = len(word)
                yield found

    def _exchanged(self, word: TileWord, most: int, used: Mapping[int, int]) -> Iterator[TileWord]:
        """What becomes of a circuit on the table, for each choice of tiles that it can be of."""
        if self.table is None:
            return
        growth = Growth(self.inventory, most, self.table, self._lies_on_table, self.seed)
        for one in self._choices:
            few_many = enumerate(zip(one.least, one.most, strict=True))
            if all(few <= used.get(shape, 0) <= many for shape, (few, many) in few_many):
                for longer in growth.run(word, one.most, _EXCHANGES, one.least):
                    if self._is_over():
                        return
                    yield longer

    @property
    def _grows(self) -> bool:
        """True where circuits are made on the table from small ones: those of single tiles."""
        single = all(len(move.piece.cells) == 1 for move in self.inventory.moves)
        return self.table is not None and single and not self.begun and not self.symmetric

    def _grown(self, most: int, seed: int, times: int = _GROWTHS) -> Iterator[TileWord]:
        """Circuits of at most so many tiles on the table, each a little different from the one
        before, begun so often from a small one."""
        if self.table is None:
            return
        growth = Growth(self.inventory, most, self.table, self._lies_on_table, seed)
        able = (one for one in self._choices if min(one.lengths) <= most)
        rings: list[tuple[TileWord, TileChoice]] = []
        # First of what the longest can be made of.
        for one in sorted(able, key=lambda one: max(one.lengths), reverse=True):
            ring = self._ring(one) if len(rings) < times else None
            if ring is not None:
                rings.append((ring, one))
        for number in range(times if rings else 0):
            ring, one = rings[number % len(rings)]
            for word in growth.run(ring, one.most, _EXCHANGES, one.least):
                if self._is_over():
                    return
                yield word

    def _ring(self, choice: TileChoice) -> TileWord | None:
        """A small circuit of these tiles on the table."""
        for length in sorted(length for length in choice.lengths if length <= _LARGE):
            found = next(filter(self._lies_on_table, self._small(length, choice)), None)
            if found is not None or self._is_over():
                return found
        return None

    def _small(self, length: int, choice: TileChoice) -> Iterator[TileWord]:
        """Some circuits of so many of these tiles: laid at random, then searched for."""
        yield from self._laid(length, self.seed, [choice], _RING_ROUNDS)
        search = Search(
            self.inventory,
            length,
            self.memory,
            table=self.table,
            least=choice.least,
            most=choice.most,
        )
        for words, progress in search.run():
            yield from words
            if progress.tried > _RING_TRIES:
                return

    def _lies_on_table(self, word: TileWord) -> bool:
        wished = self.chooser.wishes.table
        return wished is None or Candidate(self.inventory, word, self.chooser.pitch).fits(*wished)

    def pool(self, lengths: Sequence[int]) -> list[Candidate]:
        """All circuits where these can be found soon, else some that are laid at random; a note
        tells which."""
        found = list(islice(self._soon(lengths), POOL + 1))
        if self.is_whole and len(found) <= POOL:
            self.notes.append(f"among {len(found):,} circuits in all")
            return found
        self.is_whole = False
        some = [] if self.begun else list(islice(self._random(lengths, self.seed), _PICKED))
        if len(some) > len(found) // 10:
            self.notes.append(f"among {len(some):,} laid at random: another --seed gives others")
            return some
        self.notes.append(f"among the first {len(found[:POOL]):,} circuits: there are more")
        return found[:POOL]

    def _soon(self, lengths: Sequence[int]) -> Iterator[Candidate]:
        for length in lengths:
            yield from self._of(length, _POOL_TRIES, tries_in_all=True)
            if not self.is_whole:  # Given up, or there are too many.
                return

    def _random(self, lengths: Sequence[int], seed: int) -> Iterator[Candidate]:
        seen: set[TileWord] = set()
        for length in lengths:
            rounds = _FEW_ROUNDS if length > _MANY * 2 or self.table else _ROUNDS
            some = (
                self._grown(length, seed)
                if self._grows
                else self._laid(length, seed, self._choices, rounds)
            )
            for word in some:
                if len(word) != length:
                    continue
                one = canonical(self.inventory, word)
                if one in seen:
                    continue
                seen.add(one)
                found = self._taken(one)
                if found is not None:
                    yield found

    def _laid(
        self, length: int, seed: int, choices: Sequence[TileChoice], rounds: int
    ) -> Iterator[TileWord]:
        return random_circuits(
            self.inventory,
            length,
            seed=seed,
            rounds=rounds,
            symmetric=self.symmetric,
            table=self.table,
            stocks=[(one.most, one.least) for one in choices if length in one.lengths],
            is_over=self._is_over,
        )

    def _of(
        self,
        length: int,
        gives_up: int | None,
        tries_in_all: bool = False,
        some: Sequence[Candidate] = (),
    ) -> Iterator[Candidate]:
        """Of so many tiles, `some` that are known first; `gives_up` after so many tries without a
        circuit, or in all."""
        if not 0 < length <= self.inventory.owned or length < len(self.begun):
            return
        if self._why_none_of(length):
            return
        needed = [one.least for one in self._choices if length in one.lengths]
        least = [min(counts) for counts in zip(*needed, strict=True)]
        search = Search(self.inventory, length, self.memory, self.begun, self.table, least)
        if search.is_cut_short:
            more = min(2 * self.memory, MOST_MEMORY)
            hint = f": --memory {more} lets it look further" if more > self.memory else ""
            said = "for want of memory the search looks fewer tiles ahead than it could, and takes"
            self._note(f"{said} longer{hint}")
        known = {canonical(self.inventory, one.word) for one in some}
        patience, before = _PATIENCE, self.given
        yield from map(self._given, some)
        for words, progress in search.run():
            new = (self._new(word, known) for word in words)
            yield from (self._given(one) for one in new if one is not None)
            at = SearchProgress(progress.tried, self.given, progress.share, progress.word)
            self.report(at)
            found = self.given > before
            in_vain = 0 if found and not tries_in_all else progress.tried
            if self._is_over() or (gives_up is not None and in_vain > gives_up):
                self.is_whole = False
                return
            if not found and progress.tried > patience and self._lays(length, gives_up):
                for one in islice(self._random([length], self.seed + patience), _SOME):
                    known.add(canonical(self.inventory, one.word))
                    yield self._given(one)
                patience *= 8

    def _lays(self, length: int, gives_up: int | None) -> bool:
        """True where circuits of so many tiles are laid at random while they are searched for."""
        return length >= _LAID and not self.begun and (gives_up is None or self.table is None)

    def _given(self, one: Candidate) -> Candidate:
        self.given += 1
        self._since = process_time()
        return one

    def _new(self, word: TileWord, known: set[TileWord]) -> Candidate | None:
        """The circuit of a word if it is as asked for, and not known. Of those that go on from a
        course begun, the same may come again from another start, and its image before it."""
        if not self.begun:
            return None if known and word in known else self._taken(word)
        one = canonical(self.inventory, word)
        image = mirror_word(self.inventory, word) if self.mirror else None
        found = None if one in known or image in known else self.chooser.candidate(word)
        if found is not None:
            if len(known) * _BYTES_OF_KNOWN > self.memory * 300_000:
                self._note("for want of memory a circuit may come twice")
                known.clear()
            known.add(one)
        return found

    def _taken(self, word: TileWord) -> Candidate | None:
        """The circuit of a canonical word if it is as asked for; of mirror images that both are,
        where only one is wanted, the first."""
        found = self.chooser.candidate(word)
        if found is None or not self.mirror:
            return found
        image = image_before(self.inventory, word)
        return None if image is not None and self.chooser.candidate(image) else found

    def _note(self, said: str) -> None:
        if said not in self.notes:
            self.notes.append(said)

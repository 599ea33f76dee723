# SPDX-License-Identifier: Apache-2.0
"""A hart that polls: its loop, the words that decide when the loop ends, and a proof that it goes
round for ever unless one of them changes.

`poll_of` follows the hart (follow.py) until it comes by an instruction again, with the same stack
pointer and return address, and follows that round a second time. There the registers that differ
from round to round (a counter, say) are taken for unknown, and so is what is made of them. If no
branch, indirect jump or address in the round depends on what is unknown, the next round goes the
same way, and so do all: by the same loads, which bring the same as long as nothing writes to these
words. That is the proof; timing is no part of it, apart from the L0 data cache, which must not
drop a line that differs from L1 (`drops_lines`).

A loop with a time-out depends on its counter. It is a poll, and nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.memory.map import Region
from tensix_gdb.core.polls.follow import Follower, State, Step, state_of
from tensix_gdb.core.polls.terms import Read, Term
from tensix_gdb.core.polls.wanted import Wanted, wanted
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.l0_cache import DIS_PERIODIC_FLUSH

LONGEST = 1024  # instructions that are followed until the hart has come by twice
ENDS = 6  # ends of a round that are tried: the first ones may be those of a loop in the loop
ROUNDS = 4  # in which the registers that differ become known
SP, RA = 2, 1


@dataclass(frozen=True, slots=True)
class Exit:
    """A branch that ends the loop: by the words that it depends on, and perhaps by a counter."""

    pc: int
    terms: tuple[Term, ...]
    step: Step

    @property
    def reads(self) -> frozenset[Read]:
        """The words that decide."""
        return frozenset().union(*(term.reads for term in self.terms))

    @property
    def counts(self) -> bool:
        """True if something decides that is not the same in each round."""
        return any(term.varies for term in self.terms)

    def ends_with(self, values: Mapping[Read, int]) -> bool:
        """True if the loop would end here if words had these values."""
        assert self.step.apply is not None
        first, second = self.terms
        return bool(self.step.apply(first.given(values), second.given(values))) != self.step.taken


@dataclass(frozen=True, slots=True)
class Poll:
    """The loop of a hart: its instructions, and its exits. `is_proved`: it goes round for ever
    unless a word in `reads` changes; `counts`: something in it depends on a counter or a clock."""

    hart: int
    pcs: frozenset[int]
    exits: tuple[Exit, ...]
    reads: tuple[Read, ...]
    is_proved: bool
    counts: bool
    stores: bool  # to its own stack
    has_fence: bool

    @property
    def polled(self) -> tuple[Read, ...]:
        """The words on which it depends whether the loop ends, in the order of its loads; the first
        load of each."""
        decide = frozenset().union(*(one.reads for one in self.exits))
        found: dict[tuple[int, int], Read] = {}
        for read in self.reads:
            if read in decide:
                found.setdefault((read.addr, read.size), read)
        return tuple(found.values())

    def wanted(self, read: Read) -> Wanted | None:
        """Return what a word has to be so that the loop ends, the others being as they are; None if
        that is no simple relation."""
        exits = self._exits_of(read)
        if not exits:
            return None
        constants = [n for one in exits for term in one.terms for n in term.constants()]
        return wanted(self.condition(read), read.size, read.value, constants)

    def condition(self, read: Read) -> Callable[[int], bool]:
        """Return the function that is True of a value of a word with which the loop would end, the
        others being as they are."""
        loads, exits = self._loads_of(read), self._exits_of(read)

        def ends(value: int) -> bool:
            values = dict.fromkeys(loads, value)
            return any([one.ends_with(values) for one in exits])

        return ends

    def _loads_of(self, read: Read) -> list[Read]:
        where = read.addr, read.size
        return [other for other in self.reads if (other.addr, other.size) == where]

    def _exits_of(self, read: Read) -> list[Exit]:
        loads = frozenset(self._loads_of(read))
        return [one for one in self.exits if one.reads & loads and not one.counts]


def poll_of(S: View, memory: Access, hart: int, longest: int = LONGEST) -> Poll | None:
    """Return the loop in which a hart polls or goes round; None if it does anything else within so
    many instructions."""
    states = [state_of(S, memory, hart)]
    follower = Follower(S, memory, hart, states[0])
    seen: dict[tuple[int, int, int], int] = {}
    first: int | None = None
    ends: list[int] = []
    for number, _ in enumerate(follower.steps()):
        if number >= longest:
            break
        state = states[-1]
        key = state.pc, state.registers[SP], state.registers[RA]
        if first is None and key in seen:
            first = seen[key]
        if first is not None and key == _key(states[first]):
            ends.append(number)
            if states[number] == states[first] or len(ends) == ENDS:
                break
        seen.setdefault(key, number)
        states.append(follower.state())
    found: Poll | None = None
    for end in ends:
        assert first is not None
        start = replace(states[first], fenced=states[end].fenced)  # as in each later round
        poll = _round(S, memory, hart, start, end - first)
        if poll is not None and poll.is_proved:
            return poll
        found = found or poll
    return found


def _key(state: State) -> tuple[int, int, int]:
    return state.pc, state.registers[SP], state.registers[RA]


def _round(S: View, memory: Access, hart: int, start: State, length: int) -> Poll | None:
    """Follow a round until it is known which registers differ."""
    varying: frozenset[int] = frozenset()
    words: frozenset[int] = frozenset()
    for _ in range(ROUNDS):
        # A word that the round stores has to be known from its begin.
        follower = Follower(S, memory, hart, start, varying, words)
        steps = list(islice(follower.steps(), length))
        if len(steps) < length or follower.pc != start.pc:
            return None
        now = {
            number
            for number, term in enumerate(follower.registers)
            if term.varies or term.value != start.registers[number]
        }
        stored = dict(start.stored)
        words_now = {
            addr
            for addr, term in follower.stored.items()
            if term.varies or stored.get(addr) != term.value
        }
        if now <= varying and words_now <= words:
            # Once more: what a branch compares may have been loaded before the round began.
            steps = list(islice(follower.steps(), length))
            return _found(S, hart, steps, follower) if len(steps) == length else None
        varying, words = varying | now, words | words_now
        if words_now - set(stored):
            both = {**{addr: follower.stored[addr].value for addr in words_now}, **stored}
            start = State(start.pc, start.registers, tuple(sorted(both.items())), start.fenced)
    return None


def _found(S: View, hart: int, steps: Sequence[Step], follower: Follower) -> Poll:
    pcs = frozenset(step.pc for step in steps)
    exits = tuple(
        Exit(step.pc, step.decides, step)
        for step in steps
        if step.apply is not None and step.other not in pcs
    )
    # Of a load from another address in each round, a loop does not wait for a word.
    reads = tuple(
        dict.fromkeys(
            step.read
            for step in steps
            if step.read is not None and not any(term.varies for term in step.decides)
        )
    )
    counts = any(term.varies for step in steps for term in step.decides)
    has_fence = follower.fenced
    is_proved = follower.keeps and not counts and not drops_lines(S, hart, reads)
    return Poll(hart, pcs, exits, reads, is_proved, counts, bool(follower.stored), has_fence)


def drops_lines(S: View, hart: int, reads: Sequence[Read]) -> bool:
    """True if a word is read from a line of the L0 data cache that is older than L1 and may be
    dropped: by one hit in some hundred, unless cfg0 says otherwise, or for another line."""
    if not any(read.is_stale for read in reads):
        return False
    fills = any(read.region == Region.L1 and not read.cached for read in reads)
    return fills or not S.hart.cfg0[hart] & DIS_PERIODIC_FLUSH


def l1_words(reads: Sequence[Read]) -> Iterator[int]:
    """Yield the words of L1 among what was read."""
    for read in reads:
        if read.region == Region.L1:
            yield read.addr & ~3

# SPDX-License-Identifier: Apache-2.0
"""Harts that poll, in words: which word, what it has, what ends the loop, what could write it.

    NC: polls cb 0 for room, at reader.cpp:6: 2 received, 0 acknowledged: 2 of 2 pages; it waits for
        1 more to be popped
        T0 pops at compute.cpp:12, and has ended its kernel

The loop is core/polls/poll.py's. Nothing is executed for it: it is found when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.chip.places import place_of
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.map import Region
from tensix_gdb.core.polls.poll import Poll, poll_of
from tensix_gdb.core.polls.remote import WORD, is_of_remote, remote_poll_of
from tensix_gdb.core.polls.terms import Read
from tensix_gdb.core.polls.wanted import number_text
from tensix_gdb.core.stall import sentence
from tensix_gdb.gdbstub.tensix.blocked.instructions import place
from tensix_gdb.gdbstub.tensix.blocked.last_write import is_unwritten, last_write
from tensix_gdb.gdbstub.tensix.blocked.noc_names import noc_name
from tensix_gdb.gdbstub.tensix.blocked.polled_words import PolledWords, is_firmware
from tensix_gdb.gdbstub.tensix.blocked.stores_in_code import stores_to
from tensix_gdb.gdbstub.tensix.host.circular_buffers import COUNT_BITS, CircularBuffer

NEVER_FITS, OLD_COPY = "never fits", "L0 data cache"  # in sentences about what is wrong
MOST_PAGES = 256  # that are tried, or twice as many as the buffer has
MAX_LINES = 2  # of a program that stores to a word


@dataclass
class Polling:
    """A hart that polls: a line without its name, more lines, and the harts with code that writes
    the word. `in_kernel` is False of firmware that waits for work."""

    hart: int
    poll: Poll | None  # None of a word outside the tile
    does: str
    brief: str  # the word alone: `cb 0 for room`
    more: list[str] = field(default_factory=list)
    writers: tuple[int, ...] = ()


class Polls:
    """The polls of a tile as it is now; each is looked for once."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.words = machine, PolledWords(machine)
        self._known: dict[int, Poll | None] = {}
        self.said: dict[int, Polling | None] = {}

    def of(self, hart: int) -> Poll | None:
        """Return the loop in which a hart polls; None if it does not, as far as is known."""
        S = self.machine.S
        if self.machine.unknown or not S.hart.issuing[hart] or S.hart.waits_for[hart]:
            return None
        if hart not in self._known:
            poll = poll_of(S, self.machine.memory, hart)
            if poll is not None and (not poll.polled or is_of_remote(S, hart, poll)):
                poll = None
            self._known[hart] = poll
        return self._known[hart]


_STANDING: dict[int, Polls] = {}


@contextmanager
def standing_still(machine: Machine) -> Iterator[None]:
    """While nothing changes the tile, each of its polls is looked for once for all that ask."""
    _STANDING[id(machine)] = Polls(machine)
    try:
        yield
    finally:
        del _STANDING[id(machine)]


def polling(machine: Machine, hart: int, polls: Polls | None = None) -> Polling | None:
    """Return how a hart polls, in words; None if it does not, as far as is known."""
    polls = _STANDING.get(id(machine)) or polls or Polls(machine)
    if hart not in polls.said:
        polls.said[hart] = _polling(machine, hart, polls)
    return polls.said[hart]


def _polling(machine: Machine, hart: int, polls: Polls) -> Polling | None:
    poll = polls.of(hart)
    if poll is None:
        return _remote(machine, hart, polls.words)
    first, *others = (_Polled(polls, poll, read) for read in poll.polled)
    found = Polling(hart, poll, f"polls {first.text}", first.brief)
    if others:
        found.more += [f"or {other.text}" for other in others[:MAX_LINES]]
    if poll.counts:
        found.more.append("with a counter or a clock in the loop: it may end without the word")
    writers: dict[int, None] = {}
    for one in (first, *others[:MAX_LINES]):
        if one.read.is_stale:
            found.more.append(one.stale())
            continue
        found.more += one.last()
        lines = dict(one.could_write())
        writers.update(dict.fromkeys(lines))
        found.more += lines.values()
        if not lines and one.read.region == Region.L1 and not polls.words.has_firmware:
            found.more.append("no program has a store to it in its code, as far as it is known")
    found.writers = tuple(writers)
    return found


def _remote(machine: Machine, hart: int, words: PolledWords) -> Polling | None:
    """Return how a hart polls a word of another tile, over the NoC."""
    S = machine.S
    found = None if not S.hart.issuing[hart] else remote_poll_of(S, hart)
    if found is None:
        return None
    chip = int(S.tile.chip)
    there = noc_name(chip, place_of(chip, found.niu, found.there))
    size = min(found.length, WORD)
    value = int.from_bytes(machine.peek(hart, found.copy, size), "little")
    # A program has its semaphores at the same addresses on all its tiles.
    word = words.in_l1(found.addr) if there[0].isdigit() else f"{found.addr:#x}"
    brief = f"{word} of {there} over NoC {found.niu}"
    at = place(machine, hart, found.pc)
    does = f"reads {brief} again and again, at {at}: it was {number_text(value)} the last time"
    return Polling(hart, None, does, brief)


class _Polled:
    """One word that a hart polls."""

    def __init__(self, polls: Polls, poll: Poll, read: Read) -> None:
        machine, words = polls.machine, polls.words
        self._polls, self._machine, self._poll, self.read = polls, machine, poll, read
        self._hart = poll.hart
        self._at = place(machine, poll.hart, read.pc)
        buffer = words.buffer(read)
        if buffer is not None:
            self._verb = "pops" if buffer[1] else "pushes"
            self.brief, self._counts = self._of_buffer(*buffer)
            return
        self._counts = ""
        self._verb = "writes it"
        self.brief = words.name(poll.hart, read)

    @property
    def text(self) -> str:
        """The word, where it is read, what it has, and what ends the loop."""
        if self._counts:
            return f"{self.brief}, at {self._at}: {self._counts}"
        return f"{self.brief}, at {self._at}: it is {number_text(self.read.value)}{self._until()}"

    def _until(self) -> str:
        wanted = self._poll.wanted(self.read)
        return f", and the loop ends when {wanted.text}" if wanted is not None else ""

    def _of_buffer(self, buffer: CircularBuffer, is_popped: bool) -> tuple[str, str]:
        """Return what a circular buffer is polled for, and its counts."""
        now = buffer.acknowledged if is_popped else buffer.received
        ends = self._poll.condition(self.read)
        most = range(1, max(MOST_PAGES, 2 * buffer.pages))
        needs = next((pages for pages in most if ends(now + pages & COUNT_BITS)), None)
        counts = f"{buffer.received} received, {buffer.acknowledged} acknowledged"
        if buffer.filled > buffer.pages:
            state = f"{buffer.filled} in it, more than its {_pages(buffer.pages)}"
        else:
            state = "empty" if not buffer.filled else f"{buffer.filled} of {_pages(buffer.pages)}"
        name = f"cb {buffer.number} for {'room' if is_popped else 'pages'}"
        text = f"{counts}: {state}"
        if needs is None:
            return name, text
        wanted = needs + (buffer.pages - buffer.filled if is_popped else buffer.filled)
        if wanted > buffer.pages:
            ring = f"a ring of {buffer.pages}"
            return name, f"{text}; it wants {_pages(wanted)} of {ring}, which {NEVER_FITS}"
        return (
            name,
            f"{text}; it waits for {needs} more to be {'popped' if is_popped else 'pushed'}",
        )

    def stale(self) -> str:
        """Return that the hart reads an older copy than L1 has."""
        read, hart = self.read, HART_NAMES[self._hart]
        last = last_write(self._machine, read.addr, read.size)
        since = f" since {last.place or last.agent}" if last is not None else ""
        old, now = number_text(read.value), number_text(read.in_memory)
        return (
            f"{self._at} reads {old} from {hart}'s {OLD_COPY}, L1 has {now}{since}: a fence in "
            "the loop (invalidate_l1_cache) reads it again. GDB shows what L1 has"
        )

    def last(self) -> Iterator[str]:
        """Yield what has written the word last, where that is known."""
        read = self.read
        if read.region != Region.L1:
            return
        last = last_write(self._machine, read.addr, read.size)
        if last is not None:
            where = f", at {last.place}" if last.place else ""
            yield f"{last.agent} wrote it last{where} in cycle {last.cycle}"
        elif is_unwritten(self._machine, read.addr, read.size):
            yield "no instruction has written it"

    def could_write(self) -> Iterator[tuple[int, str]]:
        """Yield the harts with code that stores there, and what they do."""
        machine = self._machine
        for hart, pcs in stores_to(machine, self.read.addr, self.read.size):
            if hart == self._hart:
                continue
            places = list(dict.fromkeys(place(machine, hart, pc) for pc in pcs))
            more = f" and {len(places) - MAX_LINES} more" if len(places) > MAX_LINES else ""
            where = ", ".join(places[:MAX_LINES]) + more
            yield (
                hart,
                f"{HART_NAMES[hart]} {self._verb} at {where}, and {_state(self._polls, hart)}",
            )


def _pages(count: int) -> str:
    return f"{count} page" if count == 1 else f"{count} pages"


def _state(polls: Polls, hart: int) -> str:
    """Return what a hart does, in some words after its name."""
    machine, S = polls.machine, polls.machine.S
    if S.hart.in_reset[hart]:
        return "is in reset"
    if S.hart.paused[hart]:
        return "has ended or paused"
    if has_ended(machine, hart):
        return "has ended its kernel"
    waits = sentence(S, hart)
    if waits:
        return waits
    poll = polls.of(hart)
    return "runs" if poll is None else f"polls {_Polled(polls, poll, poll.polled[0]).brief}"


def has_ended(machine: Machine, hart: int) -> bool:
    """True if a hart has a kernel of tt-metal and is in its firmware."""
    has_kernel = any(image.hart == hart and not is_firmware(image) for image in machine.images)
    image = machine.places.image(hart, machine.read_pc(hart))
    return has_kernel and image is not None and is_firmware(image)

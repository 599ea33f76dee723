# SPDX-License-Identifier: Apache-2.0
"""The three FIFOs of a thread's frontend, and where each instruction in them came from.

    T core ──► A (32) ──► MOP expander ──┬──► B (8) ──► Replay expander ──► C (2) ──► wait gate
                                     B ──┘

TensixFrontend_BH.svg of the ISA documentation has the capacities. A FIFO is a ring; what has left
it is overwritten with zeros, so that equal states are equal bytes.

An instruction keeps the hart, pc and cycle of the store that pushed it, also through an expansion,
which is noted in `via`; and `slot`, the entry of the Auto TTSync tracker that it belongs to
(auto_ttsync/resourcedecl.py), NO_SLOT for what B or the debug bus have pushed.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.record.layout import Chapter, Part, Role, Tag, View, row

A, B, C = 0, 1, 2
FIFOS = 3
_SHOWN = "TensixFrontend_BH.svg"
CAPACITIES = (
    cost("frontend.fifo_a", 32, "instructions", "between a T core and the MOP expander",
         source=_SHOWN, trust=Trust.PAGE,
         note="a card: about 31 (mesham/tt-sim, riscvbench phase q)"),
    cost("frontend.fifo_b", 8, "instructions", "between the MOP and the Replay expander",
         source=_SHOWN, trust=Trust.PAGE),
    cost("frontend.fifo_c", 2, "instructions", "between the Replay expander and the wait gate",
         source=_SHOWN, trust=Trust.PAGE),
)  # fmt: skip
LONGEST = max(CAPACITIES)
LAST_PLACES = tuple(capacity - 1 for capacity in CAPACITIES)  # also masks: capacities are 2**n
assert not any(capacity & last for capacity, last in zip(CAPACITIES, LAST_PLACES, strict=True))
NO_SLOT = 255

# `via`: how the instruction came to be.
VIA_MOP = 1
VIA_REPLAY = 2
VIA_DEBUG_BUS = 4

_A, _M = Tag.ARCHITECTURAL, Tag.MONOTONE
_RING = (THREADS, FIFOS, LONGEST)

# fmt: off
FIFO = Part("fifo", (
    row("count", "u8",  (THREADS, FIFOS), _A, "instructions held"),
    row("head",  "u8",  (THREADS, FIFOS), _A, "where the oldest is"),
    row("word",  "u32", _RING,            _A, "the instruction", role=Role.INSTRUCTION),
    row("hart",  "u8",  _RING,            _A, "origin: the hart that pushed it"),
    row("pc",    "u32", _RING,            _A, "origin: the store"),
    row("cycle", "i64", _RING,            _M, "origin: the cycle in which it entered"),
    row("via",   "u8",  _RING,            _A, "VIA_MOP, VIA_REPLAY, VIA_DEBUG_BUS"),
    row("slot",  "u8",  _RING,            _A, "of the Auto TTSync tracker"),
), role=Role.PROGRESS, chapter=Chapter.CONTROL)
# fmt: on


def room(S: View, thread: int, fifo: int) -> int:
    """Return how many more instructions the FIFO takes."""
    return CAPACITIES[fifo] - S.fifo.count[thread, fifo]


def put(
    S: View, thread: int, fifo: int, word: int, hart: int, pc: int, cycle: int, via: int, slot: int
) -> int:
    """Append an instruction; the caller has made sure of `room`."""
    count = S.fifo.count[thread, fifo]
    at = (S.fifo.head[thread, fifo] + count) & LAST_PLACES[fifo]
    S.fifo.count[thread, fifo] = count + 1
    S.fifo.word[thread, fifo, at] = word
    S.fifo.hart[thread, fifo, at] = hart
    S.fifo.pc[thread, fifo, at] = pc
    S.fifo.cycle[thread, fifo, at] = cycle
    S.fifo.via[thread, fifo, at] = via
    S.fifo.slot[thread, fifo, at] = slot
    return at


def drop(S: View, thread: int, fifo: int) -> int:
    """Remove the oldest instruction."""
    at = S.fifo.head[thread, fifo]
    left = S.fifo.count[thread, fifo] - 1
    S.fifo.count[thread, fifo] = left
    S.fifo.head[thread, fifo] = (at + 1) & LAST_PLACES[fifo] if left else 0
    S.fifo.word[thread, fifo, at] = 0
    S.fifo.hart[thread, fifo, at] = 0
    S.fifo.pc[thread, fifo, at] = 0
    S.fifo.cycle[thread, fifo, at] = 0
    S.fifo.via[thread, fifo, at] = 0
    S.fifo.slot[thread, fifo, at] = 0
    return 0


def holds_opcode(S: View, thread: int, fifo: int, opcode: int) -> int:
    """True if an instruction with this opcode is in the FIFO."""
    for i in range(S.fifo.count[thread, fifo]):
        at = (S.fifo.head[thread, fifo] + i) & LAST_PLACES[fifo]
        if S.fifo.word[thread, fifo, at] >> 24 == opcode:
            return 1
    return 0


def clear(S: View, thread: int) -> int:
    """Discard everything."""
    for fifo in range(FIFOS):
        while S.fifo.count[thread, fifo] > 0:
            drop(S, thread, fifo)
    return 0


INLINED = (room, put, drop)

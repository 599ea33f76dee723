# SPDX-License-Identifier: Apache-2.0
"""Replay Expander (REPLAY.md): takes from FIFO B, gives to FIFO C, one instruction in a cycle.

REPLAY records the instructions that follow it, or issues recorded ones. The buffer holds words
only: what is replayed has the origin of the REPLAY that asked for it. As the newest version of the
page has it, a count of 0 means 32, and no page says what more than 32 do.
"""

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.opcodes import REPLAY
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.stop import fault
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.frontend.fifo import NO_SLOT, VIA_REPLAY, B, C, drop, put, room

ENTRIES = 32
FORWARDING, RECORDING, RECORDING_AND_ISSUING, PLAYING = 0, 1, 2, 3

_A, _M = Tag.ARCHITECTURAL, Tag.MONOTONE

# fmt: off
REPLAY_EXPANDER = Part("replay", (
    row("buffer", "u32", (THREADS, ENTRIES), _A, "recorded instructions"),
    row("mode",   "u8",  THREADS,            _A, "FORWARDING, RECORDING(_AND_ISSUING) or PLAYING"),
    row("index",  "u8",  THREADS,            _A, "next entry of the buffer"),
    row("left",   "u8",  THREADS,            _A, "instructions to record or to issue"),
    row("hart",   "u8",  THREADS,            _A, "origin of the REPLAY being played"),
    row("pc",     "u32", THREADS,            _A, "origin of the REPLAY being played"),
    row("cycle",  "i64", THREADS,            _M, "origin of the REPLAY being played"),
    row("via",    "u8",  THREADS,            _A, "VIA_ bits of the REPLAY being played"),
    row("slot",   "u8",  THREADS,            _A, "slot of the REPLAY being played"),
), chapter=Chapter.CONTROL)
# fmt: on


def has_work(S: View, thread: int) -> int:
    """True if `move` has anything to look at: most threads are idle most of the time."""
    return S.fifo.count[thread, B] | S.replay.mode[thread]


def move(S: View, thread: int) -> int:
    """Run one cycle; 1 if anything moved."""
    mode = S.replay.mode[thread]
    if mode == PLAYING:
        return play(S, thread)
    if S.fifo.count[thread, B] == 0:
        return 0
    at = S.fifo.head[thread, B]
    word = S.fifo.word[thread, B, at]
    if mode == FORWARDING and word >> 24 == REPLAY:
        return 1 if begin_replay(S, thread, word, at) > 0 else 0
    if mode != RECORDING and room(S, thread, C) == 0:
        return 0
    return take_instruction(S, thread, mode, word, at)


def take_instruction(S: View, thread: int, mode: int, word: int, at: int) -> int:
    """Take the instruction at `at` out of FIFO B: forward it, record it, or both."""
    slot = S.fifo.slot[thread, B, at]
    if mode != FORWARDING:
        S.replay.buffer[thread, S.replay.index[thread]] = word
        count_down(S, thread)
    if mode == RECORDING:
        if slot != NO_SLOT:
            tracker.leave(S, thread, slot)
    else:
        forward(S, thread, word, at, slot)
    drop(S, thread, B)
    return 1


def forward(S: View, thread: int, word: int, at: int, slot: int) -> int:
    """Move the instruction at `at` in FIFO B to FIFO C."""
    hart = S.fifo.hart[thread, B, at]
    pc = S.fifo.pc[thread, B, at]
    cycle = S.fifo.cycle[thread, B, at]
    return put(S, thread, C, word, hart, pc, cycle, S.fifo.via[thread, B, at], slot)


def begin_replay(S: View, thread: int, word: int, at: int) -> int:
    """Take a REPLAY from FIFO B. Playing issues its first instruction in the same cycle."""
    count = (word >> 4) & 0x3F
    if count > ENTRIES:
        return fault(S, T0 + thread, Fault.REPLAY_COUNT, word, S.fifo.pc[thread, B, at])
    S.replay.index[thread] = (word >> 14) & 31
    S.replay.left[thread] = count if count else ENTRIES
    slot = S.fifo.slot[thread, B, at]
    if word & 1:
        S.replay.mode[thread] = RECORDING_AND_ISSUING if word & 2 else RECORDING
        if slot != NO_SLOT:
            tracker.leave(S, thread, slot)
        return 1 + drop(S, thread, B)
    S.replay.mode[thread] = PLAYING
    S.replay.hart[thread] = S.fifo.hart[thread, B, at]
    S.replay.pc[thread] = S.fifo.pc[thread, B, at]
    S.replay.cycle[thread] = S.fifo.cycle[thread, B, at]
    S.replay.via[thread] = S.fifo.via[thread, B, at] | VIA_REPLAY
    S.replay.slot[thread] = slot
    drop(S, thread, B)
    play(S, thread)
    return 1


def play(S: View, thread: int) -> int:
    """Issue one recorded instruction."""
    if room(S, thread, C) == 0:
        return 0
    slot = S.replay.slot[thread]
    word = S.replay.buffer[thread, S.replay.index[thread]]
    hart = S.replay.hart[thread]
    pc = S.replay.pc[thread]
    via = S.replay.via[thread]
    put(S, thread, C, word, hart, pc, S.replay.cycle[thread], via, slot)
    if slot != NO_SLOT:
        S.tracker.pending[thread, slot] += 1
    if S.replay.left[thread] == 1 and slot != NO_SLOT:
        tracker.leave(S, thread, slot)
    count_down(S, thread)
    return 1


def count_down(S: View, thread: int) -> int:
    """Go to the next entry; after the last one, clear the REPLAY."""
    S.replay.left[thread] -= 1
    S.replay.index[thread] = (S.replay.index[thread] + 1) % ENTRIES
    return stop_playing(S, thread) if S.replay.left[thread] == 0 else 0


def stop_playing(S: View, thread: int) -> int:
    """Forget the REPLAY under way."""
    S.replay.mode[thread] = FORWARDING
    S.replay.index[thread] = 0
    S.replay.left[thread] = 0
    S.replay.hart[thread] = 0
    S.replay.pc[thread] = 0
    S.replay.cycle[thread] = 0
    S.replay.via[thread] = 0
    S.replay.slot[thread] = 0
    return 0


INLINED = (has_work, move, take_instruction, forward)

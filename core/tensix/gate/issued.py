# SPDX-License-Identifier: Apache-2.0
"""The instructions that have passed the wait gates: how many, and of each unit the last, with its
origin.

The machine itself does not read it. It is for people, debuggers and history: a unit that is busy
with an instruction of a thread is busy with the last one that the thread has sent there.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.instruction import Unit

UNITS = len(Unit)
UNPACKER = list(Unit).index(Unit.UNPACKER)
UNPACKER_1 = UNITS  # a place of its own, after the units
PLACES = UNITS + 1
WHICH_UNPACKER = 23  # bit of UNPACR and UNPACR_NOP

_M = Tag.MONOTONE
_LAST = (THREADS, PLACES)

# fmt: off
PASSED = Part("passed", (
    row("count", "i64", THREADS, _M, "instructions that have passed the gate"),
    row("index", "u32", THREADS, _M, "of these, how many of the last one's push"),
    row("word",  "u32", THREADS, _M, "the last one"),
    row("pc",    "u32", THREADS, _M, "the last one's origin"),
    row("hart",  "u8",  THREADS, _M, "the last one's origin"),
    row("cycle", "i64", THREADS, _M, "the last one's origin"),
    row("to_word", "u32", _LAST, _M, "the last one that each unit has got"),
    row("to_pc",   "u32", _LAST, _M, "its origin"),
    row("to_hart", "u8",  _LAST, _M, "its origin"),
    row("to_when", "i64", _LAST, _M, "1 + the cycle in which it passed; 0: there was none"),
), chapter=Chapter.CONTROL)
# fmt: on


def place_of(unit: int, word: int) -> int:
    """Return where the last instruction of a unit is kept; each unpacker is one."""
    return UNPACKER_1 if unit == UNPACKER and (word >> WHICH_UNPACKER) & 1 else unit


def note_unit(S: View, thread: int, unit: int) -> int:
    """The unit has got the instruction that is still at the gate."""
    at = S.fifo.head[thread, C]
    word = S.fifo.word[thread, C, at]
    place = place_of(unit, word)
    S.passed.to_word[thread, place] = word
    S.passed.to_pc[thread, place] = S.fifo.pc[thread, C, at]
    S.passed.to_hart[thread, place] = S.fifo.hart[thread, C, at]
    S.passed.to_when[thread, place] = S.tile.cycle + 1
    return 0


def count(S: View, thread: int) -> int:
    """The instruction at the gate leaves it. One push is known by hart, pc and cycle: a hart
    stores once in a cycle, and the instructions of a bundle have a pc each."""
    at = S.fifo.head[thread, C]
    pc = S.fifo.pc[thread, C, at]
    hart = S.fifo.hart[thread, C, at]
    cycle = S.fifo.cycle[thread, C, at]
    S.passed.count[thread] += 1
    S.passed.word[thread] = S.fifo.word[thread, C, at]
    if (
        S.passed.pc[thread] == pc
        and S.passed.cycle[thread] == cycle
        and S.passed.hart[thread] == hart
    ):
        S.passed.index[thread] += 1
        return 0
    S.passed.index[thread] = 1
    S.passed.pc[thread] = pc
    S.passed.hart[thread] = hart
    S.passed.cycle[thread] = cycle
    return 0


INLINED = (note_unit, count)

# SPDX-License-Identifier: Apache-2.0
"""Words that a debugger watches against changes by the coprocessor.

Units write in many places; so the words are compared, in the CHECKED loop and only while there are
any: before a cycle of the coprocessor they are remembered, and after each of its steps a word that
has another value stops the tile. The step tells which thread made the change: the one with the
instruction that has just passed its gate, the stage of the configuration pipeline that has written,
or the memory request of the Scalar Unit that was due. `S.stop` then has the word in `a`, its old
value in `b`, and `gate_watch` the instruction.

A write of the value that is there already is no change. What harts write is none of the
coprocessor's: their watches (core/stop.py) stop before the store.
"""

import enum

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.memory import l1_watch, regions
from tensix_gdb.core.memory.ram import l1_read
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.stop import AT_GATE, STOPPED, StopKind, stop
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.gate.issued import PLACES
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.regfiles import rwc
from tensix_gdb.core.tensix.scalar import memory_requests as requests
from tensix_gdb.core.tensix.vector.pipeline import RESULT, stage

COLD = True  # little time of LLVM for it (core/engine/README.md)

CELLS = 256


class Cell(enum.IntEnum):
    """The kind of place of a watched word."""

    L1 = 0  # at: address
    GPR = 1  # at: 64 of each thread
    DEVICE = 2  # at: address as the hart of row `seen_by` sees it
    SEMAPHORE_MAX = 3  # at: which
    MUTEX = 4  # at: which; 1 + the holder
    LREG = 5  # at: 32 of each
    DST = 6  # at: 8 pairs of columns of each row of DstBits
    SRC_A = 7  # at: 16 columns of each row of each bank
    SRC_B = 8
    ADC = 9  # at: four counters of each channel of each unit of each thread
    RWC = 10  # at: which, of the thread `seen_by`
    ADC_CR = 11  # at: as ADC
    LANES = 12  # at: 0 LaneFlags, 1 UseLaneFlagsForLaneEnable


# What may be due: an answer, requests to L1 and to devices, the last stage of RDCFG.
ANSWER, TO_L1, TO_DEVICE, READ = range(4)
DUE = 4

_DATA = (Unit.MOVER, Unit.PACKER, Unit.UNPACKER, Unit.FPU, Unit.SFPU)
IS_DATA = (*(int(unit in _DATA) for unit in Unit), 1)  # by place in core/tensix/gate/issued.py
THCON = list(Unit).index(Unit.THCON)
PACKER = list(Unit).index(Unit.PACKER)
MOVER = list(Unit).index(Unit.MOVER)
SFPU = list(Unit).index(Unit.SFPU)
_D = Tag.DERIVED

# fmt: off
GATE_WATCH = Part("gate_watch", (
    row("cells",  "u32", (),     _D, "number of watched words"),
    row("kind",   "u8",  CELLS,  _D, "Cell"),
    row("seen_by", "u8", CELLS,  _D, "hart, of DEVICE; thread, of RWC"),
    row("at",     "u32", CELLS,  _D, "which word"),
    row("mask",   "u32", CELLS,  _D, "the bits of it that are watched"),
    row("value",  "i64", CELLS,  _D, "what it was"),
    row("thread", "u8",  (),     _D, "the thread that has changed it"),
    row("word",   "u32", (),     _D, "by which instruction; 0: not known"),
    row("hart",   "u8",  (),     _D, "its origin"),
    row("pc",     "u32", (),     _D, "its origin"),
    row("due",        "u8",  DUE, _D, "is there a request of this kind?"),
    row("due_thread", "u8",  DUE, _D, "the request's thread"),
    row("due_word",   "u32", DUE, _D, "its instruction"),
    row("due_hart",   "u8",  DUE, _D, "the instruction's origin"),
    row("due_pc",     "u32", DUE, _D, "the instruction's origin"),
    row("due_gpr",    "u8",  DUE, _D, "where an answer goes to"),
    row("due_addr",   "u32", DUE, _D, "where it is processed"),
))
# fmt: on


def value_of(S: View, i: int) -> int:
    """Return the watched bits of a word, as they are now."""
    at = S.gate_watch.at[i]
    value = 0
    match S.gate_watch.kind[i]:
        case Cell.L1:
            value = l1_read(S, at, 4, 0)
        case Cell.GPR:
            value = S.gpr.word[at]
        case Cell.DEVICE:
            value = max(regions.peek(S, S.gate_watch.seen_by[i], at), 0)
        case Cell.SEMAPHORE_MAX:
            value = S.semaphore.max[at]
        case Cell.LREG:
            value = S.vector.lreg[at >> 5, at & 31]
        case Cell.DST:
            value = S.dst.pairs[at]
        case Cell.SRC_A:
            value = S.src.a[at >> 10, (at >> 4) & 63, at & 15]
        case Cell.SRC_B:
            value = S.src.b[at >> 10, (at >> 4) & 63, at & 15]
        case Cell.ADC:
            value = S.adc.value[at // 24, (at // 8) % 3, (at >> 2) & 1, at & 3]
        case Cell.RWC:
            value = rwc.counter(S, S.gate_watch.seen_by[i], at)
        case Cell.ADC_CR:
            value = S.adc.cr[at // 24, (at // 8) % 3, (at >> 2) & 1, at & 3]
        case Cell.LANES:
            value = S.vector.use_flags if at else S.vector.flags
        case _:
            value = S.mutex.holder[at]
    return value & S.gate_watch.mask[i]


def remember(S: View) -> int:
    """Note the values of all words; forget what was done in watched ranges of L1."""
    l1_watch.forget(S)
    for i in range(S.gate_watch.cells):
        S.gate_watch.value[i] = value_of(S, i)
    return 0


def note_due(S: View) -> int:
    """Keep what the Scalar Unit's next step may process: a request that is over is forgotten."""
    answer = -1
    for i in range(S.thcon.requests - 1, -1, -1):
        if S.thcon.answer[i]:
            answer = i
    keep_request(S, ANSWER, answer)
    keep_request(S, TO_L1, requests.oldest(S, 1))
    keep_request(S, TO_DEVICE, requests.oldest(S, 0))
    stage = config_pipe.WRITE_BACK
    S.gate_watch.due[READ] = S.config_pipe.op[stage] == config_pipe.Op.READ
    S.gate_watch.due_thread[READ] = S.config_pipe.thread[stage]
    S.gate_watch.due_word[READ] = S.config_pipe.word[stage]
    S.gate_watch.due_hart[READ] = S.config_pipe.hart[stage]
    S.gate_watch.due_pc[READ] = S.config_pipe.pc[stage]
    S.gate_watch.due_gpr[READ] = S.config_pipe.reg[stage]
    return 0


def keep_request(S: View, which: int, i: int) -> int:
    """Keep request `i`, or that there is none."""
    S.gate_watch.due[which] = 1 if i >= 0 else 0
    if i >= 0:
        S.gate_watch.due_thread[which] = S.thcon.owner[i]
        S.gate_watch.due_word[which] = S.thcon.word[i]
        S.gate_watch.due_hart[which] = S.thcon.hart[i]
        S.gate_watch.due_pc[which] = S.thcon.pc[i]
        S.gate_watch.due_gpr[which] = S.thcon.gpr[i]
        S.gate_watch.due_addr[which] = S.thcon.addr[i]
    return 0


def changed(S: View) -> int:
    """1 + the first word that has changed, which is the new value from now on; CELLS and more for
    a range of L1; or 0."""
    if S.l1_watch.hit:
        return CELLS + S.l1_watch.hit
    for i in range(S.gate_watch.cells):
        if value_of(S, i) != S.gate_watch.value[i]:
            return i + 1
    return 0


def stop_by(S: View, cell: int, thread: int, word: int, hart: int, pc: int) -> int:
    """Stop: this instruction has changed word `found - 1`."""
    i = cell - 1
    old = S.l1_watch.old if i >= CELLS else S.gate_watch.value[i]
    remember(S)
    stop(S, hart, StopKind.WATCH, i, old)
    S.stop.pc = pc
    S.stop.stream = AT_GATE | thread
    S.gate_watch.thread = thread
    S.gate_watch.word = word
    S.gate_watch.hart = hart
    S.gate_watch.pc = pc
    return STOPPED


def by_gate(S: View, thread: int) -> int:
    """Check after an issued instruction: STOPPED if it has changed a word."""
    cell = changed(S)
    if cell == 0:
        return 0
    return stop_by(
        S, cell, thread, S.passed.word[thread], S.passed.hart[thread], S.passed.pc[thread]
    )


def by_pipeline(S: View) -> int:
    """Check after the work of the configuration pipeline."""
    cell = changed(S)
    if cell == 0:
        return 0
    if cell > CELLS:
        return stop_last(S, cell, S.l1_watch.thread, S.l1_watch.by - 1)
    at = config_pipe.ACCESS
    return stop_by(
        S,
        cell,
        S.config_pipe.thread[at],
        S.config_pipe.word[at],
        S.config_pipe.hart[at],
        S.config_pipe.pc[at],
    )


def by_units(S: View) -> int:
    """Check after the units' own work: results, answers and requests of the Scalar Unit, and the
    others.

    A GPR is changed by an answer that goes there, by RDCFG, or by a result. What was no request of
    the Scalar Unit is the data unit's that has got an instruction last.
    """
    cell = changed(S)
    if cell == 0:
        return 0
    if cell > CELLS:
        return by_unit(S, cell)
    kind = S.gate_watch.kind[cell - 1]
    at = S.gate_watch.at[cell - 1]
    if kind == Cell.GPR:
        thread = at // 64
        for which in range(DUE):
            if writes_gpr(S, which, thread, at % 64):
                return stop_due(S, cell, which)
        return stop_last(S, cell, thread, THCON)
    writer = stage(S, RESULT)
    if kind == Cell.LREG and S.vector_pipe.word[writer]:
        return stop_by(
            S,
            cell,
            S.vector_pipe.thread[writer],
            S.vector_pipe.word[writer],
            S.vector_pipe.hart[writer],
            S.vector_pipe.pc[writer],
        )
    if kind == Cell.LANES:  # what SFPLOADMACRO has scheduled
        return stop_of_unit(S, cell, SFPU)
    # A request writes within 16 aligned bytes.
    near = S.gate_watch.due_addr[TO_L1] >> 4 == at >> 4
    if kind == Cell.L1 and S.gate_watch.due[TO_L1] and near:
        return stop_due(S, cell, TO_L1)
    if Cell.L1 < kind < Cell.LREG and S.gate_watch.due[TO_DEVICE]:
        return stop_due(S, cell, TO_DEVICE)
    return stop_newest(S, cell)


def by_unit(S: View, cell: int) -> int:
    """A unit has reached a watched range of L1."""
    place = S.l1_watch.by - 1
    if place == THCON and S.gate_watch.due[TO_L1]:
        return stop_due(S, cell, TO_L1)
    if place == PACKER:
        return stop_last(S, cell, S.l1_watch.thread, PACKER)
    return stop_newest(S, cell)


def stop_of_unit(S: View, cell: int, place: int) -> int:
    """Stop because of the last instruction that a unit has got, of any thread."""
    last_thread = 0
    for thread in range(1, THREADS):
        if S.passed.to_when[thread, place] > S.passed.to_when[last_thread, place]:
            last_thread = thread
    return stop_last(S, cell, last_thread, place)


def stop_newest(S: View, cell: int) -> int:
    """Stop because of the data unit that has got an instruction last."""
    last_thread = 0
    last_place = 0
    when = 0
    for thread in range(THREADS):
        for place in range(PLACES):
            if IS_DATA[place] and S.passed.to_when[thread, place] > when:
                when = S.passed.to_when[thread, place]
                last_thread = thread
                last_place = place
    return stop_last(S, cell, last_thread, last_place)


def writes_gpr(S: View, which: int, thread: int, reg: int) -> int:
    """Did what was due write this GPR?"""
    if S.gate_watch.due[which] == 0 or S.gate_watch.due_thread[which] != thread:
        return 0
    first = S.gate_watch.due_gpr[which]
    if which == READ:
        return 1 if reg == first else 0
    return 1 if which == ANSWER and first <= reg < first + 4 else 0


def stop_due(S: View, cell: int, which: int) -> int:
    """Stop because of what was due."""
    return stop_by(
        S,
        cell,
        S.gate_watch.due_thread[which],
        S.gate_watch.due_word[which],
        S.gate_watch.due_hart[which],
        S.gate_watch.due_pc[which],
    )


def stop_last(S: View, cell: int, thread: int, place: int) -> int:
    """Stop because of the last instruction that a unit has got."""
    return stop_by(
        S,
        cell,
        thread,
        S.passed.to_word[thread, place],
        S.passed.to_hart[thread, place],
        S.passed.to_pc[thread, place],
    )

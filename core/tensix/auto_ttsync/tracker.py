# SPDX-License-Identifier: Apache-2.0
"""Auto TTSync's tracking machinery of a thread (AutoTTSync.md, PushTensixInstruction.md).

It sees what a T core emits, in the order of emission, and gives each push a *slot* and each tracked
load or store a number in the same order:

    gate      an instruction waits while a tracked request older than its slot, which it conflicts
              with, is emitted and not processed
    region    a tracked request waits while a slot older than it, which it conflicts with, has
              instructions before the wait gate; and one to a GPR until the Scalar Unit's ALU and
              RDCFG have written theirs, which takes some cycles after the gate

They conflict when one of them writes what the other touches. A slot holds one pushed instruction;
if that is a MOP or REPLAY, its whole expansion, of which only the first instruction waits at the
gate. That a load may be emitted while an older push is in the store queue, and then counts as the
older one, is the documented hardware bug.

UNSPECIFIED(AutoTTSync.md): until when a request waits. "Until the instruction has passed the wait
gate", and then "the final value is the write from RISCV", and a load sees the value from after the
instruction. Both are true of an instruction that writes its GPR later if the request waits for
that, as here where the result takes a fixed time: in the ALU group and RDCFG. What LOADIND,
LOADREG and atomics bring comes when L1 or a device has answered, which other pages leave to C0; a
request that has been held for their gate does not wait for it.

The slots also bound how much a thread holds in its frontend, even with Auto TTSync turned off.
"""

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.isa.masks import DEFAULT_RESOURCES
from tensix_gdb.core.isa.opcodes import RESOURCEDECL, SETC16
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import Chapter, Part, Role, Tag, View, row
from tensix_gdb.core.tensix.auto_ttsync.resources import (
    GPRS,
    STATE_ID_WORD,
    class_of,
    declared,
    of_access,
)
from tensix_gdb.core.tensix.config.pipeline import ACCESS, DECLARED, WRITE_BACK, Op
from tensix_gdb.core.tensix.frontend.fifo import A as FIFO_A
from tensix_gdb.core.tensix.scalar.pipeline import RESULT

SLOTS = 32
FULL = 28  # with more taken, nothing is accepted
CLASSES = 16
FULL_OF = (FULL, 15)  # by chip: with as many taken, nothing, or a look at the FIFO decides
ROOM_WORMHOLE = (32, 16, 16)  # TensixFrontend.svg of WormholeB0: the FIFO of T0, T1 and T2
LINGER_RESET = 1  # UNSPECIFIED(AutoTTSync.md): the reset value; that of the assembler table's use

_A, _T = Tag.ARCHITECTURAL, Tag.TIMING
_SLOTS = (THREADS, SLOTS)

# fmt: off
TRACKER = Part("tracker", (
    row("head",      "u8",  THREADS,            _A, "the oldest slot in use"),
    row("count",     "u8",  THREADS,            _A, "slots in use"),
    row("entering",  "u8",  THREADS,            _A, "slots with a push on its way"),
    row("pending",   "u8",  _SLOTS,             _A, "its instructions before the wait gate"),
    row("checked",   "u8",  _SLOTS,             _A, "its first instruction was let pass"),
    row("reads",     "u8",  _SLOTS,             _A, "resources"),
    row("writes",    "u8",  _SLOTS,             _A, "resources"),
    row("number",    "u32", _SLOTS,             _A, "its place in the order of emission"),
    row("next",      "u32", THREADS,            _A, "number for what is emitted next"),
    row("linger",    "u8",  _SLOTS,             _A, "cycles that the gate still waits after it"),
    row("lingering", "u8",  THREADS,            _T, "bits: the gate waits for longer"),
    row("resources", "u16", (THREADS, CLASSES), _A, "RESOURCEDECL: of each class"),
    row("lingers",   "u8",  (THREADS, CLASSES), _A, "RESOURCEDECL: of each class"),
    row("state",     "u8",  THREADS,            _A, "bank that the next push uses"),
), role=Role.PROGRESS, chapter=Chapter.CONTROL)
# fmt: on


def power_up(S: View) -> int:
    """The declarations that the classes start with."""
    for thread in range(THREADS):
        for number in range(CLASSES):
            S.tracker.resources[thread, number] = DEFAULT_RESOURCES[number]
            S.tracker.lingers[thread, number] = LINGER_RESET
    return 0


def accepts(S: View, thread: int) -> int:
    """True if the T core's next push may be emitted; a bundle of four is one push."""
    if S.tracker.count[thread] > FULL_OF[S.tile.chip]:
        return has_room(S, thread) if S.tile.chip else 0
    return 1


def has_room(S: View, thread: int) -> int:
    """Wormhole has no tracker: the FIFO before the MOP expander bounds what is taken. T0 could have
    42 with the FIFOs after it; the record has slots for 29."""
    held = S.fifo.count[thread, FIFO_A] + S.tracker.entering[thread]
    return 1 if held < ROOM_WORMHOLE[thread] and S.tracker.count[thread] <= FULL else 0


def number_next(S: View, thread: int) -> int:
    """Return the place of what is emitted now."""
    if S.tracker.count[thread] == 0 and requests(S, thread) == 0:
        S.tracker.next[thread] = 0  # nothing is left to be older than: start again
    number = S.tracker.next[thread]
    S.tracker.next[thread] = number + 1
    return number


def requests(S: View, thread: int) -> int:
    """Requests that C10 counts, reads and writes: emitted to the three regions, not processed."""
    hart = T0 + thread
    return (
        S.stream.count[hart, streams.GPR]
        + S.stream.count[hart, streams.CONFIG]
        + S.stream.count[hart, streams.TDMA]
    )


def note_push(S: View, thread: int, word: int) -> int:
    """A T core emits an instruction: take a slot for it."""
    number = number_next(S, thread)
    slot = (S.tracker.head[thread] + S.tracker.count[thread]) % SLOTS
    S.tracker.count[thread] += 1
    S.tracker.entering[thread] += 1
    of_class = class_of(word)
    touched = declared(S, thread, word, of_class, S.tracker.state[thread])
    S.tracker.number[thread, slot] = number
    S.tracker.pending[thread, slot] = 1
    S.tracker.checked[thread, slot] = 0
    S.tracker.reads[thread, slot] = touched & 0xFF
    S.tracker.writes[thread, slot] = touched >> 8
    S.tracker.linger[thread, slot] = (
        S.tracker.lingers[thread, of_class] if of_class < CLASSES else 0
    )
    if word >> 24 == RESOURCEDECL:
        declare(S, thread, word)
    return slot


def note_bundle_end(S: View, thread: int, word: int) -> int:
    """After the last instruction of a bundle the bank that `word` selects is known (SETC16.md)."""
    if word >> 24 == SETC16 and (word >> 16) & 0xFF == STATE_ID_WORD:
        S.tracker.state[thread] = word & 1
    return 0


def declare(S: View, thread: int, word: int) -> int:
    """RESOURCEDECL."""
    S.tracker.resources[thread, word & 0xF] = (word >> 4) & 0x1FF
    S.tracker.lingers[thread, word & 0xF] = (word >> 13) & 0xF
    return 0


def note_access(S: View, hart: int, stream: int, i: int) -> int:
    """A T core emits a load or store: request `i` of `stream`."""
    touched = of_access(S, hart, stream, S.stream.addr[hart, stream, i])
    S.stream.touches[hart, stream, i] = touched
    if touched:
        S.stream.number[hart, stream, i] = number_next(S, hart - T0)
    return 0


def enter(S: View, thread: int) -> int:
    """Return the slot of the push that is processed now."""
    entering = S.tracker.entering[thread]
    S.tracker.entering[thread] = entering - 1
    return (S.tracker.head[thread] + S.tracker.count[thread] - entering) % SLOTS


def leave(S: View, thread: int, slot: int) -> int:
    """One instruction of a slot has passed the gate, or is gone."""
    S.tracker.pending[thread, slot] -= 1
    while S.tracker.count[thread] and S.tracker.pending[thread, S.tracker.head[thread]] == 0:
        at = S.tracker.head[thread]
        S.tracker.checked[thread, at] = 0
        S.tracker.reads[thread, at] = 0
        S.tracker.writes[thread, at] = 0
        S.tracker.number[thread, at] = 0
        S.tracker.linger[thread, at] = 0
        S.tracker.count[thread] -= 1
        S.tracker.head[thread] = (at + 1) % SLOTS if S.tracker.count[thread] else 0
    return 0


def note_late_write(S: View, thread: int, slot: int) -> int:
    """An instruction of the slot passes the gate: remember that its GPR is declared, if it is still
    to be written."""
    if S.tracker.writes[thread, slot] & GPRS == 0:
        return 0
    if S.thcon.state == RESULT and S.thcon.thread == thread:
        S.thcon.declared = 1
    if S.config_pipe.op[ACCESS] == Op.READ and S.config_pipe.thread[ACCESS] == thread:
        S.config_pipe.data[ACCESS, DECLARED] = 1
    return 0


def writes_gpr_later(S: View, thread: int) -> int:
    """True if an instruction past the gate has not written its GPR yet."""
    if S.thcon.declared and S.thcon.thread == thread:
        return 1
    for stage in range(ACCESS, WRITE_BACK + 1):
        is_its = S.config_pipe.op[stage] == Op.READ and S.config_pipe.thread[stage] == thread
        if is_its and S.config_pipe.data[stage, DECLARED]:
            return 1
    return 0


def abort_pushes(S: View, thread: int) -> int:
    """The T core loses the pushes that are not processed yet."""
    while S.tracker.entering[thread] > 0:
        S.tracker.entering[thread] -= 1
        S.tracker.count[thread] -= 1
        at = (S.tracker.head[thread] + S.tracker.count[thread]) % SLOTS
        S.tracker.pending[thread, at] = 0
        S.tracker.reads[thread, at] = 0
        S.tracker.writes[thread, at] = 0
        S.tracker.number[thread, at] = 0
        S.tracker.linger[thread, at] = 0
    return 0


def request_must_wait(S: View, hart: int, stream: int) -> int:
    """Region: is the oldest request of `stream` to wait for an instruction before the gate?"""
    touched = S.stream.touches[hart, stream, 0]
    if touched == 0:
        return 0
    thread = hart - T0
    if touched & GPRS and writes_gpr_later(S, thread):
        return 1
    for i in range(S.tracker.count[thread]):
        slot = (S.tracker.head[thread] + i) % SLOTS
        if (
            S.tracker.pending[thread, slot] > 0
            and S.tracker.number[thread, slot] < S.stream.number[hart, stream, 0]
            and conflict(S, thread, slot, touched, S.stream.kind[hart, stream, 0])
        ):
            return 1
    return 0


def gate_must_wait(S: View, thread: int, slot: int) -> int:
    """Gate: is the first instruction of `slot` to wait for a request?"""
    if S.tracker.checked[thread, slot]:
        return 0
    if S.tracker.reads[thread, slot] == 0 and S.tracker.writes[thread, slot] == 0:
        return 0
    if requests(S, thread) and (
        older_conflict(S, thread, slot, streams.GPR)
        or older_conflict(S, thread, slot, streams.CONFIG)
        or older_conflict(S, thread, slot, streams.TDMA)
    ):
        S.tracker.lingering[thread] |= S.tracker.linger[thread, slot]
        return 1
    return 1 if S.tracker.lingering[thread] else 0


def older_conflict(S: View, thread: int, slot: int, stream: int) -> int:
    """True if a request in `stream` is older than the slot and conflicts with it."""
    hart = T0 + thread
    for i in range(S.stream.count[hart, stream]):
        touched = S.stream.touches[hart, stream, i]
        if (
            touched
            and S.stream.number[hart, stream, i] < S.tracker.number[thread, slot]
            and conflict(S, thread, slot, touched, S.stream.kind[hart, stream, i])
        ):
            return 1
    return 0


def conflict(S: View, thread: int, slot: int, touched: int, kind: int) -> int:
    """True if the instruction writes what the request touches, or the request what it touches."""
    against = S.tracker.writes[thread, slot]
    if kind == streams.WRITE:
        against = against | S.tracker.reads[thread, slot]
    return 1 if touched & against else 0


def shift_lingering(S: View, thread: int) -> int:
    """A cycle goes by."""
    if S.tracker.lingering[thread] == 0:
        return 0
    S.tracker.lingering[thread] = S.tracker.lingering[thread] >> 1
    return 1


INLINED = (number_next, requests, note_push, enter, leave, gate_must_wait)

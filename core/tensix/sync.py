# SPDX-License-Identifier: Apache-2.0
"""Sync Unit (SyncUnit.md): mutexes, semaphores, and the three instructions that latch a wait.

A wait instruction completes at once; what it latches holds later instructions of the thread at the
wait gate, until all selected conditions are met at the same time.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.devices.semaphores import LARGEST, SEMAPHORES
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa import masks, opcodes
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.operand import ALWAYS, PLAIN
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.gate.latch import SEMWAIT, STALLWAIT, STREAMWAIT, latch
from tensix_gdb.core.tensix.instruction import BH, WH, Arch, Group, Operand, Unit, tensix
from tensix_gdb.core.tensix.wormhole import translate

# fmt: off
SYNC = Group(Unit.SYNC, blocked_by=Block.B1, latency="1", operands={
    "block_mask":      Operand(masks.BLOCK_MASK, "what is held at the wait gate; 0 means B6"),
    "condition_mask":  Operand(masks.CONDITIONS_BLACKHOLE, "what to wait for; 0 means C0 to C3"),
    "semaphore_mask":  Operand(masks.SEMAPHORES, "the semaphores that are meant"),
    "index":           Operand(ALWAYS, "the mutex: 0, 2, 3 or 4, on Wormhole 0 and 2 to 7"),
    "new_max":         Operand(ALWAYS, "Max of the selected semaphores"),
    "new_value":       Operand(ALWAYS, "Value of the selected semaphores"),
    "target_value_lo": Operand(ALWAYS, "low ten bits of the target; ThreadConfig has the others"),
    "condition_index": Operand(masks.CONDITION_STREAMWAIT, "what is compared with the target"),
    "stream_select":   Operand(PLAIN, "which STREAM_ID_SYNC register names the stream"),
})
CONDITIONS_WH = Operand(masks.CONDITIONS_WORMHOLE, "what to wait for; 0 means C0 to C6")
ONE_MUTEX, CHOSEN = uses.MUTEXES.named("index"), uses.SEMAPHORES.masked("semaphore_mask")
SEM_CONDITIONS = Operand(
    masks.CONDITIONS_SEMWAIT, "what to wait for; 0 has no meaning on the newest page")

SEMWAIT_ENCODING = tensix(opcodes.SEMWAIT, "block_mask" / Bits(9), Unused(5),
                          "semaphore_mask" / Bits(8), "condition_mask" / Bits(2))

MUTEXES = 8  # on Wormhole
MUTEXES_OF = (5, MUTEXES)  # by chip; there is no mutex 1
MUTEX = Part("mutex", (
    row("holder",   "u8", MUTEXES, Tag.ARCHITECTURAL, "1 + the thread that holds it, 0 for none"),
    row("releaser", "u8", MUTEXES, Tag.ARCHITECTURAL, "the thread that has released it last"),
), chapter=Chapter.CONTROL)
# fmt: on

_FIELDS = config_fields(Arch.BLACKHOLE)
PHASE_HI_WORD = _FIELDS["STREAMWAIT_PHASE_HI_Val"].word
MESSAGES_HI_WORD = _FIELDS["STREAMWAIT_NUM_MSGS_HI_Val"].word
MESSAGES_HI_MASK = (1 << _FIELDS["STREAMWAIT_NUM_MSGS_HI_Val"].width) - 1
PHASE_HI_MASK = (1 << _FIELDS["STREAMWAIT_PHASE_HI_Val"].width) - 1


def has_mutex(chip: int, index: int) -> int:
    """True if a chip has that mutex."""
    return 1 if index == 0 or 2 <= index < MUTEXES_OF[chip] else 0


def is_mutex(S: View, index: int) -> int:
    """True if there is such a mutex; waiting for another one never ends."""
    return has_mutex(S.tile.chip, index)


def must_wait_for_mutex(S: View, thread: int, index: int, rivals: int) -> int:
    """Gate: ATGETM waits while another thread holds the mutex.

    A free mutex that others at their gates want too (`contenders`, a bit per thread) goes to the
    thread after the one that has released it (ATRELM.md).
    """
    if not is_mutex(S, index):
        return 1
    holder = S.mutex.holder[index]
    if holder:
        return 0 if holder == thread + 1 else 1
    chosen = (S.mutex.releaser[index] + 1) % THREADS
    return 1 if chosen != thread and (rivals >> chosen) & 1 else 0


@SYNC.instruction(
    "ATGETM", tensix(0xA0, Unused(8), "index" / Bits(16)),
    llk="mutex_index@0", latency="1+", page=BH + "ATGETM.md",
    reads=(ONE_MUTEX,), writes=(ONE_MUTEX.effect(uses.Effect.TAKE),),
    summary="Wait until the mutex is free or already this thread's, and take it.",
)  # fmt: skip
def atgetm(S: View, thread: int, index: int) -> int:
    """ATGETM.md; the wait is at the gate."""
    S.mutex.holder[index] = thread + 1
    return 0


@SYNC.instruction(
    "ATRELM", tensix(0xA1, Unused(8), "index" / Bits(16)),
    llk="mutex_index@0", page=BH + "ATRELM.md",
    reads=(ONE_MUTEX,), writes=(ONE_MUTEX.effect(uses.Effect.RELEASE),),
    summary="Release the mutex if this thread holds it.",
)  # fmt: skip
def atrelm(S: View, thread: int, index: int) -> int:
    """ATRELM.md"""
    if S.mutex.holder[index] == thread + 1:
        S.mutex.holder[index] = 0
        S.mutex.releaser[index] = thread
    return 0


@SYNC.instruction(
    "STALLWAIT", tensix(0xA2, "block_mask" / Bits(9), Unused(2), "condition_mask" / Bits(13)),
    arch=Arch.BLACKHOLE, llk="stall_res@15 wait_res@0",
    blocked_by=Block.ALL, page=BH + "STALLWAIT.md",
    writes=(uses.LATCHED_WAIT,),
    summary="Latch a wait: what the block mask catches waits for all chosen conditions.",
)  # fmt: skip
def stallwait(S: View, thread: int, block_mask: int, condition_mask: int) -> int:
    """STALLWAIT.md"""
    return latch(S, thread, STALLWAIT, block_mask, condition_mask if condition_mask else 0xF)


@SYNC.instruction(
    "STALLWAIT", tensix(0xA2, "block_mask" / Bits(9), "condition_mask" / Bits(15)),
    arch=Arch.WORMHOLE, llk="stall_res@15 wait_res@0",
    blocked_by=Block.ALL, page=WH + "STALLWAIT.md",
    operands={"condition_mask": CONDITIONS_WH},
    writes=(uses.LATCHED_WAIT,),
    summary="Latch a wait: what the block mask catches waits for all chosen conditions.",
)  # fmt: skip
def stallwait_wormhole(S: View, thread: int, block_mask: int, condition_mask: int) -> int:
    """STALLWAIT.md of Wormhole"""
    return latch(S, thread, STALLWAIT, block_mask, translate(condition_mask))


@SYNC.instruction(
    "SEMINIT", tensix(opcodes.SEMINIT, "new_max" / Bits(4), "new_value" / Bits(4), Unused(6),
                      "semaphore_mask" / Bits(8), Unused(2)),
    llk="max_value@20 init_value@16 sem_sel@2", page=BH + "SEMINIT.md",
    writes=(CHOSEN.effect(uses.Effect.INIT),),
    summary="Set Value and Max of the selected semaphores.",
)  # fmt: skip
def seminit(S: View, thread: int, new_max: int, new_value: int, semaphore_mask: int) -> int:
    """SEMINIT.md"""
    for i in range(SEMAPHORES):
        if (semaphore_mask >> i) & 1:
            S.semaphore.value[i] = new_value
            S.semaphore.max[i] = new_max
    return 0


@SYNC.instruction(
    "SEMPOST", tensix(opcodes.SEMPOST, Unused(14), "semaphore_mask" / Bits(8), Unused(2)),
    llk="sem_sel@2", page=BH + "SEMPOST.md",
    reads=(CHOSEN,), writes=(CHOSEN.effect(uses.Effect.POST),),
    summary="Add 1 to the selected semaphores, up to 15.",
)  # fmt: skip
def sempost(S: View, thread: int, semaphore_mask: int) -> int:
    """SEMPOST.md"""
    for i in range(SEMAPHORES):
        if (semaphore_mask >> i) & 1:
            S.semaphore.value[i] = min(S.semaphore.value[i] + 1, LARGEST)
    return 0


@SYNC.instruction(
    "SEMGET", tensix(opcodes.SEMGET, Unused(14), "semaphore_mask" / Bits(8), Unused(2)),
    llk="sem_sel@2", page=BH + "SEMGET.md",
    reads=(CHOSEN,), writes=(CHOSEN.effect(uses.Effect.GET),),
    summary="Subtract 1 from the selected semaphores, down to 0.",
)  # fmt: skip
def semget(S: View, thread: int, semaphore_mask: int) -> int:
    """SEMGET.md"""
    for i in range(SEMAPHORES):
        if (semaphore_mask >> i) & 1:
            S.semaphore.value[i] = max(S.semaphore.value[i] - 1, 0)
    return 0


@SYNC.instruction(
    "SEMWAIT", SEMWAIT_ENCODING, arch=Arch.BLACKHOLE,
    llk="stall_res@15 sem_sel@2 wait_sem_cond@0",
    blocked_by=Block.ALL, page=BH + "SEMWAIT.md", operands={"condition_mask": SEM_CONDITIONS},
    reads=(CHOSEN,), writes=(uses.LATCHED_WAIT,),
    summary="Latch a wait for semaphores that are zero or full.",
)  # fmt: skip
def semwait(S: View, thread: int, block_mask: int, semaphore_mask: int, condition_mask: int) -> int:
    """SEMWAIT.md. Without a condition it is undefined on the newest page."""
    if condition_mask == 0:
        return fault_at_gate(S, thread, Fault.TENSIX_SEMWAIT)
    latch(S, thread, SEMWAIT, block_mask, condition_mask)
    S.latch.semaphores[thread] = semaphore_mask
    return 0


# SEMWAIT.md of Wormhole: only B1 holds it; otherwise it replaces the wait that is latched.
@SYNC.instruction(
    "SEMWAIT", SEMWAIT_ENCODING, arch=Arch.WORMHOLE,
    llk="stall_res@15 sem_sel@2 wait_sem_cond@0",
    page=WH + "SEMWAIT.md", operands={"condition_mask": SEM_CONDITIONS},
    reads=(CHOSEN,), writes=(uses.LATCHED_WAIT,),
    summary="Latch a wait for semaphores that are zero or full; an older wait is forgotten.",
)  # fmt: skip
def semwait_wormhole(
    S: View, thread: int, block_mask: int, semaphore_mask: int, condition_mask: int
) -> int:
    """SEMWAIT.md of Wormhole"""
    return semwait(S, thread, block_mask, semaphore_mask, condition_mask)


@SYNC.instruction(
    "STREAMWAIT", tensix(0xA7, "block_mask" / Bits(9), Unused(1), "target_value_lo" / Bits(10),
                         "condition_index" / Bits(1), Unused(1), "stream_select" / Bits(2)),
    arch=Arch.BLACKHOLE, llk="stall_res@15 target_value@4 target_sel@3 wait_stream_sel@0",
    blocked_by=Block.ALL, page=BH + "STREAMWAIT.md",
    reads=(uses.STREAMS, uses.SAMPLED), writes=(uses.LATCHED_WAIT,),
    summary="Latch a wait for a NoC overlay stream to reach a phase or a number of messages.",
)  # fmt: skip
def streamwait(
    S: View,
    thread: int,
    block_mask: int,
    target_value_lo: int,
    condition_index: int,
    stream_select: int,
) -> int:
    """STREAMWAIT.md"""
    if condition_index == 0:
        high = S.config.thread[thread, PHASE_HI_WORD] & PHASE_HI_MASK
    else:
        high = S.config.thread[thread, MESSAGES_HI_WORD] & MESSAGES_HI_MASK
    latch(S, thread, STREAMWAIT, block_mask, 1 << condition_index)
    S.latch.target[thread] = high << 10 | target_value_lo
    S.latch.stream[thread] = stream_select
    return 0

# SPDX-License-Identifier: Apache-2.0
"""Sync Unit (SyncUnit.md): mutexes, semaphores, and the three instructions that latch a wait.

A wait instruction completes at once; what it latches holds later instructions of the thread at the
wait gate, until all selected conditions are met at the same time.
"""

from core.isa import masks
from core.isa.masks import Block
from core.isa.operand import ALWAYS, PLAIN
from core.isa.schema import Bits, Unused
from core.tensix.instruction import BH, WH, Arch, Group, Operand, Unit, tensix

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
SEM_CONDITIONS = Operand(
    masks.CONDITIONS_SEMWAIT, "what to wait for; 0 has no meaning on the newest page")
SEM_CONDITIONS_WH = Operand(
    masks.CONDITIONS_SEMWAIT, "what to wait for; 0 makes it a STALLWAIT for C0 to C6")

SYNC.instruction(
    "ATGETM", tensix(0xA0, Unused(8), "index" / Bits(16)),
    llk="mutex_index@0", latency="1+", page=BH + "ATGETM.md",
    summary="Wait until the mutex is free or already this thread's, and take it.")
SYNC.instruction(
    "ATRELM", tensix(0xA1, Unused(8), "index" / Bits(16)),
    llk="mutex_index@0", page=BH + "ATRELM.md",
    summary="Release the mutex if this thread holds it.")

SYNC.instruction(
    "STALLWAIT", tensix(0xA2, "block_mask" / Bits(9), Unused(2), "condition_mask" / Bits(13)),
    arch=Arch.BLACKHOLE, llk="stall_res@15 wait_res@0",
    blocked_by=Block.ALL, page=BH + "STALLWAIT.md",
    summary="Latch a wait: what the block mask catches waits for all chosen conditions.")
SYNC.instruction(
    "STALLWAIT", tensix(0xA2, "block_mask" / Bits(9), "condition_mask" / Bits(15)),
    arch=Arch.WORMHOLE, llk="stall_res@15 wait_res@0",
    blocked_by=Block.ALL, page=WH + "STALLWAIT.md",
    operands={"condition_mask": CONDITIONS_WH},
    summary="Latch a wait: what the block mask catches waits for all chosen conditions.")

SYNC.instruction(
    "SEMINIT", tensix(0xA3, "new_max" / Bits(4), "new_value" / Bits(4), Unused(6),
                      "semaphore_mask" / Bits(8), Unused(2)),
    llk="max_value@20 init_value@16 sem_sel@2", page=BH + "SEMINIT.md",
    summary="Set Value and Max of the selected semaphores.")
SYNC.instruction(
    "SEMPOST", tensix(0xA4, Unused(14), "semaphore_mask" / Bits(8), Unused(2)),
    llk="sem_sel@2", page=BH + "SEMPOST.md",
    summary="Add 1 to the selected semaphores, up to 15.")
SYNC.instruction(
    "SEMGET", tensix(0xA5, Unused(14), "semaphore_mask" / Bits(8), Unused(2)),
    llk="sem_sel@2", page=BH + "SEMGET.md",
    summary="Subtract 1 from the selected semaphores, down to 0.")

SEMWAIT = tensix(0xA6, "block_mask" / Bits(9), Unused(5), "semaphore_mask" / Bits(8),
                 "condition_mask" / Bits(2))
SYNC.instruction(
    "SEMWAIT", SEMWAIT, arch=Arch.BLACKHOLE,
    llk="stall_res@15 sem_sel@2 wait_sem_cond@0",
    blocked_by=Block.ALL, page=BH + "SEMWAIT.md", operands={"condition_mask": SEM_CONDITIONS},
    summary="Latch a wait for semaphores that are zero or full.")
# SEMWAIT.md of Wormhole: only B1 holds it; otherwise it replaces the wait that is latched.
SYNC.instruction(
    "SEMWAIT", SEMWAIT, arch=Arch.WORMHOLE,
    llk="stall_res@15 sem_sel@2 wait_sem_cond@0",
    page=WH + "SEMWAIT.md", operands={"condition_mask": SEM_CONDITIONS_WH},
    summary="Latch a wait for semaphores that are zero or full; an older wait is forgotten.")

SYNC.instruction(
    "STREAMWAIT", tensix(0xA7, "block_mask" / Bits(9), Unused(1), "target_value_lo" / Bits(10),
                         "condition_index" / Bits(1), Unused(1), "stream_select" / Bits(2)),
    arch=Arch.BLACKHOLE, llk="stall_res@15 target_value@4 target_sel@3 wait_stream_sel@0",
    blocked_by=Block.ALL, page=BH + "STREAMWAIT.md",
    summary="Latch a wait for a NoC overlay stream to reach a phase or a number of messages.")
# fmt: on

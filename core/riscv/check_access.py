# SPDX-License-Identifier: Apache-2.0
"""The checks before a hart accesses memory: the one copy, for every schedule and for vectors.

    watch ──► misaligned ──► unmapped, or an atomic outside L1 ──► the access

A watch comes first, as a breakpoint comes before the fetch. Both are RISC-V's priorities of
exceptions (privileged specification, table of synchronous exception priorities: the address
breakpoint of a load, store or AMO is above misaligned and access faults). The debugger then reports
both: the watch, and when the hart continues, the fault. After a fault there would be nothing left
to report. Tenstorrent's pages say nothing about the order: DebugInterface.md's watchpoints pause
the core after the instruction.

What only the device knows (a width that it refuses, a register that cannot be read) is found when
the request is processed: at once in `sc`, later in the other schedules.

UNSPECIFIED(BabyRISCV/InstructionSet.md): misaligned accesses are on no page; they stop the hart,
because splitting and trapping would both be inventions.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.arch.chips import L1_END, L1_EVERYWHERE
from tensix_gdb.core.debug.armed import STEP_OVER_WATCH, watch_at
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory.map import is_mapped, local_offset, place_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import StopKind, WatchKind, fault, stop

WATCHED = -1  # in place of a fault code

# By WatchKind: of a load, a store, an atomic.
MISALIGNED = (
    0,
    int(Fault.LOAD_MISALIGNED),
    int(Fault.STORE_MISALIGNED),
    int(Fault.LOAD_MISALIGNED),
)
UNMAPPED = (0, int(Fault.LOAD_UNMAPPED), int(Fault.STORE_UNMAPPED), int(Fault.AMO_OUTSIDE_L1))


def needs_check(hart: int, addr: int, size: int) -> int:
    """Return 0 for nearly all accesses, where nothing is watched: aligned, to L1 or local RAM.

    It has the sizes of Blackhole: a chip with smaller memories has CHECKS_ALL (core/arch/chips.py).

    It is small enough for LLVM to put it into every load and store, where a call of `check_access`
    costs a tenth of the speed.
    """
    offset = local_offset(hart, addr)  # first, so that callers answer for the number of the hart
    if addr & (size - 1):
        return 1
    return addr >= L1_BYTES and offset < 0


def check_access(
    S: View, hart: int, addr: int, size: int, KIND: int, CHECKED: int, ALONE: int
) -> int:
    """Return 0 if `hart` may access `size` bytes at `addr`, otherwise WATCHED or the fault's code.

    KIND is a WatchKind: READ of a load, WRITE of a store, ACCESS of an atomic. A burst (ALONE)
    leaves all but L1 and the hart's local RAM to the general case, so it need not ask what is
    mapped there.
    """
    if CHECKED and S.debug.watches > 0 and watched(S, hart, addr, size, KIND) >= 0:
        return WATCHED
    if addr & (size - 1):
        return MISALIGNED[KIND]
    if addr < L1_EVERYWHERE:
        return 0
    if KIND == WatchKind.ACCESS:
        return 0 if addr < L1_END[S.tile.chip] else UNMAPPED[KIND]
    return 0 if ALONE or is_mapped(S, hart, addr) else UNMAPPED[KIND]


def refuse(S: View, hart: int, addr: int, size: int, kind: int, problem: int) -> int:
    """Stop before an access for what `check_access` has returned; STOPPED."""
    if problem == WATCHED:
        return stop(S, hart, StopKind.WATCH, addr, watched(S, hart, addr, size, kind))
    return fault(S, hart, problem, addr, size)


def watched(S: View, hart: int, addr: int, size: int, kind: int) -> int:
    """Return the number of a watch that this access touches and that was not reported, or -1."""
    if S.debug.step_over[hart] & STEP_OVER_WATCH:
        return -1
    return watch_at(S, place_of(hart, addr), size, kind)

# SPDX-License-Identifier: Apache-2.0
"""The debug interface of B, T0, T1 and T2: pause, step, look and change from outside the core.

WormholeB0 BabyRISCV/DebugInterface.md; the same on Blackhole, where tt-exalens uses it. Each core
has debug registers DR(0) to DR(17), which four registers of the tile reach:

    CNTL_1    the value for a write of a DR
    CNTL_0    which DR of which core; bit 31 going from 0 to 1 reads or writes it
    STATUS_0  an echo of CNTL_0; bit 30: STATUS_1 holds what was read
    STATUS_1  what was read

    DR(0)     why the core is paused                DR(4)      result
    DR(1)     commands, and the slow mode           DR(5)      modes of the eight comparators
    DR(2)     register number (32: pc) or address   DR(10+i)   address of comparator i
    DR(3)     data

A paused core takes commands; a core that is not paused takes only `pause`. Memory commands run
before the tile's next cycle (core/clock/pending.py), as `lw` and `sw` of the core; it is busy until
then. A pause is taken between two instructions, once everything that was issued has retired.

A comparator lets the instruction that it is about happen, and pauses the core after it, as does
`ebreak`: "the triggering instruction will be allowed to leave the Load/Store Unit". The pc is then
that of the next instruction.

Documented quirks that are here:
- The slow execution mode leaves the retire-order queue and the store queue one entry each, while
  requests take time. It perturbs the very races that one looks for with it.
- Blackhole takes two `step` commands for one instruction (tt-exalens' baby_risc_debug.py).
- `continue` from an ebreak pauses again, unless the pc was written in between (likewise): a fault.
- The new pc is taken from DR(3), where tt-exalens puts it; the page says DR(4).
- Writing the pc without the slow mode restarts the core at its reset pc.
- Blackhole's T2 reads 0 from its local RAM at addresses that are 8 or 12 modulo 16 (tt-exalens
  issue 528).
- NC has no debug interface: only a soft reset ends a pause of NC.

UNSPECIFIED(DebugInterface.md): commands to a core that is not paused, and combinations that the
page excludes, stop the hart that gives them. A comparator matches an access that touches its byte.
"""

from tensix_gdb.core.arch.blackhole import DISABLE_RESET_SHIFT, HARTS, B
from tensix_gdb.core.arch.chips import BLACKHOLE
from tensix_gdb.core.devices.debug import comparators
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.riscv.reset import PAUSED, PAUSED_AT_EBREAK, next_pc, reset_pc, update_issuing
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

CORES = 4  # B, T0, T1, T2: Which_RISCV and hart numbers alike
DRS = 18

# DR(0)
HALTED = 1 << 0
BREAKPOINT = 1 << 1
WATCHPOINT = 1 << 2
EBREAK = 1 << 3

# DR(1)
PAUSE = 1 << 0
STEP = 1 << 1
CONTINUE = 1 << 2
READ_REGISTER = 1 << 3
WRITE_REGISTER = 1 << 4
READ_MEMORY = 1 << 5
WRITE_MEMORY = 1 << 6
ZERO_REGISTERS = 1 << 7
WRITE_PC = 1 << 8
ACTIONS = 0x1FE  # all of them except PAUSE
SLOW_MODE = 1 << 31

# CNTL_0, STATUS_0
IS_WRITE = 1 << 16
READ_VALID = 1 << 30
TRIGGER = 1 << 31

PENDING_ACCESS = 2  # bit of tile.pending: a memory command is to be done

_A = Tag.ARCHITECTURAL
RISC_DEBUG = Part(
    "risc_debug",
    (
        row("cntl0", "u32", (), _A, "RISC_DBG_CNTL_0"),
        row("cntl1", "u32", (), _A, "RISC_DBG_CNTL_1"),
        row("status0", "u32", (), _A, "RISC_DBG_STATUS_0"),
        row("status1", "u32", (), _A, "RISC_DBG_STATUS_1"),
        row("dr", "u32", (CORES, DRS), _A, "debug registers; DR(0) is in `cause`"),
        row("cause", "u32", HARTS, _A, "DR(0) of a paused core"),
        row("access", "u8", CORES, _A, "READ_MEMORY or WRITE_MEMORY that is not done yet"),
        row("pausing", "u8", CORES, _A, "pause once what was issued has retired"),
        row("stepping", "u8", CORES, _A, "pause after the next instruction"),
        row("half_step", "u8", CORES, _A, "the first of two step commands was given"),
    ),
    chapter=Chapter.DEVICES,
)


# Debug registers


def dr(S: View, core: int, index: int) -> int:
    """DR(index) of a core; 0 where there is none."""
    if index == 0:
        # A core is busy, and not halted, while it does a memory command.
        if not S.hart.paused[core] or S.risc_debug.access[core]:
            return 0
        return S.risc_debug.cause[core]
    return S.risc_debug.dr[core, index] if index < DRS else 0


def write_dr(S: View, hart: int, core: int, index: int, value: int) -> int:
    """Write DR(index) of a core, with what that does; 0 or STOPPED."""
    keeps = (S.tile_control.disable_reset >> (DISABLE_RESET_SHIFT[core] + 1)) & 1
    if S.hart.in_reset[core] and not keeps:
        return 0
    if index == 1:
        return command(S, hart, core, value)
    if index == 2 or index == 3 or index == 5 or 10 <= index < DRS:
        S.risc_debug.dr[core, index] = value
    if index == 5:
        update_observed(S, core)
    return 0


def clear(S: View, core: int) -> int:
    """All DRs become 0: the core enters soft reset (SoftReset.md)."""
    for i in range(DRS):
        S.risc_debug.dr[core, i] = 0
    S.hart.slow[core] = 0
    return update_observed(S, core)


def forget(S: View, core: int) -> int:
    """End what is under way, for the core's soft reset."""
    S.risc_debug.cause[core] = 0
    if core < CORES:
        S.risc_debug.access[core] = 0
        S.risc_debug.pausing[core] = 0
        S.risc_debug.stepping[core] = 0
        S.risc_debug.half_step[core] = 0
        update_observed(S, core)
    return 0


def update_observed(S: View, core: int) -> int:
    """Work out again whether every instruction of the core has to be looked at."""
    S.hart.observed[core] = S.risc_debug.stepping[core] | S.risc_debug.pausing[core]
    if comparators.any_is_on(S, core):
        S.hart.observed[core] = 1
    return update_issuing(S, core)


# Commands


def command(S: View, hart: int, core: int, value: int) -> int:
    """DR(1): do what the bits say, in the order in which they can be combined; 0 or STOPPED."""
    if value & ACTIONS and not S.hart.paused[core]:
        return fault(S, hart, Fault.DEBUG_NOT_PAUSED, value, core)
    moving = value & (STEP | CONTINUE)
    if value & READ_MEMORY and value & (STEP | CONTINUE | WRITE_MEMORY):
        return fault(S, hart, Fault.DEBUG_COMBINATION, value, core)
    if value & WRITE_MEMORY and moving:
        return fault(S, hart, Fault.DEBUG_COMBINATION, value, core)
    if value & CONTINUE and not value & WRITE_PC and S.risc_debug.cause[core] & EBREAK:
        return fault(S, hart, Fault.DEBUG_CONTINUE_EBREAK, value, core)
    S.risc_debug.dr[core, 1] = value
    S.hart.slow[core] = (value >> 31) & 1
    if value & PAUSE:
        request_pause(S, core)
    if value & READ_REGISTER:
        S.risc_debug.dr[core, 4] = read_register(S, core, S.risc_debug.dr[core, 2])
    if value & WRITE_REGISTER and 1 <= S.risc_debug.dr[core, 2] < 32:
        S.hart.x[core, S.risc_debug.dr[core, 2]] = S.risc_debug.dr[core, 3]
    if value & ZERO_REGISTERS:
        for i in range(32):
            S.hart.x[core, i] = 0
    if value & (READ_MEMORY | WRITE_MEMORY):
        S.risc_debug.access[core] = value & (READ_MEMORY | WRITE_MEMORY)
        S.tile.pending |= PENDING_ACCESS
    if value & WRITE_PC:
        write_pc(S, core, value)
    if value & CONTINUE:
        return resume(S, core)
    if value & STEP and not value & WRITE_PC:
        return step(S, core)
    return 0


def request_pause(S: View, core: int) -> int:
    """Pause between two instructions: now, or when a load that waits has its value."""
    if S.hart.paused[core] or S.hart.in_reset[core]:
        return 0
    if S.hart.waits_for[core] or S.pipeline.rq_count[core] > 0:
        S.risc_debug.pausing[core] = 1
        S.risc_debug.cause[core] = 0
        return update_observed(S, core)
    return pause(S, core, 0)


def pause(S: View, core: int, cause: int) -> int:
    """The core is paused before the instruction at its pc."""
    S.risc_debug.cause[core] = HALTED | cause
    S.risc_debug.pausing[core] = 0
    S.risc_debug.stepping[core] = 0
    S.hart.paused[core] = PAUSED
    return update_observed(S, core)


def read_register(S: View, core: int, number: int) -> int:
    """x0 to x31, or the pc as number 32; 0 for other numbers."""
    if number == 32:
        return next_pc(S, core)
    return S.hart.x[core, number] if number < 32 else 0


def write_pc(S: View, core: int, value: int) -> int:
    """Abort what is in the pipeline and continue, once resumed, at DR(3)."""
    S.hart.pc[core] = S.risc_debug.dr[core, 3] if value & SLOW_MODE else reset_pc(S, core)
    S.hart.paused[core] = PAUSED
    S.risc_debug.cause[core] = HALTED
    S.risc_debug.half_step[core] = 0
    return 0


def step(S: View, core: int) -> int:
    """Let one instruction go; on Blackhole at the second of two commands."""
    if S.tile.chip == BLACKHOLE:
        S.risc_debug.half_step[core] ^= 1
        if S.risc_debug.half_step[core]:
            return 0
    S.risc_debug.stepping[core] = 1
    update_observed(S, core)
    return resume(S, core)


def resume(S: View, core: int) -> int:
    """Let the core issue again; one that is paused at an ebreak resumes after it."""
    if S.hart.paused[core] == PAUSED_AT_EBREAK:
        S.hart.pc[core] = next_pc(S, core)
        S.hart.retired[core] += 1
    S.hart.paused[core] = 0
    S.risc_debug.half_step[core] = 0
    return update_issuing(S, core)


assert B == 0

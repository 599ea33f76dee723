# SPDX-License-Identifier: Apache-2.0
"""Instructions that have passed their gate: what they have latched, posted, or given to a unit."""

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.isa.opcodes import ADDDMAREG, CMPDMAREG, RDCFG
from tensix_gdb.core.race import commands, heard, near, sync, units
from tensix_gdb.core.race.accesses import here, pacr, to_l1
from tensix_gdb.core.race.clocks import clear, copy, join, reach
from tensix_gdb.core.race.fields import (
    GATE,
    IN_PIPE,
    OLDER_CONFIG,
    OLDER_GPR,
    OLDER_TDMA,
    PASSES,
    PUSH_SLOTS,
    PUSHED,
    RELEASED,
    SCRATCH,
    TO_L1,
    WAIT,
)
from tensix_gdb.core.race.gate import promise
from tensix_gdb.core.race.lines import Line, Region, of_hart, of_thread
from tensix_gdb.core.race.network import streams
from tensix_gdb.core.race.operands import FORM, Form, mutex_of, semaphores_of
from tensix_gdb.core.race.registers import banks, counters, dst, macros
from tensix_gdb.core.race.stages import dst as stages
from tensix_gdb.core.race.stages import tiles
from tensix_gdb.core.race.state import contract, objects, reads
from tensix_gdb.core.race.state.table import Group
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.auto_ttsync.resources import GPRS
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.frontend.fifo import NO_SLOT, C
from tensix_gdb.core.tensix.gate.latch import SEMWAIT, STALLWAIT
from tensix_gdb.core.tensix.packer.four import at_work
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.core.tensix.vector.opcodes import Sfp
from tensix_gdb.core.tensix.wormhole import OF_BLACKHOLE

NEVER = 1 << 62  # as a cycle


def passed(S: View, thread: int, number: int, word: int, requests: int) -> int:
    """The instruction at the gate was executed; there were `requests` of the Scalar Unit before."""
    clock = GATE + thread
    form = FORM[number]
    match form:
        case Form.OTHER | Form.SETC16:
            pass
        case Form.MATRIX:
            S.race.ends[thread, Line.MATRIX] += 1
            promise(S, thread, word)
            if S.state.on:
                reads.accumulates(S, number, word, here(S, thread))
            dst.matrix_passed(S, thread, number, here(S, thread))
            if S.state.on & Group.STAGES:
                stages.matrix_passed(S, thread, number, word, here(S, thread))
            banks.matrix_passed(S, thread, here(S, thread))
            S.race.promises = 0
        case Form.VECTOR:
            S.race.ends[thread, Line.VECTOR] += 1
            if word >> 24 == Sfp.LOADMACRO:
                macros.begun(S, thread, here(S, thread))
        case Form.SEMPOST | Form.SEMGET | Form.SEMINIT:
            semaphores(S, thread, number, word, form, clock)
            if S.state.on:
                objects.semaphores(S, number, word, form, here(S, thread))
        case Form.SEMWAIT | Form.STALLWAIT:
            latched(S, thread, clock)
            near.note(S, thread, here(S, thread))
        case Form.ATGETM:
            if S.state.on:
                S.state.mutex_site[mutex_of(word, number)] = here(S, thread)
            join(S, clock, RELEASED + mutex_of(word, number))
        case Form.ATRELM:
            join(S, RELEASED + mutex_of(word, number), clock)
        case Form.WRCFG | Form.RMWCIB | Form.CFGSHIFTMASK | Form.RDCFG:
            entered_pipe(S, thread, form)
        case Form.STREAMWRCFG:
            S.race.ends[thread, Line.LATE_GPR] += 1
            S.race.late_cycle[thread] = NEVER  # promise P26 is about RDCFG
        case Form.UNPACR:
            multi = field(word, number, 7)
            units.unpacked(S, thread, field(word, number, 0), multi, here(S, thread))
        case Form.SETDVALID:
            banks.set_valid(S, thread, S.race.clients_before)
        case Form.UNPACR_NOP:
            units.fills(S, thread, word, here(S, thread))
        case Form.PACR:
            units.packs(S, thread, here(S, thread))
            S.race.promises = 3
            pacr(S, thread)
            dst.packs(S, thread, here(S, thread))
            if S.state.on & Group.STAGES:
                stages.packs(S, thread, here(S, thread))
                tiles.packs(S, thread, number, word, here(S, thread))
            S.race.promises = 0
        case Form.XMOV:
            if S.busy.mover:
                moves(S, thread, clock)
        case _:
            scalar(S, thread, number, word, form, clock, requests)
    S.race.seen[thread, 0] = S.race.seen[thread, 1]
    S.race.seen[thread, 1] = S.race.ends[thread, Line.SCALAR]
    sync.note_units(S, thread)
    return note_pass(S, thread, word)


def note_pass(S: View, thread: int, word: int) -> int:
    """Keep the instruction for requests that Auto TTSync has wait for it."""
    slot = S.fifo.slot[thread, C, S.fifo.head[thread, C]]
    if slot == NO_SLOT:
        return 0
    at = S.race.passes[thread] & (PASSES - 1)
    S.race.passes[thread] += 1
    S.race.pass_push[thread, at] = S.race.number[PUSHED + thread * PUSH_SLOTS + slot]
    S.race.pass_gate[thread, at] = S.race.ends[thread, Line.GATE]
    # The result of arithmetic comes after the gate, that of SETDMAREG does not.
    late = 1 if ADDDMAREG <= word >> 24 <= CMPDMAREG else 0
    S.race.pass_scalar[thread, at] = max(S.race.ends[thread, Line.SCALAR] - late, 0)
    # Auto TTSync has requests to GPRs wait for the results that it knows of (tracker.py).
    is_declared = 1 if S.tracker.writes[thread, slot] & GPRS else 0
    S.race.pass_result[thread, at] = S.race.ends[thread, Line.SCALAR] if is_declared else 0
    if is_declared and word >> 24 == RDCFG:
        S.race.last_late[thread] = S.race.ends[thread, Line.LATE_GPR]
    S.race.pass_late[thread, at] = S.race.last_late[thread]
    S.race.pass_uses[thread, at] = (
        S.tracker.reads[thread, slot] | S.tracker.writes[thread, slot] << 8
    )
    return 0


def entered_pipe(S: View, thread: int, form: int) -> int:
    """An instruction is in the configuration pipe: when do the gate's next ones know?"""
    end = S.race.ends[thread, Line.PIPE] + 1
    S.race.ends[thread, Line.PIPE] = end
    if form == Form.RMWCIB or form == Form.RDCFG:
        S.race.due[thread, 0] = end
    else:
        S.race.due[thread, 1] = end
    if form == Form.RDCFG:
        S.race.ends[thread, Line.LATE_GPR] += 1
        S.race.read_config[thread] = S.race.ends[thread, Line.LATE_GPR]
        S.race.late_cycle[thread] = max(S.race.late_cycle[thread], S.tile.cycle)
    return 0


def semaphores(S: View, thread: int, number: int, word: int, form: int, clock: int) -> int:
    """SEMINIT, SEMPOST, SEMGET."""
    mask = semaphores_of(word, number)
    for i in range(SEMAPHORES):
        if (mask >> i) & 1:
            if form == Form.SEMPOST:
                sync.post(S, i, clock)
                heard.signalled(S, thread, i, heard.POST, here(S, thread))
            elif form == Form.SEMGET:
                sync.get(S, i, clock)
                heard.signalled(S, thread, i, heard.GET, here(S, thread))
            else:
                S.race.begun[i] = field(word, number, 1)
                S.race.posts[i] = 0
                S.race.gets[i] = 0
    return 0


def packers_end(S: View, thread: int, conditions: int) -> int:
    """True if nothing of the thread is left in packers after a wait for these conditions.

    Wormhole's four have a line together: a wait for some is enough while the others are idle.
    """
    waited = ((conditions >> 3) & 1) | conditions >> OF_BLACKHOLE << 1
    if waited == 0 or S.tile.chip == 0:
        return waited
    return 0 if at_work.any_of(S, thread, at_work.ALL & ~waited) else 1


def latched(S: View, thread: int, clock: int) -> int:
    """A wait was latched: what is done when it is over."""
    wait = WAIT + thread
    clear(S, wait)
    S.race.waiting[thread] = 1
    S.race.block[thread] = S.latch.block[thread]
    conditions = S.latch.conditions[thread]
    S.race.wait_semaphores[thread] = 0
    S.race.wait_banks[thread] = 0
    if S.latch.kind[thread] == SEMWAIT:
        S.race.wait_semaphores[thread] = S.latch.semaphores[thread]
        S.race.wait_conditions[thread] = conditions
        return 0
    if S.latch.kind[thread] != STALLWAIT:
        return 0
    S.race.wait_banks[thread] = (conditions >> 5) & 15
    if conditions >> 7 & 3:
        banks.latched(S, thread, conditions, here(S, thread))
    if conditions & 1:
        is_over(S, thread, Line.SCALAR)
        is_over(S, thread, Line.MEMORY)
    for i in range(4):
        if (conditions >> (1 + i)) & 1 and i != 2:
            is_over(S, thread, Line.UNPACKER_0 + i)
    if packers_end(S, thread, conditions):
        is_over(S, thread, Line.PACKER)
    if (conditions >> 9) & 1:
        commands.after_copies(S, wait, clock, S.race.moves)
    if (conditions >> 11) & 1:
        is_over(S, thread, Line.VECTOR)
    if (conditions >> 12) & 1:
        S.race.clock[wait, of_thread(thread, Line.GATE)] = S.race.ends[thread, Line.GATE]
        copy(S, SCRATCH, clock)
        sync.after_ring(S, SCRATCH, IN_PIPE)
        for other in range(THREADS):
            line = of_thread(other, Line.PIPE)
            S.race.clock[wait, line] = S.race.clock[SCRATCH, line]
        is_over(S, thread, Line.PIPE)
        is_over(S, thread, Line.LATE_GPR)
    if (conditions >> 10) & 1:
        own_requests(S, thread, wait)
    return 0


def moves(S: View, thread: int, clock: int) -> int:
    """XMOV has started the mover."""
    size = 16 * S.mover.left
    src = S.mover.src
    dst = S.mover.dst
    gate = of_thread(thread, Line.GATE)
    number = S.race.ends[thread, Line.GATE]
    return units.moves(S, clock, here(S, thread), src, dst, size, S.mover.mode, gate, number)


def is_over(S: View, thread: int, line: int) -> int:
    """The wait ends after all that a line of the thread has begun."""
    return reach(S, WAIT + thread, of_thread(thread, line), S.race.ends[thread, line])


def own_requests(S: View, thread: int, wait: int) -> int:
    """C10: what the own T core had emitted before it pushed the STALLWAIT is processed."""
    slot = S.fifo.slot[thread, C, S.fifo.head[thread, C]]
    if slot == NO_SLOT:
        return 0
    push = PUSHED + thread * PUSH_SLOTS + slot
    hart = T0 + thread
    for way in range(2):
        reach(S, wait, of_hart(hart, Region.GPR, way), S.race.older[push, OLDER_GPR + way])
        reach(S, wait, of_hart(hart, Region.CONFIG, way), S.race.older[push, OLDER_CONFIG + way])
        reach(S, wait, of_hart(hart, Region.TDMA, way), S.race.older[push, OLDER_TDMA + way])
    return 0


def scalar(
    S: View, thread: int, number: int, word: int, form: int, clock: int, requests: int
) -> int:
    """An instruction of the Scalar Unit; a request of it to L1 is an access from here on."""
    if form == Form.FLUSHDMA:
        conditions = field(word, number, 0)
        if conditions == 0:
            conditions = 15
        if conditions & 1:
            memory = S.race.ends[thread, Line.MEMORY]
            reach(S, clock, of_thread(thread, Line.MEMORY), memory)
        for i in range(2):
            if (conditions >> (1 + i)) & 1:
                line = Line.UNPACKER_0 + i
                reach(S, clock, of_thread(thread, line), S.race.ends[thread, line])
        if packers_end(S, thread, conditions):
            reach(S, clock, of_thread(thread, Line.PACKER), S.race.ends[thread, Line.PACKER])
    S.race.ends[thread, Line.SCALAR] += 1
    if counters.is_late(S, number):
        S.race.ends[thread, Line.MEMORY] += 1
    if S.thcon.requests == requests:
        return 0
    end = S.race.ends[thread, Line.MEMORY] + 1
    i = S.thcon.requests - 1
    kind = S.thcon.kind[i]
    if thcon.TO_L1[kind]:
        copy(S, SCRATCH, clock)
        at = of_thread(thread, Line.MEMORY)
        S.race.clock[SCRATCH, at] = end - 1
        sync.after_ring(S, SCRATCH, TO_L1)
        to_l1(S, thread, i, kind, at, end)
    elif kind == thcon.STORE_DEVICE:
        if S.state.on & Group.MEMORY:
            contract.counter(S, S.thcon.addr[i], S.thcon.data[i, 0], 1, here(S, thread))
        streams.stored(S, S.thcon.addr[i], clock)
    S.race.ends[thread, Line.MEMORY] = end
    if kind == thcon.COMPARE or kind == thcon.ADVANCE:
        # The thread continues when the answer is there.
        reach(S, clock, of_thread(thread, Line.MEMORY), end)
    return 0


INLINED = (note_pass,)

# SPDX-License-Identifier: Apache-2.0
"""The cycle when requests take time (schedules `latency` and `random`).

    0  attention  interrupts, memory commands of the debug interface
    1  Tensix     units, wait gates and frontends of the coprocessor (tensix/coprocessor.py)
    2  regions    each processes what is due: one request, L1 one of each hart
    3  retire     each hart takes its oldest instruction out of the retire-order queue
    4  memory     each hart's port takes a load or atomic from EX1, or a store from the store queue
    5  issue      B, T0, T1, T2, NC each let one instruction enter EX1

`schedule.cycle_phase` says how far the cycle is; a stop in step 5 keeps `tile.next_hart`, and the
rest of the cycle follows at the next run. A stop in step 2, where a device refuses a request, comes
before the request is processed and is met again.
"""

from tensix_gdb.core.arch.blackhole import HARTS, T0, T2
from tensix_gdb.core.clock.burst_timed import try_burst
from tensix_gdb.core.clock.pending import attend
from tensix_gdb.core.clock.polling import attend_polling, begin_skip
from tensix_gdb.core.clock.polling_rows import NEAR_STREAMS, OFF
from tensix_gdb.core.clock.watchdog import end_of_wait
from tensix_gdb.core.counting import coprocessor as counted_gates
from tensix_gdb.core.devices.debug.risc_debug import PENDING_ACCESS
from tensix_gdb.core.devices.ttsync import COPROCESSOR_DONE_CHECK
from tensix_gdb.core.memory import l1_ports, streams
from tensix_gdb.core.noc.state import PENDING_NOC
from tensix_gdb.core.ordering import holds, kept
from tensix_gdb.core.race import stops as races
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.issue import issue_turn
from tensix_gdb.core.riscv.pipeline import asleep
from tensix_gdb.core.riscv.pipeline.fused import finish_fusion
from tensix_gdb.core.riscv.pipeline.load_store import enter
from tensix_gdb.core.riscv.pipeline.pipeline import NEVER, retire
from tensix_gdb.core.riscv.pipeline.processed import process, process_push
from tensix_gdb.core.riscv.pipeline.stores import drain, push_waits
from tensix_gdb.core.schedule import LONGEST_DELAY, Schedule, is_delayed, store_wins_port
from tensix_gdb.core.stall import WaitsFor, wait
from tensix_gdb.core.stop import STOPPED, StopKind
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.coprocessor import step
from tensix_gdb.core.tensix.frontend.fifo import C as FIFO_C
from tensix_gdb.core.tensix.gate import requests as watched
from tensix_gdb.core.tensix.gate.wait_gate import SYNC

# schedule.cycle_phase
NOT_BEGUN, COPROCESSOR_DONE, ALL_BUT_ISSUE = 0, 1, 2

# Streams: their requests concern only the hart and L1.
L1_BIT, LOCAL_BIT = 1 << streams.L1, 1 << streams.LOCAL
NEAR = L1_BIT | LOCAL_BIT

# A burst (burst_timed.py) of fewer instructions costs more than it saves: so many cycles follow
# before the next one is tried.
SHORT, PATIENCE = 12, 24

# Longer than the longest division and than any request with its answer.
STILL_CYCLES = 4 * LONGEST_DELAY


def run_timed(S: View, budget: int, CHECKED: int) -> int:
    """Run at most `budget` cycles, or until a stop is recorded; return the cycles completed."""
    start = S.tile.cycle
    end = start + budget
    S.stop.kind = StopKind.NONE
    if S.asleep.goes_on == 0:
        asleep.wake_all(S)
    if CHECKED == 0 and S.tile.next_hart < HARTS and S.pipeline.cut[S.tile.next_hart]:
        finish_fusion(S, S.tile.next_hart)
    while S.tile.cycle < end and S.stop.kind == StopKind.NONE:
        if S.tile.cycle >= S.polling.look and attend_polling(S, end, CHECKED):
            skip(S, end, CHECKED)
        if (
            S.tile.only_hart < HARTS
            and S.polling.state == OFF
            and not (CHECKED and S.hold.on)
            and only_hart_active(S, S.tile.only_hart)
        ):
            run_alone(S, S.tile.only_hart, min(end, S.polling.look), CHECKED)
            if CHECKED and S.race.hit:
                races.stop_here(S)
            if CHECKED and S.request_watch.pending:
                watched.stop_here(S)
            if S.tile.cycle >= end or S.stop.kind != StopKind.NONE:
                break
        tick_timed(S, CHECKED)
        if CHECKED and S.race.hit:
            races.stop_here(S)
        if CHECKED and S.request_watch.pending:
            watched.stop_here(S)
        if S.tile.issuing == 0 and quiescent(S):
            break
    return S.tile.cycle - start


def skip(S: View, end: int, CHECKED: int) -> int:
    """Pass the cycles of a tile that only polls, but for the last ones before `end`: whole rounds
    of each hart, then what is left of its last one (polling.py)."""
    start = S.tile.cycle
    target = begin_skip(S, end)
    idle = S.tile.idle_cycles
    for hart in range(HARTS):
        left = (target - start) % S.polling.period[hart]
        S.tile.cycle = target - left
        for _ in range(left):
            poll_alone(S, hart, CHECKED)
    S.tile.idle_cycles = idle
    S.tile.cycle = target
    asleep.wake_all(S)
    return 0


def poll_alone(S: View, hart: int, CHECKED: int) -> int:
    """A cycle of a hart that does nothing but load from memory."""
    for i in range(2):
        stream = NEAR_STREAMS[i]
        if S.stream.count[hart, stream] and S.stream.due[hart, stream, 0] <= S.tile.cycle:
            process_oldest(S, hart, stream, CHECKED)
    retire(S, hart)
    if S.pipeline.ex1_op[hart] or S.pipeline.sq_count[hart]:
        use_port(S, hart, CHECKED)
    if S.hart.issuing[hart]:
        issue_turn(S, hart, CHECKED)
    S.tile.cycle += 1
    return 0


def quiescent(S: View) -> int:
    """True if every store and request of every hart is processed, and the coprocessor is idle."""
    if S.tensix.active or S.tile.pending & (PENDING_ACCESS | PENDING_NOC):
        return 0
    for hart in range(HARTS):
        if S.stream.busy[hart] or S.pipeline.sq_count[hart] or S.pipeline.ex1_op[hart]:
            return 0
    return 1


def tick_timed(S: View, CHECKED: int) -> int:
    """Run one cycle, or what is left of it after a stop."""
    if S.schedule.cycle_phase == NOT_BEGUN:
        if S.tile.pending and S.gate.next == 0 and attend(S, CHECKED) < 0:
            return 0
        if CHECKED and S.hold.on and S.gate.next == 0:
            holds.end_if_over(S)
            holds.delay(S)
        if S.tensix.active:
            moved = step(S, CHECKED)
            if moved == STOPPED:
                return 0
            if moved:
                S.tile.idle_cycles = 0
            if CHECKED and S.counted.on:
                counted_gates.cycle(S)
        S.schedule.cycle_phase = COPROCESSOR_DONE
    if S.schedule.cycle_phase == COPROCESSOR_DONE:
        process_regions(S, CHECKED)
        if S.stop.kind != StopKind.NONE:
            return 0
        for hart in range(HARTS):
            if S.asleep.still[hart] <= S.tile.cycle:
                move(S, hart, CHECKED)
        S.schedule.cycle_phase = ALL_BUT_ISSUE
    hart = S.tile.next_hart
    while hart < HARTS:
        if S.hart.issuing[hart] and not asleep.sleeps(S, hart):
            issue_turn(S, hart, CHECKED)
            if S.stop.kind != StopKind.NONE:
                return 0
        hart += 1
    S.tile.next_hart = 0
    S.schedule.cycle_phase = NOT_BEGUN
    return end_cycle(S)


def move(S: View, hart: int, CHECKED: int) -> int:
    """Retire, and emit a request."""
    retire(S, hart)
    if S.pipeline.ex1_op[hart] or S.pipeline.sq_count[hart]:
        return use_port(S, hart, CHECKED)
    head = S.pipeline.rq_head[hart]
    S.asleep.still[hart] = S.pipeline.rq_ready[hart, head] if S.pipeline.rq_count[hart] else NEVER
    return 0


def end_cycle(S: View) -> int:
    """Advance to the next cycle."""
    S.tile.cycle += 1
    # In `exhaustive`, delays decide which request comes first, and one may be delayed for ever.
    if S.schedule.kind != Schedule.EXHAUSTIVE:
        S.schedule.first_hart = (
            S.schedule.first_hart + 1 if S.schedule.first_hart < HARTS - 1 else 0
        )
        S.tile.idle_cycles += 1
        if S.tile.stalled_now or S.tile.idle_cycles > STILL_CYCLES:
            end_of_wait(S, STILL_CYCLES)
    return 1


def only_hart_active(S: View, hart: int) -> int:
    """True if, at the start of a cycle, only `hart`, which alone issues, has anything to do."""
    if S.schedule.cycle_phase != NOT_BEGUN or S.tile.pending or S.tensix.active:
        return 0
    for other in range(HARTS):
        if other != hart and (S.pipeline.rq_count[other] or S.stream.busy[other]):
            return 0
        if other != hart and (S.pipeline.sq_count[other] or S.pipeline.ex1_op[other]):
            return 0
    return 1


def run_alone(S: View, hart: int, end: int, CHECKED: int) -> int:
    """Run the same cycles as `tick_timed`, without the parts that cannot move.

    Return at the start of a cycle when the hart has a request under way to anything but L1 and
    its own local RAM: whatever wakes the rest of the tile is such a request.
    """
    patience = 0  # cycles before a burst is tried again
    while S.tile.cycle < end and S.tile.only_hart == hart:
        busy = S.stream.busy[hart]
        if busy:
            if busy & ~NEAR:
                return 0
            if busy & L1_BIT and not is_late(S, hart, streams.L1):
                process_oldest(S, hart, streams.L1, CHECKED)
            if busy & LOCAL_BIT and not is_delayed(S, S.stream.due[hart, streams.LOCAL, 0]):
                process_oldest(S, hart, streams.LOCAL, CHECKED)
        if patience:
            patience -= 1
        elif end - S.tile.cycle >= SHORT:
            issued = try_burst(S, hart, end, CHECKED)
            if 0 <= issued < SHORT:
                patience = PATIENCE
            if issued > 0:
                continue
        retire(S, hart)
        if S.pipeline.ex1_op[hart] or S.pipeline.sq_count[hart]:
            use_port(S, hart, CHECKED)
        issue_turn(S, hart, CHECKED)
        if S.stop.kind != StopKind.NONE:
            S.schedule.cycle_phase = ALL_BUT_ISSUE
            return 0
        end_cycle(S)
        if S.stop.kind != StopKind.NONE or S.tile.pending:
            return 0
        if CHECKED and S.race.hit:
            return 0
    return 0


def use_port(S: View, hart: int, CHECKED: int) -> int:
    """Emit one request of a hart that has something in EX1 or in its store queue: usually a load
    before a store."""
    if CHECKED and S.hold.on and holds.holds_port(S, hart):
        is_load = S.hold.at == holds.LOADS
        return drain(S, hart, CHECKED) if is_load else enter(S, hart, CHECKED)
    if S.pipeline.ex1_op[hart]:
        if S.pipeline.sq_count[hart] and store_wins_port(S, hart) and drain(S, hart, CHECKED):
            return 1
        if enter(S, hart, CHECKED):
            return 1
    if S.pipeline.sq_count[hart] == 0 or push_waits(S, hart):
        return 0
    return drain(S, hart, CHECKED)


def process_regions(S: View, CHECKED: int) -> int:
    """Let every region process a request that is due; harts take turns at going first."""
    busy = 0
    for hart in range(HARTS):
        busy = busy | S.stream.busy[hart]
    while busy:
        stream = int.bit_length(busy & ~(busy - 1)) - 1
        if CHECKED and S.hold.on:
            process_while_held(S, stream)
        else:
            process_stream(S, stream, CHECKED)
        if S.stop.kind != StopKind.NONE:
            return 0
        busy = busy & (busy - 1)
    if S.l1_port.reads:
        S.l1_port.reads = 0
    return 0


def process_stream(S: View, stream: int, CHECKED: int) -> int:
    """Process one request of this region; of L1, which has more ports and banks, one of every
    hart."""
    first = S.schedule.first_hart
    bit = 1 << stream
    asking = 0
    for hart in range(HARTS):
        asking = asking | (1 if S.stream.busy[hart] & bit else 0) << hart
    # Bit by bit, and not hart by hart: which harts ask is what a processor predicts worst.
    turn = (asking | asking << HARTS) >> first & (1 << HARTS) - 1
    while turn:
        place = first + int.bit_length(turn & ~(turn - 1)) - 1
        hart = place - HARTS if place >= HARTS else place
        turn = turn & (turn - 1)
        # A store to SOFT_RESET_0 may have emptied the stream of a hart that comes later.
        if S.stream.busy[hart] & bit and not is_late(S, hart, stream):
            status = process_oldest(S, hart, stream, CHECKED)
            if S.stop.kind != StopKind.NONE:
                return status
            if status > 0 and stream > streams.LOCAL and not own_windows(S, stream):
                return status
    return 0


def own_windows(S: View, stream: int) -> int:
    """True of the push windows of the T cores, which are three: each takes a request in a cycle.
    In the other schedules, requests are late by what is drawn."""
    return 1 if stream == streams.PUSH and S.schedule.kind == Schedule.LATENCY else 0


def process_while_held(S: View, stream: int) -> int:
    """The same while an access is held (core/ordering/holds.py)."""
    hart = S.schedule.first_hart
    for _ in range(HARTS):
        is_due = (S.stream.busy[hart] >> stream) & 1
        if is_due and not holds.holds_request(S, hart, stream) and not is_late(S, hart, stream):
            is_awaited = holds.is_awaited(S, hart, stream)
            status = process_oldest(S, hart, stream, 1)
            if status > 0 and is_awaited:
                holds.came(S)
            if S.stop.kind != StopKind.NONE:
                return status
            if status > 0 and stream > streams.LOCAL and not own_windows(S, stream):
                return status
        hart = hart + 1 if hart < HARTS - 1 else 0
    return 0


def process_oldest(S: View, hart: int, stream: int, CHECKED: int) -> int:
    """Process one request; 1 if that was possible, or a negative status."""
    if stream == streams.L1 and S.stream.kind[hart, streams.L1, 0] != streams.READ:
        l1_ports.take_request(S, hart)
    is_push = stream == streams.PUSH and T0 <= hart <= T2
    if is_push and S.stream.kind[hart, streams.PUSH, 0] == streams.WRITE:
        status = process_push(S, hart, CHECKED)
    else:
        status = process(S, hart, stream, CHECKED)
    if S.stop.kind != StopKind.NONE:
        # It is about the instruction that the request came from.
        S.stop.pc = S.request.pc
        S.stop.stream = stream + 1
    elif status > 0:
        S.tile.idle_cycles = 0
    return status


def done_check_stalls(S: View, hart: int) -> int:
    """Shortcut: True if a load from CoprocessorDoneCheck must stall, because an instruction is at
    the gate; it is not processed then.

    Harts wait there for most of the time of some kernels, and ask in every cycle.
    """
    if S.schedule.kind == Schedule.EXHAUSTIVE or S.fifo.count[hart - T0, FIFO_C] == 0:
        return 0
    if S.stream.due[hart, streams.TTSYNC, 0] > S.tile.cycle or S.tile_control.pc_buf_override:
        return 0
    if S.stream.addr[hart, streams.TTSYNC, 0] != COPROCESSOR_DONE_CHECK:
        return 0
    if S.stream.kind[hart, streams.TTSYNC, 0] != streams.READ or S.stop.kind != StopKind.NONE:
        return 0
    if S.stream.size[hart, streams.TTSYNC, 0] != 4:
        return 0
    wait(S, hart, WaitsFor.TENSIX_IDLE, hart)
    return 1


def is_late(S: View, hart: int, stream: int) -> int:
    """True if the oldest request of the stream is not to be processed in this cycle."""
    if stream == streams.L1 and S.schedule.kind == Schedule.LATENCY:
        if S.stream.due[hart, streams.L1, 0] > S.tile.cycle:
            return 1
        return 1 if l1_ports.may_wait(S, hart) and l1_ports.keeps_waiting(S, hart) else 0
    if stream >= streams.PCBUF or stream == streams.GPR or stream == streams.TDMA:
        if tracker.request_must_wait(S, hart, stream):
            return 1
        if stream == streams.CONFIG and not config_pipe.takes_request(S):
            return 1
        if stream == streams.TTSYNC and done_check_stalls(S, hart):
            return 1
        if (
            stream == streams.SEMAPHORE
            and S.stream.kind[hart, stream, 0] == streams.WRITE
            and (S.gate.taken >> SYNC) & 1
        ):
            return 1  # SyncUnit.md: a store and a semaphore instruction take the same cycle
        if S.stream.held[hart] & kept.MAIL_WAITS and kept.mail_is_held(S, hart, stream):
            return 1
    elif stream == streams.PUSH and S.stream.held[hart] & kept.PUSH_WAITS:
        return kept.push_is_late(S, hart)
    return is_delayed(S, S.stream.due[hart, stream, 0])


INLINED = (process_regions, process_stream, process_oldest, is_late, use_port, move)

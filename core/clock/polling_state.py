# SPDX-License-Identifier: Apache-2.0
"""All that a hart that polls consists of: keep it, compare it, move its cycles on (polling.py)."""

from tensix_gdb.core.clock.polling_rows import NEAR_STREAMS, REGISTERS
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.fields import IN_FLIGHT, L0_LINES, RETIRE_ORDER_ENTRIES
from tensix_gdb.core.riscv.pipeline.frontend import SETS, SLOTS
from tensix_gdb.core.riscv.pipeline.pipeline import NEVER
from tensix_gdb.core.schedule import Schedule


def remember(S: View, hart: int) -> int:
    """Keep what the hart consists of: in `sc`, in which nothing is under way, its registers."""
    S.polling.k_retired[hart] = S.hart.retired[hart]
    S.polling.k_pc[hart] = S.hart.pc[hart]
    S.polling.k_fcsr[hart] = S.hart.fcsr[hart]
    S.polling.k_waits[hart] = S.hart.waits_for[hart] << 8 | S.hart.waits_on[hart]
    for i in range(REGISTERS):
        S.polling.k_x[hart, i] = S.hart.x[hart, i]
    if S.schedule.kind == Schedule.SC:
        return 0
    S.polling.k_ex1[hart, 0] = S.pipeline.ex1_op[hart] | S.pipeline.ex1_entry[hart] << 8
    S.polling.k_ex1[hart, 1] = S.pipeline.ex1_addr[hart]
    S.polling.k_ex1[hart, 2] = S.pipeline.ex1_data[hart]
    S.polling.k_ex1[hart, 3] = S.pipeline.ex1_pc[hart]
    S.polling.k_queue[hart, 0] = S.pipeline.rq_head[hart] | S.pipeline.rq_count[hart] << 8
    S.polling.k_queue[hart, 1] = S.pipeline.serial[hart] | S.pipeline.check[hart] << 8
    S.polling.k_queue[hart, 2] = S.pipeline.loads[hart] | S.pipeline.l0_next[hart] << 8
    S.polling.k_when[hart, 0] = S.pipeline.ex1_since[hart]
    S.polling.k_when[hart, 1] = S.pipeline.ex1_free[hart]
    S.polling.k_when[hart, 2] = S.pipeline.checked[hart]
    for i in range(RETIRE_ORDER_ENTRIES):
        S.polling.k_rq[hart, i] = entry_of(S, hart, i)
        S.polling.k_ready[hart, i] = S.pipeline.rq_ready[hart, i]
    for i in range(REGISTERS):
        S.polling.k_writers[hart, i] = S.pipeline.writers[hart, i]
        S.polling.k_last[hart, i] = S.pipeline.last_writer[hart, i]
        S.polling.k_known[hart, i] = S.pipeline.known[hart, i]
    for i in range(IN_FLIGHT):
        S.polling.k_places[hart, i] = S.pipeline.l1_free[hart, i]
    S.polling.k_places[hart, IN_FLIGHT] = S.pipeline.l1_place[hart]
    S.polling.k_fetch[hart, 0] = S.frontend.line[hart]
    S.polling.k_fetch[hart, 1] = S.frontend.free[hart]
    S.polling.k_fetch[hart, 2] = S.frontend.blind[hart]
    S.polling.k_fills[hart] = S.frontend.fills[hart]
    for i in range(SLOTS):
        S.polling.k_taken[hart, i] = S.frontend.taken[hart, i]
    for i in range(SETS):
        S.polling.k_old[hart, i] = S.frontend.old[hart, i]
    for i in range(L0_LINES):
        S.polling.k_valid[hart, i] = S.pipeline.l0_valid[hart, i]
        S.polling.k_line[hart, i] = S.pipeline.l0_line[hart, i]
        for word in range(4):
            S.polling.k_word[hart, i, word] = S.pipeline.l0_word[hart, i, word]
    for i in range(2):
        stream = NEAR_STREAMS[i]
        S.polling.k_count[hart, i] = S.stream.count[hart, stream]
        for request in range(streams.DEPTH):
            S.polling.k_load[hart, i, request, 0] = load_of(S, hart, stream, request)
            S.polling.k_load[hart, i, request, 1] = S.stream.addr[hart, stream, request]
            S.polling.k_load[hart, i, request, 2] = S.stream.pc[hart, stream, request]
            S.polling.k_load[hart, i, request, 3] = S.stream.data[hart, stream, request, 0]
            S.polling.k_born[hart, i, request] = S.stream.born[hart, stream, request]
            S.polling.k_due[hart, i, request] = S.stream.due[hart, stream, request]
    return 0


def entry_of(S: View, hart: int, i: int) -> int:
    """Return the fields of an entry of the retire-order queue except its cycle."""
    flags = S.pipeline.rq_answer[hart, i] << 8 | S.pipeline.rq_serial[hart, i] << 9
    return S.pipeline.rq_rd[hart, i] | flags


def load_of(S: View, hart: int, stream: int, i: int) -> int:
    """Return the fields of a request except its address, origin and cycles."""
    kind = S.stream.kind[hart, stream, i] | S.stream.size[hart, stream, i] << 8
    return kind | S.stream.op[hart, stream, i] << 16 | S.stream.entry[hart, stream, i] << 24


def is_back(S: View, hart: int) -> int:
    """True if the hart is as it was, but for the cycles that have passed."""
    if S.hart.pc[hart] != S.polling.k_pc[hart]:
        return 0
    if S.schedule.kind == Schedule.SC:
        return are_same_registers(S, hart)
    queue = S.pipeline.rq_head[hart] | S.pipeline.rq_count[hart] << 8
    if queue != S.polling.k_queue[hart, 0]:
        return 0
    if not is_same_queue(S, hart) or not are_same_registers(S, hart) or not is_same_state(S, hart):
        return 0
    return is_same_frontend(S, hart)


def are_same_registers(S: View, hart: int) -> int:
    """True for registers, and for what the hart waits."""
    waits = S.hart.waits_for[hart] << 8 | S.hart.waits_on[hart]
    if S.hart.fcsr[hart] != S.polling.k_fcsr[hart] or waits != S.polling.k_waits[hart]:
        return 0
    for i in range(REGISTERS):
        if S.hart.x[hart, i] != S.polling.k_x[hart, i]:
            return 0
    return 1


def is_same_frontend(S: View, hart: int) -> int:
    """True for the instruction cache, with nothing fetched since, and what it predicts."""
    if S.frontend.line[hart] != S.polling.k_fetch[hart, 0]:
        return 0
    if S.frontend.blind[hart] != S.polling.k_fetch[hart, 2]:
        return 0
    if S.frontend.fills[hart] != S.polling.k_fills[hart]:
        return 0
    if not goes_along(S, S.polling.k_fetch[hart, 1], S.frontend.free[hart]):
        return 0
    for i in range(SLOTS):
        if S.frontend.taken[hart, i] != S.polling.k_taken[hart, i]:
            return 0
    for i in range(SETS):
        if S.frontend.old[hart, i] != S.polling.k_old[hart, i]:
            return 0
    return 1


def is_same_state(S: View, hart: int) -> int:
    """True for what is known of registers, and for the L0 cache."""
    for i in range(REGISTERS):
        if S.pipeline.writers[hart, i] != S.polling.k_writers[hart, i]:
            return 0
        if S.pipeline.last_writer[hart, i] != S.polling.k_last[hart, i]:
            return 0
        if not goes_along(S, S.polling.k_known[hart, i], S.pipeline.known[hart, i]):
            return 0
    for i in range(L0_LINES):
        if S.pipeline.l0_valid[hart, i] != S.polling.k_valid[hart, i]:
            return 0
        if S.pipeline.l0_line[hart, i] != S.polling.k_line[hart, i]:
            return 0
        for word in range(4):
            if S.pipeline.l0_word[hart, i, word] != S.polling.k_word[hart, i, word]:
                return 0
    return 1


def is_same_queue(S: View, hart: int) -> int:
    """True for EX1, the retire-order queue, and the loads under way."""
    ex1 = S.pipeline.ex1_op[hart] | S.pipeline.ex1_entry[hart] << 8
    if ex1 != S.polling.k_ex1[hart, 0] or S.pipeline.ex1_addr[hart] != S.polling.k_ex1[hart, 1]:
        return 0
    if S.pipeline.ex1_data[hart] != S.polling.k_ex1[hart, 2]:
        return 0
    if S.pipeline.ex1_pc[hart] != S.polling.k_ex1[hart, 3]:
        return 0
    serial = S.pipeline.serial[hart] | S.pipeline.check[hart] << 8
    loads = S.pipeline.loads[hart] | S.pipeline.l0_next[hart] << 8
    if serial != S.polling.k_queue[hart, 1] or loads != S.polling.k_queue[hart, 2]:
        return 0
    if not goes_along(S, S.polling.k_when[hart, 0], S.pipeline.ex1_since[hart]):
        return 0
    if not goes_along(S, S.polling.k_when[hart, 1], S.pipeline.ex1_free[hart]):
        return 0
    if not goes_along(S, S.polling.k_when[hart, 2], S.pipeline.checked[hart]):
        return 0
    if S.pipeline.l1_place[hart] != S.polling.k_places[hart, IN_FLIGHT]:
        return 0
    for i in range(IN_FLIGHT):
        if not goes_along(S, S.polling.k_places[hart, i], S.pipeline.l1_free[hart, i]):
            return 0
    for i in range(RETIRE_ORDER_ENTRIES):
        if entry_of(S, hart, i) != S.polling.k_rq[hart, i]:
            return 0
        if not goes_along(S, S.polling.k_ready[hart, i], S.pipeline.rq_ready[hart, i]):
            return 0
    for i in range(2):
        if not is_same_stream(S, hart, i):
            return 0
    return 1


def is_same_stream(S: View, hart: int, i: int) -> int:
    """True for the loads under way to L1 (0) or local RAM (1)."""
    stream = NEAR_STREAMS[i]
    if S.stream.count[hart, stream] != S.polling.k_count[hart, i]:
        return 0
    for request in range(streams.DEPTH):
        if load_of(S, hart, stream, request) != S.polling.k_load[hart, i, request, 0]:
            return 0
        if S.stream.addr[hart, stream, request] != S.polling.k_load[hart, i, request, 1]:
            return 0
        if S.stream.pc[hart, stream, request] != S.polling.k_load[hart, i, request, 2]:
            return 0
        if S.stream.data[hart, stream, request, 0] != S.polling.k_load[hart, i, request, 3]:
            return 0
        born = S.stream.born[hart, stream, request]
        if not goes_along(S, S.polling.k_born[hart, i, request], born):
            return 0
        due = S.stream.due[hart, stream, request]
        if not goes_along(S, S.polling.k_due[hart, i, request], due):
            return 0
    return 1


def goes_along(S: View, before: int, now: int) -> int:
    """True if a cycle that is written down has moved on by a round, or was over and is no more
    written."""
    if now == before:
        return 1 if before < S.polling.begin or before >= NEVER else 0
    return 1 if now - before == S.tile.cycle - S.polling.begin else 0


def moved(S: View, when: int, by: int) -> int:
    """Return a cycle that is written down, so much later; what was over before the first round
    stays."""
    return when + by if S.polling.begin <= when < NEVER else when


def move_on(S: View, hart: int, by: int) -> int:
    """Write down every cycle of the hart as after so many more cycles, a number of rounds."""
    S.pipeline.ex1_since[hart] = moved(S, S.pipeline.ex1_since[hart], by)
    S.pipeline.ex1_free[hart] = moved(S, S.pipeline.ex1_free[hart], by)
    S.pipeline.checked[hart] = moved(S, S.pipeline.checked[hart], by)
    S.frontend.free[hart] = moved(S, S.frontend.free[hart], by)
    for i in range(IN_FLIGHT):
        S.pipeline.l1_free[hart, i] = moved(S, S.pipeline.l1_free[hart, i], by)
    for i in range(RETIRE_ORDER_ENTRIES):
        S.pipeline.rq_ready[hart, i] = moved(S, S.pipeline.rq_ready[hart, i], by)
    for i in range(REGISTERS):
        S.pipeline.known[hart, i] = moved(S, S.pipeline.known[hart, i], by)
    for i in range(2):
        stream = NEAR_STREAMS[i]
        for request in range(S.stream.count[hart, stream]):
            S.stream.born[hart, stream, request] = moved(
                S, S.stream.born[hart, stream, request], by
            )
            S.stream.due[hart, stream, request] = moved(S, S.stream.due[hart, stream, request], by)
    return 0

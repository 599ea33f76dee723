# SPDX-License-Identifier: Apache-2.0
"""A hart that loses what it has under way, because it enters soft reset (SoftReset.md).

UNSPECIFIED(SoftReset.md): "likely to be aborted". Requests that were emitted go too, whether or not
their region would still have processed them.
"""

from tensix_gdb.core.arch.blackhole import T0, T2
from tensix_gdb.core.memory.streams import STREAMS, shift_out
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline import frontend, l0_cache, store_queue
from tensix_gdb.core.riscv.pipeline.fields import IN_FLIGHT, RETIRE_ORDER_ENTRIES
from tensix_gdb.core.riscv.pipeline.pipeline import leave_ex1
from tensix_gdb.core.tensix.auto_ttsync import tracker

COLD = True  # little time of LLVM for it (core/engine/README.md)


def abort(S: View, hart: int) -> int:
    """Empty EX1, the queues, the streams and the L0 data cache of `hart`."""
    leave_ex1(S, hart)
    S.pipeline.ex1_free[hart] = 0
    S.pause.hart[hart] = 0
    S.pipeline.cut[hart] = 0
    for i in range(RETIRE_ORDER_ENTRIES):
        S.pipeline.rq_rd[hart, i] = 0
        S.pipeline.rq_answer[hart, i] = 0
        S.pipeline.rq_serial[hart, i] = 0
        S.pipeline.rq_ready[hart, i] = 0
    for register in range(96):
        S.pipeline.writers[hart, register] = 0
        S.pipeline.last_writer[hart, register] = 0
        S.pipeline.known[hart, register] = 0
    S.pipeline.rq_head[hart] = 0
    S.pipeline.rq_count[hart] = 0
    S.pipeline.serial[hart] = 0
    S.pipeline.loads[hart] = 0
    S.pipeline.check[hart] = 0
    S.pipeline.checked[hart] = 0
    while S.pipeline.sq_count[hart] > 0:
        store_queue.pop(S, hart)
    for stream in range(STREAMS):
        while S.stream.count[hart, stream] > 0:
            shift_out(S, hart, stream)
    S.stream.held[hart] = 0
    if T0 <= hart <= T2:
        tracker.abort_pushes(S, hart - T0)
    l0_cache.drop_all(S, hart)
    S.pipeline.l0_next[hart] = 0
    S.pipeline.l1_place[hart] = 0
    for i in range(IN_FLIGHT):
        S.pipeline.l1_free[hart, i] = 0
    S.pipeline.store_free[hart] = 0
    S.frontend.free[hart] = 0
    frontend.invalidate(S, hart)
    return 0

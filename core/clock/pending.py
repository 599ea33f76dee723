# SPDX-License-Identifier: Apache-2.0
"""Events of harts between two instructions that are not their own doing.

`tile.pending` has a bit for each reason to look, so that a cycle without one costs one test:

PENDING_INTERRUPT  a request is raised and enabled (core/devices/pic.py)
PENDING_ACCESS     a paused core has a memory command from the debug interface to carry out
PENDING_NOC        a request of ours is on its way (core/noc/arrive.py)
PENDING_COUNT      a bank of performance counters runs (core/perf/events.py)
PENDING_SAMPLE     the debug bus writes samples to L1 (core/devices/debug/samples.py)
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES, T2, B
from tensix_gdb.core.arch.chips import BLACKHOLE
from tensix_gdb.core.devices import pic
from tensix_gdb.core.devices.debug import debug_bus, risc_debug
from tensix_gdb.core.devices.debug.samples import PENDING_SAMPLE
from tensix_gdb.core.memory import access, streams
from tensix_gdb.core.memory.map import local_offset
from tensix_gdb.core.noc.arrive import advance
from tensix_gdb.core.noc.state import PENDING_NOC
from tensix_gdb.core.perf.events import count
from tensix_gdb.core.perf.fields import PENDING_COUNT
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline import l0_cache, store_queue
from tensix_gdb.core.stop import BY_DEBUG_INTERFACE, STOPPED, WAIT
from tensix_gdb.core.tensix.gate import requests as watched


def attend(S: View, CHECKED: int) -> int:
    """At the start of a cycle: counters, the NoC, memory commands, interrupts, samples of the debug
    bus. STOPPED when one faults."""
    if S.tile.pending & PENDING_COUNT:
        count(S)
    if S.tile.pending & PENDING_NOC and advance(S, CHECKED) == STOPPED:
        return STOPPED
    if S.tile.pending & risc_debug.PENDING_ACCESS:
        S.tile.pending &= ~risc_debug.PENDING_ACCESS
        for core in range(risc_debug.CORES):
            if S.risc_debug.access[core]:
                if CHECKED and S.l1_watch.ranges:
                    watched.note_watched(S)
                if memory_command(S, core) == STOPPED:
                    return STOPPED
                if CHECKED and S.l1_watch.ranges:
                    watched.keep_noted(S, core, S.hart.pc[core], watched.BY_DEBUG)
    if S.tile.pending & pic.PENDING_INTERRUPT:
        pic.take_interrupts(S)
    if S.tile.pending & PENDING_SAMPLE:
        if CHECKED and S.l1_watch.ranges:
            watched.note_watched(S)
        debug_bus.sample(S)
        if CHECKED and S.l1_watch.ranges:
            watched.keep_noted(S, B, S.hart.pc[B], watched.BY_SAMPLES)
    return 0


def memory_command(S: View, core: int) -> int:
    """Carry out READ_MEMORY or WRITE_MEMORY as `lw` or `sw` of the core.

    The core stays busy while the access waits, as a load of its own would.
    UNSPECIFIED(DebugInterface.md): an address that is not a multiple of 4; the two lowest bits are
    left out.
    """
    addr = S.risc_debug.dr[core, 2] & 0xFFFFFFFC
    is_read = S.risc_debug.access[core] == risc_debug.READ_MEMORY
    if comes_later(S, core, addr, is_read):
        S.tile.pending |= risc_debug.PENDING_ACCESS
        return WAIT
    status = load_word(S, core, addr) if is_read else store_word(S, core, addr)
    if status == WAIT:
        S.tile.pending |= risc_debug.PENDING_ACCESS
        return WAIT
    S.risc_debug.access[core] = 0
    if is_read and status >= 0:
        S.risc_debug.dr[core, 4] = status
    S.tile.idle_cycles = 0
    if status == STOPPED:
        S.stop.stream = BY_DEBUG_INTERFACE
        S.risc_debug.dr[core, 4] = 0
        return STOPPED
    return 0


def comes_later(S: View, core: int, addr: int, is_read: int) -> int:
    """True if stores under way have to come before such an access (MemoryOrdering.md)."""
    if S.stream.count[core, streams.stream_of(S, core, addr, 0 if is_read else 1)] > 0:
        return 1
    if is_read:
        return store_queue.CONFLICTS[S.tile.chip](S, core, addr, 4)
    return 1 if S.pipeline.sq_count[core] > 0 else 0


def load_word(S: View, core: int, addr: int) -> int:
    """Return the word, or WAIT or STOPPED."""
    if core == T2 and addr & 8 and S.tile.chip == BLACKHOLE and local_offset(core, addr) >= 0:
        return 0  # tt-exalens issue 528: T2 reads its local RAM at addr % 16 <= 4 only
    return access.load(S, core, addr, 4, S.hart.pc[core])


def store_word(S: View, core: int, addr: int) -> int:
    """0, or WAIT or STOPPED."""
    if addr < L1_BYTES:
        l0_cache.drop_line(S, core, addr)
    return access.store(S, core, addr, 4, S.risc_debug.dr[core, 3], S.hart.pc[core])

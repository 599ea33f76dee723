# SPDX-License-Identifier: Apache-2.0
"""The signals of the debug daisychain: 128 bits for each DaisySel and SignalSel.

The meanings are those of WormholeB0 DebugDaisychain.md. The places on Blackhole are those of
tt-exalens (functional_worker_debug_bus_signals.py), which gives one name to the same signal of
both chips. `core/devices/debug/signal_names.py` has names and places.

    DaisySel 1   Tensix frontends: what is at a wait gate, which FIFOs are empty or full
    DaisySel 3   row counters of the three threads
    DaisySel 6   address counters: T0's of both unpackers, T2's of the packers
    DaisySel 7   harts: pcs, mailboxes that a hart waits for, PCBufs, MOP expanders
    SignalSel 255  a pattern, in each of them

UNSPECIFIED(DebugDaisychain.md): all other bits. They are 1: a field of ones is no likely value,
where a zero looks like one. "Just now" does not exist between two cycles: what is being fetched,
decoded or leaving the MOP expander is shown as not valid. No data is five cycles stale; the page
says that data may be. The fields are shown at Blackhole's places with `--arch wormhole` too.
"""

from tensix_gdb.core.arch.blackhole import NC, T0, T1, T2, THREADS, B
from tensix_gdb.core.devices import pcbufs
from tensix_gdb.core.devices.mailboxes import ENDS
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.reset import next_pc
from tensix_gdb.core.stall import WaitsFor
from tensix_gdb.core.tensix.frontend import mop_expander
from tensix_gdb.core.tensix.frontend.fifo import A, C, room
from tensix_gdb.core.tensix.frontend.fifo import B as FIFO_B
from tensix_gdb.core.tensix.in_flight import has_expanded, is_idle

COLD = True  # little time of LLVM for it (core/engine/README.md)

UNKNOWN = 0xFFFFFFFF
FRONTEND, COUNTERS, ADDRESSES, HARTS_SHOWN = 1, 3, 6, 7  # DaisySel
LAST_DAISY = 14
SELF_TEST = 255
PATTERN = (0, 0xA5A5A5A5, 0x5A5A5A5A, 0xA5A5A5A5)

FRONTEND_OF = tuple({12: 0, 8: 1, 4: 2}.get(signal, -1) for signal in range(16))
# Which group of which hart a SignalSel of DaisySel 7 is: 4 * hart + group A, B, C or D.
GROUP_A, GROUP_B, GROUP_C, GROUP_D = range(4)
_GROUPS = {
    **{10: (B, GROUP_A), 11: (B, GROUP_B), 1: (B, GROUP_C)},
    **{12 + 2 * i: (T0 + i, GROUP_A) for i in range(THREADS)},
    **{13 + 2 * i: (T0 + i, GROUP_B) for i in range(THREADS)},
    **{18 + 2 * i: (T0 + i, GROUP_C) for i in range(THREADS)},
    **{19 + 2 * i: (T0 + i, GROUP_D) for i in range(THREADS)},
    **{24: (NC, GROUP_A), 25: (NC, GROUP_B)},
}
LAST_GROUP = max(_GROUPS)
GROUP_OF = tuple(
    4 * _GROUPS[signal][0] + _GROUPS[signal][1] if signal in _GROUPS else -1
    for signal in range(LAST_GROUP + 1)
)
assert (T0, T1, T2) == (1, 2, 3)

# Row counters: the first bit of each thread's field, over the 256 bits of SignalSel 2 and 3.
RWC_SIGNAL = 2
SRC_A, SRC_A_CR = (0, 24, 40), (10, 30, 50)
SRC_B, SRC_B_CR = (60, 84, 100), (70, 90, 110)
DST, DST_CR = (120, 140, 160), (130, 150, 170)
ADC_SIGNALS = 6
# SignalSel / 2 of DaisySel 6: the thread and the unit of its address counters.
ADC_THREAD, ADC_UNIT = (0, 0, 2), (0, 1, 2)


def field(word: int, number: int, first: int, width: int, value: int) -> int:
    """Word `number` of a group, with a field of `width` bits from bit `first` on in it."""
    low = first - 32 * number
    if low >= 32 or low + width <= 0:
        return word
    mask = (1 << width) - 1
    bits = value & mask
    if low < 0:
        return (word & ~(mask >> -low)) | (bits >> -low)
    return ((word & ~(mask << low)) | (bits << low)) & 0xFFFFFFFF


def group(S: View, daisy: int, signal: int, number: int) -> int:
    """Word `number` (0 to 3) of the 128 bits that are selected."""
    if signal == SELF_TEST and 0 < daisy <= LAST_DAISY:
        return PATTERN[number] if number else daisy
    if daisy == FRONTEND and signal < 16 and FRONTEND_OF[signal] >= 0:
        return frontend(S, FRONTEND_OF[signal], number)
    if daisy == COUNTERS and (signal == RWC_SIGNAL or signal == RWC_SIGNAL + 1):
        return row_counters(S, number + 4 * (signal - RWC_SIGNAL))
    if daisy == ADDRESSES and signal < ADC_SIGNALS:
        return address_counters(S, signal >> 1, signal & 1, number)
    if daisy == HARTS_SHOWN and signal <= LAST_GROUP and GROUP_OF[signal] >= 0:
        hart = GROUP_OF[signal] >> 2
        which = GROUP_OF[signal] & 3
        if which == GROUP_A:
            return pcs(S, hart, number)
        if which == GROUP_B:
            return decoding(S, hart, number)
        if which == GROUP_C:
            return mailboxes(S, hart, number)
        return thread_of_hart(S, hart - T0, number)
    return UNKNOWN


def frontend(S: View, thread: int, number: int) -> int:
    """Return the word at the wait gate, and whether the FIFOs around the Replay expander are
    empty."""
    at_gate = S.fifo.word[thread, C, S.fifo.head[thread, C]] if S.fifo.count[thread, C] else 0
    word = field(UNKNOWN, number, 40, 32, at_gate)
    word = field(word, number, 73, 1, 0 if S.fifo.count[thread, C] else 1)
    word = field(word, number, 75, 1, 0 if room(S, thread, FIFO_B) else 1)
    return field(word, number, 76, 1, 0 if S.fifo.count[thread, FIFO_B] else 1)


def row_counters(S: View, number: int) -> int:
    """Word `number` of both groups: rows of SrcA, SrcB and Dst, and where each goes back to."""
    word = UNKNOWN
    for thread in range(THREADS):
        word = field(word, number, SRC_A[thread], 6, S.rwc.src_a[thread])
        word = field(word, number, SRC_A_CR[thread], 6, S.rwc.src_a_cr[thread])
        word = field(word, number, SRC_B[thread], 6, S.rwc.src_b[thread])
        word = field(word, number, SRC_B_CR[thread], 6, S.rwc.src_b_cr[thread])
        word = field(word, number, DST[thread], 10, S.rwc.dst[thread])
        word = field(word, number, DST_CR[thread], 10, S.rwc.dst_cr[thread])
    return word


def address_counters(S: View, which: int, channel: int, number: int) -> int:
    """X, Y, Z and W of a channel, and where each goes back to; of Z and W the low eight bits."""
    thread = ADC_THREAD[which]
    unit = ADC_UNIT[which]
    word = field(UNKNOWN, number, 0, 18, S.adc.value[thread, unit, channel, 0])
    word = field(word, number, 18, 18, S.adc.cr[thread, unit, channel, 0])
    word = field(word, number, 64, 13, S.adc.value[thread, unit, channel, 1])
    word = field(word, number, 80, 13, S.adc.cr[thread, unit, channel, 1])
    word = field(word, number, 96, 8, S.adc.value[thread, unit, channel, 2])
    word = field(word, number, 104, 8, S.adc.cr[thread, unit, channel, 2])
    word = field(word, number, 112, 8, S.adc.value[thread, unit, channel, 3])
    return field(word, number, 120, 8, S.adc.cr[thread, unit, channel, 3])


def retiring_pc(S: View, hart: int) -> int:
    """Return the oldest load or atomic that has no answer yet; without one the next instruction."""
    born = 0
    pc = next_pc(S, hart)
    if S.pipeline.loads[hart] == 0:
        return pc
    for stream in range(streams.STREAMS):
        for i in range(S.stream.count[hart, stream]):
            is_first = born == 0 or S.stream.born[hart, stream, i] + 1 < born
            if S.stream.kind[hart, stream, i] != streams.WRITE and is_first:
                born = S.stream.born[hart, stream, i] + 1
                pc = S.stream.pc[hart, stream, i]
    return pc


def pcs(S: View, hart: int, number: int) -> int:
    """Group A: what retires next. What the Load/Store Unit wants to emit is known if it has
    nothing; a request that it has emitted already is not shown."""
    word = field(UNKNOWN, number, 0, 31, retiring_pc(S, hart))
    word = field(word, number, 31, 1, 0)
    word = field(word, number, 127, 1, 0)
    if S.pipeline.ex1_op[hart] or S.pipeline.sq_count[hart]:
        return word
    return field(word, number, 62, 2, 0)


def decoding(S: View, hart: int, number: int) -> int:
    """Group B: the pc of the frontend."""
    word = field(UNKNOWN, number, 32, 30, next_pc(S, hart))
    word = field(word, number, 63, 1, 0)
    return field(word, number, 103, 1, 0)


def waits(S: View, hart: int, reason: int, other: int) -> int:
    """True if a hart waits for this, of that partner."""
    if S.hart.in_reset[hart] or S.hart.paused[hart] or S.hart.waits_for[hart] != reason:
        return 0
    return 1 if S.hart.waits_on[hart] == other else 0


def mailboxes(S: View, writer: int, number: int) -> int:
    """Group C: bit clear if a reader waits for what this hart writes. The most recent value that
    was read is not in the record."""
    word = UNKNOWN
    first = 115 if writer == B else 106
    for reader in range(ENDS):
        ready = 0 if waits(S, reader, WaitsFor.MAILBOX_VALUE, writer) else 1
        word = field(word, number, first + reader, 1, ready)
    if writer != B and S.pcbuf.count[writer - T0]:
        return field(word, number, 119, 9, S.pcbuf.value[writer - T0, 0])
    return word


def thread_of_hart(S: View, thread: int, number: int) -> int:
    """Group D: the PCBuf of a thread, its MOP expander, and the harts that wait for them."""
    hart = T0 + thread
    word = UNKNOWN
    count = S.pcbuf.count[thread]
    if count:
        word = field(word, number, 0, 23, S.pcbuf.value[thread, 0] >> 9)
    word = field(word, number, 23, 1, 0 if count else 1)
    word = field(word, number, 24, 1, 1 if count == pcbufs.CAPACITY else 0)
    word = field(word, number, 25, 1, 0 if has_expanded(S, thread) else 1)
    word = field(word, number, 26, 1, 0 if is_idle(S, thread) else 1)
    word = field(word, number, 28, 1, waits(S, B, WaitsFor.PCBUF_IDLE, hart))
    ttsync = waits(S, hart, WaitsFor.TENSIX_IDLE, hart) | waits(S, hart, WaitsFor.TENSIX_MOP, hart)
    word = field(word, number, 30, 1, ttsync)
    word = field(word, number, 31, 1, waits(S, hart, WaitsFor.PCBUF_VALUE, B))
    word = field(word, number, 83, 1, 0)
    expanding = S.mop.expanding[thread]
    word = field(word, number, 84, 1, 1 if expanding == mop_expander.MASKED else 0)
    word = field(word, number, 85, 1, 1 if expanding == mop_expander.DOUBLE else 0)
    queued = S.fifo.count[thread, A]
    if expanding:
        word = field(word, number, 86, 32, S.mop.word[thread])
    elif queued:
        word = field(word, number, 86, 32, S.fifo.word[thread, A, S.fifo.head[thread, A]])
    word = field(word, number, 118, 1, 1 if expanding or queued else 0)
    word = field(word, number, 125, 1, 0 if room(S, thread, A) else 1)
    return field(word, number, 126, 1, 0 if queued else 1)

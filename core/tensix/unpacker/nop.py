# SPDX-License-Identifier: Apache-2.0
"""UNPACR_NOP: what is done in order with an unpacker's other work, without unpacking.

The pages are Wormhole's (UNPACR_NOP_*.md). Blackhole's assembler table puts other fields into the
same instruction; it names them in a line each. Both agree on filling a bank with zeros, or SrcA
with negative infinity, and on waiting and handing over. What the table has besides:

    fill with 1         for three formats that it calls reserved, or with UNPn_NOP_REG_CLR_VAL, of
                        of which no page says how it becomes 19 bits: both stop by name
    pop                 a store to STREAM_MSG_DATA_CLEAR, of as many messages as the instruction
                        or NOC_OVERLAY_MSG_CLEAR says; Wormhole's page always stores 1
    pop of up to 2047   four registers to choose from. UNSPECIFIED(assembler table): it is taken
                        to be what UNPACR_NOP_SETREG.md has for Wormhole, with 12 bits of address
                        from Unpacker_Reg_Wr_Addr, where Wormhole has them from TDMA-RISC

One that T1 or T2 has pushed while T0 has instructions in the same unpacker is reported: there
Blackhole hangs in some of the runs, the unpacker being busy for ever (tt-metal#54689). How is not
published, so here nothing hangs.
"""

from tensix_gdb.core.arch.blackhole import MMIO_BASE
from tensix_gdb.core.devices.overlay import OVERLAY_BASE
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.faults.reports import report
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.regfiles.src import DATUM, SRC_A, set_base
from tensix_gdb.core.tensix.unpacker import config as config
from tensix_gdb.core.tensix.unpacker import queue as queue
from tensix_gdb.core.tensix.unpacker.config import value

COLD = True  # little time of LLVM for it (core/engine/README.md)

ONLY_SET_DVALID = 3  # of Clr_to1_fmt_Ctrl
ZERO, NEGATIVE_INFINITY = 0, 1  # of Src_ClrVal_Ctrl
STREAM_MSG_DATA_CLEAR = 266
ACCUMULATOR = 0x1FFFF


def place(S: View, thread: int, unpacker: int, kind: int) -> int:
    """Return a place in the queue for an instruction that knows bank and format."""
    j = queue.tail(S, unpacker)
    bank = bank_of(S, thread)
    queue.describe(S, thread, j, kind, bank)
    if thread and S.busy.unpacker[unpacker, 0] and not S.tile.chip:
        hart = S.unpack.hart[j]
        pc = S.unpack.pc[j]
        report(S, Fault.UNPACR_NOP_THREAD, hart, pc, S.unpack.word[j], thread << 32 | pc)
    S.unpack.format[j] = value(S, bank, config.OUT_FORMAT[unpacker])
    S.unpack.row_base[j] = set_base(S, thread, unpacker)
    return j


def nothing(S: View, thread: int, unpacker: int) -> int:
    """UNPACR_NOP_Nop.md"""
    return queue.enter(S, unpacker, thread, place(S, thread, unpacker, queue.NOTHING), 1)


def set_dvalid(S: View, thread: int, unpacker: int) -> int:
    """UNPACR_NOP_SETDVALID.md: whosever the bank is."""
    return queue.enter(S, unpacker, thread, place(S, thread, unpacker, queue.HAND_OVER), 1)


def clear(
    S: View, thread: int, unpacker: int, what: int, both: int, like_unpacr: int, then_valid: int
) -> int:
    """UNPACR_NOP_ZEROSRC.md; 0 or a Fault. Negative infinity is SrcA's alone there."""
    if what > NEGATIVE_INFINITY or (what and unpacker != SRC_A):
        return Fault.UNPACK_FILL
    j = place(S, thread, unpacker, queue.FILL)
    S.unpack.total[j] = DATUM if what else 0
    S.unpack.flags[j] = (
        (queue.BOTH_BANKS if both else 0)
        | (queue.LIKE_UNPACR if like_unpacr else 0)
        | (queue.FLIP if then_valid else 0)
    )
    return queue.enter(S, unpacker, thread, j, 1)


def pop(S: View, thread: int, unpacker: int) -> int:
    """UNPACR_NOP_OverlayClear.md with a stream of ThreadConfig."""
    word = S.config.thread[thread, config.MESSAGE_WORDS[unpacker]]
    return pop_stream(S, thread, unpacker, word & 0x3F, (word >> 8) & 7)


def pop_stream(S: View, thread: int, unpacker: int, stream: int, messages: int) -> int:
    """UNPACR_NOP_OverlayClear.md: no messages means the stream of ThreadConfig."""
    if messages == 0:
        word = S.config.thread[thread, config.MESSAGE_WORDS[unpacker]]
        stream = word & 0x3F
        messages = (word >> 8) & 7
    return store(
        S,
        thread,
        unpacker,
        OVERLAY_BASE + (stream << 12) + STREAM_MSG_DATA_CLEAR * 4,
        messages,
    )


def store(S: View, thread: int, unpacker: int, addr: int, data: int) -> int:
    """Store to a device after the L1 reads of what came before."""
    j = place(S, thread, unpacker, queue.STORE)
    S.unpack.left[j] = addr
    S.unpack.total[j] = data
    return queue.enter(S, unpacker, thread, j, 1)


def set_register(
    S: View, thread: int, unpacker: int, register: int, middle: int, value11: int, accumulate: int
) -> int:
    """UNPACR_NOP_SETREG.md: an address of 12 configured bits, with six of the instruction."""
    both = value(S, bank_of(S, thread), config.REGISTER_ADDRESSES[register >> 1])
    base = (both >> (12 * (register & 1))) & 0xFFF
    addr = MMIO_BASE | (base >> 10) << 18 | middle << 12 | (base & 0x3FF) << 2
    if not accumulate:
        return store(S, thread, unpacker, addr, value11)
    # UNSPECIFIED(UNPACR_NOP_SETREG.md): the sum is made when the instruction starts.
    total = (S.unpack.accumulator[unpacker] + value11) & ACCUMULATOR if value11 else 0
    S.unpack.accumulator[unpacker] = total
    return store(S, thread, unpacker, addr, total) if value11 else nothing(S, thread, unpacker)

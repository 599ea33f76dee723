# SPDX-License-Identifier: Apache-2.0
"""Promises: orders that no page grants and that shipped kernels rely on.

Each row names two events, where kernels rely on their order, and how far that can be trusted:

    DOCUMENTED  a page grants the order
    HEADER      a comment in Tenstorrent's headers, or an answer of the hardware team, states it
    LATENCY     nothing states it; the later event only takes longer on hardware, as far as is known
    SILICON     hardware is known to do otherwise than a page says

`latency` and `random` keep the LATENCY rows; `random:SEED,strict` does not (`schedule.strict`).
`exhaustive` has no time: there, rows with a bound in cycles are not kept in either case.
A run counts where only a promise kept two events in order, and where a promise was broken.

kept.py does the work for requests of harts; P4 is kept by tensix/config/pipeline.py.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.schedule import Schedule

COLD = True  # little time of LLVM for it (core/engine/README.md)


class Trust(enum.Enum):
    """The source of an order."""

    DOCUMENTED = "documented"
    HEADER = "header"
    LATENCY = "latency"
    SILICON = "silicon"


class Number(enum.IntEnum):
    """The rows, as the record counts them."""

    P1 = 0
    P2 = 1
    P3 = 2
    P4 = 3
    P5 = 4
    P6 = 5
    P7 = 6
    P8 = 7
    P9 = 8
    P10 = 9
    P11 = 10
    P15 = 11
    P16 = 12
    P17 = 13
    P18 = 14
    P23 = 15
    P24 = 16
    P25 = 17
    P26 = 18
    P27 = 19
    P28 = 20


@dataclass(frozen=True, slots=True)
class Promise:
    """One order: the `earlier` event comes before the `later` one."""

    number: Number
    earlier: str
    later: str
    source: str  # page, header:line of the LLK, or issue
    trust: Trust
    sentence: str
    bound: int | None = None  # cycles that have to lie between the two, where one is known
    holds: bool = True  # False: hardware is known not to keep the order
    page: str = "BabyRISCV/MemoryOrdering.md"  # that would have to grant it

    @property
    def name(self) -> str:
        return self.number.name

    def __str__(self) -> str:
        return f"{self.earlier} before {self.later}"


# UNSPECIFIED(MemoryOrdering.md): after how many cycles a store to configuration, GPRs or tile
# control is certainly processed before what is pushed. Kernels leave some tens of cycles between
# their initialisation and the first push that relies on it. Counted from the store's emission.
OLD = 32
# Cycles in which a push of configuration comes before the reader of a message has finished.
READER_WINDOW = 24  # from the message to the load of configuration that it allows
WRITER_WINDOW = 128  # from the write of the message to the push
LONGEST_HOLD = 256  # of that push

_D, _H, _L, _S = Trust.DOCUMENTED, Trust.HEADER, Trust.LATENCY, Trust.SILICON

# fmt: off
PROMISES = (
    Promise(Number.P1, "a store to MopCfg", "a MOP pushed after it",
            "ckernel_template.h:351-402; MOPExpander.md says nothing", _L,
            "MopCfg cannot be loaded, and neither Auto TTSync nor C10 knows it, so no kernel could "
            "wait for the store.",
            page="TensixCoprocessor/MOPExpander.md"),
    Promise(Number.P2, "a store to a semaphore", "a SEMGET of it pushed after it",
            "llk_unpack_A.h:417-435 and every unpack kernel; tt-metal#16439", _L,
            "UNPACK_SYNC is posted by a store and taken by a pushed SEMGET; if the SEMGET comes "
            "first, the semaphore stays at 1 and T0 polls for ever."),
    Promise(Number.P3, "a store to a semaphore", "a mailbox write after it",
            "tt-llk#181, tt-llk#185, tt-llk#194, tt-metal#22080", _L,
            "Old versions of get_tile release a semaphore and then send a message; Tenstorrent "
            "has added a load of the semaphore between the two."),
    Promise(Number.P4, "RDCFG's write of a GPR", "the ALU instruction that follows and reads it",
            "llk_unpack_AB_matmul.h:92-93; RDCFG.md denies it", _L,
            "RDCFG may wait for the port of the GPRs, and the next instruction is not to read its "
            "GPR; a matrix kernel does.",
            page="TensixCoprocessor/RDCFG.md"),
    Promise(Number.P5, "UNPACR's reading of its first address", "the thread's next instruction",
            "UNPACR_Regular.md, Performance", _D,
            "The thread starts nothing for two cycles, in which the address is computed.", 2,
            page="TensixCoprocessor/UNPACR_Regular.md"),
    Promise(Number.P6, "PACR's reading of L1_Dest_addr", "a WRCFG of it without a wait",
            "cpack_common.h:695-712", _H,
            "The header says that the packer latches the address when PACR starts.",
            page="TensixCoprocessor/PACR.md"),
    Promise(Number.P7, "PACR's reading of its strides", "a WRCFG of them after C0 alone",
            "cpack_common.h:301-325; tt-metal#48324", _H,
            "The hardware team's answer is about Wormhole.",
            page="TensixCoprocessor/PACR.md"),
    Promise(Number.P8, "a store to configuration by T2", "what T2 pushes long after it",
            "cpack_common.h:434-462, :643-651", _L,
            "No pack header has a STALLWAIT for stores to configuration.", OLD),
    Promise(Number.P9, "a store to PRNG_SEED", "what the Vector Unit draws after it",
            "ckernel.h:810-822", _L,
            "600 SFPNOP are pushed between the two; the bound of P8 and P10 covers it.", 600),
    Promise(Number.P10, "a store to configuration by T0 or T1, or what B has stored or pushed",
            "what the hart pushes long after it, or a hart does that B lets go long after it",
            "cunpack_common.h:806-934; boot.h of LLK's tests, device_setup", _L,
            "UNPACR has a C10 before it, the RMWCIB and SETC16 of the same function have none. "
            "Firmware that boots a tile does not wait for what it has pushed.", OLD),
    Promise(Number.P11, "a store to a GPR", "what the hart pushes long after it",
            "llk_unpack_AB_compressed_custom_mm.h:118-120", _L,
            "The GPR is not read back, and the C10 that follows catches UNPACR only.", OLD),
    Promise(Number.P15, "a waiting reader's load of configuration", "the writer's push of "
            "configuration after its message",
            "LLK test mailbox_read_completion, end of MATH", _L,
            "The message and the load take fewer cycles than the push takes through the FIFOs.",
            READER_WINDOW),
    Promise(Number.P16, "a store to a tile control register", "what the hart pushes long after it",
            "llk_math_common.h:295", _L,
            "Debug bits of the units are set before the instructions that they are for.", OLD),
    Promise(Number.P17, "the packer's writes to L1", "an UNPACR let go by a flag in L1",
            "LLK test tilize_calculate_untilize_L1; tt-llk#68", _L,
            "The flag is stored by the hart without a STALLWAIT for PACK.",
            page="TensixCoprocessor/PACR.md"),
    Promise(Number.P18, "SETDMAREG's write of a GPR", "the WRCFG that follows and reads it",
            "tt-llk#1658 and the guards of cunpack_common.h", _S,
            "The page has the two in order; on Blackhole they need a C0 between them.", 1, False,
            page="TensixCoprocessor/ScalarUnit.md"),
    Promise(Number.P23, "a store to a semaphore", "a SEMWAIT, SEMPOST or SEMINIT of it pushed "
            "after it", "cmath_common.h:246-254", _L,
            "MATH takes MATH_DONE by a store, and waits for it by pushed instructions next time."),
    Promise(Number.P24, "an NIU's reading of what it writes", "a load of WR_REQ_SENT that counts "
            "the write", "NoC/Counters.md denies it; tt-metal, noc_async_writes_flushed", _L,
            "The page counts the write before its data was read; kernels then use the buffer "
            "again. The count of outgoing writes by transaction id comes after that.",
            page="NoC/Counters.md"),
    Promise(Number.P25, "a write over the NoC", "a later request on its virtual channel to the "
            "same tile", "WormholeB0 NoC/Ordering.md; tt-metal, ordering of NOC, CMD_BUF, VC", _L,
            "They arrive in order; that they take effect in order is stated of some kinds only.",
            page="WormholeB0 NoC/Ordering.md"),
    Promise(Number.P26, "RDCFG's write of a GPR", "an instruction long after it that uses the GPR",
            "llk_unpack_fast_tilize.h, llk_unpack_AB_reduce_block_max: init and uninit", _L,
            "RDCFG waits for the port of the GPRs, no page says for how long. Kernels keep a word "
            "in their init and write it back in their uninit, and wait for the unpackers alone.",
            OLD, page="TensixCoprocessor/RDCFG.md"),
    Promise(Number.P27, "a ZEROACC", "what the Vector Unit does with its rows once it has heard "
            "that the ZEROACC has begun", "llk_pack_common.h, _llk_pack_dest_section_done_", _L,
            "T2 gives the semaphore back just after ZEROACC. Where tiles are unpacked to Dst, the "
            "Vector Unit is the first to get them; the Matrix Unit keeps its order itself.",
            page="TensixCoprocessor/SEMPOST.md"),
    Promise(Number.P28, "what a T core has pushed", "its request to the configuration after so "
            "many more words that the FIFOs cannot hold them", "TensixFrontend_BH.svg; "
            "llk_unpack_AB_face_compressed_mm.h, get_dest_max_tiles_rt of ckernel.h", _L,
            "The three FIFOs hold 42 words. How many pushes may be on the way to them is on no "
            "page.", page="BabyRISCV/PushTensixInstruction.md"),
)
# fmt: on
assert tuple(promise.number for promise in PROMISES) == tuple(Number)

COUNT = len(PROMISES)
RELIED, BROKEN = 0, 1
EARLIER, LATER = 0, 1

_T, _M = Tag.TIMING, Tag.MONOTONE
_PAIR = (2, COUNT, 2)

# fmt: off
PROMISED = Part("promised", (
    row("times",  "u32", (2, COUNT),     _M, "[RELIED or BROKEN, promise]"),
    row("cycle",  "i64", _PAIR,          _M, "of the earlier and the later event, the first time"),
    row("pc",     "u32", _PAIR,          _M, "of both"),
    row("hart",   "u8",  _PAIR,          _M, "of both"),
    row("mailed", "i64", HARTS,          _T, "P15: the cycle up to which its pushes are looked at"),
    row("window", "i64", (HARTS, HARTS), _T, "P15: [writer, reader] a load may follow until then"),
    row("until",  "i64", (),             _T, "P15: the end of the last window"),
    row("reader", "u8",  (HARTS, HARTS), _T, "P15: that load is under way"),
    row("met",    "u8",  (),  Tag.DERIVED, "exhaustive: a promise has held something back"),
), chapter=Chapter.HARTS)
# fmt: on


def note(S: View, which: int, promise: int, hart: int, pc: int, cycle: int) -> int:
    """Count a pair of events; hart, pc and cycle of the earlier one."""
    times = S.promised.times[which, promise]
    S.promised.times[which, promise] = min(times + 1, 0xFFFFFFFF)
    if times == 0:
        S.promised.hart[which, promise, EARLIER] = hart
        S.promised.pc[which, promise, EARLIER] = pc
        S.promised.cycle[which, promise, EARLIER] = cycle
        S.promised.cycle[which, promise, LATER] = S.tile.cycle
    return times


def note_later(S: View, which: int, promise: int, hart: int, pc: int) -> int:
    """Keep where the later event of a pair came from, if it was the first of its kind."""
    if S.promised.times[which, promise] == 1:
        S.promised.hart[which, promise, LATER] = hart
        S.promised.pc[which, promise, LATER] = pc
    return 0


def has_time(S: View) -> int:
    """True if bounds in cycles have a meaning."""
    return 1 if S.schedule.kind == Schedule.LATENCY or S.schedule.kind == Schedule.RANDOM else 0

# SPDX-License-Identifier: Apache-2.0
"""The unpackers' instructions under way: what is kept of them, and what the gate waits for.

    gate ── start ──►  queue of unpacker 0  ── read L1, convert, write ──►  SrcA or Dst
         └─ start ──►  queue of unpacker 1  ─────────────────────────────►  SrcB

An UNPACR calculates its addresses in two cycles at least, in which its thread starts nothing and
no other thread starts an UNPACR (UNPACR_Regular.md, Performance). All configuration but
SrcAUnsigned and SrcBUnsigned is read then (Unpackers/FormatConversion.md), and so are the address
counters; sampling.py has what may be read later. From there on the unpacker works by itself, one
instruction after the other, and waits in the middle for its bank, not at the gate (WaitGate.md).

UNSPECIFIED(UNPACR_Regular.md): how many instructions an unpacker holds. Four here: enough that a
thread runs ahead of a tile of four faces.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.decisions import UNPACKER
from tensix_gdb.core.record.layout import Part, Role, Tag, View, row
from tensix_gdb.core.schedule import Schedule, due_after
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.head import word_at_gate

UNPACKERS = 2
DEPTH = cost(
    "unpacker.depth", 4, "instructions", "that an unpacker holds", source="UNPACR_Regular.md",
    trust=Trust.UNKNOWN, note="no page has it; a thread runs ahead of a tile of four faces",
)  # fmt: skip
JOBS = UNPACKERS * DEPTH
DST_ROWS = 1024
RUN = 16  # datums that are moved together: what is contiguous in L1

# `kind`
NOTHING, MOVE, FILL, HAND_OVER, STORE = range(5)
# `target`
SRC_A, SRC_B, DST_16, DST_32 = range(4)
# `flags`
FLIP = 1  # hand the bank over when done
SET_UPDATE = 2  # Unpack_Src_Reg_Set_Upd
TRANSPOSE = 4  # Haloize_mode
COMPRESSED = 8
FORCED_EXPONENT = 0x10
ALL_ZERO = 0x20
OVERRIDE = 0x40  # SetOvrdWithAddr
INTERLEAVE = 0x80
PLAIN = 0x100  # neither compressed nor upsampled nor shifted
HAS_EXPONENTS = 0x200
LIKE_UNPACR = 0x400  # FILL: wait for the unpackers' bank
BOTH_BANKS = 0x800
TILEIZE = 0x1000

_A, _T = Tag.ARCHITECTURAL, Tag.TIMING

# fmt: off
UNPACK_STATE = Part("unpack", (
    row("context",     "u8",  (UNPACKERS, THREADS), _A, "Unpackers[i].ContextCounter[thread]"),
    row("accumulator", "u32", UNPACKERS, _A, "Unpackers[i].SetRegAcc", role=Role.DATA),
    row("addressing",  "u8",  (),        _A, "1 + thread of the UNPACR that calculates addresses",
        role=Role.PROGRESS),
    row("address_due", "i64", (),        _T, "cycle in which that is over"),
    row("head",        "u8",  UNPACKERS, _A, "where the oldest instruction is", role=Role.PROGRESS),
    row("count",       "u8",  UNPACKERS, _A, "instructions in the unpacker", role=Role.PROGRESS),
    row("fetched",     "u32", UNPACKERS, _T, "bytes of L1 that may be moved in this cycle",
        role=Role.PROGRESS),
    row("defined",     "u32", DST_ROWS // 32, _A, "undefined rows of Dst, a bit each, that were "
                                                  "written in the cycle `defined_in`",
                                                  role=Role.PROGRESS),
    row("defined_in",  "i64", (),        _T, "the last cycle with any, in `random`, `exhaustive`"),
    row("datum",       "u32", RUN,       Tag.DERIVED, "converted, within one function only"),
    row("kind",        "u8",  JOBS,      _A, "of each instruction"),
    row("thread",      "u8",  JOBS,      _A, "the thread that it belongs to"),
    row("bank",        "u8",  JOBS,      _A, "the thread's bank of Config"),
    row("word",        "u32", JOBS,      _A, "the instruction", role=Role.PROGRESS),
    row("pc",          "u32", JOBS,      _A, "where it was pushed"),
    row("hart",        "u8",  JOBS,      _A, "the hart that pushed it"),
    row("due",         "i64", JOBS,      _T, "earliest cycle of its next step"),
    row("flags",       "u32", JOBS,      _A, "see above"),
    row("target",      "u8",  JOBS,      _A, "SRC_A, SRC_B, DST_16 or DST_32"),
    row("conversion",  "u8",  JOBS,      _A, "formats.CONVERT"),
    row("modes",       "u8",  JOBS,      _A, "formats.py: its other modes"),
    row("in_format",   "u8",  JOBS,      _A, "InDataFormat"),
    row("format",      "u8",  JOBS,      _A, "OutDataFormat, which is left with the bank"),
    row("exponent",    "u8",  JOBS,      _A, "the exponent, when it is forced"),
    row("row_base",    "u8",  JOBS,      _A, "SRCA_SET_Base, SRCB_SET_Base in rows"),
    row("zeros",       "u8",  JOBS,      _A, "UpsampleZeroes"),
    row("col_shift",   "u8",  JOBS,      _A, "ColShift"),
    row("speed",       "u8",  JOBS,      _A, "0 to 3: 16, 32, 64 or 128 bytes in a cycle"),
    row("width",       "u8",  JOBS,      _A, "datums that are contiguous in L1"),
    row("data",        "i64", JOBS,      _A, "address of the next datum, in bits"),
    row("exponents",   "i64", JOBS,      _A, "of its exponent, in 16ths of a byte"),
    row("deltas",      "i64", JOBS,      _A, "of its number of zeros, in halves of a byte"),
    row("stride",      "u32", JOBS,      _A, "bytes from one contiguous piece to the next"),
    row("limit",       "u32", JOBS,      _A, "address after which addresses wrap"),
    row("fifo_size",   "u32", JOBS,      _A, "by how much"),
    row("out",         "u32", JOBS,      _A, "OutAddr"),
    row("done",        "u32", JOBS,      _A, "datums read; FILL: 0", role=Role.PROGRESS),
    row("total",       "u32", JOBS,      _A, "datums to read; FILL, STORE: the value",
        role=Role.PROGRESS),
    row("drop",        "u32", JOBS,      _A, "DecompressDrop", role=Role.PROGRESS),
    row("left",        "u32", JOBS,      _A, "DecompressNumDatums; STORE: the address",
        role=Role.PROGRESS),
), role=Role.SETTING)
# fmt: on

UNLIMITED = 0xFFFFFFFF  # of `total` and `left`


def tail(S: View, unpacker: int) -> int:
    """Return where the next instruction goes."""
    return unpacker * DEPTH + (S.unpack.head[unpacker] + S.unpack.count[unpacker]) % DEPTH


def oldest(S: View, unpacker: int) -> int:
    """Return where the oldest instruction is."""
    return unpacker * DEPTH + S.unpack.head[unpacker]


def describe(S: View, thread: int, j: int, kind: int, bank: int) -> int:
    """Note the thread of the instruction that goes to slot `j`, before anything else of it."""
    at = S.fifo.head[thread, C]
    S.unpack.kind[j] = kind
    S.unpack.thread[j] = thread
    S.unpack.bank[j] = bank
    S.unpack.word[j] = word_at_gate(S, thread)
    S.unpack.pc[j] = S.fifo.pc[thread, C, at]
    S.unpack.hart[j] = S.fifo.hart[thread, C, at]
    S.unpack.flags[j] = 0
    S.unpack.done[j] = 0
    return 0


def enter(S: View, unpacker: int, thread: int, j: int, cycles: int) -> int:
    """The instruction at `j`, which is complete, begins; it does nothing for `cycles`.

    Only what is on its way to memory can be later than documented. UNPACR_NOP that fills a bank or
    hands it over is not: LLK lets it run beside the other unpacker's UNPACR, pushed after it, and
    T1 give both banks back by SETRWC, which waits for neither, when that one is through.
    """
    kind = S.unpack.kind[j]
    if S.schedule.kind == Schedule.RANDOM and (kind == FILL or kind == HAND_OVER):
        S.unpack.due[j] = S.tile.cycle + cycles
    else:
        S.unpack.due[j] = due_after(S, cycles, UNPACKER + unpacker)
    S.unpack.count[unpacker] += 1
    S.busy.unpacker[unpacker, thread] += 1
    return 0


def leave(S: View, unpacker: int) -> int:
    """The oldest instruction is done."""
    j = oldest(S, unpacker)
    S.busy.unpacker[unpacker, S.unpack.thread[j]] -= 1
    S.unpack.kind[j] = NOTHING
    S.unpack.due[j] = 0
    S.unpack.fetched[unpacker] = 0
    S.unpack.head[unpacker] = (S.unpack.head[unpacker] + 1) % DEPTH
    S.unpack.count[unpacker] -= 1
    return 1


def has_own_exponents(S: View, j: int) -> int:
    """True if the datums have exponents in L1."""
    exponents = S.unpack.flags[j] & (HAS_EXPONENTS | FORCED_EXPONENT)
    return 1 if exponents == HAS_EXPONENTS else 0


def calculate_addresses(S: View, thread: int, cycles: int) -> int:
    """The thread's UNPACR has the address generators for so long."""
    if S.schedule.kind == Schedule.LATENCY or S.schedule.kind == Schedule.RANDOM:
        S.unpack.addressing = thread + 1
        S.unpack.address_due = S.tile.cycle + cycles
    return 0


def holds(S: View, thread: int) -> int:
    """Gate: does the thread's own UNPACR still calculate addresses?"""
    return 1 if S.unpack.addressing == thread + 1 else 0


def takes(S: View, word: int) -> int:
    """Gate: may an instruction of an unpacker pass?"""
    if S.unpack.addressing:
        return 0
    return 1 if S.unpack.count[(word >> 23) & 1] < DEPTH else 0


def shift(S: View) -> int:
    """Start of a cycle: are the addresses calculated? 1 if anything moved."""
    if S.unpack.addressing and S.unpack.address_due <= S.tile.cycle:
        S.unpack.addressing = 0
        S.unpack.address_due = 0
        return 1
    return 0

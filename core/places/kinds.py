# SPDX-License-Identifier: Apache-2.0
"""The kinds of places: a row says how a kind is written, what it is, and what a value of it is.

The table of the manual (`tensix-gdb manual places`) and the sentences of errors are made from the
rows. Those with `dimensions` are read by one function (words.py); the others by one of their own.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.mop_config import WORDS as MOP_WORDS
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.places.place import COUNTERS, Indexes
from tensix_gdb.core.tensix.regfiles import dst, src
from tensix_gdb.core.tensix.regfiles.rwc import DST_MASK, SRC_MASK
from tensix_gdb.core.tensix.sync import MUTEXES
from tensix_gdb.core.tensix.vector.state import EXTRA, LANES

GPRS = 64
ADC_UNITS = ("UNP0", "UNP1", "PAC")  # p_setadc of LLK
RWC_LARGEST = {
    **dict.fromkeys(("dst", "dst_cr"), DST_MASK),
    **dict.fromkeys(("src_a", "src_a_cr", "src_b", "src_b_cr"), SRC_MASK),
    "fidelity": 3,
    "extra_bit": 1,
}


class Owner(enum.Enum):
    """The owners of a kind of state that there is several of."""

    NONE = ""
    THREAD = "thread"
    HART = "hart"
    BANK = "bank"


@dataclass(frozen=True, slots=True)
class Dimension:
    """Numbers from 0 to before `end`; of a chip that has fewer, state.py says so."""

    name: str
    end: int


@dataclass(frozen=True, slots=True)
class Kind:
    """`forms` are examples, the first for errors; `unit` is what one value of it is."""

    word: str
    forms: tuple[str, ...]
    means: str
    unit: str
    owner: Owner = Owner.NONE
    names: tuple[str, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    may_be_whole: bool = False  # without any index


_T, _H, _B = Owner.THREAD, Owner.HART, Owner.BANK
_COLUMN = Dimension("column", dst.COLUMNS)

# fmt: off
KINDS = {kind.word: kind for kind in (
    Kind("l1", ("L1 0x21000:16", "0x21000:16", "0x21000"),
         "bytes of L1, four without a number", "the bytes, little-endian"),
    Kind("dst", ("dst 16.4", "dst 16", "dst 16-19"),
         "row 16, column 4 of Dst16b; the whole row; four rows", "16 bits, in Dst's layout",
         dimensions=(Dimension("row", dst.ROWS), _COLUMN)),
    Kind("dst32", ("dst32 16.4", "dst32 16"),
         "the same of Dst32b", "32 bits, in Dst's layout",
         dimensions=(Dimension("row", dst.ROWS // 2), _COLUMN)),
    Kind("src", ("src a 1 3.5", "src a 1 3", "src b 0"),
         "bank 1 of SrcA, row 3, column 5; the row; bank 0 of SrcB", "19 bits, in Src's layout",
         _B, ("a", "b"), (Dimension("row", src.ROWS), Dimension("column", src.COLUMNS)),
         may_be_whole=True),
    Kind("lreg", ("lreg 3.7", "lreg 3", "$lreg3.f[7]"),
         "lane 7 of LReg[3]; all its lanes", "32 bits",
         dimensions=(Dimension("LReg", EXTRA + 1), Dimension("lane", LANES))),
    Kind("gpr", ("gpr T1 5", "gpr T1 4-7", "$gpr[5]"),
         "GPR 5 of a Tensix thread; in GDB, of the selected one", "32 bits",
         _T, dimensions=(Dimension("GPR", GPRS),)),
    Kind("cfg", ("cfg THCON_SEC0_REG3_Base_address 1", "cfg ALU_FORMAT_SPEC_REG0_SrcA",
                 "cfg 12[7:0] 0", "cfg CFG_STATE_ID_StateID T1", "cfg 3 T1"),
         "a field of the configuration, or bits of a word, of a bank or a thread",
         "the field's bits"),
    Kind("sem", ("sem 3", "sem 3.max"),
         "a semaphore; its largest value", "4 bits",
         names=("max",), dimensions=(Dimension("semaphore", SEMAPHORES),)),
    Kind("mutex", ("mutex 2",),
         "a mutex", "1 + the thread that holds it, 0 for none",
         dimensions=(Dimension("mutex", MUTEXES),)),
    Kind("mop", ("mop T1 2",),
         "a word of a thread's MOP configuration", "32 bits",
         _T, dimensions=(Dimension("word", MOP_WORDS),)),
    Kind("adc", ("adc T0 UNP0 X0", "adc T2 PAC"),
         "an address counter of UNP0, UNP1 or PAC: X, Y, Z or W of channel 0 or 1", "18 or 13 bits",
         _T, ADC_UNITS, (Dimension("counter", len(COUNTERS)),), may_be_whole=True),
    Kind("rwc", ("rwc T1 dst", "rwc T1 src_a"),
         f"a row counter: {', '.join(RWC_LARGEST)}", "as wide as it is",
         _T, tuple(RWC_LARGEST)),
    Kind("reg", ("reg T1 a0", "reg T1 x10"),
         "a register of a hart, as its instructions have written it", "32 bits", _H),
    Kind("local", ("local T0 0xffb00010:8",),
         "bytes of a hart's local RAM, its stack too", "the bytes, little-endian", _H),
    Kind("mmio", ("mmio B 0xffb12068",),
         "a register of a device as a hart sees it, without side effects", "32 bits", _H),
    Kind("row", ("hart.pc[1]", "noc.ctrl[0,3]", "vector.flags"),
         "any other state: a row of the machine's record and an element of it "
         "(`tensix-gdb manual record-data` and its three neighbours)",
         "as wide as the row's elements"),
)}
# fmt: on


def trimmed(kind: str, indexes: Sequence[Indexes]) -> tuple[Indexes, ...]:
    """Indexes without those of last dimensions that are whole."""
    found = list(indexes)
    dimensions = KINDS[kind].dimensions
    while 1 < len(found) <= len(dimensions) and found[-1] == (
        range(dimensions[len(found) - 1].end),
    ):
        found.pop()
    return tuple(found)

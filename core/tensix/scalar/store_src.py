# SPDX-License-Identifier: Apache-2.0
"""STOREIND to SrcA or SrcB (STOREIND_Src.md): four BF16 datums from two GPRs.

GPRs are read when the instruction passes the gate. It stays in the Scalar Unit until the unpackers
have the bank, and writes then. The row counts as one of an unpacker does: of SrcA, the first four
go nowhere.
"""

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.operand import GPR
from tensix_gdb.core.isa.schema import Bits, Fixed
from tensix_gdb.core.numeric.layouts import bf16_to_src, dst16_bf16_to_src
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.gpr_use import READ
from tensix_gdb.core.tensix.instruction import WH, Operand, tensix
from tensix_gdb.core.tensix.occupancy import unpackers_lack
from tensix_gdb.core.tensix.regfiles.src import ROWS, SRC_A
from tensix_gdb.core.tensix.scalar.memory import OFFSET, STOREIND, offset
from tensix_gdb.core.tensix.scalar.pipeline import TO_SOURCE, hold_unit, is_due, release
from tensix_gdb.core.tensix.scalar.unit import SCALAR
from tensix_gdb.core.tensix.unpacker import config as unpack_config
from tensix_gdb.core.tensix.unpacker.target import FIRST_ROW, ROWS_WITHOUT_OVERRIDE

COLD = True  # little time of LLVM for it (core/engine/README.md)

ADDRESS = 0xFFFFF
UNDEFINED = 0xF0000


@SCALAR.instruction(
    "STOREIND.Src", tensix(0x66, Fixed(0, 2), "store_to_src_b" / Bits(1), *OFFSET,
                           "data_reg" / Bits(6), "addr_reg" / Bits(6)),
    llk=STOREIND, ttsync=3, latency="3+", page=WH + "STOREIND_Src.md",
    gprs={"data_reg": READ.pair},
    operands={"addr_reg": Operand(GPR, "row and column, see the page")},
    reads=(uses.BANKS,),
    writes=(uses.SRC_A.unless_set("store_to_src_b"), uses.SRC_B.if_set("store_to_src_b")),
    summary="Store four BF16 datums from a pair of GPRs to SrcA or SrcB.",
)  # fmt: skip
def storeind_src(
    S: View,
    thread: int,
    store_to_src_b: int,
    offset_half_reg: int,
    offset_increment: int,
    data_reg: int,
    addr_reg: int,
) -> int:
    """STOREIND_Src.md"""
    gpr = thread * 64
    by = S.gpr.half[thread * 128 + offset_half_reg] >> 4
    addr = (S.gpr.word[gpr + addr_reg] + by) & ADDRESS
    row = addr >> 2
    if addr & UNDEFINED:
        return fault_at_gate(S, thread, Fault.STOREIND_ROW)
    if store_to_src_b:
        limit = ROWS_WITHOUT_OVERRIDE
    else:
        override = unpack_config.sets_override(S, thread)
        limit = FIRST_ROW + (ROWS if override else ROWS_WITHOUT_OVERRIDE)
    if row >= limit:
        return fault_at_gate(S, thread, Fault.STOREIND_ROW)
    S.thcon.source[0] = store_to_src_b
    S.thcon.source[1] = addr
    S.thcon.source[2] = S.gpr.word[gpr + (data_reg & 0x3C)]
    S.thcon.source[3] = S.gpr.word[gpr + (data_reg & 0x3C) + 1]
    offset(S, thread, offset_half_reg, offset_increment)
    return hold_unit(S, thread, TO_SOURCE, 3)


def store_to_source(S: View) -> int:
    """The Scalar Unit has such an instruction: write, if time and bank allow; 1 if they do."""
    source = S.thcon.source[0]
    if not is_due(S) or unpackers_lack(S, source):
        return 0
    thread = S.thcon.thread
    bank = S.busy.unpack_bank[source]
    row = S.thcon.source[1] >> 2
    column = (S.thcon.source[1] & 3) * 4
    for i in range(4):
        word = S.thcon.source[2 + (i >> 1)]
        # The low half of a GPR holds it as Dst does, the high half as software does.
        datum = bf16_to_src(word >> 16) if i & 1 else dst16_bf16_to_src(word & 0xFFFF)
        if source != SRC_A:
            S.src.b[bank, (row + S.src.unpack_row[source, thread]) & 63, column + i] = datum
        elif row >= FIRST_ROW:
            override = unpack_config.sets_override(S, thread)
            first = 0 if override else S.src.unpack_row[source, thread]
            S.src.a[bank, (row - FIRST_ROW + first) & 63, column + i] = datum
    for i in range(4):
        S.thcon.source[i] = 0
    return release(S)

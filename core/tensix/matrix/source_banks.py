# SPDX-License-Identifier: Apache-2.0
"""Instructions that hand over source banks, and the banks that each instruction waits for.

Most of the unit's instructions wait at the gate until the banks that they read are the Matrix
Unit's; each page says which (`WAITS_FOR`). Those that only write a bank do not wait.
"""

from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import WH, tensix
from tensix_gdb.core.tensix.matrix.unit import FLIP, MATRIX
from tensix_gdb.core.tensix.regfiles.src import BANKS, SRC_A, SRC_B, late_by, leave, reset_banks

# By mnemonic: 1 for SrcA, 2 for SrcB. Each page's loop before "Once dispatched".
_A, _B = 1 << SRC_A, 1 << SRC_B
WAITS_FOR = {
    "MOVA2D": _A,
    "MOVB2D": _B,
    "MOVB2A": _B,
    "TRNSPSRCB": _B,
    "SHIFTXA": _A,
    "SHIFTXB": _B,
    "MVMUL": _A | _B,
    "DOTPV": _A | _B,
    "GAPOOL": _A | _B,
    "GMPOOL": _A | _B,
    "ELWMUL": _A | _B,
    "ELWADD": _A | _B,
    "ELWSUB": _A | _B,
}


@MATRIX.instruction(
    "CLEARDVALID", tensix(0x36, *FLIP, Unused(20), "keep_reading_same_src" / Bits(1),
                          "reset" / Bits(1)),
    llk="cleardvalid@22 reset@0", page=WH + "CLEARDVALID.md",
    reads=(uses.BANKS,),
    writes=tuple(uses.BANKS.if_set(flag) for flag in ("flip_src_a", "flip_src_b", "reset")),
    summary="Hand source banks from the Matrix Unit back to the unpackers.",
)  # fmt: skip
def cleardvalid(
    S: View, thread: int, flip_src_b: int, flip_src_a: int, keep_reading_same_src: int, reset: int
) -> int:
    """CLEARDVALID.md; Reset also forgets the banks' formats on Blackhole (its newest version)."""
    if reset:
        for source in range(2):
            for bank in range(BANKS):
                S.src.format[source, bank] = 0
        return reset_banks(S)
    if not (flip_src_a or flip_src_b):
        return 0
    late = late_by(S)
    for source in range(2):
        if flip_src_b if source else flip_src_a:
            leave(S, source, 1, 0 if keep_reading_same_src else 1, late)
    return 0


@MATRIX.instruction(
    "GATESRCRST", tensix(0x35, Unused(22), "invalidate_src_b_cache" / Bits(1),
                         "reset_srca_gate_control" / Bits(1)),
    llk="reset_srcb_gate_control@1 reset_srca_gate_control@0", page=WH + "GATESRCRST.md",
    summary="Forget the row of SrcB that the Matrix Unit has cached.",
)  # fmt: skip
def gatesrcrst(
    S: View, thread: int, invalidate_src_b_cache: int, reset_srca_gate_control: int
) -> int:
    """GATESRCRST.md: the cached row is always that of SrcB here, so nothing is to be forgotten."""
    return 0

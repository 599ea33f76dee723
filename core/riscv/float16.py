# SPDX-License-Identifier: Apache-2.0
"""Zfh as these harts have it (BabyRISCV/InstructionSet.md): FP16, or BF16 with cfg0.EnBFloat.

No fdiv.h, no fsqrt.h; what is said of F holds here too. The operations, all of them with the mode
that cfg0 sets, are in `core.numeric.half`.
"""

from tensix_gdb.core.numeric import half
from tensix_gdb.core.riscv.encoding import (
    Form,
    Group,
    f1_type,
    f4_type,
    f_load_type,
    f_store_type,
    f_to_x_type,
    f_type,
    fcompare_type,
    fround_type,
    x_to_f_type,
)

FLOAT16 = Group("BabyRISCV/InstructionSet.md")
S, H = 0, 2  # formats in an encoding

# Signed 2: all ones above.
FLOAT16.row("flh", f_load_type(1), Form.LOAD, size=2, signed=2)
FLOAT16.row("fsh", f_store_type(1), Form.STORE, size=2)

# fmt: off
_RRR, _RR, _R1 = Form.HALF_RRR, Form.HALF_RR, Form.HALF_R1
FLOAT16.instruction("fmadd.h",   f4_type(0x43, H),             _RRR)(half.madd)
FLOAT16.instruction("fmsub.h",   f4_type(0x47, H),             _RRR)(half.msub)
FLOAT16.instruction("fnmsub.h",  f4_type(0x4B, H),             _RRR)(half.nmsub)
FLOAT16.instruction("fnmadd.h",  f4_type(0x4F, H),             _RRR)(half.nmadd)
FLOAT16.instruction("fadd.h",    fround_type(0x00, H),         _RR)(half.add)
FLOAT16.instruction("fsub.h",    fround_type(0x01, H),         _RR)(half.subtract)
FLOAT16.instruction("fmul.h",    fround_type(0x02, H),         _RR)(half.multiply)
FLOAT16.instruction("fsgnj.h",   f_type(0x04, H, 0),           _RR)(half.with_sign)
FLOAT16.instruction("fsgnjn.h",  f_type(0x04, H, 1),           _RR)(half.with_other_sign)
FLOAT16.instruction("fsgnjx.h",  f_type(0x04, H, 2),           _RR)(half.with_product_sign)
FLOAT16.instruction("fmin.h",    f_type(0x05, H, 0),           _RR)(half.smaller)
FLOAT16.instruction("fmax.h",    f_type(0x05, H, 1),           _RR)(half.larger)
FLOAT16.instruction("fle.h",     fcompare_type(H, 0),          _RR)(half.less_or_equal)
FLOAT16.instruction("flt.h",     fcompare_type(H, 1),          _RR)(half.less)
FLOAT16.instruction("feq.h",     fcompare_type(H, 2),          _RR)(half.equal)
FLOAT16.instruction("fcvt.s.h",  f1_type(0x08, S, H),          _R1)(half.widened)
FLOAT16.instruction("fcvt.h.s",  f1_type(0x08, H, S),          _R1)(half.narrowed)
FLOAT16.instruction("fcvt.w.h",  f_to_x_type(0x18, H, 0, -1),  _R1)(half.to_signed)
FLOAT16.instruction("fcvt.wu.h", f_to_x_type(0x18, H, 1, -1),  _R1)(half.to_unsigned)
FLOAT16.instruction("fcvt.h.w",  x_to_f_type(0x1A, H, 0, -1),  _R1)(half.from_signed)
FLOAT16.instruction("fcvt.h.wu", x_to_f_type(0x1A, H, 1, -1),  _R1)(half.from_unsigned)
FLOAT16.instruction("fmv.x.h",   f_to_x_type(0x1C, H, 0, 0),   _R1)(half.moved_out)
FLOAT16.instruction("fmv.h.x",   x_to_f_type(0x1E, H, 0, 0),   _R1)(half.moved_in)
FLOAT16.instruction("fclass.h",  f_to_x_type(0x1C, H, 0, 1),   _R1)(half.classified)
# fmt: on

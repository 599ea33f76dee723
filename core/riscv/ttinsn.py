# SPDX-License-Identifier: Apache-2.0
"""`.ttinsn` (BabyRISCV/PushTensixInstruction.md): a Tensix instruction inside RISC-V code.

The word is the Tensix instruction rotated left by two bits. Tensix opcodes stay below 0xC0, so the
two low bits are never 0b11, and nothing else lives there: the harts have no compressed
instructions.
"""

from tensix_gdb.core.isa.schema import Bits, NotValue, word32
from tensix_gdb.core.riscv.encoding import Form, Group

TTINSN = Group("BabyRISCV/PushTensixInstruction.md")

TTINSN.row(".ttinsn", word32("imm[29:0]" / Bits(30), "imm[31:30]" / NotValue(3, 2)), Form.TTINSN)

# SPDX-License-Identifier: Apache-2.0
"""Zicsr, version 2.0 (BabyRISCV/CSRs.md): what becomes of a CSR, given its old value.

The registers themselves are in `core.riscv.csrs`; when the read or the write is left out is a
matter of the form (core/riscv/execute.py).
"""

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.riscv.encoding import Form, Group, csr_type

ZICSR = Group("BabyRISCV/CSRs.md")


@ZICSR.instruction("csrrwi", csr_type(5), Form.CSR_I)
@ZICSR.instruction("csrrw", csr_type(1), Form.CSR_R)
def csrrw(old: int, operand: int) -> int:
    """Write."""
    return operand


@ZICSR.instruction("csrrsi", csr_type(6), Form.CSR_I)
@ZICSR.instruction("csrrs", csr_type(2), Form.CSR_R)
def csrrs(old: int, operand: int) -> int:
    """Set the bits of `operand`."""
    return old | operand


@ZICSR.instruction("csrrci", csr_type(7), Form.CSR_I)
@ZICSR.instruction("csrrc", csr_type(3), Form.CSR_R)
def csrrc(old: int, operand: int) -> int:
    """Clear the bits of `operand`."""
    return old & (operand ^ MASK32)

# SPDX-License-Identifier: Apache-2.0
"""All RV32 instructions of the harts in a fixed order: the row of op number n is ROWS[n - FIRST].

Op numbers are what `decode.py` finds and `riscv/execute.py` dispatches on: 0 is a word that is
not decoded yet, 1 a word that is no instruction. The tuples below are aligned with them.
"""

from collections.abc import Callable

from tensix_gdb.core.isa.schema import check_rows
from tensix_gdb.core.riscv.encoding import Form as Form
from tensix_gdb.core.riscv.encoding import Instruction, Operation, no_operation
from tensix_gdb.core.riscv.float16 import FLOAT16
from tensix_gdb.core.riscv.float32 import FLOAT32
from tensix_gdb.core.riscv.rv32i import RV32I
from tensix_gdb.core.riscv.rv32m import RV32M
from tensix_gdb.core.riscv.rvv.encodings import RVV
from tensix_gdb.core.riscv.ttinsn import TTINSN
from tensix_gdb.core.riscv.zaamo import ZAAMO
from tensix_gdb.core.riscv.zba_zbb import ZBA_ZBB
from tensix_gdb.core.riscv.zicsr import ZICSR

NOT_DECODED = 0
ILLEGAL = 1
FIRST = 2

GROUPS = (RV32I, RV32M, ZICSR, ZAAMO, ZBA_ZBB, FLOAT32, FLOAT16, RVV, TTINSN)
# WormholeB0 BabyRISCV/README.md, Instruction set: RV32IM and `.ttinsn`. There is no interrupt that
# mret could return from, and `fence` is a nop, as fence.i is.
ON_WORMHOLE = (RV32I, RV32M, TTINSN)
NOT_ON_WORMHOLE = ("mret",)
ROWS: tuple[Instruction, ...] = tuple(row for group in GROUPS for row in group.rows)
check_rows(ROWS)


def by_op(value_of: Callable[[Instruction], int]) -> tuple[int, ...]:
    """Make a table by op number; 0 is for numbers that are no row."""
    return (*(0,) * FIRST, *map(value_of, ROWS))


FORMS: tuple[Form, ...] = (Form.NOT_DECODED, Form.ILLEGAL, *(row.form for row in ROWS))
OPERATIONS: tuple[Operation, ...] = (
    no_operation,
    no_operation,
    *(row.operation for row in ROWS),
)
SIZES = by_op(lambda row: row.size)
SIGNED = by_op(lambda row: row.signed)
OPS: dict[str, int] = {row.name: op for op, row in enumerate(ROWS, FIRST)}
_THERE = {row.name for group in ON_WORMHOLE for row in group.rows} - set(NOT_ON_WORMHOLE)
_NOPS_THERE = ("fence", "fence.i")  # addi x0, x0, 0
# By op number, of each chip after the one before: what harts execute, ILLEGAL if they have no such
# instruction.
AS_EXECUTED = (
    *range(len(FORMS)),
    NOT_DECODED,
    ILLEGAL,
    *(
        ILLEGAL if row.name not in _THERE else OPS["addi"] if row.name in _NOPS_THERE else op
        for op, row in enumerate(ROWS, FIRST)
    ),
)

# SPDX-License-Identifier: Apache-2.0
"""Auto TTSync (BabyRISCV/AutoTTSync.md): RESOURCEDECL, which executes in the frontend."""

from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.isa.masks import DEFAULT_RESOURCES, RESOURCES
from tensix_gdb.core.isa.operand import HEX, Choice, Name
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import (
    YAML,
    Arch,
    Catch,
    Group,
    Operand,
    Status,
    Unit,
    tensix,
)

# fmt: off
CLASS_MEMBERS = (
    "ALU group of the Scalar Unit, SETDMAREG", "ATINCGET, ATINCGETPTR, ATSWAP, ATCAS", "REG2FLOP",
    "LOADIND, STOREIND", "STREAMWRCFG, CFGSHIFTMASK", "STOREREG", "LOADREG", "FLUSHDMA", "WRCFG",
    "RDCFG", "XMOV", "UNPACR, UNPACR_NOP", "PACR", "MOP", "REPLAY", "everything else",
)
assert len(CLASS_MEMBERS) == len(DEFAULT_RESOURCES)
OP_CLASS = Choice(always=True, names=tuple(
    Name(str(number), number, meaning=members) for number, members in enumerate(CLASS_MEMBERS)
))

TTSYNC = Group(Unit.TTSYNC, gate=Catch.NEVER, ttsync=None, operands={
    "op_class":    Operand(OP_CLASS, "the class of instructions that use the resources"),
    "resources":   Operand(RESOURCES, "what instructions of the class read and write"),
    "linger_time": Operand(HEX, "pattern shifted right while an instruction stays stalled"),
})

# AutoTTSync.md names it; the fields are in the assembler table only.
TTSYNC.instruction(
    "RESOURCEDECL", tensix(opcodes.RESOURCEDECL, Unused(7), "linger_time" / Bits(4),
                           "resources" / Bits(9), "op_class" / Bits(4)),
    arch=Arch.BLACKHOLE, llk="linger_time@13 resources@4 op_class@0", page=YAML,
    status=Status.IMPLEMENTED,  # in tracker.py
    writes=(uses.CLASSES,),
    summary="Declare what one class of the thread's instructions reads and writes.")
# fmt: on

# SPDX-License-Identifier: Apache-2.0
"""The ALU group of the Scalar Unit: arithmetic on two GPRs, or on one and a constant.

Three cycles, or four when both operands are GPRs of different aligned groups of four. The result is
written in the last of them.

UNSPECIFIED(BITWOPDMAREG.md, SHIFTDMAREG.md, CMPDMAREG.md): modes that the pages leave out are
undefined behaviour; they stop.

UNSPECIFIED(SHIFTDMAREG.md): bit 11 of a shift by a constant. The page gives the constant five bits,
10:6, and bit 11 to nothing. Tenstorrent's assembler table has six bits for it, as for the rest of
the group, and the requirements for the Scalar Unit use the low five of six, as the page does of a
register. So bit 11 is taken and ignored: a shift by 37 is one by 5. No kernel of LLK uses it, and
Tenstorrent's simulator refuses the instruction.
"""

import enum

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.isa.operand import ALWAYS, Choice, Name
from tensix_gdb.core.isa.schema import Bits, Encoding, Fixed, Part, Unused
from tensix_gdb.core.ordering.promises import BROKEN, RELIED, Number, note, note_later
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.config.pipeline import ACCESS, WRITE_BACK, Op, has_to_wait
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.instruction import WH, Operand, tensix
from tensix_gdb.core.tensix.scalar.pipeline import result
from tensix_gdb.core.tensix.scalar.unit import SCALAR


class Bitwise(enum.IntEnum):
    """Mode of BITWOPDMAREG.md."""

    AND = 0
    OR = 1
    XOR = 2


class Shift(enum.IntEnum):
    """Mode of SHIFTDMAREG.md."""

    LEFT = 0
    RIGHT = 1


class Compare(enum.IntEnum):
    """Mode of CMPDMAREG.md."""

    GT = 0
    LT = 1
    EQ = 2


MAX_SHIFT = 31

# fmt: off
BITWOP_MODE = Choice(always=True, prefix="BITWOPDMAREG_MODE_", names=(
    Name("AND", Bitwise.AND, (), "left & right"), Name("OR", Bitwise.OR, (), "left | right"),
    Name("XOR", Bitwise.XOR, (), "left ^ right"),
))
SHIFT_MODE = Choice(always=True, prefix="SHIFTDMAREG_MODE_", names=(
    Name("LEFT", Shift.LEFT, (), "left << right"),
    Name("RIGHT", Shift.RIGHT, (), "left >> right, zeros coming in"),
))
CMP_MODE = Choice(always=True, prefix="CMPDMAREG_MODE_", names=(
    Name("GT", Compare.GT, (), "left > right"), Name("LT", Compare.LT, (), "left < right"),
    Name("EQ", Compare.EQ, (), "left == right"),
))

_ALU = "OpBisConst@23 ResultRegIndex@12 OpBRegIndex@6 OpARegIndex@0"
_ALU_MODE = "OpBisConst@23 OpSel@18 ResultRegIndex@12 OpBRegIndex@6 OpARegIndex@0"
_RIGHT_REG = "right_reg" / Bits(6)
_RIGHT_IMM6 = "right_imm6" / Bits(6)
_NO_MODE = Unused(3)
_MODE = "mode" / Bits(3)
# fmt: on


def _alu(opcode: int, constant: int, mode: Part, *right: Part) -> Encoding:
    """Return the ALU group: constant flag, mode, result, right and left operand."""
    return tensix(
        opcode, Fixed(constant, 1), Unused(2), mode, "result_reg" / Bits(6), *right,
        "left_reg" / Bits(6),
    )  # fmt: skip


def gpr(S: View, thread: int, reg: int) -> int:
    """Return a GPR of the thread, with what RDCFG is about to write to it.

    UNSPECIFIED(RDCFG.md): in which of its cycles the ALU reads. After the first one here: then an
    RDCFG just before it has written its GPR. The page forbids to rely on that, but LLK's
    unpack of matrices (llk_unpack_AB_matmul.h) has RDCFG and ADDDMAREG of its GPR side by side:
    promise P4. Without it, RDCFG has to wait when others write GPRs in the same cycle, and the ALU
    reads the old value.
    """
    stage = ACCESS if is_read(S, ACCESS, thread, reg) else WRITE_BACK
    if not is_read(S, stage, thread, reg) or S.schedule.kind == Schedule.SC:
        return S.gpr.word[thread * 64 + reg]
    if S.schedule.strict and (stage == ACCESS or has_to_wait(S)):
        note_read(S, thread, stage, BROKEN)
        return S.gpr.word[thread * 64 + reg]
    note_read(S, thread, stage, RELIED)
    return S.config_pipe.data[stage, 0]


def is_read(S: View, stage: int, thread: int, reg: int) -> int:
    """True if the stage has an RDCFG of the thread to this GPR."""
    if S.config_pipe.op[stage] != Op.READ or S.config_pipe.thread[stage] != thread:
        return 0
    return 1 if S.config_pipe.reg[stage] == reg else 0


def note_read(S: View, thread: int, stage: int, which: int) -> int:
    """Count promise P4."""
    if S.schedule.kind == Schedule.EXHAUSTIVE:
        return 0
    at = S.fifo.head[thread, C]
    pc = S.config_pipe.pc[stage]
    note(S, which, Number.P4, S.config_pipe.hart[stage], pc, S.tile.cycle - 1)
    return note_later(S, which, Number.P4, S.fifo.hart[thread, C, at], S.fifo.pc[thread, C, at])


SAME_GROUP = cost(
    "scalar.alu", 3, "cycles", "of an ALU instruction whose GPRs are of one aligned group of four, "
    "or that has a constant",
    source="ADDDMAREG.md", trust=Trust.PAGE, note="a card: 3.01 (mesham/tt-sim, tensixbench)",
)  # fmt: skip
OTHER_GROUP = cost(
    "scalar.alu_two_groups", 4, "cycles", "of one whose two GPRs are of different groups",
    source="ADDDMAREG.md", trust=Trust.PAGE,
)  # fmt: skip


def cycles(left_reg: int, right_reg: int) -> int:
    """Return how many cycles an instruction on two GPRs takes."""
    return SAME_GROUP if left_reg >> 2 == right_reg >> 2 else OTHER_GROUP


@SCALAR.instruction(
    "ADDDMAREG.Reg", _alu(opcodes.ADDDMAREG, 0, _NO_MODE, _RIGHT_REG),
    llk=_ALU, ttsync=0, latency="3-4", page=WH + "ADDDMAREG.md",
    summary="Sum of two GPRs.",
)  # fmt: skip
def adddmareg_reg(S: View, thread: int, result_reg: int, right_reg: int, left_reg: int) -> int:
    """ADDDMAREG.md"""
    left = gpr(S, thread, left_reg)
    right = gpr(S, thread, right_reg)
    value = (left + right) & MASK32
    return result(S, thread, cycles(left_reg, right_reg), result_reg, value)


@SCALAR.instruction(
    "ADDDMAREG.Imm", _alu(opcodes.ADDDMAREG, 1, _NO_MODE, _RIGHT_IMM6),
    llk=_ALU, ttsync=0, latency="3", page=WH + "ADDDMAREG.md",
    summary="Sum of a GPR and a constant.",
)  # fmt: skip
def adddmareg_imm(S: View, thread: int, result_reg: int, right_imm6: int, left_reg: int) -> int:
    """ADDDMAREG.md"""
    left = gpr(S, thread, left_reg)
    value = (left + right_imm6) & MASK32
    return result(S, thread, 3, result_reg, value)


@SCALAR.instruction(
    "SUBDMAREG.Reg", _alu(0x59, 0, _NO_MODE, _RIGHT_REG),
    llk=_ALU, ttsync=0, latency="3-4", page=WH + "SUBDMAREG.md",
    summary="Left minus right: two GPRs.",
)  # fmt: skip
def subdmareg_reg(S: View, thread: int, result_reg: int, right_reg: int, left_reg: int) -> int:
    """SUBDMAREG.md"""
    left = gpr(S, thread, left_reg)
    right = gpr(S, thread, right_reg)
    value = (left - right) & MASK32
    return result(S, thread, cycles(left_reg, right_reg), result_reg, value)


@SCALAR.instruction(
    "SUBDMAREG.Imm", _alu(0x59, 1, _NO_MODE, _RIGHT_IMM6),
    llk=_ALU, ttsync=0, latency="3", page=WH + "SUBDMAREG.md",
    summary="Left minus right: a GPR and a constant.",
)  # fmt: skip
def subdmareg_imm(S: View, thread: int, result_reg: int, right_imm6: int, left_reg: int) -> int:
    """SUBDMAREG.md"""
    left = gpr(S, thread, left_reg)
    value = (left - right_imm6) & MASK32
    return result(S, thread, 3, result_reg, value)


@SCALAR.instruction(
    "MULDMAREG.Reg", _alu(0x5a, 0, _NO_MODE, _RIGHT_REG),
    llk=_ALU, ttsync=0, latency="3-4", page=WH + "MULDMAREG.md",
    summary="Product of the low halves of two GPRs.",
)  # fmt: skip
def muldmareg_reg(S: View, thread: int, result_reg: int, right_reg: int, left_reg: int) -> int:
    """MULDMAREG.md"""
    left = gpr(S, thread, left_reg)
    right = gpr(S, thread, right_reg)
    value = ((left & 0xFFFF) * (right & 0xFFFF)) & MASK32
    return result(S, thread, cycles(left_reg, right_reg), result_reg, value)


@SCALAR.instruction(
    "MULDMAREG.Imm", _alu(0x5a, 1, _NO_MODE, _RIGHT_IMM6),
    llk=_ALU, ttsync=0, latency="3", page=WH + "MULDMAREG.md",
    summary="Product of the low halves of a GPR and a constant.",
)  # fmt: skip
def muldmareg_imm(S: View, thread: int, result_reg: int, right_imm6: int, left_reg: int) -> int:
    """MULDMAREG.md"""
    left = gpr(S, thread, left_reg)
    value = ((left & 0xFFFF) * (right_imm6 & 0xFFFF)) & MASK32
    return result(S, thread, 3, result_reg, value)


def moded(S: View, thread: int, latency: int, result_reg: int, value: int) -> int:
    """End an instruction with a mode; a negative value is a mode that has no meaning."""
    if value < 0:
        return fault_at_gate(S, thread, Fault.TENSIX_MODE)
    return result(S, thread, latency, result_reg, value)


def bitwise(mode: int, left: int, right: int) -> int:
    """Return the result of BITWOPDMAREG, -1 for a mode that has none."""
    match mode:
        case Bitwise.AND:
            return left & right
        case Bitwise.OR:
            return left | right
        case Bitwise.XOR:
            return left ^ right
        case _:
            return -1


@SCALAR.instruction(
    "BITWOPDMAREG.Reg", _alu(0x5b, 0, _MODE, _RIGHT_REG),
    llk=_ALU_MODE, ttsync=0, latency="3-4", page=WH + "BITWOPDMAREG.md",
    operands={"mode": Operand(BITWOP_MODE, "the operation")},
    summary="AND, OR or XOR of two operands.",
)  # fmt: skip
def bitwopdmareg_reg(
    S: View, thread: int, mode: int, result_reg: int, right_reg: int, left_reg: int
) -> int:
    """BITWOPDMAREG.md"""
    value = bitwise(mode, gpr(S, thread, left_reg), gpr(S, thread, right_reg))
    return moded(S, thread, cycles(left_reg, right_reg), result_reg, value)


@SCALAR.instruction(
    "BITWOPDMAREG.Imm", _alu(0x5b, 1, _MODE, _RIGHT_IMM6),
    llk=_ALU_MODE, ttsync=0, latency="3", page=WH + "BITWOPDMAREG.md",
    operands={"mode": Operand(BITWOP_MODE, "the operation")},
    summary="AND, OR or XOR of two operands.",
)  # fmt: skip
def bitwopdmareg_imm(
    S: View, thread: int, mode: int, result_reg: int, right_imm6: int, left_reg: int
) -> int:
    """BITWOPDMAREG.md"""
    value = bitwise(mode, gpr(S, thread, left_reg), right_imm6)
    return moded(S, thread, 3, result_reg, value)


def shifted(mode: int, left: int, right: int) -> int:
    """Return the result of SHIFTDMAREG, -1 for a mode that has none."""
    match mode:
        case Shift.LEFT:
            return (left << (right & MAX_SHIFT)) & MASK32
        case Shift.RIGHT:
            return left >> (right & MAX_SHIFT)
        case _:
            return -1


@SCALAR.instruction(
    "SHIFTDMAREG.Reg", _alu(0x5c, 0, _MODE, _RIGHT_REG),
    llk=_ALU_MODE, ttsync=0, latency="3-4", page=WH + "SHIFTDMAREG.md",
    operands={"mode": Operand(SHIFT_MODE, "the operation")},
    summary="Shift left or right.",
)  # fmt: skip
def shiftdmareg_reg(
    S: View, thread: int, mode: int, result_reg: int, right_reg: int, left_reg: int
) -> int:
    """SHIFTDMAREG.md"""
    value = shifted(mode, gpr(S, thread, left_reg), gpr(S, thread, right_reg))
    return moded(S, thread, cycles(left_reg, right_reg), result_reg, value)


@SCALAR.instruction(
    "SHIFTDMAREG.Imm", _alu(0x5c, 1, _MODE, _RIGHT_IMM6),
    llk=_ALU_MODE, ttsync=0, latency="3", page=WH + "SHIFTDMAREG.md",
    operands={"mode": Operand(SHIFT_MODE, "the operation"),
              "right_imm6": Operand(ALWAYS, "how far; its bit 5 is ignored")},
    summary="Shift left or right.",
)  # fmt: skip
def shiftdmareg_imm(
    S: View, thread: int, mode: int, result_reg: int, right_imm6: int, left_reg: int
) -> int:
    """SHIFTDMAREG.md"""
    value = shifted(mode, gpr(S, thread, left_reg), right_imm6)
    return moded(S, thread, 3, result_reg, value)


def compared(mode: int, left: int, right: int) -> int:
    """Return the result of CMPDMAREG, -1 for a mode that has none."""
    match mode:
        case Compare.GT:
            return 1 if left > right else 0
        case Compare.LT:
            return 1 if left < right else 0
        case Compare.EQ:
            return 1 if left == right else 0
        case _:
            return -1


@SCALAR.instruction(
    "CMPDMAREG.Reg", _alu(opcodes.CMPDMAREG, 0, _MODE, _RIGHT_REG),
    llk=_ALU_MODE, ttsync=0, latency="3-4", page=WH + "CMPDMAREG.md",
    operands={"mode": Operand(CMP_MODE, "the operation")},
    summary="Compare unsigned numbers; the result is 0 or 1.",
)  # fmt: skip
def cmpdmareg_reg(
    S: View, thread: int, mode: int, result_reg: int, right_reg: int, left_reg: int
) -> int:
    """CMPDMAREG.md"""
    value = compared(mode, gpr(S, thread, left_reg), gpr(S, thread, right_reg))
    return moded(S, thread, cycles(left_reg, right_reg), result_reg, value)


@SCALAR.instruction(
    "CMPDMAREG.Imm", _alu(opcodes.CMPDMAREG, 1, _MODE, _RIGHT_IMM6),
    llk=_ALU_MODE, ttsync=0, latency="3", page=WH + "CMPDMAREG.md",
    operands={"mode": Operand(CMP_MODE, "the operation")},
    summary="Compare unsigned numbers; the result is 0 or 1.",
)  # fmt: skip
def cmpdmareg_imm(
    S: View, thread: int, mode: int, result_reg: int, right_imm6: int, left_reg: int
) -> int:
    """CMPDMAREG.md"""
    value = compared(mode, gpr(S, thread, left_reg), right_imm6)
    return moded(S, thread, 3, result_reg, value)

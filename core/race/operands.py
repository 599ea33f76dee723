# SPDX-License-Identifier: Apache-2.0
"""What a Tensix instruction reads and writes, by its number: GPRs and configuration.

The semantics are the units'. This says the same as tables, so that a wait gate can check an
instruction before it begins.
"""

import enum

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.isa.sampling import PACR, UNPACR, WORDS, Sampled, When
from tensix_gdb.core.tensix.instruction import Instruction, Unit
from tensix_gdb.core.tensix.table import ROWS, by_number
from tensix_gdb.core.tensix.unpacker import config as unpack


class Gpr(enum.IntEnum):
    """How an operand uses a GPR."""

    NOT = 0
    READ = 1
    READ_HALF = 2
    WRITE = 3  # when the Scalar Unit ends the instruction
    WRITE_HALF = 4
    ANSWER = 5  # a write when the memory request is over
    READ_DATA = 6  # one GPR, or four from an aligned one, by `size`
    ANSWER_DATA = 7
    COUNTED_HALF = 8  # read, and written if the instruction counts it on
    LATE = 9  # RDCFG's


# What is read comes before what is written.
_ALU = {"left_reg": Gpr.READ, "right_reg": Gpr.READ, "result_reg": Gpr.WRITE}
_OFFSET = {"offset_half_reg": Gpr.COUNTED_HALF, "addr_reg": Gpr.READ}
_USES: dict[str, dict[str, Gpr]] = {
    "SETDMAREG.Immediate": {"result_half_reg": Gpr.WRITE_HALF},
    "SETDMAREG.Special": {"result_half_reg": Gpr.WRITE_HALF},
    "REG2FLOP.ADC": {"input_reg": Gpr.READ},
    "LOADIND": {**_OFFSET, "result_reg": Gpr.ANSWER_DATA},
    "STOREIND.L1": {**_OFFSET, "data_reg": Gpr.READ_DATA},
    "STOREIND.MMIO": {**_OFFSET, "data_reg": Gpr.READ},
    "STOREIND.Src": {**_OFFSET, "data_reg": Gpr.READ},
    "ATINCGET": {"addr_reg": Gpr.READ, "in_out_reg": Gpr.ANSWER},
    "ATINCGETPTR": {"addr_reg": Gpr.READ, "result_reg": Gpr.ANSWER},
    "ATSWAP": {"data_reg": Gpr.READ, "addr_reg": Gpr.READ},
    "ATCAS": {"addr_reg": Gpr.READ},
    "STOREREG": {"data_reg": Gpr.READ},
    "LOADREG": {"result_reg": Gpr.ANSWER},
    "WRCFG": {"input_reg": Gpr.READ},
    "RDCFG": {"result_reg": Gpr.LATE},
}
OPERANDS = 3


def _uses(row: Instruction) -> dict[str, Gpr]:
    if row.mnemonic.endswith("DMAREG") and row.mnemonic != "SETDMAREG":
        return {name: use for name, use in _ALU.items() if name in row.encoding.fields}
    return _USES.get(row.name, {})


def _table(what: int) -> tuple[int, ...]:
    """Of each number three times the place of a field (0), or its use (1)."""
    result = []
    for operand in range(OPERANDS):
        column = []
        for row in ROWS:
            uses = list(_uses(row).items())
            name, use = uses[operand] if operand < len(uses) else ("", Gpr.NOT)
            at = list(row.encoding.fields).index(name) if name else 0
            column.append(int(use) if what else at)
        result.append(column)
    return tuple(
        value for number in range(len(ROWS)) for value in (column[number] for column in result)
    )


# [OPERANDS * (number - FIRST) + operand]
FIELD = _table(0)
USE = _table(1)
# [number - FIRST]: 1 if it has such an operand
USES_GPRS = tuple(int(any(USE[i : i + OPERANDS])) for i in range(0, len(USE), OPERANDS))


class Form(enum.IntEnum):
    """Instructions about which a wait gate knows more."""

    OTHER = 0
    WRCFG = 1
    RMWCIB = 2
    CFGSHIFTMASK = 3
    STREAMWRCFG = 4
    RDCFG = 5
    SETC16 = 6
    SEMINIT = 7
    SEMPOST = 8
    SEMGET = 9
    SEMWAIT = 10
    STALLWAIT = 11
    ATGETM = 12
    ATRELM = 13
    UNPACR = 14
    PACR = 15
    FLUSHDMA = 16
    SCALAR = 17  # of the Scalar Unit, without more
    XMOV = 18
    SETDVALID = 19
    UNPACR_NOP = 20
    MATRIX = 21
    VECTOR = 22


_OF_UNIT = {Unit.THCON: Form.SCALAR, Unit.FPU: Form.MATRIX, Unit.SFPU: Form.VECTOR}


def _form(row: Instruction) -> int:
    if row.mnemonic.startswith("RMWCIB"):
        return Form.RMWCIB
    if row.name == "UNPACR.Regular":
        return Form.UNPACR
    if row.mnemonic in Form.__members__:
        return Form[row.mnemonic]
    return _OF_UNIT.get(row.unit, Form.OTHER)


FORM = by_number(_form)
BYTE = by_number(lambda row: int(row.mnemonic[-1]) if row.mnemonic.startswith("RMWCIB") else 0)
# Wormhole's REG2FLOP to the configuration.
TO_THCON = by_number(
    lambda row: int(row.name == "REG2FLOP.Configuration" and row.arch is Arch.WORMHOLE)
)
COUNTS_ON = by_number(
    lambda row: (
        list(row.encoding.fields).index("offset_increment") + 1
        if "offset_increment" in row.encoding.fields
        else 0
    )
)
SIZE = by_number(
    lambda row: list(row.encoding.fields).index("size") + 1 if "size" in row.encoding.fields else 0
)

# Configuration that UNPACR reads, packed as in unpacker/config.py: of each unpacker, then by
# context.
UNPACR_READS = (
    unpack.IN_FORMAT,
    unpack.IS_UNCOMPRESSED,
    unpack.NO_EXPONENT_SECTION,
    unpack.Y_DIM,
    unpack.Z_DIM,
    unpack.DIGEST_SIZE,
    unpack.FP8_E4M3,
    unpack.OUT_FORMAT,
    unpack.OVERRIDE_FORMAT,
    unpack.HALOIZE,
    unpack.TILEIZE,
    unpack.UPSAMPLE_RATE,
    unpack.OUT_Y_STRIDE,
    unpack.OUT_Z_STRIDE,
    unpack.LIMIT,
    unpack.FIFO_SIZE,
)


def _late(rows: tuple[Sampled, ...]) -> tuple[int, ...]:
    """Of each word of the configuration the bits that are sampled late."""
    known = config_fields(Arch.BLACKHOLE)
    bits = [0] * WORDS
    for row in rows:
        for name in row.fields:
            if row.when is When.LATE:
                bits[known[name].word] |= known[name].mask & MASK32
    return tuple(bits)


UNPACR_LATE, PACR_LATE = _late(UNPACR), _late(PACR)


def _packs(name: str) -> tuple[int, ...]:
    """A field of each context of the packer, packed as above."""
    known = config_fields(Arch.BLACKHOLE)
    sections = ("THCON_SEC0_REG1", "THCON_SEC0_REG8", "THCON_SEC1_REG1", "THCON_SEC1_REG8")
    names = [name.format(section=sections[i], i=i) for i in range(4)]
    return tuple(known[n].word << 16 | known[n].low << 8 | known[n].width for n in names)


# Configuration that PACR reads, by its context.
PACR_READS = (
    _packs("{section}_L1_Dest_addr"),
    _packs("{section}_In_data_format"),
    _packs("{section}_Out_data_format"),
    _packs("{section}_Pack_L1_Acc"),
    _packs("DEST_TARGET_REG_CFG_PACK_SEC{i}_Offset"),
    _packs("PCK0_ADDR_CTRL_XY_REG_0_Ystride"),
    _packs("PCK0_ADDR_CTRL_ZW_REG_0_Zstride"),
    _packs("PCK_DEST_RD_CTRL_Read_32b_data"),
    _packs("STACC_RELU_ApplyRelu"),
    _packs("STACC_RELU_ReluThreshold"),
)
PACR_FIELD_COUNT = len(PACR_READS)
PACR_FIELDS = tuple(field for fields in PACR_READS for field in fields)
UNPACR_FIELD_COUNT = len(UNPACR_READS)
UNPACR_FIELDS = tuple(field for pair in UNPACR_READS for field in pair)

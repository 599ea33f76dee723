# SPDX-License-Identifier: Apache-2.0
"""The state that a Tensix instruction reads and writes, by its number.

The rows say it (core/tensix/gpr_use.py, config_use.py and state_use.py). Here are tables of it, so
that a wait gate can check an instruction before it begins.
"""

import enum
from collections.abc import Callable

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.isa.sampling import PACR, UNPACR, WORDS, Sampled, When
from tensix_gdb.core.tensix.config_use import ConfigUse, MaskedByte, Rotated
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.gpr_use import GprUse
from tensix_gdb.core.tensix.instruction import Instruction, Unit
from tensix_gdb.core.tensix.state_use import Effect, State
from tensix_gdb.core.tensix.sync import MUTEXES
from tensix_gdb.core.tensix.table import ROWS, by_number
from tensix_gdb.core.tensix.unpacker import config as unpack

OPERANDS = 3  # uses of GPRs that an instruction has at most


def _uses(what: Callable[[Instruction, str, GprUse], int]) -> tuple[int, ...]:
    """Return for each number a fact of each use, 0 where there is none."""
    found: list[int] = []
    for row in ROWS:
        each = [what(row, name, use) for name, use in row.gprs]
        found += [*each, *[0] * (OPERANDS - len(each))]
    assert len(found) == OPERANDS * len(ROWS)
    return tuple(found)


def _place(row: Instruction, name: str) -> int:
    return list(row.encoding.fields).index(name)


# [OPERANDS * (number - FIRST) + operand]: which field has the GPR, when and how much of the
# register file it is, and 1 + the field that says how much.
FIELD = _uses(lambda row, name, _: _place(row, name))
USE = _uses(lambda row, name, use: int(use.access))
WIDTH = _uses(lambda row, name, use: int(use.width))
BY = _uses(lambda row, name, use: 1 + _place(row, use.by) if use.by else 0)
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


# What a row says is written, or read, makes these.
_OF_EFFECT = {
    Effect.INIT: Form.SEMINIT,
    Effect.POST: Form.SEMPOST,
    Effect.GET: Form.SEMGET,
    Effect.TAKE: Form.ATGETM,
    Effect.RELEASE: Form.ATRELM,
}
_OF_WAIT = {State.SEMAPHORE: Form.SEMWAIT, State.STREAM: Form.OTHER}  # by what it waits for
_OF_UNIT = {Unit.THCON: Form.SCALAR, Unit.FPU: Form.MATRIX, Unit.SFPU: Form.VECTOR}


def _form(row: Instruction) -> int:
    for use in row.writes:
        if use.does in _OF_EFFECT:
            return _OF_EFFECT[use.does]
        if use.state is State.WAIT:
            waits_for = [_OF_WAIT[one.state] for one in row.reads if one.state in _OF_WAIT]
            return waits_for[0] if waits_for else Form.STALLWAIT
    if row.mnemonic.startswith("RMWCIB"):
        return Form.RMWCIB
    if row.name == "UNPACR.Regular":
        return Form.UNPACR
    if row.mnemonic in Form.__members__:
        return Form[row.mnemonic]
    return _OF_UNIT.get(row.unit, Form.OTHER)


FORM = by_number(_form)


def _field_of(row: Instruction, state: State) -> int:
    """1 + the place of the field that says which elements of a state are used, 0 without it."""
    named = [use.field for use in (*row.reads, *row.writes) if use.state is state and use.field]
    return 1 + _place(row, named[0]) if named else 0


SEMAPHORES_IN = by_number(lambda row: _field_of(row, State.SEMAPHORE))
MUTEX_IN = by_number(lambda row: _field_of(row, State.MUTEX))


def semaphores_of(word: int, number: int) -> int:
    """The semaphores that an instruction uses, a bit each."""
    return field(word, number, SEMAPHORES_IN[number] - 1)


def mutex_of(word: int, number: int) -> int:
    """The mutex that an instruction uses."""
    return field(word, number, MUTEX_IN[number] - 1) & (MUTEXES - 1)


def _config(fact: Callable[[Instruction, ConfigUse], int]) -> tuple[int, ...]:
    """Return for each number a fact of its use of configuration, 0 where there is none."""
    return by_number(lambda row: fact(row, row.config) if row.config else 0)


def _field(row: Instruction, name: str) -> int:
    """1 + the place of a field, 0 where there is none."""
    return 1 + _place(row, name) if name else 0


# When an instruction uses words of configuration, the fields that say which (1 + their place) and
# which bits it writes: of the byte BYTE those of MASK, or as many as WIDTH_OF says, rotated.
STAGE = _config(lambda row, use: use.stage)
INDEX = _config(lambda row, use: _field(row, use.index))
IS_WRITTEN = _config(lambda row, use: int(use.writes))
FOUR = _config(lambda row, use: _field(row, use.four_if or use.four_unless))
FOUR_IF = _config(lambda row, use: int(bool(use.four_if)))
SCRATCH_OF = _config(lambda row, use: _field(row, use.scratch))
MASK = _config(
    lambda row, use: _field(row, use.bits.mask) if isinstance(use.bits, MaskedByte) else 0
)
BYTE = _config(lambda row, use: use.bits.byte if isinstance(use.bits, MaskedByte) else 0)
WIDTH_OF = _config(
    lambda row, use: _field(row, use.bits.width) if isinstance(use.bits, Rotated) else 0
)
AMOUNT = _config(
    lambda row, use: _field(row, use.bits.amount) if isinstance(use.bits, Rotated) else 0
)
COUNTS_ON = by_number(
    lambda row: (
        list(row.encoding.fields).index("offset_increment") + 1
        if "offset_increment" in row.encoding.fields
        else 0
    )
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
    """Return for each word of the configuration the bits that are sampled late."""
    known = config_fields(Arch.BLACKHOLE)
    bits = [0] * WORDS
    for row in rows:
        for name in row.fields:
            if row.when is When.LATE:
                bits[known[name].word] |= known[name].mask & MASK32
    return tuple(bits)


UNPACR_LATE, PACR_LATE = _late(UNPACR), _late(PACR)


def _packs(name: str) -> tuple[int, ...]:
    """Return a field of each context of the packer, packed as above."""
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
    _packs("{section}_Exp_threshold_en"),
    _packs("{section}_Exp_threshold"),
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

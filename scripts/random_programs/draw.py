# SPDX-License-Identifier: Apache-2.0
"""Random Tensix programs and the states that they start from.

An instruction is a row of `core/tensix/table.py` with a value for each field. Values are drawn by
the name of the field, so that most of what comes out means something: rows of Dst are multiples of
four, LRegs are those that can be written, words of configuration are those that change results and
not orders. What is left of undefined behaviour is found by running the program (`run.py`).

Left out: instructions that wait for another thread, reach L1 or devices, or reset something; and
UNPACR and PACR, whose formats and counters have to fit each other (tests/core/tensix/unpacker and
packer have those).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import ConfigField, Space, config_fields
from tensix_gdb.core.isa.schema import EncodingError, Field
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.instruction import Instruction, Status, Unit
from tensix_gdb.core.tensix.table import by_mnemonic

THREADS = 3
FIELDS = config_fields(Arch.BLACKHOLE)
BF16, TF32, FP16, INT8 = 5, 4, 1, 14

# Groups of mnemonics, and from which of them each kind of program draws: a group that is named
# twice is drawn from twice as often.
MATRIX = (
    *("MVMUL", "ELWADD", "ELWSUB", "ELWMUL", "GAPOOL", "GMPOOL", "DOTPV", "ZEROACC", "ZEROSRC"),
    *("MOVA2D", "MOVB2D", "MOVB2A", "MOVD2A", "MOVD2B", "TRNSPSRCB", "SHIFTXB", "CLEARDVALID"),
)
COUNTERS = ("SETRWC", "INCRWC")
VECTOR = (
    *("SFPLOAD", "SFPLOADI", "SFPSTORE", "SFPLUT", "SFPMULI", "SFPADDI", "SFPDIVP2", "SFPEXEXP"),
    *("SFPEXMAN", "SFPIADD", "SFPSHFT", "SFPSETCC", "SFPMOV", "SFPABS", "SFPAND", "SFPOR"),
    *("SFPNOT", "SFPLZ", "SFPSETEXP", "SFPSETMAN", "SFPMAD", "SFPADD", "SFPMUL", "SFPPUSHC"),
    *("SFPPOPC", "SFPSETSGN", "SFPENCC", "SFPCOMPC", "SFPTRANSP", "SFPXOR", "SFP_STOCH_RND"),
    *("SFPNOP", "SFPCAST", "SFPCONFIG", "SFPSWAP", "SFPSHFT2", "SFPLUTFP32", "SFPLE", "SFPGT"),
    *("SFPMUL24", "SFPARECIP"),
)
SCALAR = (
    *("SETDMAREG", "ADDDMAREG", "SUBDMAREG", "MULDMAREG", "BITWOPDMAREG", "SHIFTDMAREG"),
    *("CMPDMAREG", "DMANOP"),
)
CONFIGURATION = ("WRCFG", "RDCFG", "SETC16", "RMWCIB0", "RMWCIB1", "RMWCIB2", "RMWCIB3")
ADDRESSES = (
    *("SETADC", "SETADCXY", "SETADCZW", "SETADCXX", "INCADCXY", "INCADCZW", "ADDRCRXY"),
    "ADDRCRZW",
)
SEMAPHORES = ("SEMINIT", "SEMPOST", "SEMGET")
KINDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "matrix": (MATRIX, MATRIX, MATRIX, COUNTERS),
    "vector": (VECTOR, VECTOR, VECTOR, COUNTERS),
    "math": (MATRIX, VECTOR, COUNTERS),
    "scalar": (SCALAR, SCALAR, CONFIGURATION, ADDRESSES, SEMAPHORES),
    "all": (MATRIX, VECTOR, COUNTERS, SCALAR, CONFIGURATION, ADDRESSES, SEMAPHORES),
}

# Forms that reach what no program here may.
_LEFT_OUT = ("SETDMAREG.Special",)
# Words of Config and ThreadConfig that instructions may change: strides and addresses, which only
# unpackers and packers read, and address modifiers.
_WORDS = tuple(
    FIELDS[name].word
    for name in (
        *("PCK0_ADDR_CTRL_XY_REG_0_Xstride", "PCK0_ADDR_CTRL_ZW_REG_0_Zstride"),
        *("UNP0_ADDR_CTRL_XY_REG_1_Xstride", "THCON_SEC0_REG1_L1_Dest_addr"),
        *("THCON_SEC0_REG3_Base_address", "THCON_SEC0_REG5_Tile_x_dim_cntx0"),
    )
)
_THREAD_WORDS = (*range(12, 20), *range(28, 36), *range(37, 41))


def rows_of(mnemonics: tuple[str, ...]) -> tuple[Instruction, ...]:
    """The rows of these mnemonics, one for each form."""
    rows = (row for name in mnemonics for row in by_mnemonic(Arch.BLACKHOLE)[name])
    return tuple(
        row for row in rows if row.status is Status.IMPLEMENTED and row.name not in _LEFT_OUT
    )


@dataclass(frozen=True)
class Program:
    """Instructions, each with its thread; a thread continues when the one before is done."""

    kind: str
    words: tuple[tuple[int, int], ...]

    def without(self, place: int) -> Program:
        """The program without one of its instructions."""
        return Program(self.kind, self.words[:place] + self.words[place + 1 :])

    def segments(self) -> Iterator[tuple[int, list[int]]]:
        """Yield the pushes of one thread before another one pushes."""
        thread = -1
        words: list[int] = []
        for t, word in self.words:
            if t != thread and words:
                yield thread, words
                words = []
            thread = t
            words.append(word)
        if words:
            yield thread, words


def program(dice: random.Random, kind: str) -> Program:
    """3 to 20 instructions of one to three threads."""
    thread = dice.randrange(THREADS)
    changing = dice.random() < 0.3
    words = []
    for _ in range(dice.randrange(3, 21)):
        if changing and dice.random() < 0.2:
            thread = dice.randrange(THREADS)
        words.append((thread, instruction(dice, dice.choice(rows_of(dice.choice(KINDS[kind]))))))
    return Program(kind, tuple(words))


def instruction(dice: random.Random, row: Instruction) -> int:
    """The row with drawn operands; they may not make it an instruction of another row."""
    fields = row.encoding.fields
    while True:
        values = {name: _value(dice, row, fields[name]) for name in fields}
        with suppress(EncodingError):
            return row.encoding.encode(**values)


def _value(dice: random.Random, row: Instruction, field: Field) -> int:
    """A value for a field, by what its name means."""
    name, most = field.name, (1 << field.width) - 1
    match row.unit, name:
        case Unit.SFPU, "vd":
            return dice.randrange(8)
        case Unit.SFPU, "imm10":
            return 2 * dice.randrange(64)
        case Unit.FPU, "flip_src_a" | "flip_src_b":
            return int(dice.random() < 0.1)
        case Unit.FPU, "dst_row":
            return 4 * dice.randrange(64)
        case Unit.FPU, "dimension":
            return 1
        case Unit.FPU, "reset" | "keep_reading_same_src" | "revert" | "arg_max":
            return 0
        case Unit.FPU, "src_row" | "srca_row" | "srcb_row":
            return 4 * dice.randrange(16)
        case Unit.CONFIG, "cfg_index" | "index4":
            words: tuple[int, ...] = _THREAD_WORDS if row.mnemonic == "SETC16" else _WORDS
            return dice.choice(words)
        case Unit.SYNC, "semaphore_mask":
            return 1 << dice.randrange(8)
        case Unit.MISC, "thread_override":
            return 0
    if name == "is_128_bit":
        return 0
    value = dice.choice((0, 1, most >> 1)) if dice.random() < 0.3 else dice.randint(0, most)
    value &= field.coverage
    return value - (1 << field.width) if field.signed and value >> field.width - 1 else value


# -- the state before
def prepare(dice: random.Random, S: View) -> None:
    """Fill what the instructions read: registers, sources, Dst, formats, address modifiers."""
    source = dice.choice((BF16, BF16, TF32, FP16, INT8))
    _registers(dice, S)
    _dst(dice, S, source)
    _sources(dice, S, source)
    put(S, "ALU_FORMAT_SPEC_REG0_SrcA", source)
    put(S, "ALU_FORMAT_SPEC_REG1_SrcB", source)
    put(S, "ALU_ACC_CTRL_INT8_math_enabled", int(source == INT8))
    wide = source in (BF16, TF32) and dice.random() < 0.5
    put(S, "ALU_ACC_CTRL_Fp32_enabled", int(wide or source == TF32))
    put(S, "ALU_ACC_CTRL_SFPU_Fp32_enabled", int(wide or source in (TF32, INT8)))
    for thread in range(THREADS):
        for word in _THREAD_WORDS[:16]:
            S.config.thread[thread, word] = _address_modifier(dice, word)


def put(S: View, name: str, value: int) -> None:
    """Set a field of Config by name, in both banks."""
    field: ConfigField = FIELDS[name]
    assert field.space is not Space.THREAD
    for bank in range(2):
        old = int(S.config.word[bank, field.word])
        S.config.word[bank, field.word] = old & ~field.mask | value << field.low & field.mask


def _address_modifier(dice: random.Random, word: int) -> int:
    """Of SrcA and SrcB (words 12 to 19) or of Dst: an increment, sometimes from the start again."""
    step = dice.choice((0, 0, 4, 8, 16))
    if word < 20:
        return step | dice.choice((0, 0, 1, 2)) << 6 | dice.choice((0, 8)) << 8
    return step | dice.choice((0, 0, 0, 1, 2, 4)) << 10


def _registers(dice: random.Random, S: View) -> None:
    for lreg in range(8):
        for lane in range(32):
            S.vector.lreg[lreg, lane] = fp32(dice)
    for i in range(64 * THREADS):
        S.gpr.word[i] = dice.choice((dice.getrandbits(32), dice.randrange(256)))
    for i in range(8):
        S.semaphore.max[i] = 15
        S.semaphore.value[i] = dice.randrange(4, 12)


def _dst(dice: random.Random, S: View, source: int) -> None:
    for row in range(1024):
        for column in range(16):
            sign = dice.getrandbits(1) << 15
            if source == FP16:
                S.dst.bits[row, column] = sign | dice.getrandbits(10) << 5 | dice.randrange(8, 24)
            else:
                exponent = dice.randrange(116, 138)
                S.dst.bits[row, column] = sign | dice.getrandbits(7) << 8 | exponent


def _sources(dice: random.Random, S: View, source: int) -> None:
    for which in range(2):
        rows = S.src.b if which else S.src.a
        for bank in range(2):
            S.src.format[which, bank] = source
            S.busy.src_client[which, bank] = 1  # the Matrix Unit's
            for row in range(64):
                for column in range(16):
                    rows[bank, row, column] = datum(dice, source)


def datum(dice: random.Random, source: int) -> int:
    """A datum of SrcA or SrcB, as an unpacker leaves it."""
    sign, mantissa = dice.getrandbits(1) << 18, dice.getrandbits(10)
    if source == INT8:
        return sign | (mantissa & 0xFF) << 8 | (16 if mantissa & 0xFF else 0)
    exponent = dice.randrange(10, 20) if source == FP16 else dice.randrange(118, 136)
    if dice.random() < 0.08:
        return 0
    return sign | (mantissa & 0x3F8 if source == BF16 else mantissa) << 8 | exponent


def fp32(dice: random.Random) -> int:
    """A number near 1, or a special one, or any bits."""
    chance = dice.random()
    if chance < 0.1:
        return dice.choice((0, 0x80000000, 0x7F800000, 0xFF800000, 1, 0x3F800000, 0x7F7FFFFF))
    if chance < 0.2:
        return dice.getrandbits(32)
    return dice.getrandbits(1) << 31 | dice.randrange(118, 136) << 23 | dice.getrandbits(23)

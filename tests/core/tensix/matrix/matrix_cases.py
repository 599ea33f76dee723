# SPDX-License-Identifier: Apache-2.0
"""Cases for the Matrix Unit: state from a seed, one instruction, a digest of what comes out.

`matrix_cases.txt` has one case in a line:

    instruction | format of SrcA, of SrcB | flags | fidelity phase | seed | digest | checked by

Flags are `fp32`, `int8`, `keep` (Zero_Flag_disabled_src), `blocked` (BLOCK_DEST_MOV of some
columns) and `foreign` (datums of SrcA and SrcB have bits that their format has not). "checked by"
is `simulator` where Tenstorrent's simulator gave the same bits when the case was recorded, `page`
where it was not asked or refuses the case; those that the model of matrix_model.py knows are
checked by it in test_matrix_unit.py. matrix_cases_made.py makes the file.
"""

from __future__ import annotations

import array
import ctypes
import hashlib
import random
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.decode import decode_tensix
from tensix_gdb.core.tensix.dispatch import EXECUTE
from tensix_gdb.core.tensix.matrix.formats import FP16, STYLE, TF32

FILE = Path(__file__).with_name("matrix_cases.txt")
HIGHEST = 1024
# Words of ThreadConfig: the sets of ADDR_MOD_AB and ADDR_MOD_DST, MATH_Offset.
AB_WORD, DST_WORD, OFFSET = 12, 28, 1


@dataclass(frozen=True)
class Case:
    """One line of the file."""

    text: str
    a: int
    b: int
    flags: str
    phase: int
    seed: int
    digest: str = ""
    checked: str = "page"

    def line(self) -> str:
        return (
            f"{self.text} | {self.a}, {self.b} | {self.flags} | {self.phase} | {self.seed}"
            f" | {self.digest} | {self.checked}"
        )

    @property
    def fields(self) -> dict[str, int]:
        """The fields of the instruction that are numbers."""
        pairs = (part.strip().split("=") for part in self.text.partition(" ")[2].split(","))
        return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}

    @property
    def wide(self) -> bool:
        """Dst has 32 bits."""
        return "fp32" in self.flags or "int8" in self.flags


def read_cases() -> list[Case]:
    """The file."""
    found = []
    for line in FILE.read_text().splitlines():
        text, formats, flags, phase, seed, digest, checked = (p.strip() for p in line.split("|"))
        a, b = map(int, formats.split(","))
        found.append(Case(text, a, b, flags, int(phase), int(seed), digest, checked))
    return found


def execute(S: View, word: int) -> int:
    """One instruction of thread 0, past the gate."""
    return EXECUTE[decode_tensix(word) & 0xFF](S, 0, word)


def datum(draw: random.Random, data_format: int, near: bool) -> int:
    """A datum of SrcA or SrcB as an unpacker leaves it, sometimes 0 or a denormal."""
    style = STYLE[data_format]
    sign, mantissa = draw.getrandbits(1), draw.getrandbits(10)
    if data_format == 14:
        return sign << 18 | mantissa << 8 | (16 if mantissa else 0)
    if style == FP16:
        exponent = draw.randrange(10, 20) if near else draw.randrange(32)
    else:
        exponent = draw.randrange(112, 142) if near else draw.randrange(256)
    if style != FP16 and style != TF32:
        mantissa &= 0x3F8
    chance = draw.random()
    if chance < 0.1:
        exponent = 0
        mantissa = 0 if chance < 0.07 else mantissa
    return sign << 18 | mantissa << 8 | exponent


def foreign_datum(draw: random.Random) -> int:
    """A datum of SrcA or SrcB of another format; often the exponent's low five bits are 0."""
    value = draw.getrandbits(19)
    return value & ~0x1F if draw.random() < 0.3 else value


def put(record: Record, part: str, field: str, kind: str, values: list[int]) -> None:
    """All of a row at once."""
    slot = record.layout.slot(part, field)
    data = array.array(kind, values).tobytes()
    assert len(data) == slot.field.size
    ctypes.memmove(record.address + slot.offset, data, len(data))


def get(record: Record, part: str, field: str) -> bytes:
    """The bytes of a row."""
    slot = record.layout.slot(part, field)
    return ctypes.string_at(record.address + slot.offset, slot.field.size)


def fill(record: Record, case: Case) -> None:
    """The state that the seed gives."""
    S, draw = record.S, random.Random(case.seed)
    near = case.seed % 3 != 2
    for name, data_format in (("a", case.a), ("b", case.b)):
        foreign = "foreign" in case.flags
        put(record, "src", name, "I", [
            foreign_datum(draw) if foreign else datum(draw, data_format, near)
            for _ in range(2 * 64 * 16)
        ])  # fmt: skip
    for bank in range(2):
        S.src.format[0, bank], S.src.format[1, bank] = case.a, case.b
        for source in range(2):
            S.busy.src_client[source, bank] = 1
    fp16 = STYLE[case.a] == FP16 and not case.wide
    usual = near and not fp16 and "int8" not in case.flags
    bits: list[int] = []
    for row in range(HIGHEST):
        low_half = case.wide and row & 8
        for _ in range(16):
            half = draw.getrandbits(16)
            bits.append(half & 0xFF00 | 108 + half % 38 if usual and not low_half else half)
        # Rows of Dst32b are wholly undefined or not at all.
        first = row - 8 if low_half else row
        S.dst.undefined[row] = 0xFFFF if (first * 7 + case.seed) % 5 == 0 else 0
    put(record, "dst", "bits", "H", bits)
    S.busy.matrix_bank[0], S.busy.matrix_bank[1] = draw.getrandbits(1), draw.getrandbits(1)
    S.busy.unpack_bank[0], S.busy.unpack_bank[1] = draw.getrandbits(1), draw.getrandbits(1)
    S.config.word[0, 1] = ("fp32" in case.flags) << 29 | ("int8" in case.flags) << 31
    S.config.word[0, 2] = int("keep" in case.flags)
    S.config.thread[0, OFFSET] = draw.choice((0, 256))
    S.src.last_a_row = 16 * draw.randrange(4)
    S.rwc.src_a[0], S.rwc.src_b[0] = 16 * draw.randrange(2), 8 * draw.randrange(3)
    S.rwc.src_a_cr[0], S.rwc.src_b_cr[0] = 8 * draw.randrange(8), 8 * draw.randrange(8)
    S.rwc.dst[0], S.rwc.dst_cr[0] = 8 * draw.randrange(32), 8 * draw.randrange(128)
    S.rwc.fidelity[0] = case.phase
    for i in range(8):
        S.config.thread[0, AB_WORD + i] = draw.getrandbits(16) & 0x7878 | draw.choice((0, 128, 64))
        move = draw.choice((0, 1 << 10, 1 << 11, 1 << 12)) | draw.getrandbits(3) << 13
        S.config.thread[0, DST_WORD + i] = draw.getrandbits(10) & 0x1F8 | move
    if "blocked" in case.flags:
        for lane in range(8):
            S.vector.config[lane] = draw.getrandbits(2) << 9


def digest(record: Record, case: Case) -> str:
    """Of everything that software can see."""
    return hashlib.sha256(visible(record, case.wide)).hexdigest()[:16]


def visible(record: Record, wide: bool) -> bytes:
    """The bytes of SrcA, SrcB, defined Dst, banks and counters.

    With a `wide` Dst the high halves' valid bits are those of the low ones too.
    """
    S = record.S
    out = bytearray(get(record, "src", "a") + get(record, "src", "b"))
    dst = bytearray(get(record, "dst", "bits"))
    for row in range(HIGHEST):
        gone = int(S.dst.undefined[row - 8 if wide and row & 8 else row])
        out += gone.to_bytes(2, "little")
        if gone:
            for column in range(16):
                if gone >> column & 1:
                    dst[32 * row + 2 * column : 32 * row + 2 * column + 2] = bytes(2)
    out += dst
    for source in range(2):
        out += bytes((S.busy.matrix_bank[source], S.busy.unpack_bank[source]))
        out += bytes((S.busy.src_client[source, 0], S.busy.src_client[source, 1]))
    counters = (S.rwc.dst[0], S.rwc.dst_cr[0], S.rwc.src_a[0], S.rwc.src_a_cr[0], S.rwc.src_b[0])
    for counter in (*counters, S.rwc.src_b_cr[0], S.rwc.fidelity[0]):
        out += int(counter).to_bytes(2, "little")
    return bytes(out)

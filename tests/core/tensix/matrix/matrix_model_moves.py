# SPDX-License-Identifier: Apache-2.0
"""The second model, of what moves data: MOV*, SHIFTX*, TRNSPSRCB, ZEROSRC, ZEROACC, GMPOOL.

Written from the pages, a datum at a time.
"""

from __future__ import annotations

from tensix_gdb.core.tensix.matrix.formats import BF16, FP16, STYLE, TF32
from tests.core.tensix.matrix.matrix_model import Model

INDEX = {0: 0, 1: 3, 2: 6, 3: 1, 4: 4, 5: 7, 6: 2, 7: 5}
EIGHT_BITS = {0, 4, 5, 6, 7, 8, 9, 15}  # formats with 8 bits of exponent in MOVA2D.md


class Moves(Model):
    """Instructions that are not arithmetic."""

    def run(self) -> bool:
        """Do what the case says; False if it is not one that this model knows."""
        name = self.case.text.split()[0]
        known = {
            "MOVA2D": self.a_to_dst, "MOVDBGA2D": self.a_to_dst, "MOVB2D": self.b_to_dst,
            "MOVB2A": self.b_to_a, "MOVD2A": self.dst_to_a, "MOVD2B": self.dst_to_b,
            "SHIFTXA": self.shift_a, "SHIFTXB": self.shift_b, "TRNSPSRCB": self.transpose,
            "ZEROSRC": self.zero_sources, "ZEROACC": self.zero_dst, "GMPOOL": self.maximum,
        }  # fmt: skip
        if name not in known:
            return super().run()
        known[name]()
        return True

    def flushed(self, datum: int) -> int:
        return datum if datum & 0xFF or self.keep else 0

    def put(self, row: int, j: int, datum: int, data_format: int, *, wide: bool = False) -> None:
        """One datum to Dst, as MOVA2D.md and MOVB2D.md end; `wide` is MOVB2D of Blackhole."""
        if not self.allowed[j]:
            return
        low = self.f.get("use_dst_32b_lo", 0)
        sign, mantissa = datum >> 18 << 15, datum >> 8 & 0x3FF
        if data_format in EIGHT_BITS:
            half = sign | mantissa >> 3 << 8 | datum & 0xFF
        else:
            half = sign | mantissa << 5 | datum & 0x1F
        if data_format == 4:
            rest = (mantissa & 7) << 13 | (half if low else 0)
            self.write(row, j, half << 16 | rest, wide=True)
        elif wide:
            if not low:
                self.write(row, j, half << 16, wide=True)
        elif low:
            self.write(row, j, self.bits[self.wide32(row)][j] << 16 | half, wide=True)
        else:
            self.write(row, j, half, wide=False)

    def a_to_dst(self) -> None:
        count = 8 if self.f.get("move_8_rows") else 1
        to, first = self.to // count * count, (self.rows[0] + self.f.get("src_row", 0))
        first = first // count * count % 64
        for i in range(count):
            for j in range(16):
                datum = self.flushed(self.a[self.bank_a][first + i][j])
                self.put((to + i) % 1024, j, datum, self.case.a)

    def b_to_dst(self) -> None:
        spread = self.f.get("broadcast_1_row_to_8", 0)
        count = 8 if spread else 4 if self.f.get("move_4_rows") else 1
        to, first = self.to // count * count, (self.rows[1] + self.f.get("src_row", 0)) % 64
        if not spread:
            first = first // count * count
        for i in range(count):
            for j in range(16):
                column = 0 if self.f.get("broadcast_col0") else j
                datum = self.flushed(self.b[self.bank_b][first + (0 if spread else i)][column])
                wide = bool(self.fp32)
                self.put((to + i) % 1024, j, datum, self.case.b, wide=wide)

    def b_to_a(self) -> None:
        count = 4 if self.f.get("move_4_rows") else 1
        to = (self.rows[0] + self.f.get("srca_row", 0)) % 64 // count * count
        first = (self.rows[1] + self.f.get("srcb_row", 0)) % 64 // count * count
        for i in range(count):
            for j in range(16):
                if self.allowed[j]:
                    datum = self.flushed(self.b[self.bank_b][first + i][j])
                    self.a[self.bank_a][to + i][j] = datum

    def taken(self, row: int, j: int, data_format: int) -> int:
        """A datum of Dst as MOVD2A.md and MOVD2B.md have it."""
        wide, low = self.fp32 or self.int8, self.f.get("use_dst_32b_lo", 0)
        word = self.read(row % 1024, j, wide=wide)
        half = word if not wide else word & 0xFFFF if low else word >> 16
        style = STYLE[data_format]
        if style == TF32 and low:
            return word & 0x1FFF
        if style == FP16:
            return half >> 5 << 8 | half & 0x1F
        datum = half >> 8 << 11 | half & 0xFF
        return datum | (word >> 13 & 7) << 8 if style == TF32 else datum

    def dst_to_a(self) -> None:
        count = 4 if self.f.get("move_4_rows") else 1
        first = self.to // count * count
        to = (self.rows[0] + self.f.get("src_row", 0)) % 64 // count * count
        for i in range(count):
            for j in range(16):
                if self.allowed[j]:
                    self.a[self.bank_a][to + i][j] = self.taken(first + i, j, self.case.a)

    def dst_to_b(self) -> None:
        count = 4 if self.f.get("move_4_rows") else 1
        first = self.to // count * count
        to = (self.rows[1] + self.f.get("src_row", 0)) % 64 // count * count
        for i in range(count):
            for j in range(16):
                if self.allowed[j]:
                    taken = self.taken(first + i, j, self.case.b)
                    lost = self.case.b == 4 and self.f.get("use_dst_32b_lo")
                    self.b[self.bank_b][to + i][j] = 0 if lost else taken

    # -- sources
    def shift_a(self) -> None:
        rows, first = self.a[self.bank_a], self.last_a_row & 0x30
        left = "LEFT" in self.case.text
        taken = [list(row) for row in rows[first : first + 16]]
        rows[:16] = [[*row[1:], 0] if left else [0, *row[:15]] for row in taken]

    def shift_b(self) -> None:
        row = self.b[self.bank_b][(self.rows[1] + self.f.get("src_row", 0)) % 64]
        row[:] = [*row[1:], 0 if self.f.get("shift_in_zero") else row[0]]

    def transpose(self) -> None:
        rows = self.b[self.bank_b]
        rows[16:32] = [list(row) for row in zip(*rows[16:32], strict=True)]

    def zero_sources(self) -> None:
        infinity = 0x7FFFF if self.f.get("negative_inf_src_a") else 0
        for source, (banks, unpack, matrix, value) in enumerate((
            (self.a, int(self.S.busy.unpack_bank[0]), self.bank_a, infinity),
            (self.b, int(self.S.busy.unpack_bank[1]), self.bank_b, 0),
        )):  # fmt: skip
            if not self.f.get("clear_src_b" if source else "clear_src_a"):
                continue
            one = matrix if self.f.get("single_bank_matrix_unit") else unpack
            for bank in (0, 1) if self.f.get("both_banks") else (one,):
                banks[bank] = [[value] * 16 for _ in range(64)]

    # -- Dst
    def zero_dst(self) -> None:
        at, wide = self.f.get("imm10", 0), self.f.get("use_dst_32b", 0)
        if "ONE_ROW" in self.case.text:
            self.forget(range(self.to + at, self.to + at + 1), wide=self.fp32)
        elif "ROWS_16" in self.case.text:
            group = at % 256
            if (self.to + group) & (0x300 if wide else 0x200):
                group += 16 if wide else 32
            if group < (32 if wide else 64):
                revert = bool(self.f.get("revert"))
                self.forget(range(16 * group, 16 * group + 16), wide=wide, revert=revert)
        else:
            half = "HALF" in self.case.text
            first = 512 * (at & 1) if half else 0
            self.forget(range(first, first + (512 if half else 1024)), wide=0)

    def forget(self, rows: range, *, wide: int | bool, revert: bool = False) -> None:
        for row in rows:
            at = self.wide32(row % 1024) if wide else row % 1024
            self.gone[at] = [0 if revert else 1] * 16

    # -- the maximum
    def maximum(self) -> None:
        style, wide = STYLE[self.case.a], self.fp32 or self.int8
        index_too = bool(self.f.get("arg_max"))
        kind = "TF32" if wide else {FP16: "FP16"}.get(style, "BF16")
        if self.int8 or (style == TF32 and index_too):
            kind = "INT32"
        elif index_too:
            kind = {FP16: "FP16", BF16: "BF16"}[style]
        first = self.to & 0x3FC
        for j in range(16):
            old = self.read(first, j, wide=wide, nothing=0xFFFF)
            old = old if wide else old << 16
            best, index = self.from_dst(old, kind), old & 0xFF
            phase = (old + 0x100) & 0xF00
            for i in (4, 5, 6, 7, 0, 1, 2, 3, *range(8, 16)):
                a = self.a[self.bank_a][(self.rows[0] & 0x30) + i][j]
                b = self.b[self.bank_b][self.rows[1] & 0x38][i]
                value = self.scaled(a, b)
                if order(value) >= order(best):
                    best = value
                    index = (phase >> 4) + INDEX[i] if i in INDEX else index
            new = 0 if kind == "INT32" and index_too else self.for_dst(best, kind)
            new |= (phase | index) if index_too else 0
            self.write(first, j, new if wide else new >> 16, wide=wide)
            for i in range(1, 4):
                other = (self.read(first + i, j, wide=True, nothing=0xFFFF) + 0x100) & 0xF00
                self.write(first + i, j, other if wide and index_too else 0, wide=wide)

    def scaled(self, a: int, b: int) -> tuple[int, int, int]:
        """(sign, exponent of 9 bits, mantissa of 10)."""
        if b & 0xFF == 0:
            return 1, 0x1FF, 0x3FF
        if a & 0xFF == 0:
            return 0, 0, 0
        sign, mantissa, style = a >> 18, a >> 8 & 0x3FF, STYLE[self.case.a]
        if self.int8:
            return sign, 0, mantissa
        if style == FP16:
            return sign, (a & 0x1F) + (b & 0x1F), mantissa
        mantissa = mantissa if style == TF32 else mantissa & 0x3F8
        return sign, (a & 0xFF) + (b & 0xFF), mantissa

    @staticmethod
    def from_dst(word: int, kind: str) -> tuple[int, int, int]:
        sign = word >> 31
        if kind == "INT32":
            return sign, (word >> 10 & 0x3F) + ((word >> 24 & 7) << 6), word & 0x3FF
        if kind == "FP16":
            return sign, (word >> 16 & 0x1F) + 15, word >> 21 & 0x3FF
        mantissa = (word >> 24 & 0x7F) * 8 + (word >> 13 & 7 if kind == "TF32" else 0)
        return sign, (word >> 16 & 0xFF) + 127, mantissa

    @staticmethod
    def for_dst(value: tuple[int, int, int], kind: str) -> int:
        sign, exponent, mantissa = value
        if kind == "INT32":
            return sign << 31 | (exponent & 7) << 10 | mantissa
        if kind == "FP16":
            high = sign << 31 | mantissa << 21 | (exponent - 15 & 0x1F) << 16
            return high if exponent & 0x3F else 0
        high = sign << 31 | mantissa >> 3 << 24 | (exponent - 127 & 0xFF) << 16
        return high + ((mantissa & 7) << 13 if kind == "TF32" else 0) if exponent else 0


def order(value: tuple[int, int, int]) -> int:
    """Sign and size."""
    size = value[1] * 1024 + value[2]
    return -size if value[0] else size

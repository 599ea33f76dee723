# SPDX-License-Identifier: Apache-2.0
"""A second model of the Matrix Unit, by value, to hold against the first.

Numbers are fractions, and every rounding is written as what it is: `to_nearest`, with ties upwards
or away from zero. Rows of Dst are found by counting. The pages are ELWMUL.md, MVMUL.md, GMPOOL.md
and those of the moves; where they leave the order open, the choices are those that
core/tensix/matrix/products.py and matrix/accumulate.py name.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.matrix.formats import FP16, STYLE, TF32
from tests.core.tensix.matrix.matrix_cases import Case


def up(x: Fraction) -> int:
    """To the nearest integer, ties upwards."""
    return floor(x + Fraction(1, 2))


def away(x: Fraction) -> int:
    """To the nearest integer, ties away from zero."""
    return floor(x + Fraction(1, 2)) if x >= 0 else -floor(-x + Fraction(1, 2))


class Model:
    """SrcA, SrcB and Dst of a record, and what an instruction makes of them."""

    def __init__(self, record: Record, case: Case) -> None:
        S = record.S
        self.S, self.case = S, case
        self.f = case.fields
        self.bank_a, self.bank_b = int(S.busy.matrix_bank[0]), int(S.busy.matrix_bank[1])
        self.a = [[[int(S.src.a[k, i, j]) for j in range(16)] for i in range(64)] for k in (0, 1)]
        self.b = [[[int(S.src.b[k, i, j]) for j in range(16)] for i in range(64)] for k in (0, 1)]
        self.bits = [[int(S.dst.bits[i, j]) for j in range(16)] for i in range(1024)]
        self.gone = [[int(S.dst.undefined[i]) >> j & 1 for j in range(16)] for i in range(1024)]
        self.keep = "keep" in case.flags
        self.fp32, self.int8 = "fp32" in case.flags, "int8" in case.flags
        self.rows = (int(S.rwc.src_a[0]), int(S.rwc.src_b[0]))
        self.last_a_row = int(S.src.last_a_row)
        self.to = int(S.rwc.dst[0]) + int(S.config.thread[0, 1]) + self.f.get("dst_row", 0)
        self.allowed = [not int(S.vector.config[j // 2]) >> (9 + j % 2) & 1 for j in range(16)]

    # -- Dst
    def read(self, row: int, j: int, *, wide: bool, nothing: int = 0) -> int:
        """A datum, `nothing` (all its halves) where it is undefined.

        Of a row of Dst32b only the high halves' row of DstBits says so.
        """
        at = self.wide32(row) if wide else row
        halves = [self.bits[i][j] for i in ((at, at + 8) if wide else (at,))]
        if self.gone[at][j]:
            halves = [nothing] * len(halves)
        return halves[0] << 16 | halves[1] if wide else halves[0]

    def write(self, row: int, j: int, value: int, *, wide: bool) -> None:
        at = self.wide32(row) if wide else row
        places = [(at, value >> 16), (at + 8, value & 0xFFFF)] if wide else [(at, value)]
        for where, half in places:
            self.bits[where][j] = half
        self.gone[at][j] = 0

    @staticmethod
    def wide32(row: int) -> int:
        """Adj32 of Dst.md, by counting: bit 9 stays, each block of 8 rows is followed by its low
        halves."""
        block, within = divmod(row % 512, 8)
        return (2 * block * 8 + within) % 1024 | row & 512

    # -- numbers
    def source(self, datum: int, data_format: int, *, flush: bool) -> tuple[int, int, int]:
        """(sign, exponent, 11 bits of mantissa) of a datum; the mantissa is 0 for a zero."""
        style = STYLE[data_format]
        sign, mantissa, exponent = datum >> 18, datum >> 8 & 0x3FF, datum & 0xFF
        if style == FP16:
            exponent &= 0x1F
        elif style != TF32:
            mantissa &= 0x3F8
        if exponent == 0 and (flush or not (sign or mantissa)):
            return 0, 0, 0
        return -1 if sign else 1, exponent, 0x400 | mantissa

    def accumulate(
        self, row: int, j: int, addends: list[tuple[int, int]], *, add: bool = True
    ) -> None:
        """Dst += addends, each an exponent and an integer in units of 2**-23."""
        fp16 = STYLE[self.case.a] == FP16
        word = self.read(row, j, wide=self.fp32) if add else 0
        if self.fp32:
            sign, exponent = word >> 31, word >> 16 & 0xFF
            mantissa = (word >> 24 & 0x7F) << 16 | word & 0xFFFF
        elif fp16:
            sign, exponent, mantissa = word >> 15, word & 0x1F, (word >> 5 & 0x3FF) << 13
        else:
            sign, exponent, mantissa = word >> 15, word & 0xFF, (word >> 8 & 0x7F) << 16
        old = mantissa + 0x800000 if exponent else 0
        largest = max([exponent, *(e for e, _ in addends)])
        unit = 1 if self.fp32 else 1 << 13
        total = away(Fraction(away(Fraction(old, 1 << (largest - exponent))), unit))
        total = -total if sign else total
        for e, value in addends:
            total += up(Fraction(up(Fraction(value, 1 << (largest - e))), unit))
        total *= unit
        self.put_number(row, j, total, largest, fp16=fp16)

    def put_number(self, row: int, j: int, total: int, largest: int, *, fp16: bool) -> None:
        """total * 2**(largest - 23), rounded to what Dst holds."""
        bits = 23 if self.fp32 else 10 if fp16 else 7
        size = abs(total)
        exponent = largest + size.bit_length() - 24
        scaled = away(Fraction(size, 1) * Fraction(2) ** (bits + 1 - size.bit_length()))
        if scaled == 2 << bits:
            scaled, exponent = 1 << bits, exponent + 1
        highest = 32 if fp16 and not self.fp32 else 255
        sign, mantissa = int(total < 0), scaled - (1 << bits)
        if total == 0 or largest <= 0 or exponent <= 0:
            sign = exponent = mantissa = 0
        elif exponent >= highest:
            exponent, mantissa = (31, 0x3FF) if highest == 32 else (255, 0)
        if self.fp32:
            word = sign << 31 | mantissa >> 16 << 24 | exponent << 16 | mantissa & 0xFFFF
        else:
            word = sign << 15 | mantissa << (5 if fp16 else 8) | exponent
        self.write(row, j, word, wide=self.fp32)

    def integer(self, row: int, j: int, value: int) -> None:
        """Dst += value, clamped."""
        word = self.read(row, j, wide=True)
        size = (word >> 16 & 0xFF) << 23 | (word >> 24 & 0x7F) << 16 | word & 0xFFFF
        total = max(min(value + (-size if word >> 31 else size), 0x7FFFFFFF), -0x7FFFFFFF)
        size = abs(total)
        high = int(total < 0) << 15 | (size >> 16 & 0x7F) << 8 | size >> 23
        self.write(row, j, high << 16 | size & 0xFFFF, wide=True)

    def product(self, a: int, b: int) -> tuple[int, int]:
        """Exponent, and the signed product of what the phase takes."""
        fp16, phase = STYLE[self.case.a] == FP16, self.case.phase
        sign_a, exponent_a, mantissa_a = self.source(a, self.case.a, flush=True)
        sign_b, exponent_b, mantissa_b = self.source(b, self.case.b, flush=not self.keep)
        bias = (97 if self.fp32 else -15) if fp16 else -127
        bias -= 5 * (phase & 1) + 7 * (phase >> 1)
        if not mantissa_b and self.keep:
            mantissa_b = 0x400  # multipliers see a leading 1 in what is not taken for a zero
            sign_b = -1 if b >> 18 else 1
        if not mantissa_a or not mantissa_b:
            return max(bias, 0), 0
        part_a = mantissa_a >> 1 & 31 if phase & 1 else mantissa_a >> 6
        part_b = (mantissa_b & 15) << 3 if phase & 2 else mantissa_b >> 4
        return exponent_a + exponent_b + bias, sign_a * sign_b * part_a * part_b

    @staticmethod
    def group(products: list[tuple[int, int]]) -> tuple[int, int]:
        """Products aligned to the largest exponent of all, and added."""
        largest = max(e for e, _ in products)
        if largest <= 0:
            return 0, 0
        total = sum(away(Fraction(value, 1 << (largest - e))) for e, value in products)
        return largest, total << 13

    # -- instructions
    def elementwise(self, name: str) -> None:
        """ELWADD, ELWSUB, ELWMUL."""
        to, first_a = self.to & 0x3F8, self.rows[0] & 0x38
        one_row = self.f.get("broadcast_src_b_row", 0)
        first_b = self.rows[1] & (0x3F if one_row else 0x38)
        for i in range(8):
            for j in range(16):
                a = self.a[self.bank_a][first_a + i][j]
                column = 0 if self.f.get("broadcast_src_b_col0") else j
                b = self.b[self.bank_b][first_b + (0 if one_row else i)][column]
                self.element(name, to + i, j, a, b)

    def element(self, name: str, row: int, j: int, a: int, b: int) -> None:
        add = name == "ELWMUL" or self.f.get("add_dst", 0) == 1
        if name == "ELWSUB":
            b ^= 1 << 18
        if self.int8:
            if not add:
                self.write(row, j, 0, wide=True)
            left, right = self.parts(a, b) if name == "ELWMUL" else (whole(a), whole(b))
            self.integer(row, j, left * right if name == "ELWMUL" else left + right)
            return
        if name == "ELWMUL":
            exponent, value = self.product(a, b)
            addend = (exponent, value << 13) if exponent > 0 else (0, 0)
            self.accumulate(row, j, [addend])
            return
        sign_a, exponent_a, mantissa_a = self.source(a, self.case.a, flush=True)
        sign_b, exponent_b, mantissa_b = self.source(b, self.case.b, flush=not self.keep)
        top = max(exponent_a, exponent_b)
        value = sign_a * away(Fraction(mantissa_a, 1 << (top - exponent_a)))
        value += sign_b * away(Fraction(mantissa_b, 1 << (top - exponent_b)))
        if STYLE[self.case.a] == FP16 and self.fp32:
            top = top + 112 if top else 97
        lower = 5 * (self.case.phase & 1) + 7 * (self.case.phase >> 1)
        if lower:
            top, value = (top - lower, value) if top > lower else (0, 0)
        self.accumulate(row, j, [(top, value << 13)], add=add)

    def parts(self, a: int, b: int) -> tuple[int, int]:
        """The bits of integers that a phase multiplies."""
        phase = self.case.phase
        return (
            whole(a, 0x1F if phase & 1 else 0xE0),
            whole(b, 0xF if phase & 2 else 0x3F0),
        )

    def matrix(self, count: int, step: int, first_b: int, mask: int) -> None:
        """MVMUL, DOTPV, GAPOOL."""
        to, first_a = self.to & mask, self.rows[0] & 0x38
        for i in range(count):
            b = self.b[self.bank_b][first_b + (0 if step == 2 else i)]
            for j in range(16):
                a = [self.a[self.bank_a][(first_a + k) % 64][j] for k in range(16)]
                if self.int8:
                    pairs = [self.parts(x, y) for x, y in zip(a, b, strict=True)]
                    self.integer(to + step * i, j, sum(x * y for x, y in pairs))
                    continue
                products = [self.product(x, y) for x, y in zip(a, b, strict=True)]
                groups = [self.group(products[:8]), self.group(products[8:])]
                self.accumulate(to + step * i, j, groups)

    def run(self) -> bool:
        """Do what the case says; False if it is not one that this model knows."""
        name = self.case.text.split()[0]
        if name.startswith("ELW"):
            self.elementwise(name)
        elif name in ("MVMUL", "DOTPV"):
            one_row = self.f.get("broadcast_src_b_row", 0)
            first = self.rows[1] & (0x3F if one_row else 0x38)
            self.matrix(4 if one_row else 8, 1 + one_row, first, 0x3F9 if one_row else 0x3F8)
        elif name == "GAPOOL":
            self.matrix(4, 1, self.rows[1] & 0x38, 0x3FC)
        else:
            return False
        return True

    def differences(self, record: Record) -> list[str]:
        """Where the record has other numbers."""
        S, found = record.S, []
        for k in (0, 1):
            for i in range(64):
                for j in range(16):
                    if S.src.a[k, i, j] != self.a[k][i][j]:
                        found.append(f"SrcA[{k}][{i}][{j}]")
                    if S.src.b[k, i, j] != self.b[k][i][j]:
                        found.append(f"SrcB[{k}][{i}][{j}]")
        for i in range(1024):
            gone = sum(self.gone[i][j] << j for j in range(16))
            if S.dst.undefined[i] != gone:
                found.append(f"undefined[{i}]: {S.dst.undefined[i]:#x}, model {gone:#x}")
            for j in range(16):
                if not self.gone[i][j] and S.dst.bits[i, j] != self.bits[i][j]:
                    found.append(
                        f"DstBits[{i}][{j}]: {S.dst.bits[i, j]:#06x}, model {self.bits[i][j]:#06x}"
                    )
        return found


def whole(datum: int, magnitude: int = 0x3FF) -> int:
    """An integer of SrcA or SrcB; one with an exponent of 0 is 0."""
    value = datum >> 8 & magnitude if datum & 0xFF else 0
    return -value if datum >> 18 else value

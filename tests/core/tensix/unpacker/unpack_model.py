# SPDX-License-Identifier: Apache-2.0
"""UNPACR_Regular.md once more, as slow and as literal as possible: datum by datum, by fractions.

`Unpack` is one instruction with all the configuration that it reads. `arrange` writes that into a
machine, `expected` says which datums go where. Nothing of core/tensix/unpack*.py is used here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tests.core.tensix.unpacker.unpack_model_formats import NAMES, SIZES, Formats, convert

FIELDS = config_fields(Arch.BLACKHOLE)
Place = tuple[str, int, int]  # "a", "b", "dst16" or "dst32"; row, column


@dataclass
class Unpack(Formats):
    """An UNPACR. Addresses count 16 bytes, as in the configuration."""

    unpacker: int = 0
    multi: bool = True
    context: int = 0
    thread: int = 0
    adc_thread: int = 0
    base: int = 0x1000
    offset: int = 0
    digest: int = 0
    dims: tuple[int, int, int, int] = (256, 1, 4, 1)
    blobs: int = 0
    blobs_y_start: int = 0
    counters: tuple[int, int, int, int] = (0, 0, 0, 0)  # X, Y, Z, W of channel 0
    out_counters: tuple[int, int, int, int] = (255, 0, 0, 0)  # of channel 1
    out_base: int = 0
    strides: tuple[int, int, int] = (0, 0, 0)  # Y, Z, W of channel 1
    dest: int = 64
    add_dest: bool = False
    compressed: bool = False
    row_search: bool = False
    no_exponents: bool = False
    forced_exponent: int | None = None
    limit: int = 0x1FFFF
    fifo_size: int = 0
    tileize: bool = False
    piece: int = 32  # UnpackRowWidth of datums of more than 8 bits; 16 on Wormhole
    shifts: tuple[int, int, int, int] = (0, 0, 0, 0)
    haloize: bool = False
    upsample: int = 0
    interleave: bool = False
    override: bool = True
    src_row: int = 0
    all_zero: bool = False
    flip: bool = True
    increments: tuple[int, int, int, int] = (0, 0, 0, 0)  # Y and Z of channel 1, of channel 0
    more: dict[str, int] = field(default_factory=dict)

    def text(self) -> str:
        """The instruction."""
        y1, z1, y0, z0 = self.increments
        flags = {
            "which_unpacker": self.unpacker,
            "multi_context_mode": int(self.multi),
            "context_number": self.context if self.multi else 0,
            "context_adc": self.adc_thread if self.multi else 0,
            "flip_src": int(self.flip),
            "all_datums_are_zero": int(self.all_zero),
            "row_search": int(self.row_search),
            **{"ch1_y_inc": y1, "ch1_z_inc": z1, "ch0_y_inc": y0, "ch0_z_inc": z0},
        }
        names = {0: "UNP0", 1: "UNP1"}
        given = [
            f"{name}={names[value] if name == 'which_unpacker' else value}"
            for name, value in flags.items()
        ]
        return "UNPACR " + ", ".join(given)


def put(S: Any, name: str, value: int, bank: int = 0) -> None:
    """Write a field of Config."""
    one = FIELDS[name]
    assert value < 1 << one.width, (name, value)
    S.config.word[bank, one.word] = S.config.word[bank, one.word] & ~one.mask | value << one.low


def describe(S: Any, section: int, first: int, width: int, value: int) -> None:
    """Write bits of a tile descriptor, within a word of it."""
    word = FIELDS[f"THCON_SEC{section}_REG0_TileDescriptor"].word + first // 32
    mask = (1 << width) - 1 << first % 32
    S.config.word[0, word] = S.config.word[0, word] & ~mask | value << first % 32


def arrange(S: Any, u: Unpack) -> None:
    """Write the configuration and counters."""
    i, c = u.unpacker, u.context if u.multi else 0
    sec = f"THCON_SEC{i}_"
    xd, yd, zd, wd = u.dims
    uncompressed = int(not u.compressed)
    for first, width, value in (
        (0, 4, NAMES[u.given]), (4, 1, uncompressed), (5, 1, int(u.no_exponents)),
        (8, 3, u.blobs), (16, 16, xd), (32, 8, yd), (48, 8, zd), (64, 8, wd),
        (80, 16, u.blobs_y_start & 0xFFFF), (96, 16, u.blobs_y_start >> 16), (120, 8, u.digest),
    ):  # fmt: skip
        describe(S, i, first, width, value)
    for blob in ("01", "23"):
        put(S, f"UNP0_BLOBS_Y_START_CNTX_{blob}_blobs_y_start", u.blobs_y_start)
    of_context = f"cntx{c}_" if c else ""
    put(S, f"{sec}REG{4 if c > 3 else 3}_Base_{of_context}address", u.base)
    low = c & 3
    put(S, f"{sec}REG7_Offset_{f'cntx{low}_' if low else ''}address", u.offset)
    put(S, f"{sec}REG2_Out_data_format", NAMES[u.out])
    put(S, f"{sec}REG2_Disable_zero_compress_cntx{c}", uncompressed)
    put(S, f"{sec}REG2_Unpack_if_sel_cntx{c}", int(u.to_dst))
    put(S, f"{sec}REG2_Unpack_If_Sel", int(u.to_dst))
    put(S, f"{sec}REG5_Tile_x_dim_cntx{low}", xd)
    put(S, f"{sec}REG5_Dest_cntx{low}_address", u.dest)
    put(S, f"{sec}REG2_Haloize_mode", int(u.haloize))
    put(S, f"{sec}REG2_Tileize_mode", int(u.tileize))
    put(S, f"{sec}REG2_Upsample_rate", u.upsample)
    put(S, f"{sec}REG2_Upsample_and_interleave", int(u.interleave))
    put(S, f"{sec}REG2_Force_shared_exp", int(u.forced_exponent is not None))
    put(S, f"{sec}REG2_Unpack_limit_address", u.limit)
    put(S, f"{sec}REG2_Unpack_fifo_size", u.fifo_size)
    put(S, f"{sec}REG1_Unp_LF8_4b_exp", int(u.e4m3))
    put(S, f"UNP{i}_FORCED_SHARED_EXP_shared_exp", u.forced_exponent or 0)
    put(S, f"UNP{i}_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr", int(u.add_dest))
    put(S, f"UNP{i}_ADDR_BASE_REG_1_Base", u.out_base)
    put(S, f"UNP{i}_ADDR_CTRL_XY_REG_1_Ystride", u.strides[0])
    put(S, f"UNP{i}_ADDR_CTRL_ZW_REG_1_Zstride", u.strides[1])
    put(S, f"UNP{i}_ADDR_CTRL_ZW_REG_1_Wstride", u.strides[2])
    put(S, f"ALU_FORMAT_SPEC_REG0_Src{'AB'[i]}Unsigned", int(u.unsigned))
    for number, shift in enumerate(u.shifts):
        put(S, f"{sec}REG2_Shift_amount_cntx{number}", shift)
    for name, value in u.more.items():
        put(S, name, value)
    override = FIELDS["SRCA_SET_SetOvrdWithAddr"]
    S.config.thread[u.thread, override.word] = override.mask if u.override else 0
    S.src.unpack_row[i, u.thread] = u.src_row
    adc = u.adc_thread if u.multi else u.thread
    for axis in range(4):
        for channel, values in enumerate((u.counters, u.out_counters)):
            # X, and Y of channel 0, are those of the thread that the instruction names.
            whose = adc if axis == 0 or (axis == 1 and channel == 0) else u.thread
            S.adc.value[whose, i, channel, axis] = values[axis]


def expected(memory: bytes, u: Unpack) -> list[tuple[Place, int]]:
    """Return what is written, in order; what is written to one place twice is twice in the list."""
    return list(_steps(memory, u))


def _bits(memory: bytes, at: Fraction, size: Fraction) -> int:
    first = at * 8
    assert first.denominator == 1
    number, width = int(first), int(size * 8)
    whole = int.from_bytes(memory[number // 8 : number // 8 + 5], "little")
    return whole >> number % 8 & ((1 << width) - 1)


def _steps(memory: bytes, u: Unpack) -> Iterator[tuple[Place, int]]:
    size = SIZES[u.given]
    bfp = u.given.startswith("BFP")
    xd, yd, zd, wd = u.dims
    zd, wd = zd or 1, wd or 1
    addr = (u.base + u.offset + 1 + u.digest) * 16
    starts = addr
    if u.compressed:
        count = u.blobs * zd * wd if u.blobs else yd * zd * wd
        addr += ceil(Fraction((count + 1) * 2, 16)) * 16
    exponents = Fraction(addr)
    if bfp and u.forced_exponent is None and (u.given.startswith("BFP8") or not u.no_exponents):
        addr += ceil(Fraction(ceil(Fraction(xd * yd * zd * wd, 16)), 16)) * 16

    def rsi(row: int) -> int:
        return int.from_bytes(memory[starts + 2 * row : starts + 2 * row + 2], "little")

    x, y, z, w = u.counters
    z, w = z & 0xFF, w & 0xFF  # ADCs.md: the input address generator gets no more of channel 0
    x_end = u.out_counters[0]
    drop, wanted = 0, 1 << 32
    blobs = [u.blobs_y_start >> 4 * i & 15 for i in range(8)]
    if u.compressed:
        row = (w * zd + z) * (u.blobs if u.row_search and u.blobs else yd)
        first = rsi(row + (y & 0xFF))
        if u.row_search:
            total = rsi(row + (x & 0xFF) + 1) - first
        elif x == 0 and x_end == xd - 1:
            total = rsi(row + (y & 0xFF) + 1) - first
        else:
            drop, wanted, total = x, x_end + 1 - x, 1 << 32
    else:
        if not u.row_search:
            x_end += 1
        elif u.blobs:
            after = (x & 7) + 1
            x, y = blobs[y & 7] << 4, 0
            x_end = xd & 0x1F0 if after == u.blobs else blobs[after] << 4
        else:
            x = 0
        first = ((w * zd + z) * yd + y) * xd + x
        total = x_end - x

    def wrap(at: Fraction) -> Fraction:
        return at - u.fifo_size * 16 if at > u.limit * 16 else at

    at, deltas = Fraction(addr), Fraction(0)
    exponents += Fraction(first, 16)
    if u.compressed:
        at += (first // 32) * (32 * size + 16)
        deltas = wrap(at + 32 * size + Fraction(first % 32, 2))
        at += first % 32 * size
    else:
        at += first * size
    exponents, at = wrap(exponents), wrap(at)
    piece = u.piece if size > 1 else 16
    stride = size * piece
    if u.tileize:
        stride = Fraction(u.shifts[0] << 4 | u.shifts[1] << 8 | u.shifts[2] << 12)
    out = u.out_base + sum(n * s for n, s in zip(u.out_counters[1:], u.strides, strict=True))
    out >>= {"FP32": 2, "TF32": 2, "INT32": 2, "FP16": 1, "BF16": 1, "INT16": 1}.get(u.out, 0)
    if u.multi and u.unpacker == 0:
        out = out + u.dest if u.to_dst or u.add_dest else u.dest
    zeros = (1 << u.upsample) - 1
    shift = 0 if u.tileize or u.unpacker else u.shifts[u.context & 3 if u.multi else 0]

    done = 0
    while done < total and wanted:
        datum = _bits(memory, at, size)
        at += size
        done += 1
        if done % piece == 0:
            at = wrap(at - size * piece + stride)
        exponent = u.forced_exponent or 0
        if bfp and u.forced_exponent is None:
            exponent = memory[floor(exponents)]
            exponents += Fraction(1, 16)
            if exponents % 16 == 0:
                exponents = wrap(exponents)
        more = 0
        if u.compressed:
            more = _bits(memory, deltas, Fraction(1, 2))
            deltas += Fraction(1, 2)
            if deltas % 16 == 0:
                at += 16
                deltas = wrap(deltas + 32 * size)
        value = convert(u, datum, exponent)
        if u.all_zero:
            value = more = 0
        for again in range(more + 1):
            if drop:
                drop -= 1
                continue
            for k in range(zeros + 1):
                if k == 0 or not u.interleave:
                    place = _place(u, out, shift)
                    if place:
                        yield place, value if again == k == 0 else 0
                out += 1
            wanted -= 1
            if wanted == 0:
                break


def _place(u: Unpack, out: int, shift: int) -> Place | None:
    row, column = out // 16, out % 16
    if u.unpacker:
        return "b", row + u.src_row & 63, column
    if u.to_dst:
        row = row - 4 & 1023
        return "dst32" if u.out in ("FP32", "TF32", "INT32") else "dst16", row, column
    if row < 4 or column < shift:
        return None
    row, column = row - 4, column - shift
    row = row & 63 if u.override else row + u.src_row
    if u.haloize:
        row, column = row & ~15 | column, row & 15
    return "a", row, column

# SPDX-License-Identifier: Apache-2.0
"""The configuration that a tile of each format needs, field by field, and the instructions.

    unpack("bf16")               L1 to SrcA, face by face
    unpack("fp32", "fp32", "dst")      or to SrcB, or to Dst
    math("bf16")                 SrcA to Dst
    pack("bfp8")                 Dst to L1; pack("fp32", "bf16") from FP32

What is not named is 0, as after a reset. Words and bits come from the tables that the units read
(core/isa, unpacker/config.py), conversions from theirs (unpacker/formats.py, packer/formats.py), so
a combination that the units refuse is refused here. The names are Blackhole's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import Space, config_fields
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.packer.formats import (
    BYTES_IN,
    HAS_EXPONENTS,
    READ_32B,
    READ_UNSIGNED,
    ROUND_10B,
    early,
    late,
    names_it,
)
from tensix_gdb.core.tensix.unpacker import config as unpacker
from tensix_gdb.core.tensix.unpacker.formats import NO_CONVERSION, conversion_of
from tensix_gdb.core.tiles.formats import TileFormat, format_named
from tensix_gdb.core.tiles.npy import ArrayError
from tensix_gdb.core.tiles.registers import held

FACES, FACE = 4, 256  # faces of a tile, datums of a face
SKIPPED_ROWS = 4  # that unpacker 0 counts before row 0 of SrcA and Dst
INPUT, OUTPUT = 0x21000, 0x40000  # addresses of the examples
DESTINATIONS = ("srca", "srcb", "dst")
REGULAR, CONVERSION = "UNPACR_Regular.md", "Unpackers/FormatConversion.md"
PACKED, ADDRESSES = "Packers/FormatConversion.md", "Packers/InputAddressGenerator.md"
OUTPUTS, EDGES = "Packers/OutputAddressGenerator.md", "Packers/EdgeMasking.md"
HEADERS = "cfg_defines.h"  # what no page of the ISA describes
_FIELDS = config_fields(Arch.BLACKHOLE)


@dataclass(frozen=True, slots=True)
class Setting:
    """A field and what it has to be. `is_thread`: of ThreadConfig."""

    name: str
    word: int
    low: int
    width: int
    is_thread: bool
    value: int
    why: str
    page: str


@dataclass(frozen=True)
class Setup:
    """What one unit needs. `thread` is the one that LLK gives it, `prepares` are instructions that
    run once, `runs` those of a tile; `beside` those of T0 for a face, so that SrcB is valid too."""

    title: str
    thread: int
    settings: tuple[Setting, ...]
    prepares: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    def words(self) -> dict[tuple[bool, int], int]:
        """The words, by (is it of ThreadConfig, number)."""
        found: dict[tuple[bool, int], int] = {}
        for one in self.settings:
            key = (one.is_thread, one.word)
            found[key] = found.get(key, 0) | one.value << one.low
        return found


def _set(name: str, value: int, why: str, page: str) -> Setting:
    one = _FIELDS[name]
    thread = one.space is Space.THREAD
    return Setting(name, one.word, one.low, one.width, thread, value, why, page)


def _described(section: int, bits: tuple[int, ...], name: str, value: int, why: str) -> Setting:
    """A field of the tile descriptor, which has no names in Tenstorrent's header."""
    packed = bits[section]
    full = f"THCON_SEC{section}_REG0_TileDescriptor {name}"
    word, low, width = packed >> 16, packed >> 8 & 0xFF, packed & 0xFF
    return Setting(full, word, low, width, False, value, why, REGULAR)


def code(number: int) -> str:
    """The name of a data format of the configuration."""
    return Format(number).name


# -- unpackers
def unpack(given: str, wanted: str = "", to: str = "srca", addr: int = INPUT) -> Setup:
    """L1 to SrcA, SrcB or Dst. ArrayError with a sentence for what there is not."""
    if to not in DESTINATIONS:
        raise ArrayError(f"unpackers write to {', '.join(DESTINATIONS)}, not to {to!r}")
    source = format_named(given)
    is_dst = to == "dst"
    in_code, out_code = _codes(source, wanted, is_dst)
    if conversion_of(in_code, out_code, int(is_dst)) == NO_CONVERSION:
        raise ArrayError(
            f"unpackers make no {wanted or code(out_code).lower()} of {source.name} in "
            f"{'Dst' if is_dst else 'SrcA and SrcB'} ({CONVERSION})"
        )
    section = int(to == "srcb")
    where = {"srca": "SrcA", "srcb": "SrcB", "dst": "Dst"}[to]
    settings = _unpack_settings(source, section, is_dst, (in_code, out_code), addr)
    unit = f"UNP{section}"
    # Every face of SrcA and SrcB is handed to the Matrix Unit; those of Dst follow each other.
    flip = "" if is_dst else ", flip_src=1"
    one = (
        f"UNPACR.Regular which_unpacker={unit}, multi_context_mode=1, ch0_z_inc=1"
        f"{', ch1_z_inc=1' * is_dst}{flip}"
    )
    return Setup(
        f"unpack {source.name}: L1 at {addr:#x} to {where} as {code(out_code)}",
        0,
        tuple(settings),
        (
            f"SETADCXX u{section}=1, x1_val={FACE - 1}, x0_val=0",
            f"SETADCXY u{section}=1, y1=1, y0=1",
        ),
        # Z counts the faces, so every tile begins with 0.
        (f"SETADCZW u{section}=1, w1=1, z1=1, w0=1, z0=1", *(one,) * FACES),
    )


def _codes(source: TileFormat, wanted: str, is_dst: bool) -> tuple[int, int]:
    """InDataFormat and OutDataFormat."""
    if source.code not in (Format.FP32, Format.TF32):
        register = held(source)
        if wanted and format_named(wanted).code not in (source.code, register.code):
            raise ArrayError(
                f"unpackers make {register.name} of {source.name}, no {wanted} ({CONVERSION})"
            )
        return source.code, source.code
    if wanted:
        return Format.FP32, format_named(wanted).code
    return Format.FP32, Format.FP32 if is_dst else Format.TF32


def _unpack_settings(
    source: TileFormat, section: int, is_dst: bool, codes: tuple[int, int], addr: int
) -> Iterator[Setting]:
    in_code, out_code = codes
    sec = f"THCON_SEC{section}_"
    yield _described(section, unpacker.IN_FORMAT, "InDataFormat", in_code, code(in_code))
    if section:
        yield _described(section, unpacker.X_DIM, "XDim", FACE, "datums of a face")
    yield _described(section, unpacker.Y_DIM, "YDim", 1, "a face is one row")
    yield _described(section, unpacker.Z_DIM, "ZDim", FACES, "faces")
    yield _set(f"{sec}REG2_Out_data_format", out_code, code(out_code), CONVERSION)
    yield _set(f"{sec}REG2_Disable_zero_compress_cntx0", 1, "not compressed", REGULAR)
    why = f"ADDR / 16 - 1, here of {addr:#x}: a header of 16 bytes is skipped"
    yield _set(f"{sec}REG3_Base_address", addr // 16 - 1, why, REGULAR)
    if section == 0:
        why = "datums of a face: with multi_context_mode instead of XDim"
        yield _set(f"{sec}REG5_Tile_x_dim_cntx0", FACE, why, REGULAR)
        why = f"row 0: the first {SKIPPED_ROWS} rows that the unpacker counts go nowhere"
        yield _set(f"{sec}REG5_Dest_cntx0_address", 16 * SKIPPED_ROWS, why, REGULAR)
    if is_dst:
        yield _set(f"{sec}REG2_Unpack_if_sel_cntx0", 1, "to Dst", REGULAR)
        size = (4, 2, 1, 1)[out_code & 3]
        why = f"bytes of a face in Dst, {size} for a datum by OutDataFormat"
        yield _set("UNP0_ADDR_CTRL_ZW_REG_1_Zstride", FACE * size, why, REGULAR)
    if source.name == "fp8_e4m3":
        yield _set(f"{sec}REG1_Unp_LF8_4b_exp", 1, "e4m3, not e5m2", HEADERS)
    if source.name == "uint8":
        name = f"ALU_FORMAT_SPEC_REG0_Src{'AB'[section]}Unsigned"
        yield _set(name, 1, "no sign; has to stay while the unpacker is at work", CONVERSION)


# -- Matrix Unit
def math(name: str) -> Setup:
    """SrcA to Dst. The format of SrcA comes with its bank, from the unpacker."""
    given = format_named(name)
    register = held(given)
    is_integer = register.code == Format.INT8 or register.code == Format.INT32
    is_wide = is_integer or register.bits == 32
    page, bits = "MatrixUnit.md", 32 if is_wide else 16
    settings = [
        _set("ALU_ACC_CTRL_Fp32_enabled", int(is_wide), f"Dst has {bits} bits of a datum", page),
        _set("ALU_ACC_CTRL_SFPU_Fp32_enabled", int(is_wide), "the same for SFPLOAD", "SFPLOAD.md"),
        _set("ALU_ACC_CTRL_INT8_math_enabled", int(is_integer), "arithmetic of integers", page),
        _set("DISABLE_IMPLIED_SRCA_FMT_Base", 0, "the format of SrcA is that of its bank", HEADERS),
    ]
    if register.code == Format.INT16:
        why = "16 bits that mean nothing to the unit are not taken for denormals"
        settings.append(_set("ALU_ACC_CTRL_Zero_Flag_disabled_src", 1, why, "MOVA2D.md"))
    moves = ("MOVA2D src_row={row}, dst_row={dst}, move_8_rows=1",) * 2
    after = "CLEARDVALID flip_src_a=1"
    beside = ""
    if is_integer:
        # A move leaves 8 bits in Dst, of which the packer has no conversion; a sum has 32.
        settings += [
            _set("ADDR_MOD_AB_SEC0_SrcAIncr", 8, "ELWADD takes rows by the counters", "RWCs.md"),
            _set("ADDR_MOD_AB_SEC0_SrcBIncr", 8, "of SrcA and SrcB", "RWCs.md"),
        ]
        moves = ("ELWADD dst_row={dst}",) * 2
        after = "SETRWC src_a=1, src_b=1, flip_src_a=1, flip_src_b=1"
        beside = "UNPACR_NOP.ClearSrc which_unpacker=UNP1, src_clr_val_ctrl=ZERO, set_dvalid=1"
    name = "int32, of 8-bit integers" if is_integer else register.name
    return Setup(
        f"math {name}: SrcA to Dst",
        1,
        tuple(settings),
        runs=tuple(_faces(moves, after)),
        beside=(beside,) if beside else (),
    )


def _faces(moves: tuple[str, ...], after: str) -> Iterator[str]:
    """Eight rows at a time; then the face is given back to the unpackers."""
    for face in range(FACES):
        for i, move in enumerate(moves):
            yield move.format(row=8 * i, dst=16 * face + 8 * i)
        yield after


# -- packer
def pack(given: str, wanted: str = "", addr: int = OUTPUT) -> Setup:
    """Dst to L1. With one name, from what the unpackers and the Matrix Unit make of that format."""
    out = format_named(wanted or given)
    register = held(format_named(given)) if wanted else _usual(out)
    between, control = _between(register, out)
    conversion = early(between, control)
    exponent = int(out.name == "fp8_e4m3")
    if (
        conversion < 0
        or not names_it(conversion, between, between)
        or late(between, out.code, exponent) < 0
    ):
        raise ArrayError(f"the packer makes no {out.name} of {register.name} in Dst ({PACKED})")
    return Setup(
        f"pack {out.name}: Dst as {register.name} to L1 at {addr:#x}",
        2,
        tuple(_pack_settings(out, between, control, addr)),
        (
            "SETADCXX pk=1, x1_val=15, x0_val=0",
            "SETADCXY pk=1, y1=1, y0=1",
        ),
        tuple(_packs()),
    )


def _usual(out: TileFormat) -> TileFormat:
    """The format of Dst that a format of L1 is packed from."""
    return format_named("int32") if out.code == Format.INT8 else held(out)


def _between(register: TileFormat, out: TileFormat) -> tuple[int, int]:
    """IntermediateFormat and the bits of PCK_DEST_RD_CTRL."""
    control = READ_32B if register.bits == 32 else 0
    if out.name == "uint8":
        control |= READ_UNSIGNED
    if out.is_integer or register.is_integer:
        return out.code if out.is_integer else register.code, control
    if register.code != Format.FP32:
        return register.code, control
    if out.is_narrow:
        return Format.FP16, control | ROUND_10B
    return out.code if out.code in (Format.FP32, Format.TF32) else Format.BF16, control


def _pack_settings(out: TileFormat, between: int, control: int, addr: int) -> Iterator[Setting]:
    sec = "THCON_SEC0_REG1_"
    is_wide = control & READ_32B
    yield _set("ALU_FORMAT_SPEC_REG2_Dstacc", between, f"{code(between)} between both", PACKED)
    yield _set(f"{sec}In_data_format", between, code(between), PACKED)
    yield _set(f"{sec}Out_data_format", out.code, code(out.code), PACKED)
    wide = f"Dst has {32 if is_wide else 16} bits"
    yield _set("PCK_DEST_RD_CTRL_Read_32b_data", int(bool(is_wide)), wide, PACKED)
    if control & READ_UNSIGNED:
        yield _set("PCK_DEST_RD_CTRL_Read_unsigned", 1, "no sign", PACKED)
    if control & ROUND_10B:
        why = "rounds 23 bits of mantissa to 10"
        yield _set("PCK_DEST_RD_CTRL_Round_10b_mant", 1, why, PACKED)
    if out.name == "fp8_e4m3":
        yield _set(f"{sec}Pac_LF8_4b_exp", 1, "e4m3, not e5m2", HEADERS)
    if HAS_EXPONENTS[out.code]:
        why = "16 bytes each: 64 exponents before the datums"
        yield _set(f"{sec}Exp_section_size", FACES, why, OUTPUTS)
    yield _set(f"{sec}Disable_zero_compress", 1, "not compressed", OUTPUTS)
    why = f"ADDR / 16 - 1, here of {addr:#x}: a header of 16 bytes is skipped"
    yield _set(f"{sec.removesuffix('_')}_L1_Dest_addr", addr // 16 - 1, why, OUTPUTS)
    yield _set("PCK_EDGE_OFFSET_SEC0_mask", 0xFFFF, "all 16 columns", EDGES)
    yield _set(
        "PACK_COUNTERS_SEC0_pack_reads_per_xy_plane",
        16,
        "rows of a face, as edge masks count",
        EDGES,
    )
    size = BYTES_IN[between & 3]
    why = f"bytes of a row of Dst, {size} for a datum by In_data_format"
    yield _set("PCK0_ADDR_CTRL_XY_REG_0_Ystride", 16 * size, why, ADDRESSES)
    yield _set("PCK0_ADDR_CTRL_ZW_REG_0_Zstride", FACE * size, "bytes of a face", ADDRESSES)
    yield _set("ADDR_MOD_PACK_SEC0_YsrcIncr", 4, "a PACR reads four rows", "PACR.md")
    yield _set("ADDR_MOD_PACK_SEC1_YsrcClear", 1, "after a face", "PACR.md")
    yield _set("ADDR_MOD_PACK_SEC1_ZsrcIncr", 1, "the next face", "PACR.md")


def _packs() -> Iterator[str]:
    yield "SETADCZW pk=1, w1=1, z1=1, w0=1, z0=1"
    for face in range(FACES):
        yield from ["PACR"] * 3
        yield "PACR addr_mod=1" + (", last=1" if face == FACES - 1 else "")

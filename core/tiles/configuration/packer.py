# SPDX-License-Identifier: Apache-2.0
"""Dst to L1."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.isa.architecture import Arch
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
from tensix_gdb.core.tiles.configuration.setting import (
    FACE,
    FACES,
    HEADERS,
    OUTPUT,
    Setting,
    Setup,
    code,
    setting,
)
from tensix_gdb.core.tiles.formats import TileFormat, format_named
from tensix_gdb.core.tiles.npy import ArrayError
from tensix_gdb.core.tiles.registers import held

# By chip: the counter of the last datum that a PACR packs. Blackhole packs as many in each of four
# rows, Wormhole counts through the rows.
_LAST_DATUM = {Arch.BLACKHOLE: 15, Arch.WORMHOLE: 4 * 16 - 1}
PACKED, ADDRESSES = "Packers/FormatConversion.md", "Packers/InputAddressGenerator.md"
OUTPUTS, EDGES = "Packers/OutputAddressGenerator.md", "Packers/EdgeMasking.md"


def pack(given: str, wanted: str = "", addr: int = OUTPUT, arch: Arch = Arch.BLACKHOLE) -> Setup:
    """Dst to L1. With one name, from what the unpackers and the Matrix Unit make of that format.
    On Wormhole packer 0 packs all of it."""
    out = format_named(wanted or given)
    register = held(format_named(given)) if wanted else _usual(out)
    no_such = f"the packer makes no {out.name} of {register.name} in Dst ({PACKED})"
    if arch is Arch.WORMHOLE and out.name == "fp8_e4m3":
        raise ArrayError(f"{no_such}: 8-bit floats of Wormhole are e5m2, which is fp8")
    between, control = _between(arch, register, out)
    conversion = early(between, control)
    exponent = int(out.name == "fp8_e4m3")
    if (
        conversion < 0
        or not names_it(conversion, between, between)
        or late(between, out.code, exponent) < 0
    ):
        raise ArrayError(no_such)
    return Setup(
        f"pack {out.name}: Dst as {register.name} to L1 at {addr:#x}",
        2,
        tuple(_pack_settings(arch, out, between, control, addr)),
        (
            f"SETADCXX pk=1, x1_val={_LAST_DATUM[arch]}, x0_val=0",
            "SETADCXY pk=1, y1=1, y0=1",
        ),
        tuple(_packs()),
        arch=arch,
    )


def _usual(out: TileFormat) -> TileFormat:
    """Return the format of Dst that a format of L1 is packed from."""
    return format_named("int32") if out.code == Format.INT8 else held(out)


def _between(arch: Arch, register: TileFormat, out: TileFormat) -> tuple[int, int]:
    """IntermediateFormat and the bits of PCK_DEST_RD_CTRL."""
    control = READ_32B if register.bits == 32 else 0
    if out.name == "uint8":
        control |= READ_UNSIGNED
    if out.is_integer or register.is_integer:
        return out.code if out.is_integer else register.code, control
    if register.code != Format.FP32:
        return register.code, control
    if out.is_narrow and arch is Arch.WORMHOLE:
        return Format.FP32, control  # the late conversion alone makes FP16
    if out.is_narrow:
        return Format.FP16, control | ROUND_10B
    return out.code if out.code in (Format.FP32, Format.TF32) else Format.BF16, control


def _pack_settings(
    arch: Arch, out: TileFormat, between: int, control: int, addr: int
) -> Iterator[Setting]:
    sec = "THCON_SEC0_REG1_"
    is_wide = control & READ_32B
    yield setting(
        arch, "ALU_FORMAT_SPEC_REG2_Dstacc", between, f"{code(between)} between both", PACKED
    )
    yield setting(arch, f"{sec}In_data_format", between, code(between), PACKED)
    yield setting(arch, f"{sec}Out_data_format", out.code, code(out.code), PACKED)
    wide = f"Dst has {32 if is_wide else 16} bits"
    yield setting(arch, "PCK_DEST_RD_CTRL_Read_32b_data", int(bool(is_wide)), wide, PACKED)
    if control & READ_UNSIGNED:
        yield setting(arch, "PCK_DEST_RD_CTRL_Read_unsigned", 1, "no sign", PACKED)
    if control & ROUND_10B:
        why = "rounds 23 bits of mantissa to 10"
        yield setting(arch, "PCK_DEST_RD_CTRL_Round_10b_mant", 1, why, PACKED)
    if out.name == "fp8_e4m3":
        yield setting(arch, f"{sec}Pac_LF8_4b_exp", 1, "e4m3, not e5m2", HEADERS)
    if HAS_EXPONENTS[out.code]:
        why = "16 bytes each: 64 exponents before the datums"
        yield setting(arch, f"{sec}Exp_section_size", FACES, why, OUTPUTS)
    yield setting(arch, f"{sec}Disable_zero_compress", 1, "not compressed", OUTPUTS)
    why = f"ADDR / 16 - 1, here of {addr:#x}: a header of 16 bytes is skipped"
    yield setting(arch, f"{sec.removesuffix('_')}_L1_Dest_addr", addr // 16 - 1, why, OUTPUTS)
    yield setting(arch, "PCK_EDGE_OFFSET_SEC0_mask", 0xFFFF, "all 16 columns", EDGES)
    yield setting(
        arch,
        "PACK_COUNTERS_SEC0_pack_reads_per_xy_plane",
        16,
        "rows of a face, as edge masks count",
        EDGES,
    )
    size = BYTES_IN[between & 3]
    why = f"bytes of a row of Dst, {size} for a datum by In_data_format"
    yield setting(arch, "PCK0_ADDR_CTRL_XY_REG_0_Ystride", 16 * size, why, ADDRESSES)
    yield setting(
        arch, "PCK0_ADDR_CTRL_ZW_REG_0_Zstride", FACE * size, "bytes of a face", ADDRESSES
    )
    yield setting(arch, "ADDR_MOD_PACK_SEC0_YsrcIncr", 4, "a PACR reads four rows", "PACR.md")
    yield setting(arch, "ADDR_MOD_PACK_SEC1_YsrcClear", 1, "after a face", "PACR.md")
    yield setting(arch, "ADDR_MOD_PACK_SEC1_ZsrcIncr", 1, "the next face", "PACR.md")


def _packs() -> Iterator[str]:
    yield "SETADCZW pk=1, w1=1, z1=1, w0=1, z0=1"
    for face in range(FACES):
        yield from ["PACR"] * 3
        yield "PACR addr_mod=1" + (", last=1" if face == FACES - 1 else "")

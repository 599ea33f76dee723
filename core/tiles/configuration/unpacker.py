# SPDX-License-Identifier: Apache-2.0
"""L1 to SrcA, SrcB or Dst."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.unpacker import config as unpacker
from tensix_gdb.core.tensix.unpacker.formats import NO_CONVERSION, conversion_of
from tensix_gdb.core.tiles.configuration.setting import (
    FACE,
    FACES,
    HEADERS,
    INPUT,
    Setting,
    Setup,
    code,
    described,
    setting,
)
from tensix_gdb.core.tiles.formats import TileFormat, format_named
from tensix_gdb.core.tiles.npy import ArrayError
from tensix_gdb.core.tiles.registers import held

SKIPPED_ROWS = 4  # that unpacker 0 counts before row 0 of SrcA and Dst
DESTINATIONS = ("srca", "srcb", "dst")
REGULAR, CONVERSION = "UNPACR_Regular.md", "Unpackers/FormatConversion.md"


def unpack(
    given: str,
    wanted: str = "",
    to: str = "srca",
    addr: int = INPUT,
    arch: Arch = Arch.BLACKHOLE,
) -> Setup:
    """L1 to SrcA, SrcB or Dst. ArrayError with a sentence for what there is not."""
    if to not in DESTINATIONS:
        raise ArrayError(f"unpackers write to {', '.join(DESTINATIONS)}, not to {to!r}")
    source = format_named(given)
    if arch is Arch.WORMHOLE and source.name == "fp8_e4m3":
        raise ArrayError(f"unpackers of Wormhole take e5m2 alone, which is fp8 ({CONVERSION})")
    is_dst = to == "dst"
    in_code, out_code = _codes(source, wanted, is_dst)
    if conversion_of(in_code, out_code, int(is_dst)) == NO_CONVERSION:
        raise ArrayError(
            f"unpackers make no {wanted or code(out_code).lower()} of {source.name} in "
            f"{'Dst' if is_dst else 'SrcA and SrcB'} ({CONVERSION})"
        )
    section = int(to == "srcb")
    where = {"srca": "SrcA", "srcb": "SrcB", "dst": "Dst"}[to]
    settings = _unpack_settings(arch, source, section, is_dst, (in_code, out_code), addr)
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
        arch=arch,
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
    arch: Arch,
    source: TileFormat,
    section: int,
    is_dst: bool,
    codes: tuple[int, int],
    addr: int,
) -> Iterator[Setting]:
    in_code, out_code = codes
    sec = f"THCON_SEC{section}_"

    def part(places: tuple[int, ...], name: str, value: int, why: str) -> Setting:
        return described(arch, section, places[section], name, value, why, REGULAR)

    yield part(unpacker.IN_FORMAT, "InDataFormat", in_code, code(in_code))
    if section:
        yield part(unpacker.X_DIM, "XDim", FACE, "datums of a face")
    yield part(unpacker.Y_DIM, "YDim", 1, "a face is one row")
    yield part(unpacker.Z_DIM, "ZDim", FACES, "faces")
    yield setting(arch, f"{sec}REG2_Out_data_format", out_code, code(out_code), CONVERSION)
    yield setting(arch, f"{sec}REG2_Disable_zero_compress_cntx0", 1, "not compressed", REGULAR)
    why = f"ADDR / 16 - 1, here of {addr:#x}: a header of 16 bytes is skipped"
    yield setting(arch, f"{sec}REG3_Base_address", addr // 16 - 1, why, REGULAR)
    if section == 0:
        why = "datums of a face: with multi_context_mode instead of XDim"
        yield setting(arch, f"{sec}REG5_Tile_x_dim_cntx0", FACE, why, REGULAR)
        why = f"row 0: the first {SKIPPED_ROWS} rows that the unpacker counts go nowhere"
        yield setting(arch, f"{sec}REG5_Dest_cntx0_address", 16 * SKIPPED_ROWS, why, REGULAR)
    if is_dst:
        yield setting(arch, f"{sec}REG2_Unpack_if_sel_cntx0", 1, "to Dst", REGULAR)
        size = (4, 2, 1, 1)[out_code & 3]
        why = f"bytes of a face in Dst, {size} for a datum by OutDataFormat"
        yield setting(arch, "UNP0_ADDR_CTRL_ZW_REG_1_Zstride", FACE * size, why, REGULAR)
    if source.name == "fp8_e4m3":
        yield setting(arch, f"{sec}REG1_Unp_LF8_4b_exp", 1, "e4m3, not e5m2", HEADERS)
    if source.name == "uint8":
        name = f"ALU_FORMAT_SPEC_REG0_Src{'AB'[section]}Unsigned"
        yield setting(
            arch, name, 1, "no sign; has to stay while the unpacker is at work", CONVERSION
        )

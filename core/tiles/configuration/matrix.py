# SPDX-License-Identifier: Apache-2.0
"""SrcA to Dst."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tiles.configuration.setting import (
    FACES,
    HEADERS,
    Setting,
    Setup,
    code,
    setting,
)
from tensix_gdb.core.tiles.formats import TileFormat, format_named
from tensix_gdb.core.tiles.npy import ArrayError
from tensix_gdb.core.tiles.registers import held

# By chip: fill SrcB with zeros and hand it to the Matrix Unit.
_ZEROS_IN_SRCB = {
    Arch.BLACKHOLE: (
        "UNPACR_NOP.ClearSrc which_unpacker=UNP1, src_clr_val_ctrl=ZERO, set_dvalid=1",
    ),
    Arch.WORMHOLE: (
        "UNPACR_NOP.ZEROSRC which_unpacker=UNP1, wait_like_unpacr=1",
        "UNPACR_NOP.SETDVALID which_unpacker=UNP1",
    ),
}


def math(given: str, wanted: str = "", arch: Arch = Arch.BLACKHOLE) -> Setup:
    """SrcA to Dst. On Blackhole the format of SrcA comes with its bank, from the unpacker; on
    Wormhole a field says it.

    A move makes datums of Dst as wide as SrcA's format has them; a sum with a SrcB of zeros makes
    them as wide as Fp32_enabled says, and 32-bit integers of those of 8 bits.
    """
    source = held(format_named(given))
    is_integer = source.code == Format.INT8 or source.code == Format.INT32
    register = format_named("int32") if is_integer else source
    if wanted:
        register = _computed(source, held(format_named(wanted)))
    is_sum = is_integer or source.bits != register.bits
    settings = list(_math_settings(arch, source, register, is_integer))
    moves = ("MOVA2D src_row={row}, dst_row={dst}, move_8_rows=1",) * 2
    after = "CLEARDVALID flip_src_a=1"
    beside: tuple[str, ...] = ()
    if is_sum:
        settings += [
            setting(
                arch, "ADDR_MOD_AB_SEC0_SrcAIncr", 8, "ELWADD takes rows by the counters", "RWCs.md"
            ),
            setting(arch, "ADDR_MOD_AB_SEC0_SrcBIncr", 8, "of SrcA and SrcB", "RWCs.md"),
        ]
        moves = ("ELWADD dst_row={dst}",) * 2
        after = "SETRWC src_a=1, src_b=1, flip_src_a=1, flip_src_b=1"
        beside = _ZEROS_IN_SRCB[arch]
    name = "8-bit integers" if is_integer else "tf32" if source.code == Format.FP32 else source.name
    return Setup(
        f"math {format_named(given).name}: SrcA, {name}, to Dst as {register.name}",
        1,
        tuple(settings),
        runs=tuple(_faces(moves, after)),
        beside=beside,
        arch=arch,
    )


def _computed(source: TileFormat, register: TileFormat) -> TileFormat:
    """Return the format of Dst that is wanted. ArrayError if SrcA's format does not become it."""
    possible = {
        Format.FP32: ("fp32", "bf16"),
        Format.BF16: ("bf16", "fp32"),
        Format.FP16: ("fp16", "fp32"),
    }.get(source.code, ("int32",) if source.code == Format.INT8 else (source.name,))
    if register.name not in possible:
        raise ArrayError(
            f"the Matrix Unit makes {' or '.join(possible)} of {source.name}, no {register.name}"
        )
    return register


def _math_settings(
    arch: Arch, source: TileFormat, register: TileFormat, is_integer: bool
) -> Iterator[Setting]:
    is_wide = int(register.bits == 32)
    page, bits = "MatrixUnit.md", 32 if is_wide else 16
    yield setting(
        arch, "ALU_ACC_CTRL_Fp32_enabled", is_wide, f"Dst has {bits} bits of a datum", page
    )
    yield setting(
        arch, "ALU_ACC_CTRL_SFPU_Fp32_enabled", is_wide, "the same for SFPLOAD", "SFPLOAD.md"
    )
    yield setting(
        arch, "ALU_ACC_CTRL_INT8_math_enabled", int(is_integer), "arithmetic of integers", page
    )
    if arch is Arch.BLACKHOLE:
        why = "the format of SrcA is that of its bank"
        yield setting(arch, "DISABLE_IMPLIED_SRCA_FMT_Base", 0, why, HEADERS)
    else:
        held_as = Format.TF32 if source.code == Format.FP32 else source.code
        why = f"{code(held_as)} in SrcA"
        yield setting(arch, "ALU_FORMAT_SPEC_REG0_SrcA", held_as, why, page)
    if source.code == Format.INT16:
        why = "16 bits that mean nothing to the unit are not taken for denormals"
        yield setting(arch, "ALU_ACC_CTRL_Zero_Flag_disabled_src", 1, why, "MOVA2D.md")


def _faces(moves: tuple[str, ...], after: str) -> Iterator[str]:
    """Eight rows at a time; then the face is given back to the unpackers."""
    for face in range(FACES):
        for i, move in enumerate(moves):
            yield move.format(row=8 * i, dst=16 * face + 8 * i)
        yield after

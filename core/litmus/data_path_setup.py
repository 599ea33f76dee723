# SPDX-License-Identifier: Apache-2.0
"""Units of the data path ready for one datum, for litmus tests that are about when and not what.

    unpacker 0    UNPACR.Regular which_unpacker=0, multi_context_mode=1 unpacks one BF16 to SrcA:
                  with base address 0xf0, as it is set, a 1.0 at 0xf10, with 0xe0 a 2.0 at 0xe10
    compressed    unpacker 0 again, with a compressed tile: its datum, 1.0, is at 0xf20, and the
                  number of zeros after it at 0xf60
    unpacker 1    the same to SrcB, without multi_context_mode
    matrix        both source banks are the Matrix Unit's and hold 1.0 in row 0 and column 0: MVMUL
                  adds 1.0 to row 0 of Dst
    packer        PACR last=1 packs one FP32, 1.0, from Dst to 0xf40
    packer 1      the same with Wormhole's packer 1: PACR packer_mask=2, last=1

In `final`, the first datum of SrcA, SrcB or Dst16b, BF16, is 127 if it is 1.0 and 128 if it is 2.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import Space, config_fields

FP32, BF16 = 0, 5
ONE, TWO = 0x3F80, 0x4000
_FIELDS = config_fields(Arch.BLACKHOLE)


def _words(**values: int) -> Iterator[tuple[str, int]]:
    """Fields of configuration by name, as rows of the record; for 32 bits a field at most."""
    words: dict[str, int] = {}
    for name, value in values.items():
        known = _FIELDS[name.removesuffix("_1").removesuffix("_2")] if "Desc" in name else None
        field = known or _FIELDS[name]
        word = field.word + (int(name[-1]) if name[-2:] in ("_1", "_2") and known else 0)
        part = "thread" if field.space is Space.THREAD else "word"
        at = f"config.{part}[0,{word}]"
        words[at] = words.get(at, 0) | value << field.low
    yield from words.items()


def _unpacker(number: int) -> Mapping[str, int]:
    section = f"THCON_SEC{number}_"
    descriptor = section + "REG0_TileDescriptor"
    settings = {
        descriptor: BF16 | 1 << 4 | 16 << 16,
        descriptor + "_1": 1 << 16 | 1,
        descriptor + "_2": 1,
        section + "REG2_Out_data_format": BF16,
        section + "REG2_Disable_zero_compress_cntx0": 1,
        section + "REG2_Unpack_limit_address": 0x1FFFF,
        section + "REG3_Base_address": 0xF0,
        section + "REG5_Tile_x_dim_cntx0": 16,
    }
    if number == 0:
        settings |= {section + "REG5_Dest_cntx0_address": 0x40, "SRCA_SET_SetOvrdWithAddr": 1}
    return {**dict(_words(**settings)), "0xf10": ONE, "0xe10": TWO}


def _compressed() -> Mapping[str, int]:
    uncompressed = dict(_words(THCON_SEC0_REG2_Disable_zero_compress_cntx0=1))
    tile = {**_unpacker(0), "0xf10": 0, "0xf20": ONE}
    return {at: value & ~uncompressed.get(at, 0) for at, value in tile.items()}


_PACKER = {
    "ALU_FORMAT_SPEC_REG2_Dstacc": FP32,
    "THCON_SEC0_REG1_In_data_format": FP32,
    "THCON_SEC0_REG1_Out_data_format": FP32,
    "THCON_SEC0_REG1_Disable_zero_compress": 1,
    "THCON_SEC0_REG1_L1_Dest_addr": 0xF40 // 16 - 1,
    "PCK_EDGE_OFFSET_SEC0_mask": 0xFFFF,
    "PACK_COUNTERS_SEC0_pack_reads_per_xy_plane": 16,
    "PCK_DEST_RD_CTRL_Read_32b_data": 1,
}
# Each of Wormhole's packers has the fields of a context of Blackhole's; the edge masks are for all.
_ON_PACKER_1 = {
    "THCON_SEC0_REG1": "THCON_SEC0_REG8",
    "PACK_COUNTERS_SEC0": "PACK_COUNTERS_SEC1",
}


def _of_packer_1(name: str) -> str:
    for old, new in _ON_PACKER_1.items():
        name = name.replace(old, new)
    return name


_SECOND = {_of_packer_1(name): value for name, value in _PACKER.items()}
READY: Mapping[str, Mapping[str, int]] = {
    "unpacker 0": _unpacker(0),
    "compressed": _compressed(),
    "unpacker 1": _unpacker(1),
    "matrix": {
        "busy.src_client[0,0]": 1,
        "busy.src_client[1,0]": 1,
        "src.format[0,0]": BF16,
        "src.format[1,0]": BF16,
        "src.a[0,0,0]": 127,
        "src.b[0,0,0]": 127,
    },
    "packer": {**dict(_words(**_PACKER)), "dst.bits[0,0]": 127},
    "packer 1": {**dict(_words(**_SECOND)), "dst.bits[0,0]": 127},
}

# SPDX-License-Identifier: Apache-2.0
"""Words and bits of the configuration that the packer reads (cfg_defines.h, LLK's hal/cfg/pack.h).

A context has a set of its own: 0 is THCON_SEC0_REG1, 1 THCON_SEC0_REG8, 2 and 3 those of SEC1; the
same for PACK_COUNTERS_SEC, DEST_TARGET_REG_CFG_PACK_SEC and the limits of THCON_SECn_REG9. That is
what the fields' comments call register sets 0 to 3; Wormhole has them one for each packer.
"""

from tensix_gdb.core.devices.wormhole.config_places import place
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.record.layout import View

_FIELDS = config_fields(Arch.BLACKHOLE)


def _word(name: str) -> int:
    return _FIELDS[name].word


def _words(*names: str) -> tuple[int, ...]:
    return tuple(_FIELDS[name].word for name in names)


_SETS = ("THCON_SEC0_REG1", "THCON_SEC0_REG8", "THCON_SEC1_REG1", "THCON_SEC1_REG8")

# By context. Of three of the words the fields follow below.
SECTIONS = _words(*(f"{section}_Row_start_section_size" for section in _SETS))
ADDRESS = _words(*(f"{section}_L1_Dest_addr" for section in _SETS))
CONTROL = _words(*(f"{section}_Disable_zero_compress" for section in _SETS))
MORE = _words(*(f"{section}_Downsample_mask" for section in _SETS))
LIMIT = _words(
    "THCON_SEC0_REG9_Pack_0_2_limit_address",
    "THCON_SEC0_REG9_Pack_1_3_limit_address",
    "THCON_SEC1_REG9_Pack_0_2_limit_address",
    "THCON_SEC1_REG9_Pack_1_3_limit_address",
)
FIFO_SIZE = _words(
    "THCON_SEC0_REG9_Pack_0_2_fifo_size",
    "THCON_SEC0_REG9_Pack_1_3_fifo_size",
    "THCON_SEC1_REG9_Pack_0_2_fifo_size",
    "THCON_SEC1_REG9_Pack_1_3_fifo_size",
)
COUNTERS = _words(*(f"PACK_COUNTERS_SEC{i}_pack_per_xy_plane" for i in range(4)))
DEST = _words(*(f"DEST_TARGET_REG_CFG_PACK_SEC{i}_Offset" for i in range(4)))
EDGE = _words(*(f"PCK_EDGE_OFFSET_SEC{i}_mask" for i in range(4)))
ROW_SETS = _words(*(f"TILE_ROW_SET_MAPPING_{i}_row_set_mapping_0" for i in range(4)))
FACE_SETS = _words(*(f"TILE_FACE_SET_MAPPING_{i}_face_set_mapping_0" for i in range(4)))
SETREG = _words(*(f"THCON_SEC{i}_REG10_Packer_Reg_Wr_Addr" for i in range(2)))

FACES = _word("PCK_EDGE_TILE_FACE_SET_SELECT_select")
XY = _words("PCK0_ADDR_CTRL_XY_REG_0_Xstride", "PCK0_ADDR_CTRL_XY_REG_1_Xstride")  # by channel
ZW = _words("PCK0_ADDR_CTRL_ZW_REG_0_Zstride", "PCK0_ADDR_CTRL_ZW_REG_1_Zstride")
BASE = _words("PCK0_ADDR_BASE_REG_0_Base", "PCK0_ADDR_BASE_REG_1_Base")
READ = _word("PCK_DEST_RD_CTRL_Read_32b_data")
FORMAT_OVERRIDE = _word("ALU_FORMAT_SPEC_REG_Dstacc_val")
FORMAT = _word("ALU_FORMAT_SPEC_REG2_Dstacc")
RELU = _word("STACC_RELU_ApplyRelu")
DESCALE = _word("INT_DESCALE_Enable")
DESCALE_VALUE = _word("INT_DESCALE_VALUES_SEC0_Value")
DEST_ACCESS = _word("DEST_ACCESS_CFG_remap_addrs")
# Of ThreadConfig.
ADDR_MODS = _words(*(f"ADDR_MOD_PACK_SEC{i}_YsrcIncr" for i in range(4)))
STATISTICS = _word("ENABLE_ACC_STATS_Enable")

# Of Wormhole: a field of the first packer that is about all four.
_ALL_NO_COMPRESSION = place("THCON_SEC0_REG1_All_pack_disable_zero_compress")
ALL_NO_COMPRESSION_WORD, ALL_NO_COMPRESSION_LOW = _ALL_NO_COMPRESSION.word, _ALL_NO_COMPRESSION.low
ALL_NO_COMPRESSION_OVERRIDE = _FIELDS["THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd"].mask

# Bits of the CONTROL word.
NO_COMPRESSION, ADD_OFFSET, NO_ZERO_FLAGS = 1 << 0, 1 << 1, 1 << 2
OUT_FORMAT, IN_FORMAT = 4, 8  # where four bits begin
NO_SHARED_EXPONENT, AUTO_INTERFACES, TO_FIFO, NO_HEADER = 1 << 12, 1 << 13, 1 << 14, 1 << 15
FROM_L1_BIT = 1 << 16
START_INTERFACE = 0xF << 17
HEADER_COUNTS, NO_Y_OFFSET = 1 << 22, 1 << 23
L1_SOURCE = 24
# Of the MORE word.
DOWNSAMPLE_RATE = 7 << 16
L1_ACC, THRESHOLD_ENABLED, FOUR_BIT_EXPONENT = 1 << 19, 1 << 20, 1 << 23
THRESHOLD = 24
# Of others.
EDGE_MODE, ROW_SET_SELECT = 1 << 16, 17
FACE_ENABLE = 1 << 8
TRANSPOSED = 1 << 23
GASKET_STOCHASTIC, PACKER_STOCHASTIC = 1 << 1, 1 << 2
OVERRIDE = 1 << 14

assert _FIELDS["THCON_SEC0_REG1_In_data_format"].low == IN_FORMAT
assert _FIELDS["THCON_SEC0_REG1_Pac_LF8_4b_exp"].mask == FOUR_BIT_EXPONENT
assert _FIELDS["PCK_EDGE_TILE_ROW_SET_SELECT_select"].word == EDGE[0]
assert _FIELDS["ALU_ROUNDING_MODE_Packer_srnd_en"].word == FORMAT
assert _FIELDS["ALU_FORMAT_SPEC_REG2_Dstacc"].mask == 0xF << 25
assert _FIELDS["STACC_RELU_ReluThreshold"].mask == 0xFFFF << 6


def intermediate(S: View, bank: int) -> int:
    """IntermediateFormat of FormatConversion.md."""
    override = S.config.word[bank, FORMAT_OVERRIDE]
    if override & OVERRIDE:
        return (override >> 10) & 0xF
    return (S.config.word[bank, FORMAT] >> 25) & 0xF

# SPDX-License-Identifier: Apache-2.0
"""Configuration that the unpackers read: fields by name, as numbers that the engines can use.

    HALOIZE = both("THCON_SEC{}_REG2_Haloize_mode")      of unpacker 0 and of unpacker 1
    value(S, bank, HALOIZE[unpacker])                    the field in a bank of Config

A field is packed as word, lowest bit and width. What there is per context is a table of all
contexts of unpacker 0, then those of unpacker 1. The tile descriptor has no names in Tenstorrent's
header; its bits are those of UNPACR_Regular.md.
"""

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import ConfigField, config_fields
from tensix_gdb.core.record.layout import View

_FIELDS = config_fields(Arch.BLACKHOLE)
CONTEXTS = 8
DESTINATIONS = 4  # contexts with an x dimension, an offset and a destination of their own


def _packed(field: ConfigField) -> int:
    return field.word << 16 | field.low << 8 | field.width


def _both(name: str) -> tuple[int, ...]:
    return tuple(_packed(_FIELDS[name.format(i)]) for i in range(2))


def _contexts(name: str, count: int) -> tuple[int, ...]:
    return tuple(_packed(_FIELDS[name.format(i, c)]) for i in range(2) for c in range(count))


def _descriptor(first: int, width: int) -> tuple[int, ...]:
    words = [_FIELDS[f"THCON_SEC{i}_REG0_TileDescriptor"].word + first // 32 for i in range(2)]
    return tuple(word << 16 | first % 32 << 8 | width for word in words)


# fmt: off
IN_FORMAT           = _descriptor(0, 4)
IS_UNCOMPRESSED     = _descriptor(4, 1)
NO_EXPONENT_SECTION = _descriptor(5, 1)
BLOBS_PER_XY_PLANE  = _descriptor(8, 3)
X_DIM               = _descriptor(16, 16)
Y_DIM               = _descriptor(32, 8)
Z_DIM               = _descriptor(48, 8)
W_DIM               = _descriptor(64, 8)
BLOBS_Y_START_LOW   = _descriptor(80, 16)
BLOBS_Y_START_HIGH  = _descriptor(96, 16)
DIGEST_SIZE         = _descriptor(120, 8)

OVERRIDE_THROTTLE   = _both("THCON_SEC{}_REG1_ovrd_default_throttle_mode")
FP8_E4M3            = _both("THCON_SEC{}_REG1_Unp_LF8_4b_exp")
OUT_FORMAT          = _both("THCON_SEC{}_REG2_Out_data_format")
THROTTLE_MODE       = _both("THCON_SEC{}_REG2_Throttle_mode")
CONTEXT_COUNT       = _both("THCON_SEC{}_REG2_Context_count")
HALOIZE             = _both("THCON_SEC{}_REG2_Haloize_mode")
TILEIZE             = _both("THCON_SEC{}_REG2_Tileize_mode")
SRC_REG_SET_UPDATE  = _both("THCON_SEC{}_REG2_Unpack_Src_Reg_Set_Upd")
IF_SEL              = _both("THCON_SEC{}_REG2_Unpack_If_Sel")
UPSAMPLE_RATE       = _both("THCON_SEC{}_REG2_Upsample_rate")
OVERRIDE_FORMAT     = _both("THCON_SEC{}_REG2_Ovrd_data_format")
INTERLEAVE          = _both("THCON_SEC{}_REG2_Upsample_and_interleave")
FORCE_EXPONENT      = _both("THCON_SEC{}_REG2_Force_shared_exp")
COUNT_NON_LOG2      = _both("THCON_SEC{}_REG2_Context_count_non_log2")
COUNT_NON_LOG2_EN   = _both("THCON_SEC{}_REG2_Context_count_non_log2_en")
LIMIT               = _both("THCON_SEC{}_REG2_Unpack_limit_address")
FIFO_SIZE           = _both("THCON_SEC{}_REG2_Unpack_fifo_size")
EXTRA_LIMIT         = _both("THCON_SEC{}_REG10_Unpack_limit_address")
EXTRA_FIFO_SIZE     = _both("THCON_SEC{}_REG10_Unpack_fifo_size")
EXTRA_LIMIT_EN      = _both("THCON_SEC{}_REG10_Unpack_limit_address_en")
REGISTER_ADDRESSES  = _both("THCON_SEC{}_REG10_Unpacker_Reg_Wr_Addr")
OUT_BASE            = _both("UNP{}_ADDR_BASE_REG_1_Base")
OUT_Y_STRIDE        = _both("UNP{}_ADDR_CTRL_XY_REG_1_Ystride")
OUT_Z_STRIDE        = _both("UNP{}_ADDR_CTRL_ZW_REG_1_Zstride")
OUT_W_STRIDE        = _both("UNP{}_ADDR_CTRL_ZW_REG_1_Wstride")
FORCED_EXPONENT     = _both("UNP{}_FORCED_SHARED_EXP_shared_exp")
ADD_DEST_ADDRESS    = _both("UNP{}_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr")
UNSIGNED_INT8       = tuple(_packed(_FIELDS[f"ALU_FORMAT_SPEC_REG0_Src{x}Unsigned"]) for x in "AB")
BLOBS_Y_START       = tuple(_packed(_FIELDS[f"UNP0_BLOBS_Y_START_CNTX_{i}_blobs_y_start"])
                            for i in ("01", "23"))

BASES = tuple(
    _packed(_FIELDS[f"THCON_SEC{i}_REG{4 if c > 3 else 3}_Base_{f'cntx{c}_' if c else ''}address"])
    for i in range(2) for c in range(CONTEXTS)
)
OFFSETS = tuple(
    _packed(_FIELDS[f"THCON_SEC{i}_REG7_Offset_{f'cntx{c}_' if c else ''}address"])
    for i in range(2) for c in range(DESTINATIONS)
)
UNCOMPRESSED_CNTX   = _contexts("THCON_SEC{}_REG2_Disable_zero_compress_cntx{}", CONTEXTS)
IF_SEL_CNTX         = _contexts("THCON_SEC{}_REG2_Unpack_if_sel_cntx{}", CONTEXTS)
IN_FORMAT_CNTX      = _contexts("THCON_SEC{}_REG7_Unpack_data_format_cntx{}", CONTEXTS)
OUT_FORMAT_CNTX     = _contexts("THCON_SEC{}_REG7_Unpack_out_data_format_cntx{}", CONTEXTS)
SHIFT_CNTX          = _contexts("THCON_SEC{}_REG2_Shift_amount_cntx{}", DESTINATIONS)
X_DIM_CNTX          = _contexts("THCON_SEC{}_REG5_Tile_x_dim_cntx{}", DESTINATIONS)
DEST_CNTX           = _contexts("THCON_SEC{}_REG5_Dest_cntx{}_address", DESTINATIONS)
# fmt: on

# ThreadConfig.
SRC_A_SET_WORD = _FIELDS["SRCA_SET_SetOvrdWithAddr"].word
SET_OVRD_WITH_ADDR = _FIELDS["SRCA_SET_SetOvrdWithAddr"].mask
MISC_WORD = _FIELDS["UNPACK_MISC_CFG_CfgContextOffset_0"].word
CONTEXT_OFFSET, COUNTER_RESET, COUNTER_INC = 0xF, 0x10, 0x20  # in the byte of each unpacker
MESSAGE_WORDS = tuple(_FIELDS[f"NOC_OVERLAY_MSG_CLEAR_StreamId_{i}"].word for i in range(2))
for _i in range(2):
    for _name, _mask in (
        ("Offset", CONTEXT_OFFSET), ("CntReset", COUNTER_RESET), ("CntInc", COUNTER_INC)
    ):  # fmt: skip
        assert _FIELDS[f"UNPACK_MISC_CFG_CfgContext{_name}_{_i}"].mask == _mask << 8 * _i
        assert _FIELDS[f"UNPACK_MISC_CFG_CfgContext{_name}_{_i}"].word == MISC_WORD


def value(S: View, bank: int, field: int) -> int:
    """Return a field of Config."""
    return (S.config.word[bank, field >> 16] >> ((field >> 8) & 0xFF)) & ((1 << (field & 0xFF)) - 1)


def context_offset(S: View, thread: int, unpacker: int) -> int:
    """CfgContextOffset of the thread."""
    return (S.config.thread[thread, MISC_WORD] >> (8 * unpacker)) & CONTEXT_OFFSET


def sets_override(S: View, thread: int) -> int:
    """SetOvrdWithAddr of the thread: rows of SrcA are numbered from the start of the bank."""
    return 1 if S.config.thread[thread, SRC_A_SET_WORD] & SET_OVRD_WITH_ADDR else 0


def blobs_y_start(S: View, bank: int, unpacker: int, context: int, by_context: int) -> int:
    """Return the eight starting rows, four bits each."""
    if by_context and unpacker == 0:
        return value(S, bank, BLOBS_Y_START[(context >> 1) & 1])
    low = value(S, bank, BLOBS_Y_START_LOW[unpacker])
    return value(S, bank, BLOBS_Y_START_HIGH[unpacker]) << 16 | low

# SPDX-License-Identifier: Apache-2.0
"""The resources that Auto TTSync takes instructions and RISCV accesses to touch (AutoTTSync.md).

Eight resources, one bit each. Both tables are what the tracking hardware does; the pages call
several entries of them bugs, and they are kept as they are:

    bits 0-2   Config[0]: of unpacker 0, of unpacker 1, the remainder
    bits 3-5   Config[1]: the same
    bit 6      the GPRs of the thread
    bit 7      TDMA-RISC
"""

import re

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.devices.backend_config import CONFIG_BASE, GLOBAL_WORD, WORDS
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.isa.masks import DEFAULT_RESOURCES
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.unit import STATE_ID_WORD as STATE_ID_WORD
from tensix_gdb.core.tensix.decode import ONLY_ROW, decode_tensix
from tensix_gdb.core.tensix.table import FIRST, ROWS

UNPACKER0, UNPACKER1, REMAINDER = 1, 2, 4
ALL_PARTS = 7
BOTH_BANKS = 9  # times parts
GPRS = 1 << 6
TDMA = 1 << 7

_FIELDS = config_fields(Arch.BLACKHOLE)
SYNC_WORD = _FIELDS["TENSIX_TRISC_SYNC_TrackGlobalCfg"].word
DEST_OFFSET_WORD = _FIELDS["DEST_TARGET_REG_CFG_MATH_Offset"].word
# Bits of SYNC_WORD.
TRACK_CONFIG, SUBDIVIDED, TRACK_GPRS, TRACK_TDMA, TRACK_INSTRUCTIONS = 1, 2, 4, 8, 16
for _bit, _name in (
    (TRACK_CONFIG, "TrackGlobalCfg"),
    (SUBDIVIDED, "EnSubdividedCfgForUnpacr"),
    (TRACK_GPRS, "TrackGPR"),
    (TRACK_TDMA, "TrackTDMARegs"),
    (TRACK_INSTRUCTIONS, "TrackTensixInstructions"),
):
    assert 1 << _FIELDS[f"TENSIX_TRISC_SYNC_{_name}"].low == _bit

# The page's table of fields, as patterns; the first that fits decides, the rest is remainder.
_SECTION0 = "REG2_ REG3_Base REG4_Base REG5_ REG7_ REG10_Unpack_fifo_size REG10_Unpack_limit"
_SUBDIVISION: tuple[tuple[str, int], ...] = (
    *((f"THCON_SEC0_{name}", UNPACKER0) for name in _SECTION0.split()),
    (r"THCON_SEC1_REG2_Unpack_(fifo_size|limit_address)$", REMAINDER),
    (r"THCON_SEC1_REG2_", UNPACKER1),
    (r"THCON_SEC1_REG3_Base_(address|cntx1_address)$", UNPACKER1),
    (r"THCON_SEC1_REG7_Offset_(address|cntx1_address)$", UNPACKER1),
    (r"THCON_SEC1_REG7_Unpack_(out_)?data_format_cntx[0145]$", UNPACKER1),
    (r"UNP0_(ADDR_BASE_REG_[01]_Base|ADD_DEST_ADDR_CNTR_|FORCED_SHARED_EXP_)", ALL_PARTS),
    (r"UNP0_ADDR_CTRL_XY_REG_0_", UNPACKER0),
    (r"UNP0_ADDR_CTRL_ZW_REG_0_", UNPACKER0 | UNPACKER1),
    (r"UNP0_(BLOBS_Y_START|NOP_REG_CLR_VAL)", UNPACKER0),
    (r"UNP1_(ADDR_BASE|ADDR_CTRL|ADD_DEST|FORCED_SHARED|NOP_REG_CLR)", UNPACKER1),
)


# All of them as one pattern: of the alternatives the first that fits matches.
_FITTING = re.compile("|".join(f"(?P<_{i}>{how})" for i, (how, _) in enumerate(_SUBDIVISION)))


def _parts_of_field(name: str) -> int:
    fitting = _FITTING.match(name)
    if fitting is None:
        return REMAINDER
    return next(parts for i, (_, parts) in enumerate(_SUBDIVISION) if fitting[f"_{i}"])


def _subdivide() -> tuple[int, ...]:
    """Parts of each word of a bank; words with fields of several parts have them all."""
    words = [0] * GLOBAL_WORD
    for field in _FIELDS.values():
        if field.space.name != "STATE":
            continue
        for number, word in enumerate(range(field.word, field.word + (field.width + 31) // 32)):
            if word < GLOBAL_WORD:
                # Of a tile descriptor the hardware knows the first 32 bits only.
                descriptor = re.match(r"THCON_SEC([01])_REG0_TileDescriptor$", field.name)
                if descriptor and number == 0:
                    words[word] |= UNPACKER1 if descriptor[1] == "1" else UNPACKER0
                else:
                    words[word] |= _parts_of_field(field.name)
    return tuple(parts or REMAINDER for parts in words)


PARTS_OF_WORD = _subdivide()

# By row: the class, 16 where no resources are accessed.
NO_CLASS = 16
CLASSES = (NO_CLASS, NO_CLASS, *(NO_CLASS if r.ttsync is None else r.ttsync for r in ROWS))
UNPACK_CLASS = 11
WHICH_UNPACKER = 23  # bit of UNPACR and UNPACR_NOP
assert len(DEFAULT_RESOURCES) == NO_CLASS
assert FIRST == 2


def tracks(S: View, thread: int) -> int:
    """SYNC_WORD of the thread, 0 when it does not track instructions."""
    word = S.config.thread[thread, SYNC_WORD]
    return word if word & TRACK_INSTRUCTIONS else 0


def class_of(word: int) -> int:
    """Return the class of a Tensix instruction."""
    only = ONLY_ROW[word >> 24]
    return CLASSES[only] if only else CLASSES[decode_tensix(word) & 0xFF]


def parts_of(S: View, thread: int, index: int) -> int:
    """Config resources of word `index` of the configuration window."""
    divided = tracks(S, thread) & SUBDIVIDED
    if index < 2 * WORDS and index % WORDS < GLOBAL_WORD:
        parts = PARTS_OF_WORD[index % WORDS] if divided else ALL_PARTS
        return parts << (3 * (index // WORDS))
    if not divided:
        return ALL_PARTS * BOTH_BANKS
    if index >= 3 * WORDS and index - 3 * WORDS == DEST_OFFSET_WORD:
        return (UNPACKER0 | UNPACKER1) * BOTH_BANKS
    return REMAINDER * BOTH_BANKS


def of_access(S: View, hart: int, stream: int, addr: int) -> int:
    """Resources that a request of a T core counts as access to; 0 if it is not tracked."""
    thread = hart - T0
    tracked = tracks(S, thread)
    if stream == streams.GPR and tracked & TRACK_GPRS:
        return GPRS
    if stream == streams.TDMA and tracked & TRACK_TDMA:
        return TDMA
    if stream == streams.CONFIG and tracked & TRACK_CONFIG:
        return parts_of(S, thread, (addr - CONFIG_BASE) >> 2)
    return 0


def declared(S: View, thread: int, word: int, number: int, state: int) -> int:
    """Return what an instruction of class `number` reads (bits 7:0) and writes (bits 15:8); `state`
    is its Config bank."""
    if number == NO_CLASS:
        return 0
    bits = S.tracker.resources[thread, number]
    parts = (bits >> 2) & ALL_PARTS
    if (
        number == UNPACK_CLASS
        and bits == DEFAULT_RESOURCES[UNPACK_CLASS]
        and tracks(S, thread) & SUBDIVIDED
    ):
        parts = UNPACKER1 if (word >> WHICH_UNPACKER) & 1 else UNPACKER0
    parts = parts << (3 * state)
    reads = (parts if bits & 1 else 0) | (GPRS if bits & 0x20 else 0) | (TDMA if bits & 0x80 else 0)
    writes = (
        (parts if bits & 2 else 0) | (GPRS if bits & 0x40 else 0) | (TDMA if bits & 0x100 else 0)
    )
    return reads | writes << 8


INLINED = (class_of, declared)

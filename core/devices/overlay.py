# SPDX-License-Identifier: Apache-2.0
"""The NoC overlay's 64 streams as registers for general use.

WormholeB0 NoC/Overlay/AsGeneralUse.md. Every stream is idle and stays so: what the page calls
repurposable behaves as it says, which is how tt-metal counts the tiles of circular buffers
(REMOTE_DEST_BUF_SIZE and _SPACE_AVAILABLE). Starting a phase, or handing a stream a message, stops
the hart: streams that move data come with the NoC.

    stream i at 0xFFB40000 + i * 0x1000, register r of it at 4 * r

The page is the one of Wormhole; register numbers and names are those of Blackhole's
`noc_overlay_parameters.h`. Widths of the registers are the page's. On Wormhole the same registers
have other numbers (core/devices/wormhole/overlay.py), and the record has them in the same places.

UNSPECIFIED(AsGeneralUse.md): stores narrower than a word stop the hart.
"""

from tensix_gdb.core.devices.registers import (
    Access,
    Bits,
    Elsewhere,
    Register,
    RegisterBlock,
    extract,
)
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.stop import fault

OVERLAY_BASE = 0xFFB40000  # NOC_OVERLAY_START_ADDR
STREAM_STRIDE = 0x1000
STREAMS = 64
MULTICAST = 4  # streams 0 to 3 can transmit to 32 receivers, the others to one
GATHER = 6  # streams 0 to 5 can receive from several
DESTINATIONS = 32


# By the number of a register here, that of the same register on Wormhole, as its own
# noc_overlay_parameters.h has it (tt-metal, internal/tt-1xx/wormhole/noc).
NUMBERS_ON_WORMHOLE = {
    **{0: 29, 1: 30, 3: 10, 4: 0, 5: 1, 6: 40, 7: 2, 8: 3, 9: 242, 10: 4, 11: 5, 13: 9, 14: 243},
    **{16: 44, 17: 6, 18: 7, 19: 24, 20: 25, 22: 8, 23: 26, 24: 13, 25: 14, 26: 15, 28: 244},
    **{29: 11, 30: 245, 31: 12, 33: 17, 34: 36, 35: 37},
    **{36 + i: 248 + i for i in range(6)},
    **{224 + i: 48 + i for i in range(3)},
    **{267: 27, 270: 34, 275: 41, 503: 226},
    **{297 + i: 64 + i for i in range(DESTINATIONS)},
}
NO_NUMBER = 2  # of a register that is not here
_HERE = {there: here for here, there in NUMBERS_ON_WORMHOLE.items()}
FROM_WORMHOLE = tuple(_HERE.get(number, NO_NUMBER) for number in range(STREAM_STRIDE >> 2))


def address_of(chip: int, stream: int, number: int) -> int:
    """Return the address on a chip of the register that has this number here."""
    own = NUMBERS_ON_WORMHOLE[number] if chip else number
    return OVERLAY_BASE + STREAM_STRIDE * stream + 4 * own


def as_here(chip: int, addr: int) -> int:
    """Return the address that the register at `addr` of a chip has on Blackhole."""
    if not chip:
        return addr
    return addr & ~0xFFC | FROM_WORMHOLE[(addr & 0xFFF) >> 2] << 2


def stream_of(addr: int) -> int:
    """Return which of the 64 streams has an address."""
    return (addr - OVERLAY_BASE) // STREAM_STRIDE


def kept(S: View, hart: int, addr: int) -> int:
    """Return the word that was written."""
    return S.overlay.word[stream_of(addr), SLOT[(addr & 0xFFF) >> 2]]


def keep(S: View, hart: int, addr: int, value: int) -> int:
    """Hold what is written, as far as it has bits."""
    slot = SLOT[(addr & 0xFFF) >> 2]
    S.overlay.word[stream_of(addr), slot] = value & KEPT_BITS[slot]
    return 0


def keep_if_gather(S: View, hart: int, addr: int, value: int) -> int:
    """Registers of streams that can receive from several others; the rest ignores the store."""
    return keep(S, hart, addr, value) if stream_of(addr) < GATHER else 0


def keep_if_multicast(S: View, hart: int, addr: int, value: int) -> int:
    """Registers of streams that can transmit to several receivers."""
    return keep(S, hart, addr, value) if stream_of(addr) < MULTICAST else 0


def keep_if_dram(S: View, hart: int, addr: int, value: int) -> int:
    """Registers of streams that can transmit to DRAM buffers: 0 to 3, and 8 to 11."""
    stream = stream_of(addr)
    return keep(S, hart, addr, value) if stream < 12 and stream & 4 == 0 else 0


def set_buf_start(S: View, hart: int, addr: int, value: int) -> int:
    """BUF_START: both pointers return to 0."""
    S.overlay.word[stream_of(addr), RD_PTR] = 0
    S.overlay.word[stream_of(addr), WR_PTR] = 0
    return keep(S, hart, addr, value)


def set_remote_dest_buf_start(S: View, hart: int, addr: int, value: int) -> int:
    """REMOTE_DEST_BUF_START: the write pointer returns to 0."""
    S.overlay.word[stream_of(addr), REMOTE_DEST_WR_PTR] = 0
    return keep(S, hart, addr, value)


def set_remote_dest_buf_size(S: View, hart: int, addr: int, value: int) -> int:
    """REMOTE_DEST_BUF_SIZE: becomes the space available of every receiver."""
    stream = stream_of(addr)
    for i in range(DESTINATIONS if stream < MULTICAST else 1):
        S.overlay.space[stream, i] = value & 0x1FFFF
    return keep(S, hart, addr, value)


def add_space(S: View, hart: int, addr: int, value: int) -> int:
    """REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE: add to the space of one receiver.

    UNSPECIFIED(AsGeneralUse.md): receivers that the stream does not have; nothing happens. The sum
    keeps its 17 bits, as counters that software compares modulo that need it.
    """
    stream = stream_of(addr)
    receiver = value & 0x3F
    if receiver < (DESTINATIONS if stream < MULTICAST else 1):
        S.overlay.space[stream, receiver] = (
            S.overlay.space[stream, receiver] + (value >> 6)
        ) & 0x1FFFF
    return 0


def space(S: View, hart: int, addr: int) -> int:
    """REMOTE_DEST_BUF_SPACE_AVAILABLE + i."""
    return S.overlay.space[stream_of(addr), ((addr & 0xFFF) >> 2) - SPACE_AVAILABLE]


def set_phase(S: View, hart: int, addr: int, value: int) -> int:
    """CURR_PHASE, REMOTE_SRC_PHASE: the base is added to what is stored."""
    slot = SLOT[(addr & 0xFFF) >> 2]
    base = S.overlay.word[stream_of(addr), CURR_PHASE_BASE]
    S.overlay.word[stream_of(addr), slot] = (value + base) & KEPT_BITS[slot]
    return 0


def phase(S: View, hart: int, addr: int) -> int:
    """The base is subtracted again."""
    slot = SLOT[(addr & 0xFFF) >> 2]
    base = S.overlay.word[stream_of(addr), CURR_PHASE_BASE]
    return (S.overlay.word[stream_of(addr), slot] - base) & KEPT_BITS[slot]


def set_auto_cfg_ptr(S: View, hart: int, addr: int, value: int) -> int:
    """PHASE_AUTO_CFG_PTR: the base is added to what is stored."""
    slot = SLOT[(addr & 0xFFF) >> 2]
    base = S.overlay.word[stream_of(addr), AUTO_CFG_PTR_BASE]
    S.overlay.word[stream_of(addr), slot] = (value + base) & KEPT_BITS[slot]
    return 0


def auto_cfg_ptr(S: View, hart: int, addr: int) -> int:
    """The base is subtracted again."""
    slot = SLOT[(addr & 0xFFF) >> 2]
    base = S.overlay.word[stream_of(addr), AUTO_CFG_PTR_BASE]
    return (S.overlay.word[stream_of(addr), slot] - base) & KEPT_BITS[slot]


def set_auto_cfg_header(S: View, hart: int, addr: int, value: int) -> int:
    """PHASE_AUTO_CFG_HEADER: the low 12 bits are added to CURR_PHASE, the others are kept."""
    stream = stream_of(addr)
    S.overlay.word[stream, CURR_PHASE] = (
        S.overlay.word[stream, CURR_PHASE] + (value & 0xFFF)
    ) & 0xFFFFF
    return keep(S, hart, addr, value)


def can_push(S: View, hart: int, addr: int) -> int:
    """MSG_INFO_CAN_PUSH_NEW_MSG: are the two pointers equal?"""
    stream = stream_of(addr)
    return S.overlay.word[stream, MSG_INFO_PTR] == S.overlay.word[stream, MSG_INFO_WR_PTR]


def debug_status_2(S: View, hart: int, addr: int) -> int:
    """DEBUG_STATUS + 2: bit 3, every receiver has space. Other bits are about running streams."""
    stream = stream_of(addr)
    for i in range(DESTINATIONS if stream < MULTICAST else 1):
        if S.overlay.space[stream, i] == 0:
            return 0
    return 8


def start_stream(S: View, hart: int, addr: int, value: int) -> int:
    """Stores that would set a stream going."""
    return fault(S, hart, Fault.OVERLAY_STREAM, addr, stream_of(addr))


_RW, _IGN, _WO = Access.READ_WRITE, Access.IGNORES_WRITES, Access.WRITE_ONLY
_GENERAL = "general use while idle"
_17, _20, _24 = 0x1FFFF, 0xFFFFF, 0xFFFFFF
SPACE_AVAILABLE = 297


# fmt: off
def _register(index: int, name: str, bits: int, doc: str = _GENERAL, *, access: Access = _RW,
              **more: object) -> Register:
    return Register(4 * index, f"STREAM_{name}", access, doc, kept_bits=bits, **more)  # type: ignore[arg-type]


REGISTERS = (
    _register(0, "SOURCE_ENDPOINT_NEW_MSG_INFO", 0, "hands the stream a message", access=_WO,
              write=start_stream),
    _register(1, "NUM_MSGS_RECEIVED_INC", 0, "hands the stream messages", access=_WO,
              write=start_stream),
    _register(3, "MISC_CFG", _24),
    _register(4, "REMOTE_SRC", _24),
    _register(5, "REMOTE_SRC_PHASE", _20, peek=phase, write=set_phase),
    _register(6, "MEM_BUF_SPACE_AVAILABLE_ACK_THRESHOLD", 0xF),
    _register(7, "REMOTE_DEST", 0x3FFFF),
    _register(8, "REMOTE_DEST_BUF_START", _17, write=set_remote_dest_buf_start),
    _register(9, "REMOTE_DEST_BUF_START_HI", 0x7FFF, write=keep_if_dram),
    _register(10, "REMOTE_DEST_BUF_SIZE", _17, "also sets the space available",
              write=set_remote_dest_buf_size),
    _register(11, "REMOTE_DEST_WR_PTR", _17),
    _register(13, "REMOTE_DEST_MSG_INFO_WR_PTR", _17),
    _register(14, "REMOTE_DEST_MSG_INFO_WR_PTR_HI", 0x7FFF, write=keep_if_dram),
    _register(16, "REMOTE_DEST_TRAFFIC", 0xF),
    _register(17, "BUF_START", _17, write=set_buf_start),
    _register(18, "BUF_SIZE", _17),
    _register(19, "RD_PTR", _17),
    _register(20, "WR_PTR", _17),
    _register(22, "MSG_INFO_PTR", _17),
    _register(23, "MSG_INFO_WR_PTR", _17),
    _register(24, "MCAST_DEST", 0x7FFFF, write=keep_if_multicast),
    _register(25, "MCAST_DEST_NUM", 0x3F, write=keep_if_multicast),
    _register(26, "GATHER", 0xF, write=keep_if_gather),
    _register(28, "CURR_PHASE_BASE", _20),
    _register(29, "CURR_PHASE", _20, peek=phase, write=set_phase),
    _register(30, "PHASE_AUTO_CFG_PTR_BASE", _17),
    _register(31, "PHASE_AUTO_CFG_PTR", _17, peek=auto_cfg_ptr, write=set_auto_cfg_ptr),
    _register(33, "MSG_HEADER_FORMAT", 0x3FFF, "where a message has its length", fields=(
        Bits(0, 7, "MSG_HEADER_WORD_CNT_OFFSET"), Bits(7, 7, "MSG_HEADER_WORD_CNT_BITS")),
        page="WormholeB0 NoC/Overlay/README.md"),
    _register(34, "PHASE_AUTO_CFG_HEADER", 0xFFFFF000, "also adds to CURR_PHASE",
              write=set_auto_cfg_header),
    _register(35, "PERF_CONFIG", 0xFFFFFFFF, "clock gating",
              page="noc_overlay_parameters.h"),
    _register(36, "SCRATCH_{i}", _24, count=6, write=keep_if_dram),
    _register(224, "LOCAL_SRC_MASK + {i}", _24, count=3, write=keep_if_gather),
    _register(267, "PHASE_ADVANCE", 0, "starts a phase", access=_WO, write=start_stream),
    _register(270, "REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE", 0, "adds to the space available",
              access=_WO, write=add_space, fields=(Bits(0, 6, "receiver"), Bits(6, 26, "words"))),
    _register(275, "MSG_INFO_CAN_PUSH_NEW_MSG", 0, "are the two pointers equal?", access=_IGN,
              peek=can_push),
    _register(SPACE_AVAILABLE, "REMOTE_DEST_BUF_SPACE_AVAILABLE + {i}", _17, access=_IGN,
              count=DESTINATIONS, peek=space,
              elsewhere=Elsewhere("overlay.space", lambda hart, stream, i: (stream, i))),
    _register(503, "DEBUG_STATUS + 2", 0, "bit 3: every receiver has space", access=_IGN,
              peek=debug_status_2),
)
# fmt: on
BLOCK = RegisterBlock(
    "NoC overlay",
    OVERLAY_BASE,
    STREAM_STRIDE,
    "WormholeB0 NoC/Overlay/AsGeneralUse.md",
    REGISTERS,
    kept=kept,
    keep=keep,
    row="overlay.word",
    copies="stream",
)
SLOT, KEPT_BITS = BLOCK.slots, BLOCK.kept_bits
PEEK, READ, WRITE = BLOCK.peeks, BLOCK.reads, BLOCK.writes
REMOTE_DEST_WR_PTR = SLOT[11]
RD_PTR, WR_PTR = SLOT[19], SLOT[20]
MSG_INFO_PTR, MSG_INFO_WR_PTR = SLOT[22], SLOT[23]
CURR_PHASE_BASE, CURR_PHASE = SLOT[28], SLOT[29]
AUTO_CFG_PTR_BASE = SLOT[30]

OVERLAY = Part(
    "overlay",
    (
        row("word", "u32", (STREAMS, BLOCK.count), Tag.ARCHITECTURAL, "registers that are storage"),
        row(
            "space",
            "u32",
            (STREAMS, DESTINATIONS),
            Tag.ARCHITECTURAL,
            "REMOTE_DEST_BUF_SPACE_AVAILABLE",
        ),
    ),
    chapter=Chapter.DEVICES,
)
PARTS = (OVERLAY,)


def peek(S: View, hart: int, addr: int) -> int:
    """Return the register at `addr`."""
    return PEEK[SLOT[(addr & 0xFFF) >> 2]](S, hart, addr)


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Sub-word loads pick their bytes."""
    word = addr & 0xFFFFFFFC
    return extract(READ[SLOT[(addr & 0xFFF) >> 2]](S, hart, word), addr, size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """`sw` only."""
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    return WRITE[SLOT[(addr & 0xFFF) >> 2]](S, hart, addr, value)

# SPDX-License-Identifier: Apache-2.0
"""The two NoC interface units as register files (NoC/MemoryMap.md, NoC/Counters.md).

Request initiators, configuration and identification hold what the pages say; a store to
NOC_CMD_CTRL starts a request (core/noc/initiate.py). ROUTER_CFG_1 and _3 opt columns and rows out
of broadcasts (core/chip/broadcast.py).

UNSPECIFIED(NoC/MemoryMap.md): what lies between the registers, and stores narrower than a word;
they stop the hart. Which tile this is: the one at NoC 0 (1, 2), the first of the Tensix tiles,
which NoC 1 numbers from the other corner. The dateline bits of NOC_NODE_ID: 0, as nothing is
routed.
"""

from tensix_gdb.core.devices.registers import (
    Access,
    Bits,
    Elsewhere,
    Register,
    RegisterBlock,
    extract,
    ignored,
    zero,
)
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.noc.coordinates import COLUMNS, ROWS, TILE_X, TILE_Y, home
from tensix_gdb.core.noc.initiate import TRANSLATE, start
from tensix_gdb.core.noc.state import BASES, CONFIG, INITIATORS, OUTSTANDING
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.stop import fault

NIU_BASE = 0xFFB20000
NIU_STRIDE = 0x10000
NIUS = 2
CMD_BUF_OFFSET = 0x800
CMD_CTRL = 0x40

# NoC/Coordinates.md: NoC 1 counts from the other corner.
X_FIRST = 1 << 28  # NoC 0 routes along X first
NODE_BITS = COLUMNS << 12 | ROWS << 19
TENSIX_TILE = 0x0100
ENDPOINT_ID = (TENSIX_TILE << 8, TENSIX_TILE << 8 | 1 << 24)
LOGICAL_ID = TILE_X | TILE_Y << 6


def translate(S: View) -> int:
    """Turn translation of coordinates on, as the chip's own firmware does before programs run."""
    for niu in range(NIUS):
        S.niu.word[niu, CONFIG] = S.niu.word[niu, CONFIG] | TRANSLATE
    return 0


def niu_of(addr: int) -> int:
    """Return which of the two NIUs has an address."""
    return (addr - NIU_BASE) // NIU_STRIDE


def kept(S: View, hart: int, addr: int) -> int:
    """Return the word that was written."""
    return S.niu.word[niu_of(addr), SLOT[(addr & 0xFFFF) >> 2]]


def keep(S: View, hart: int, addr: int, value: int) -> int:
    """Hold what is written, as far as it has bits."""
    slot = SLOT[(addr & 0xFFFF) >> 2]
    S.niu.word[niu_of(addr), slot] = value & KEPT_BITS[slot]
    return 0


def node_id(S: View, hart: int, addr: int) -> int:
    """Return the place of the NIU in its NoC."""
    niu = niu_of(addr)
    return home(S, niu) | NODE_BITS | (0 if niu else X_FIRST)


def endpoint_id(S: View, hart: int, addr: int) -> int:
    """Return the ID of the endpoint that the NIU is attached to."""
    return ENDPOINT_ID[niu_of(addr)]


def initiator_of(addr: int) -> int:
    """Return which of the four initiators has an address."""
    return (addr & 0xFFFF) // CMD_BUF_OFFSET


def waits(S: View, hart: int, addr: int) -> int:
    """NOC_CMD_CTRL: 1 until the request has been taken, and `noc.command` cycles at least."""
    niu = niu_of(addr)
    initiator = initiator_of(addr)
    return 1 if S.noc.wants[niu, initiator] or S.noc.busy[niu, initiator] > S.tile.cycle else 0


def start_request(S: View, hart: int, addr: int, value: int) -> int:
    """NOC_CMD_CTRL: bit 0 starts the request that the initiator describes."""
    if not value & 1:
        return 0
    niu = niu_of(addr)
    return start(S, hart, niu, initiator_of(addr), addr)


def counter(S: View, hart: int, addr: int) -> int:
    """NIU_COUNTER."""
    return S.noc.counter[niu_of(addr), ((addr & 0xFFFF) - 0x200) >> 2]


def clear_outstanding(S: View, hart: int, addr: int, value: int) -> int:
    """NOC_CLEAR_OUTSTANDING_REQ_CNT: a bit for each transaction id."""
    for number in range(16):
        if (value >> number) & 1:
            S.noc.counter[niu_of(addr), OUTSTANDING + number] = 0
    return 0


COUNTER = Elsewhere("noc.counter", lambda hart, niu, i: (niu, i))
_RW, _RO, _WO = Access.READ_WRITE, Access.READ_ONLY, Access.WRITE_ONLY
_IGN = Access.IGNORES_WRITES


# fmt: off
def _initiator(number: int) -> tuple[Register, ...]:
    at, of = number * CMD_BUF_OFFSET, f" ({number})"
    return (
        Register(at + 0x00, "NOC_TARG_ADDR_LO" + of,  _RW, "target address, bits 0 to 31"),
        Register(at + 0x04, "NOC_TARG_ADDR_MID" + of, _RW, "target address, bits 32 to 63"),
        Register(at + 0x08, "NOC_TARG_ADDR_HI" + of,  _RW, "target coordinates"),
        Register(at + 0x0C, "NOC_RET_ADDR_LO" + of,   _RW, "return address, bits 0 to 31"),
        Register(at + 0x10, "NOC_RET_ADDR_MID" + of,  _RW, "return address, bits 32 to 63"),
        Register(at + 0x14, "NOC_RET_ADDR_HI" + of,   _RW, "return coordinates"),
        Register(at + 0x18, "NOC_PACKET_TAG" + of,    _RW, "transaction id, rare flags",
                 kept_bits=0xFFFF, fields=(Bits(10, 4, "NOC_PACKET_TRANSACTION_ID"),)),
        Register(at + 0x1C, "NOC_CTRL" + of,          _RW, "kind of request, common flags"),
        Register(at + 0x20, "NOC_AT_LEN_BE" + of,     _RW, "length, byte mask or atomic operands"),
        Register(at + 0x24, "NOC_AT_LEN_BE_1" + of,   _RW, "its bits 32 to 63"),
        Register(at + 0x28, "NOC_AT_DATA" + of,       _RW, "immediate data"),
        Register(at + 0x2C, "NOC_BRCST_EXCLUDE" + of, _RW, "tiles left out of a broadcast"),
        Register(at + CMD_CTRL, "NOC_CMD_CTRL" + of,      _RW, "bit 0: start; 1 until it is taken",
                 peek=waits, write=start_request),
        Register(at + 0x44, "NOC_NODE_ID" + of,       _RO, "where the NIU is", peek=node_id,
                 fields=(
            Bits(0, 6, "x"), Bits(6, 6, "y"), Bits(12, 7, "columns"), Bits(19, 7, "rows"),
            Bits(28, 1, "x first"))),
        Register(at + 0x48, "NOC_ENDPOINT_ID" + of,   _RO, "what it is attached to",
                 peek=endpoint_id, fields=(
            Bits(0, 8, "tile index"), Bits(8, 16, "tile type"), Bits(24, 8, "NoC index"))),
        Register(at + 0x64, "NIU_REQUEST_FIFO_STATUS{i}" + of, _RO, "empty", count=2, peek=zero),
    )


REGISTERS = (
    *_initiator(0), *_initiator(1), *_initiator(2), *_initiator(3),
    Register(0x060, "NOC_CLEAR_OUTSTANDING_REQ_CNT", _WO, "clear counters by transaction id",
             write=clear_outstanding, page="NoC/Counters.md"),
    Register(0x100, "NIU_CFG_0",    _RW, "bit 14: translate coordinates"),
    Register(0x104, "ROUTER_CFG_0", _RW, "for software, from bit 19 on"),
    Register(0x108, "ROUTER_CFG_1", _RW, "columns that receive no broadcasts"),
    Register(0x10C, "ROUTER_CFG_2", _RW, "for software"),
    Register(0x110, "ROUTER_CFG_3", _RW, "rows that receive no broadcasts"),
    Register(0x114, "ROUTER_CFG_4", _RW, "for software"),
    Register(0x118, "NOC_X_ID_TRANSLATE_TABLE_{i}", _RW, "coordinate translation", count=6),
    Register(0x130, "NOC_Y_ID_TRANSLATE_TABLE_{i}", _RW, "coordinate translation", count=6),
    Register(0x148, "NOC_ID_LOGICAL", _RW, "translated coordinates of this tile", LOGICAL_ID),
    Register(0x150, "NOC_ID_TRANSLATE_COL_MASK", _RW, "coordinate translation"),
    Register(0x154, "NOC_ID_TRANSLATE_ROW_MASK", _RW, "coordinate translation"),
    Register(0x158, "DDR_COORD_TRANSLATE_TABLE_{i}", _RW, "coordinate translation", count=6),
    Register(0x170, "DDR_COORD_TRANSLATE_COL_SWAP", _RW, "coordinate translation"),
    Register(0x174, "DEBUG_COUNTER_RESET", Access.MISSING, ""),
    Register(0x178, "NIU_TRANS_COUNT_RTZ_CFG", _RW, "which counters interrupt",
             kept_bits=0x1000FFFF),
    Register(0x17C, "NIU_TRANS_COUNT_RTZ_CLR", _RW, "store: clears bits of the source; reads 0",
             peek=zero, write=ignored),
    Register(0x200, "NIU_COUNTER[{i}]", _RO, "requests and answers", count=62, peek=counter,
             elsewhere=COUNTER, page="NoC/Counters.md"),
    Register(0x378, "NIU_TRANS_COUNT_RTZ_NUM", _IGN, "no counter interrupts", peek=zero),
    Register(0x37C, "NIU_TRANS_COUNT_RTZ_SOURCE", _IGN, "no counter came to 0", peek=zero),
)
# fmt: on
BLOCK = RegisterBlock(
    "NIU",
    NIU_BASE,
    NIU_STRIDE,
    "NoC/MemoryMap.md",
    REGISTERS,
    kept=kept,
    keep=keep,
    row="niu.word",
)
SLOT, KEPT_BITS = BLOCK.slots, BLOCK.kept_bits
LOGICAL = SLOT[0x148 >> 2]
assert SLOT[0x100 >> 2] == CONFIG
PEEK, READ, WRITE = BLOCK.peeks, BLOCK.reads, BLOCK.writes
assert tuple(SLOT[CMD_BUF_OFFSET * i >> 2] for i in range(INITIATORS)) == BASES

NIU = Part(
    "niu",
    (row("word", "u32", (NIUS, BLOCK.count), Tag.ARCHITECTURAL, "registers that are storage"),),
    chapter=Chapter.DEVICES,
)
PARTS = (NIU,)


def peek(S: View, hart: int, addr: int) -> int:
    """Return the register at `addr`."""
    return PEEK[SLOT[(addr & 0xFFFF) >> 2]](S, hart, addr)


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Sub-word loads pick their bytes."""
    word = addr & 0xFFFFFFFC
    return extract(READ[SLOT[(addr & 0xFFFF) >> 2]](S, hart, word), addr, size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """`sw` only."""
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    return WRITE[SLOT[(addr & 0xFFFF) >> 2]](S, hart, addr, value)


def power_up(S: View) -> None:
    """Set what is not 0 when the tile gets power."""
    for slot in range(1, BLOCK.count):
        for unit in range(NIUS):
            S.niu.word[unit, slot] = BLOCK.resets[slot]
    for unit in range(NIUS):
        S.niu.word[unit, LOGICAL] = home(S, 0)

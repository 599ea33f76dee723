# SPDX-License-Identifier: Apache-2.0
"""The two NoC interface units of Wormhole as register files (WormholeB0 NoC/MemoryMap.md).

Four initiators of eleven words, 0x400 apart, and after each what the NIU is. Initiators and
configuration hold what is written. Requests are not emulated yet: a store to NOC_CMD_CTRL that
starts one stops the hart by name. So the counters of a NoC on which nothing happens are 0.

The storage is that of Blackhole's NIU (`devices/niu.py`), in this table's order.

UNSPECIFIED(NoC/MemoryMap.md): what lies between the registers, and stores narrower than a word;
they stop the hart. Which tile this is: the one at NoC 0 (1, 1), the first of the Tensix tiles,
which NoC 1 numbers from the other corner of 10 by 12 (NoC/Coordinates.md). The dateline bits of
NOC_NODE_ID: 0, as nothing is routed. What NOC_ENDPOINT_ID reads: it stops the hart.
"""

from tensix_gdb.core.devices import niu as blackhole
from tensix_gdb.core.devices.niu import niu_of, nothing, zero
from tensix_gdb.core.devices.registers import (
    Access,
    Bits,
    Register,
    RegisterBlock,
    extract,
)
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

COLUMNS, ROWS = 10, 12
TILE_X, TILE_Y = 1, 1
CMD_BUF_OFFSET = 0x400
# By NIU.
NODE_ID = (
    TILE_X | TILE_Y << 6 | COLUMNS << 12 | ROWS << 19 | blackhole.X_FIRST,
    COLUMNS - 1 - TILE_X | (ROWS - 1 - TILE_Y) << 6 | COLUMNS << 12 | ROWS << 19,
)
LOGICAL_ID = TILE_X | TILE_Y << 6


def kept(S: View, hart: int, addr: int) -> int:
    """What was written."""
    return S.niu.word[niu_of(addr), SLOT[(addr & 0xFFFF) >> 2]]


def keep(S: View, hart: int, addr: int, value: int) -> int:
    """Hold what is written, as far as it has bits."""
    slot = SLOT[(addr & 0xFFFF) >> 2]
    S.niu.word[niu_of(addr), slot] = value & KEPT_BITS[slot]
    return 0


def node_id(S: View, hart: int, addr: int) -> int:
    """Where the NIU is in its NoC."""
    return NODE_ID[niu_of(addr)]


def start_request(S: View, hart: int, addr: int, value: int) -> int:
    """NOC_CMD_CTRL: bit 0 starts the request that the initiator describes."""
    return fault(S, hart, Fault.NOC_WORMHOLE, addr, value) if value & 1 else 0


_RW, _RO, _WO, _NO = Access.READ_WRITE, Access.READ_ONLY, Access.WRITE_ONLY, Access.MISSING


# fmt: off
def _initiator(number: int) -> tuple[Register, ...]:
    at, of = number * CMD_BUF_OFFSET, f" ({number})"
    return (
        Register(at + 0x00, "NOC_TARG_ADDR_LO" + of,  _RW, "target address, bits 0 to 31"),
        Register(at + 0x04, "NOC_TARG_ADDR_MID" + of, _RW, "its bits 32 to 35, and coordinates"),
        Register(at + 0x0C, "NOC_RET_ADDR_LO" + of,   _RW, "return address, bits 0 to 31"),
        Register(at + 0x10, "NOC_RET_ADDR_MID" + of,  _RW, "its bits 32 to 35, and coordinates"),
        Register(at + 0x18, "NOC_PACKET_TAG" + of,    _RW, "transaction id, rare flags",
                 kept_bits=0xFFFF, fields=(Bits(10, 4, "NOC_PACKET_TRANSACTION_ID"),)),
        Register(at + 0x1C, "NOC_CTRL" + of,          _RW, "kind of request, common flags"),
        Register(at + 0x20, "NOC_AT_LEN_BE" + of,     _RW, "length, byte mask or atomic operands"),
        Register(at + 0x24, "NOC_AT_DATA" + of,       _RW, "immediate data"),
        Register(at + 0x28, "NOC_CMD_CTRL" + of,      _RW, "bit 0: start; not emulated yet",
                 peek=zero, write=start_request),
        Register(at + 0x2C, "NOC_NODE_ID" + of,       _RO, "where the NIU is", peek=node_id,
                 fields=(
            Bits(0, 6, "x"), Bits(6, 6, "y"), Bits(12, 7, "columns"), Bits(19, 7, "rows"),
            Bits(28, 1, "x first"))),
        Register(at + 0x30, "NOC_ENDPOINT_ID" + of,   _NO, "what it is attached to"),
    )


REGISTERS = (
    *_initiator(0), *_initiator(1), *_initiator(2), *_initiator(3),
    Register(0x050, "NOC_CLEAR_OUTSTANDING_REQ_CNT", _WO, "clear counters by transaction id",
             write=nothing, page="WormholeB0 NoC/Counters.md"),
    Register(0x054, "CMD_BUF_AVAIL", _NO, "status of all initiators"),
    Register(0x100, "NIU_CFG_0",    _RW, "bit 14: translate coordinates"),
    Register(0x104, "ROUTER_CFG_0", _RW, "for software, from bit 19 on"),
    Register(0x108, "ROUTER_CFG_1", _RW, "columns that receive no broadcasts"),
    Register(0x10C, "ROUTER_CFG_2", _RW, "for software"),
    Register(0x110, "ROUTER_CFG_3", _RW, "rows that receive no broadcasts"),
    Register(0x114, "ROUTER_CFG_4", _RW, "for software"),
    Register(0x118, "NOC_X_ID_TRANSLATE_TABLE_0, word {i}", _RW, "coordinate translation", count=4),
    Register(0x128, "NOC_Y_ID_TRANSLATE_TABLE_0, word {i}", _RW, "coordinate translation", count=4),
    Register(0x138, "NOC_ID_LOGICAL", _RW, "translated coordinates of this tile", LOGICAL_ID),
    Register(0x200, "NIU_COUNTER[{i}]", _RO, "requests and answers", count=64, peek=zero,
             page="WormholeB0 NoC/Counters.md"),
)
# fmt: on
BLOCK = RegisterBlock(
    "NIU",
    blackhole.NIU_BASE,
    blackhole.NIU_STRIDE,
    "WormholeB0 NoC/MemoryMap.md",
    REGISTERS,
    kept=kept,
    keep=keep,
)
SLOT, KEPT_BITS = BLOCK.slots, BLOCK.kept_bits
PEEK, READ, WRITE = BLOCK.peeks, BLOCK.reads, BLOCK.writes
assert blackhole.BLOCK.count >= BLOCK.count


def peek(S: View, hart: int, addr: int) -> int:
    """The register at `addr`."""
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
    for slot in range(blackhole.BLOCK.count):
        reset = BLOCK.resets[slot] if slot < BLOCK.count else 0
        for unit in range(blackhole.NIUS):
            S.niu.word[unit, slot] = reset

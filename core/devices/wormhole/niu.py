# SPDX-License-Identifier: Apache-2.0
"""The two NoC interface units of Wormhole as register files (WormholeB0 NoC/MemoryMap.md).

Four initiators of eleven words, 0x400 apart, and after each what the NIU is. A store to
NOC_CMD_CTRL starts a request, as on Blackhole (core/noc/initiate.py).

The storage is that of Blackhole's NIU (`devices/niu.py`), with each register in the place of the
one that means the same there. NOC_TARG_ADDR_MID and NOC_RET_ADDR_MID have 4 bits of the address and
coordinates, which are two registers on Blackhole: they are taken apart when they are written, and
put together when they are read.

UNSPECIFIED(NoC/MemoryMap.md): what lies between the registers, and stores narrower than a word;
they stop the hart. Which tile this is: the one at NoC 0 (1, 1), the first of the Tensix tiles,
which NoC 1 numbers from the other corner of 10 by 12 (NoC/Coordinates.md). The dateline bits of
NOC_NODE_ID: 0, as nothing is routed. What NOC_ENDPOINT_ID reads: it stops the hart.
"""

from tensix_gdb.core.arch.chips import WORMHOLE
from tensix_gdb.core.devices import niu as blackhole
from tensix_gdb.core.devices.niu import COUNTER, clear_outstanding, counter, niu_of
from tensix_gdb.core.devices.registers import Access, Bits, Register, RegisterBlock, extract
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.noc.coordinates import COLUMNS_OF, HOME_OF, ROWS, home
from tensix_gdb.core.noc.initiate import start
from tensix_gdb.core.noc.state import INITIATORS
from tensix_gdb.core.noc.wormhole import X_TABLE, Y_TABLE
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

CMD_BUF_OFFSET = 0x400
CMD_CTRL = 0x28
NODE_BITS = COLUMNS_OF[WORMHOLE] << 12 | ROWS << 19
LOGICAL_ID = HOME_OF[WORMHOLE]
ADDRESS_BITS = 4  # of NOC_TARG_ADDR_MID and NOC_RET_ADDR_MID; the others are coordinates


def kept(S: View, hart: int, addr: int) -> int:
    """Return the word that was written."""
    return S.niu.word[niu_of(addr), PLACE[(addr & 0xFFFF) >> 2]]


def keep(S: View, hart: int, addr: int, value: int) -> int:
    """Hold what is written, as far as it has bits."""
    at = (addr & 0xFFFF) >> 2
    S.niu.word[niu_of(addr), PLACE[at]] = value & KEPT_BITS[SLOT[at]]
    return 0


def mid(S: View, hart: int, addr: int) -> int:
    """Bits 32 to 35 of an address, and coordinates above them."""
    place = PLACE[(addr & 0xFFFF) >> 2]
    niu = niu_of(addr)
    return S.niu.word[niu, place] | S.niu.word[niu, place + 1] << ADDRESS_BITS


def set_mid(S: View, hart: int, addr: int, value: int) -> int:
    """Write them."""
    place = PLACE[(addr & 0xFFFF) >> 2]
    niu = niu_of(addr)
    S.niu.word[niu, place] = value & ((1 << ADDRESS_BITS) - 1)
    S.niu.word[niu, place + 1] = value >> ADDRESS_BITS
    return 0


def node_id(S: View, hart: int, addr: int) -> int:
    """Return the place of the NIU in its NoC."""
    niu = niu_of(addr)
    return home(S, niu) | NODE_BITS | (0 if niu else blackhole.X_FIRST)


def initiator_of(addr: int) -> int:
    """Return which of the four initiators has an address."""
    return (addr & 0xFFFF) // CMD_BUF_OFFSET


def waits(S: View, hart: int, addr: int) -> int:
    """NOC_CMD_CTRL: 1 until the request has been taken."""
    return 1 if S.noc.wants[niu_of(addr), initiator_of(addr)] else 0


def all_wait(S: View, hart: int, addr: int) -> int:
    """CMD_BUF_AVAIL: NOC_CMD_CTRL of all four, a bit for each."""
    bits = 0
    for initiator in range(INITIATORS):
        if S.noc.wants[niu_of(addr), initiator]:
            bits = bits | 1 << initiator
    return bits


def start_request(S: View, hart: int, addr: int, value: int) -> int:
    """NOC_CMD_CTRL: bit 0 starts the request that the initiator describes."""
    if not value & 1:
        return 0
    return start(S, hart, niu_of(addr), initiator_of(addr), addr)


_RW, _RO, _WO, _NO = Access.READ_WRITE, Access.READ_ONLY, Access.WRITE_ONLY, Access.MISSING


# fmt: off
def _initiator(number: int) -> tuple[Register, ...]:
    at, of = number * CMD_BUF_OFFSET, f" ({number})"
    return (
        Register(at + 0x00, "NOC_TARG_ADDR_LO" + of,  _RW, "target address, bits 0 to 31"),
        Register(at + 0x04, "NOC_TARG_ADDR_MID" + of, _RW, "its bits 32 to 35, and coordinates",
                 peek=mid, write=set_mid),
        Register(at + 0x0C, "NOC_RET_ADDR_LO" + of,   _RW, "return address, bits 0 to 31"),
        Register(at + 0x10, "NOC_RET_ADDR_MID" + of,  _RW, "its bits 32 to 35, and coordinates",
                 peek=mid, write=set_mid),
        Register(at + 0x18, "NOC_PACKET_TAG" + of,    _RW, "transaction id, rare flags",
                 kept_bits=0xFFFF, fields=(Bits(10, 4, "NOC_PACKET_TRANSACTION_ID"),)),
        Register(at + 0x1C, "NOC_CTRL" + of,          _RW, "kind of request, common flags"),
        Register(at + 0x20, "NOC_AT_LEN_BE" + of,     _RW, "length, byte mask or atomic operands"),
        Register(at + 0x24, "NOC_AT_DATA" + of,       _RW, "immediate data"),
        Register(at + CMD_CTRL, "NOC_CMD_CTRL" + of,  _RW, "bit 0: start; 1 until it is taken",
                 peek=waits, write=start_request),
        Register(at + 0x2C, "NOC_NODE_ID" + of,       _RO, "where the NIU is", peek=node_id,
                 fields=(
            Bits(0, 6, "x"), Bits(6, 6, "y"), Bits(12, 7, "columns"), Bits(19, 7, "rows"),
            Bits(28, 1, "x first"))),
        Register(at + 0x30, "NOC_ENDPOINT_ID" + of,   _NO, "what it is attached to"),
    )


REGISTERS = (
    *_initiator(0), *_initiator(1), *_initiator(2), *_initiator(3),
    Register(0x050, "NOC_CLEAR_OUTSTANDING_REQ_CNT", _WO, "clear counters by transaction id",
             write=clear_outstanding, page="WormholeB0 NoC/Counters.md"),
    Register(0x054, "CMD_BUF_AVAIL", _RO, "NOC_CMD_CTRL of all initiators", peek=all_wait),
    Register(0x100, "NIU_CFG_0",    _RW, "bit 14: translate coordinates"),
    Register(0x104, "ROUTER_CFG_0", _RW, "for software, from bit 19 on"),
    Register(0x108, "ROUTER_CFG_1", _RW, "columns that receive no broadcasts"),
    Register(0x10C, "ROUTER_CFG_2", _RW, "for software"),
    Register(0x110, "ROUTER_CFG_3", _RW, "rows that receive no broadcasts"),
    Register(0x114, "ROUTER_CFG_4", _RW, "for software"),
    Register(0x118, "NOC_X_ID_TRANSLATE_TABLE_0, word {i}", _RW, "coordinate translation", count=4),
    Register(0x128, "NOC_Y_ID_TRANSLATE_TABLE_0, word {i}", _RW, "coordinate translation", count=4),
    Register(0x138, "NOC_ID_LOGICAL", _RW, "translated coordinates of this tile", LOGICAL_ID),
    Register(0x200, "NIU_COUNTER[{i}]", _RO, "requests and answers", count=62, peek=counter,
             elsewhere=COUNTER, page="WormholeB0 NoC/Counters.md"),
)
# fmt: on
# Offsets of initiators from 0x24 on, and of the registers after ROUTER_CFG_4, on Blackhole.
MOVED = {0x24: 0x28, 0x28: blackhole.CMD_CTRL, 0x138: 0x148}
MOVED |= {0x128 + 4 * i: 0x130 + 4 * i for i in range(4)}


def _place(offset: int) -> int:
    """Return where the record has a register: its slot on Blackhole, 0 if it has no storage."""
    initiator, at = divmod(offset, CMD_BUF_OFFSET)
    there = MOVED.get(at, at) + blackhole.CMD_BUF_OFFSET * initiator
    return blackhole.SLOT[there >> 2] if SLOT[offset >> 2] else 0


BLOCK = RegisterBlock(
    "NIU",
    blackhole.NIU_BASE,
    blackhole.NIU_STRIDE,
    "WormholeB0 NoC/MemoryMap.md",
    REGISTERS,
    kept=kept,
    keep=keep,
    row="niu.word",
    place=_place,
)
SLOT, KEPT_BITS = BLOCK.slots, BLOCK.kept_bits
PEEK, READ, WRITE = BLOCK.peeks, BLOCK.reads, BLOCK.writes
PLACE = tuple(_place(4 * word) if slot else 0 for word, slot in enumerate(SLOT))
assert PLACE[0x118 >> 2] == X_TABLE
assert PLACE[0x128 >> 2] == Y_TABLE
assert PLACE[0x138 >> 2] == blackhole.LOGICAL


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
    for unit in range(blackhole.NIUS):
        for slot in range(blackhole.BLOCK.count):
            S.niu.word[unit, slot] = 0
        S.niu.word[unit, blackhole.LOGICAL] = home(S, 0)

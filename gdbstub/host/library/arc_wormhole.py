# SPDX-License-Identifier: Apache-2.0
"""The ARC of a Wormhole as a host sees it: a firmware that has started, its telemetry and its
messages, which are three registers of the reset unit.

Sources: tt-umd, wormhole_implementation.hpp (addresses, codes of messages),
wormhole_arc_messenger.cpp (how a message is sent), wormhole_tt_device.cpp (the post code of a
firmware that has started, harvesting, translation), smbus_arc_telemetry_reader.cpp and
wormhole_arc_telemetry_reader.cpp (where both telemetries are), types/telemetry.hpp (tags).
WormholeB0 ARCTile/README.md: the memory map. The values are those of an n150 at rest of which no
row of tiles is fused off, and of several chips each is one; nothing that runs on tiles depends on
them.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.noc.coordinates import COLUMNS_OF, ROWS
from tensix_gdb.gdbstub.host.library.arc_memory import ArcMemory
from tensix_gdb.gdbstub.host.simulator.grid import ARC_OF

CORE = ARC_OF[1]
CSM, RESET_UNIT = 0x810000000, 0x880030000  # over the NoC
AS_ARC = 0x800000000  # addresses of the ARC's own begin here
NIUS = (0x880050000, 0x880058000)  # their registers
NODE_ID, NIU_CFG_0, TRANSLATES = 0x2C, 0x100, 1 << 14
# Registers of the reset unit: scratch registers 0 to 7, and others.
SCRATCH = range(0x60, 0x80, 4)
POST_CODE, ARGUMENT, RESULT_1, STATUS = SCRATCH[0], SCRATCH[3], SCRATCH[4], SCRATCH[5]
MISC_CNTL = 0x100
TABLE_AT, VALUES_AT = 0x1D0, 0x1D4  # NOC_NODEID_X_0 and _Y_0, which hold other things here
STARTED = 0xC0DE0001
UNKNOWN_MESSAGE = 0xFFFFFFFF
# Offsets in the CSM. The first telemetry is where drivers expect it; the others are chosen here.
SMBUS, TABLE, VALUES = 0x000, 0x100, 0x200
FW_BUNDLE_VERSION = 49  # its only entry that a driver reads of this firmware
VERSION = 0x12040000  # 18.4, the first that has the second telemetry


class Message(enum.IntEnum):
    """Codes that the firmware answers, after 0xAA00; none changes what is emulated."""

    NOP = 0x11
    GET_SMBUS_TELEMETRY_ADDR = 0x2C
    GET_AICLK = 0x34
    ARC_GO_BUSY = 0x52
    ARC_GO_LONG_IDLE = 0x54
    ARC_GET_HARVESTING = 0x57
    SET_ETH_DRAM_TRAINED_STATUS = 0x58
    TEST = 0x90
    DEASSERT_RISCV_RESET = 0xBA


AICLK = 1000  # MHz
RESULTS = {  # of the messages that have one that is not 0
    Message.GET_AICLK: AICLK,
    Message.SET_ETH_DRAM_TRAINED_STATUS: 1,
    Message.GET_SMBUS_TELEMETRY_ADDR: SMBUS,
}
MESSAGES = frozenset(map(int, Message))
# By tag.
TELEMETRY = {
    1: 0x180,  # BOARD_ID_HIGH: n150
    2: 1,  # BOARD_ID_LOW
    3: 1,  # ASIC_ID
    4: 0,  # HARVESTING_STATE
    11: 40 << 16,  # ASIC_TEMPERATURE, degrees
    13: 35 << 16,  # BOARD_TEMPERATURE
    14: AICLK,
    15: 900,  # AXICLK
    16: 540,  # ARCCLK
    21: 0xFFFF,  # ETH_LIVE_STATUS
    22: 0x555,  # GDDR_STATUS: six channels are trained
    28: VERSION,  # FLASH_BUNDLE_VERSION
    32: 1,  # TIMER_HEARTBEAT
    52: 0,  # ASIC_LOCATION
}


def _identity(chip: int, count: int) -> dict[int, int]:
    """Return the rows by which a driver tells several chips apart: each is a board of its own."""
    return {2: 1 + chip, 3: 1 + chip} if count > 1 else {}


class WormholeArc(ArcMemory):
    """A Wormhole's, of chip `chip` of `count`."""

    def __init__(self, chip: int = 0, count: int = 1) -> None:
        super().__init__(CSM, RESET_UNIT + MISC_CNTL)
        self._put(SMBUS + 4 * FW_BUNDLE_VERSION, VERSION)
        self._put_telemetry(TABLE, VALUES, {**TELEMETRY, **_identity(chip, count)})
        self._words = {RESET_UNIT + at: 0 for at in (*SCRATCH, MISC_CNTL)}
        self._words[RESET_UNIT + POST_CODE] = STARTED
        self._read_only = {
            RESET_UNIT + TABLE_AT: CSM - AS_ARC + TABLE,
            RESET_UNIT + VALUES_AT: CSM - AS_ARC + VALUES,
        }
        for niu, at in enumerate(NIUS):
            self._read_only[at + NODE_ID] = _node_id(niu)
            self._read_only[at + NIU_CFG_0] = TRANSLATES

    def _answer(self) -> None:
        """Answer the message in the status register: its code without the prefix, and 0 for an
        exit code above that. Its result takes the place of its arguments."""
        code = self._words[RESET_UNIT + STATUS] & 0xFF
        if code not in MESSAGES:
            self._words[RESET_UNIT + STATUS] = UNKNOWN_MESSAGE
            return
        self._words[RESET_UNIT + STATUS] = code
        self._words[RESET_UNIT + ARGUMENT] = RESULTS.get(Message(code), 0)
        self._words[RESET_UNIT + RESULT_1] = 0


def _node_id(niu: int) -> int:
    """Return where the NIU is in its NoC (WormholeB0 NoC/MemoryMap.md, NOC_NODE_ID)."""
    x, y = CORE
    if niu:
        x, y = COLUMNS_OF[1] - 1 - x, ROWS - 1 - y
    return x | y << 6 | COLUMNS_OF[1] << 12 | ROWS << 19 | (not niu) << 28

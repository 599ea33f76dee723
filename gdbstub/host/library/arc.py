# SPDX-License-Identifier: Apache-2.0
"""The ARC of a Blackhole as a host sees it over the NoC: a firmware that has started, its telemetry
and its queues of messages.

Sources: tt-umd, blackhole_implementation.hpp (addresses, codes of messages), types/telemetry.hpp
(tags), blackhole_arc_message_queue.cpp (layout of queues), arc_telemetry_reader.cpp (layout of the
table). The values are those of a card at rest; nothing that runs on tiles depends on them.
"""

from __future__ import annotations

import enum
import struct

from tensix_gdb.core.chip.links import links_of
from tensix_gdb.gdbstub.host.library.arc_memory import ArcMemory

CSM = 0x10000000
SCRATCH = range(0x80030060, 0x80030080, 4)  # of the reset unit
SCRATCH_RAM = range(0x80030400, 0x80030500, 4)
MISC_CNTL = 0x80030100
# Offsets in the CSM, chosen here.
TABLE, VALUES, QUEUES_BLOCK, QUEUES = 0x100, 0x200, 0x300, 0x400
# Words of the scratch RAM.
BOOT_STATUS, QUEUES_AT, VALUES_AT, TABLE_AT = 2, 11, 12, 13
STARTED = 0x5  # the core has started and takes messages
COUNT, ENTRIES, HEADER, ENTRY = 4, 8, 32, 32  # queues, entries of each, bytes
QUEUE = HEADER + 2 * ENTRIES * ENTRY
UNKNOWN_MESSAGE = 0xFF


class Message(enum.IntEnum):
    """Codes that the firmware answers; none of them changes what is emulated."""

    AICLK_GO_BUSY = 0x52
    AICLK_GO_LONG_IDLE = 0x54
    TRIGGER_RESET = 0x56
    TEST = 0x90
    GET_AICLK = 0x34
    ASIC_STATE0 = 0xA0
    ASIC_STATE3 = 0xA3
    SET_WATCHDOG_TIMEOUT = 0xC1


MESSAGES = frozenset(map(int, Message))
BOARD_ID_LOW, ASIC_ID, ENABLED_ETH, ASIC_ID_LOW = 2, 3, 35, 62
# By tag.
TELEMETRY = {
    1: 0x400,  # BOARD_ID_HIGH: p150
    2: 1,  # BOARD_ID_LOW
    3: 1,  # ASIC_ID
    4: 0,  # HARVESTING_STATE
    11: 40 << 16,  # ASIC_TEMPERATURE, degrees
    13: 35 << 16,  # BOARD_TEMPERATURE
    14: 1350,  # AICLK, MHz
    15: 900,  # AXICLK
    16: 540,  # ARCCLK
    21: 0x0FFF,  # ETH_LIVE_STATUS
    22: 0x5555,  # GDDR_STATUS: eight channels are trained
    28: 0x12050000,  # FLASH_BUNDLE_VERSION, 18.5
    32: 1,  # TIMER_HEARTBEAT
    35: 0x0FFF,  # ENABLED_ETH
    38: 1,  # PCIE_USAGE
    52: 0,  # ASIC_LOCATION
    61: 0,  # ASIC_ID_HIGH
    62: 1,  # ASIC_ID_LOW
}


def _identity(chip: int, count: int) -> dict[int, int]:
    """Return the rows by which a driver tells chips apart: each is a board of its own. Where there
    are cables, the description has no channel of Ethernet that is not there."""
    own = {BOARD_ID_LOW: 1 + chip, ASIC_ID: 1 + chip, ASIC_ID_LOW: 1 + chip}
    return {**own, ENABLED_ETH: 0x3FFF} if links_of(count) else own


class Arc(ArcMemory):
    """A Blackhole's, of chip `chip` of `count`."""

    def __init__(self, chip: int = 0, count: int = 1) -> None:
        super().__init__(CSM, MISC_CNTL)
        self._words = dict.fromkeys((*SCRATCH, *SCRATCH_RAM, MISC_CNTL), 0)
        for index, value in (
            (BOOT_STATUS, STARTED),
            (QUEUES_AT, CSM + QUEUES_BLOCK),
            (VALUES_AT, CSM + VALUES),
            (TABLE_AT, CSM + TABLE),
        ):
            self._words[SCRATCH_RAM[index]] = value
        self._put_telemetry(TABLE, VALUES, {**TELEMETRY, **_identity(chip, count)})
        self._put(QUEUES_BLOCK, CSM + QUEUES, ENTRIES | COUNT << 8)

    def _get(self, at: int) -> int:
        return int(struct.unpack_from("<I", self.csm, at)[0])

    def _answer(self) -> None:
        """Answer the messages of each queue. Its header has where the host writes requests, where
        it reads answers, where we read requests and where we write answers."""
        for queue in range(QUEUES, QUEUES + COUNT * QUEUE, QUEUE):
            last, read, write = (self._get(queue + at) for at in (0x00, 0x10, 0x14))
            while read != last and last < 2 * ENTRIES:
                code = self._get(queue + HEADER + read % ENTRIES * ENTRY) & 0xFF
                known = code in MESSAGES
                place = queue + HEADER + (ENTRIES + write % ENTRIES) * ENTRY
                self._put(place, 0 if known else UNKNOWN_MESSAGE, *[0] * 7)
                read, write = ((each + 1) % (2 * ENTRIES) for each in (read, write))
            self._put(queue + 0x10, read, write)

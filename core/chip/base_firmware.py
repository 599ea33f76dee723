# SPDX-License-Identifier: Apache-2.0
"""The code that an Ethernet tile starts with, in place of Tenstorrent's base firmware.

E0 is shared between base firmware, which trains the link and waits for messages, and programs of
the host's (BlackholeA0 EthernetTile/BabyRISCV/README.md). Base firmware is no public program. What
tt-metal and tt-umd read of it is here: the results of a training that has succeeded, the table of
functions that programs call back into, and a loop that takes ETH_MSG_RELEASE_CORE: it marks the
message done and calls the function that it names (tt-metal, hw/inc/**/eth_fw_api.h, which has every
address and number below).

Its code is executed by the cores as any other. The functions of the table return at once: with a
link that stays up there is nothing to service.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

CODE = 0x70000  # chosen here, in what base firmware has of L1 for itself
MAILBOX, MAILBOX_BYTES, MAILBOXES = 0x7D000, 16, 4
RELEASE_CORE, DONE = 0xCA110002, 0xD0E50002
RESULTS, LIVE, API, LOCAL, REMOTE = 0x7CC00, 0x7CE00, 0x7CF00, 0x7CFC0, 0x7CFE0
HEARTBEAT = 0x7CC70
PORT_UP, TRAINED, POSTCODE = 1, 2, 0xC0DEA000  # PORT_UP, LINK_TRAIN_PASS, ETH_INIT_PASS
VERSION = 1 << 16 | 6 << 8  # 1.6.0, as ttsim has it
FUNCTIONS = 5
RESET_PC = 0xFFB14000  # of E0; of E1 the word at 8
STACK = 0xFFB02000
# Registers of the calling convention.
ZERO, RA, SP, T0, T1, T2, T3 = 0, 1, 2, 5, 6, 7, 28
LW, SW, ADDI, LUI, JAL, JALR = 0x2003, 0x2023, 0x13, 0x37, 0x6F, 0x67
BEQ, BNE = 0x63, 0x1063


@dataclass(frozen=True, slots=True)
class Side:
    """One end of a cable: the board, where the chip is on it, the chip, the channel."""

    board: int
    location: int
    asic: int
    channel: int


def _i(op: int, rd: int, rs1: int, immediate: int) -> int:
    return op | rd << 7 | rs1 << 15 | (immediate & 0xFFF) << 20


def _s(rs2: int, rs1: int, immediate: int) -> int:
    low, high = immediate & 31, immediate >> 5 & 127
    return SW | low << 7 | rs1 << 15 | rs2 << 20 | high << 25


def _b(op: int, rs1: int, rs2: int, to: int) -> int:
    bits = (to >> 11 & 1) << 7 | (to >> 1 & 15) << 8 | (to >> 5 & 63) << 25 | (to >> 12 & 1) << 31
    return op | rs1 << 15 | rs2 << 20 | bits


def jump(to: int) -> int:
    """Return the word of `j to`, relative to itself."""
    bits = (to >> 12 & 255) << 12 | (to >> 11 & 1) << 20 | (to >> 1 & 1023) << 21
    return JAL | bits | (to >> 20 & 1) << 31


def _li(rd: int, value: int) -> tuple[int, int]:
    high = (value + 0x800) & 0xFFFFF000
    return LUI | rd << 7 | high, _i(ADDI, rd, rd, value - high)


# A core that leaves reset begins where its register says; without one, E0 is base firmware's.
_LEAVE = (
    *_li(T0, RESET_PC),
    _i(LW, T1, T0, 0),
    _b(BEQ, T1, ZERO, 8),
    _i(JALR, ZERO, T1, 0),
)
_LOOP = (
    *_li(SP, STACK),
    *_li(T0, MAILBOX),
    *_li(T2, RELEASE_CORE),
    _i(LW, T1, T0, 0),  # the host's mailbox
    _b(BNE, T1, T2, -4),
    *_li(T1, DONE),
    _i(LW, T3, T0, 4),  # the function
    *(_s(ZERO, T0, at) for at in (4, 8, 12)),
    _s(T1, T0, 0),
    _i(JALR, RA, T3, 0),
    jump(-4 * 16),
)
_OF_E0 = (*_LEAVE, *_LOOP)
_OF_E1 = (*_li(T0, RESET_PC + 8), _i(LW, T1, T0, 0), _i(JALR, ZERO, T1, 0))
E1_CODE = CODE + 4 * len(_OF_E0)
PARK = E1_CODE + 4 * len(_OF_E1)  # `j .`
RETURN = PARK + 4  # `ret`


def contents(local: Side, remote: Side) -> dict[int, bytes]:
    """Return what base firmware has left in L1 when the link is up, by address."""
    words = (*_OF_E0, *_OF_E1, jump(0), _i(JALR, ZERO, RA, 0))
    return {
        0: _words(jump(CODE)),  # E0 begins at 0
        CODE: _words(*words),
        RESULTS: _words(POSTCODE, PORT_UP, TRAINED),
        LIVE: _words(0, 1),  # no retraining; the receiver's link is up
        API: _words(*[RETURN] * FUNCTIONS),
        LOCAL - 4: _words(VERSION),
        LOCAL: _info(local),
        REMOTE: _info(remote),
    }


def _words(*words: int) -> bytes:
    return struct.pack(f"<{len(words)}I", *words)


def _info(side: Side) -> bytes:
    """chip_info_t: no type of the board, and no MAC address."""
    head = bytes((0, side.location, side.channel, side.channel))
    board = _words(side.board >> 32, side.board & 0xFFFFFFFF)
    return head + board + bytes(8) + _words(0, side.asic)

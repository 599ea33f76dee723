# SPDX-License-Identifier: Apache-2.0
"""The code that a Blackhole's Ethernet tile starts with, in place of Tenstorrent's base firmware.

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

from tensix_gdb.core.chip.ethernet.assembled import (
    RA,
    SP,
    T0,
    T1,
    T2,
    T3,
    ZERO,
    Side,
    in_bytes,
    li,
    word,
)

CODE = 0x70000  # chosen here, in what base firmware has of L1 for itself
MAILBOX = 0x7D000  # of the host, the first of four
RELEASE_CORE, DONE = 0xCA110002, 0xD0E50002
RESULTS, LIVE, API, LOCAL, REMOTE = 0x7CC00, 0x7CE00, 0x7CF00, 0x7CFC0, 0x7CFE0
HEARTBEAT = 0x7CC70
PORT_UP, TRAINED, POSTCODE = 1, 2, 0xC0DEA000  # PORT_UP, LINK_TRAIN_PASS, ETH_INIT_PASS
VERSION = 1 << 16 | 6 << 8  # 1.6.0, as ttsim has it
FUNCTIONS = 5
RESET_PC = 0xFFB14000  # of E0; of E1 the word at 8
STACK = 0xFFB02000

# A core that leaves reset begins where its register says; without one, E0 is base firmware's.
_LEAVE = (
    *li(T0, RESET_PC),
    word("lw", rd=T1, rs1=T0),
    word("beq", rs1=T1, rs2=ZERO, imm=8),
    word("jalr", rs1=T1),
)
_LOOP = (
    *li(SP, STACK),
    *li(T0, MAILBOX),
    *li(T2, RELEASE_CORE),
    word("lw", rd=T1, rs1=T0),  # the host's mailbox
    word("bne", rs1=T1, rs2=T2, imm=-4),
    *li(T1, DONE),
    word("lw", rd=T3, rs1=T0, imm=4),  # the function
    *(word("sw", rs1=T0, rs2=ZERO, imm=at) for at in (4, 8, 12)),
    word("sw", rs1=T0, rs2=T1),
    word("jalr", rd=RA, rs1=T3),
)
_OF_E0 = (*_LEAVE, *_LOOP, word("jal", imm=-4 * len(_LOOP)))
_OF_E1 = (*li(T0, RESET_PC + 8), word("lw", rd=T1, rs1=T0), word("jalr", rs1=T1))
E1_CODE = CODE + 4 * len(_OF_E0)
PARK = E1_CODE + 4 * len(_OF_E1)  # `j .`
RETURN = PARK + 4  # `ret`


def contents(local: Side, remote: Side) -> dict[int, bytes]:
    """Return what base firmware has left in L1 when the link is up, by address."""
    words = (*_OF_E0, *_OF_E1, word("jal"), word("jalr", rs1=RA))
    return {
        0: in_bytes(word("jal", imm=CODE)),  # E0 begins at 0
        CODE: in_bytes(*words),
        RESULTS: in_bytes(POSTCODE, PORT_UP, TRAINED),
        LIVE: in_bytes(0, 1),  # no retraining; the receiver's link is up
        API: in_bytes(*[RETURN] * FUNCTIONS),
        LOCAL - 4: in_bytes(VERSION),
        LOCAL: _info(local),
        REMOTE: _info(remote),
    }


def _info(side: Side) -> bytes:
    """chip_info_t: no type of the board, and no MAC address."""
    head = bytes((0, side.location, side.channel, side.channel))
    board = in_bytes(side.board >> 32, side.board & 0xFFFFFFFF)
    return head + board + bytes(8) + in_bytes(0, side.asic)

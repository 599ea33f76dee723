# SPDX-License-Identifier: Apache-2.0
"""The code that a Wormhole's Ethernet tile starts with, in place of Tenstorrent's base firmware.

Its one core is shared between base firmware and programs of the host's (WormholeB0
EthernetTile/BabyRISCV/README.md). Base firmware is no public program. What tt-metal and tt-umd read
of it is here: the results of a training that has succeeded, a table of functions of which programs
call the first while they wait, and a loop that calls a program when the host sets its launch flag
(tt-metal, wormhole/eth_l1_address_map.h, eth_fw_api.h, erisc.cc; tt-umd,
topology_discovery_wormhole.cpp, types/wormhole_eth.hpp; EthernetTile/L1.md has the owners).

Its code is executed by the core as any other. The functions of the table return at once: with a
link that stays up there is nothing to service. It does not carry requests of a host to other chips
(BaselineDataMovementService.md): each chip is a device of PCI Express.
"""

from __future__ import annotations

from tensix_gdb.core.arch.chips import WORMHOLE
from tensix_gdb.core.chip.ethernet.assembled import (
    RA,
    SP,
    T0,
    T1,
    T2,
    T3,
    Side,
    in_bytes,
    li,
    word,
)
from tensix_gdb.core.chip.places import ETHERNET, on_noc

CODE = 0x3000  # chosen here, in what Tenstorrent's code has of L1
HEARTBEAT = 0x1C
VERSION_AT, VERSION = 0x210, 6 << 16 | 14 << 12  # 6.14.0, as ttsim has it
TRAINING, TRAINED = 0x1104, 1
NODE, NEAR_NODE, FAR_NODE = 0x1100, 2, 9  # words: where both chips are
RESULTS, LINK_STATUS, LINK_IS_UP = 0x1EC0, 5, 6
# Words of the results: of the near side, and of the far one.
LOCAL, REMOTE = 64, 72
FLAG, FUNCTIONS_AT, FUNCTIONS, PROGRAM = 0x9004, 0x9020, 8, 0x9040
STACK = 0xFFB01000

_LOOP = (
    *li(SP, STACK),
    *li(T0, FLAG),
    word("addi", rd=T2, imm=1),
    *li(T3, PROGRAM),
    word("lw", rd=T1, rs1=T0),
    word("bne", rs1=T1, rs2=T2, imm=-4),
    word("jalr", rd=RA, rs1=T3),
)
_CODE = (*_LOOP, word("jal", imm=-4 * len(_LOOP)), word("jalr", rs1=RA))
RETURN = CODE + 4 * len(_CODE) - 4  # `ret`


def contents(local: Side, remote: Side) -> dict[int, bytes]:
    """Return what base firmware has left in L1 when the link is up, by address."""
    x, y = on_noc(ETHERNET[WORMHOLE][remote.channel])
    return {
        0: in_bytes(word("jal", imm=CODE)),  # the core begins at 0
        CODE: in_bytes(*_CODE),
        VERSION_AT: in_bytes(VERSION),
        TRAINING: in_bytes(TRAINED),
        NODE + 4 * NEAR_NODE: in_bytes(_column(local) << 16),
        NODE + 4 * FAR_NODE: in_bytes(_column(remote) << 16 | y << 10 | x << 4),
        RESULTS + 4 * LINK_STATUS: in_bytes(LINK_IS_UP),
        RESULTS + 4 * LOCAL: _info(local),
        RESULTS + 4 * REMOTE: _info(remote),
        FUNCTIONS_AT: in_bytes(*[RETURN] * FUNCTIONS),
    }


def _info(side: Side) -> bytes:
    """Half of the results, boot_results_t: what is left of the board's number, that of the chip, no
    coordinates, the channel, and a type of the board that says nothing."""
    return in_bytes(board_number(side.board), side.asic, 0, 0, side.channel, 0)


def _column(side: Side) -> int:
    """Return where a chip is: they stand in a row."""
    return side.asic - 1


def board_number(board: int) -> int:
    """Return the 32 bits that base firmware keeps of a board's number."""
    return board >> 4 & 0xF0000000 | board & 0x0FFFFFFF

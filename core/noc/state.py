# SPDX-License-Identifier: Apache-2.0
"""State of the two NIUs: requests on their way, and what they have counted (NoC/Counters.md).

A request is taken from its initiator into a slot and stays there until its last answer. Slots are
taken in turn, so that requests of one NIU that are equally far are in order.
"""

from tensix_gdb.core.record.layout import Chapter, Part, Role, Tag, View, row

NIUS = 2
INITIATORS = 4
SLOTS = 16
PLACES = 17 * 12  # of the chip
DRAM_CHANNELS = 8
CHANNELS = 12  # that Wormhole has, in six groups
COUNTERS = 64
REGISTERS = 17  # of an initiator, in `niu.word` one after the other from 1 on (core/devices/niu.py)
CONFIG = 70  # NIU_CFG_0 among the registers of a NIU
BASES = tuple(1 + REGISTERS * initiator for initiator in range(INITIATORS))
PENDING_NOC = 4  # bit of tile.pending: a request is on its way

# slot stages
FREE, GOING, COMING = 0, 1, 2
# in `held`: the links (core/links) will say when it is there; the same, and it has to come after a
# read before it; it is there, and may have to wait for that read
HELD, AFTER_READ, THERE = 1, 2, 3

# counters
ATOMIC_RESP_RECEIVED, WR_ACK_RECEIVED, RD_RESP_RECEIVED, RD_DATA_WORD_RECEIVED = 0, 1, 2, 3
CMD_ACCEPTED, RD_REQ_SENT, NONPOSTED_ATOMIC_SENT, POSTED_ATOMIC_SENT = 4, 5, 6, 7
NONPOSTED_WR_DATA_WORD_SENT, POSTED_WR_DATA_WORD_SENT = 8, 9
NONPOSTED_WR_REQ_SENT, POSTED_WR_REQ_SENT = 10, 11
NONPOSTED_WR_REQ_STARTED, POSTED_WR_REQ_STARTED = 12, 13
RD_REQ_STARTED, NONPOSTED_ATOMIC_STARTED = 14, 15
OUTSTANDING, OUTGOING = 16, 32  # of sixteen transaction ids each
SLV_ATOMIC_RESP_SENT, SLV_WR_ACK_SENT, SLV_RD_RESP_SENT, SLV_RD_DATA_WORD_SENT = 48, 49, 50, 51
SLV_REQ_ACCEPTED, SLV_RD_REQ_RECEIVED = 52, 53
SLV_NONPOSTED_ATOMIC_RECEIVED, SLV_POSTED_ATOMIC_RECEIVED = 54, 55
SLV_NONPOSTED_WR_DATA_WORD_RECEIVED, SLV_POSTED_WR_DATA_WORD_RECEIVED = 56, 57
SLV_NONPOSTED_WR_REQ_RECEIVED, SLV_POSTED_WR_REQ_RECEIVED = 58, 59
SLV_NONPOSTED_WR_REQ_STARTED, SLV_POSTED_WR_REQ_STARTED = 60, 61

_A = Tag.ARCHITECTURAL
_S = (NIUS, SLOTS)

# fmt: off
NOC = Part("noc", (
    row("counter", "u32", (NIUS, COUNTERS),   _A, "NIU counters", role=Role.PROGRESS),
    row("wants",   "u8",  (NIUS, INITIATORS), _A, "NOC_CMD_CTRL: a place in the order, or 0",
        role=Role.PROGRESS),
    row("busy",    "i64", (NIUS, INITIATORS), Tag.TIMING, "NOC_CMD_CTRL reads 1 before this cycle"),
    row("by",      "u8",  (NIUS, INITIATORS), _A, "the hart that has started it"),
    row("at",      "u32", (NIUS, INITIATORS), _A, "where"),
    row("order",   "u8",  NIUS,               _A, "initiators that wait", role=Role.PROGRESS),
    row("next",    "u8",  NIUS,               _A, "the slot of the next request",
        role=Role.PROGRESS),
    row("stage",   "u8",  _S, _A, "FREE, GOING to the target, COMING back", role=Role.PROGRESS),
    row("due",     "i64", _S, Tag.TIMING, "the cycle in which it is there"),
    row("ctrl",    "u32", _S, _A, "NOC_CTRL"),
    row("id",      "u8",  _S, _A, "transaction id"),
    row("targ",    "i64", _S, _A, "target address"),
    row("targ_at", "u32", _S, _A, "its coordinates"),
    row("ret",     "i64", _S, _A, "return address"),
    row("ret_at",  "u32", _S, _A, "its coordinates"),
    row("length",  "i64", _S, _A, "NOC_AT_LEN_BE"),
    row("mask",    "u32", _S, _A, "NOC_AT_LEN_BE_1"),
    row("data",    "u32", _S, _A, "NOC_AT_DATA", role=Role.DATA),
    row("hart",    "u8",  _S, _A, "the hart that has started it"),
    row("pc",      "u32", _S, _A, "where"),
    row("outside", "u8",  _S, _A, "its data has been moved to or from outside the tile"),
    row("left",    "i64", _S, Tag.TIMING, "the cycle in which it has left"),
    row("turn",    "i64", _S, Tag.TIMING, "its turn at another tile (core/noc/turns.py), or 0"),
    row("first_turn", "i64", NIUS, Tag.TIMING, "the first one of others here"),
    row("last_turn",  "i64", NIUS, Tag.TIMING, "the last one"),
    row("fresh",   "u32", NIUS, Tag.TIMING, "slots that the links do not know yet (core/links)"),
    row("held",    "u8",  _S, Tag.TIMING, "links, or a channel of DRAM, say when it is there"),
    row("links",   "u8",  (),     Tag.DERIVED, "the chip has links that packets take turns at"),
    row("until",   "i64", CHANNELS, Tag.TIMING, "of a tile alone: when DRAM is free, in PARTS"),
    row("home",    "u32", (),     Tag.DERIVED, "NoC 0 coordinates of this tile; 0: it is alone"),
    row("chip",    "u8",  PLACES, Tag.DERIVED, "what is where, plus 1; 0: as for a tile alone"),
    row("l1",      "i64", (),     Tag.DERIVED, "the address of L1 of this tile; 0: not known"),
    row("dram",    "i64", DRAM_CHANNELS, Tag.DERIVED, "addresses of the tables of its segments"),
    row("notice",  "i64", (),     Tag.DERIVED, "from here on writes of other tiles are noticed"),
    row("notice_end", "i64", (),  Tag.DERIVED, "up to here"),
    row("seed",    "u32", (),     Tag.DERIVED, "of a chip in `random`: what requests draw from"),
), role=Role.SETTING, chapter=Chapter.DEVICES)
# fmt: on


def count(S: View, niu: int, counter: int, by: int) -> int:
    """Add to a counter; those of transaction ids have eight bits."""
    width = 0xFF if OUTSTANDING <= counter < SLV_ATOMIC_RESP_SENT else 0xFFFFFFFF
    S.noc.counter[niu, counter] = (S.noc.counter[niu, counter] + by) & width
    return 0

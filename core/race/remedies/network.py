# SPDX-License-Identifier: Apache-2.0
"""Advice on pairs with the host, with another tile, or with a request of an NIU."""

from __future__ import annotations

from tensix_gdb.core.race.lines import OTHER_TILE, PACKET, Noc
from tensix_gdb.core.race.remedies.end import Advice, End
from tensix_gdb.core.race.remedies.remedy import Remedy, RemedyKind, in_words

_ORDERING = "BabyRISCV/MemoryOrdering.md"
_COUNTERS = "NoC/Counters.md"
_PACKETS = "BlackholeA0 EthernetTile/EthernetTxRx.md"
_FLUSH = "noc_async_write_barrier()"
# What says that requests of a line are over: until when, the barrier, the counters.
_OVER = {
    Noc.LANDED: ("its data is in L1", "noc_async_read_barrier()", "NIU_MST_RD_RESP_RECEIVED"),
    Noc.ACKED: ("it is acknowledged", _FLUSH, "NIU_MST_WR_ACK_RECEIVED"),
    Noc.ANSWERED: ("it is answered", "noc_async_atomic_barrier()", "NIU_MST_ATOMIC_RESP_RECEIVED"),
    Noc.SENT: (
        "its source was read", _FLUSH, "NIU_MST_WRITE_REQS_OUTGOING_ID or NIU_MST_WR_ACK_RECEIVED"
    ),
}  # fmt: skip


def with_host() -> Advice:
    """Return the advice on an access of the host and one of the tile."""
    return Advice(
        "The host and the tile share L1, and neither has waited for a word of the other one that "
        "says that the access is over.",
        in_words("a word of L1 that the later one polls", "between the two", "fence"), _ORDERING,
    )  # fmt: skip


def with_tile(earlier: End) -> Advice:
    """Return the advice on a request of another tile and an access of this one."""
    if earlier.line.agent == OTHER_TILE:
        return Advice(
            "The request comes from another tile, and no signal that this one has waited for was "
            "sent after the other tile knew it to be over.",
            Remedy(
                RemedyKind.BARRIER, "in the other tile, between the request and its signal",
                macro=_FLUSH, words=f"a barrier of its NIU, such as {_FLUSH}",
                would_not=("a signal by another NoC, or on another virtual channel", "fence"),
            ),
            _COUNTERS,
        )  # fmt: skip
    return Advice(
        "The other tile has started the request without having heard that this one has done with "
        "the memory.",
        in_words("a signal to the other tile, which waits for it (a semaphore)",
                 "between the two", "NOC_CMD_CTRL back at 0", "fence"),
        _COUNTERS,
    )  # fmt: skip


def with_packet(earlier: End, later: End) -> Advice:
    """Return the advice on a packet and an access at one of its two ends."""
    if earlier.line.agent == PACKET:
        return Advice(
            "A TX queue reads the data of a packet again until the other end has it, and no "
            "register says when; there nothing says that it has come but what is sent after it.",
            in_words("a word of the other end that says so (a credit), or one that the same TX "
                     "queue sends after the packet", "before the later access",
                     "ETH_TXQ_STATUS, which says that the command was taken"),
            _PACKETS,
        )  # fmt: skip
    if earlier.line.hart is not None and not later.access.outside:
        return _read_back("TX queue", "packet may be read", "ETH_TXQ_CMD", later)
    return Advice(
        "The packet was sent without a wait for what the other access does with the memory.",
        in_words("a signal that the sender waits for (a credit)",
                 "before the store to ETH_TXQ_CMD"),
        _PACKETS,
    )  # fmt: skip


def after_request(earlier: End) -> Advice:
    """Return the advice on an access that comes after a request was started."""
    noc = earlier.line.noc
    if noc not in _OVER:
        return Advice(
            "A posted request is at its target at any time, and no counter of its NIU says when.",
            in_words("NOC_CMD_RESP_MARKED, and a wait for the answer", "at the request",
                     "noc_async_posted_writes_flushed(), after which it may be on its way"),
            _COUNTERS,
        )  # fmt: skip
    until, barrier, counter = _OVER[noc]
    return Advice(
        f"A request continues after the store to NOC_CMD_CTRL; that {until} is known by a counter.",
        Remedy(
            RemedyKind.BARRIER, "between the two, or before the signal to the later one",
            earlier.after, barrier, words=f"{barrier} ({counter})",
            would_not=(
                "NOC_CMD_CTRL back at 0, which says that the request was taken", "fence",
            ),
        ),
        _COUNTERS,
    )  # fmt: skip


def before_request(earlier: End, later: End) -> Advice:
    """Return the advice on a request that is started after an access."""
    if earlier.line.hart is not None:
        return _read_back("NIU", "request may begin", "NOC_CMD_CTRL", later)
    return Advice(
        "The hart has started the request without a wait for what the other one does with L1.",
        in_words("a signal of the earlier one that the hart waits for",
                 "before the store to NOC_CMD_CTRL"),
        _COUNTERS,
    )  # fmt: skip


def _read_back(unit: str, what: str, register: str, later: End) -> Advice:
    """Advise to load from L1 what was stored there, before the unit is told to read it."""
    return Advice(
        f"L1 and the {unit} are two regions: the {what} before what was emitted to L1 is "
        "processed.",
        Remedy(
            RemedyKind.READ_BACK, f"before the store to {register}", later.before,
            words="use the value that a load of the same word brings", would_not=("fence",),
        ),
        _ORDERING,
    )  # fmt: skip

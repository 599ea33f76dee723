# SPDX-License-Identifier: Apache-2.0
"""Signals of the debug bus of a card, by name, and the registers that selecting them changes.

What DBG_BUS_CNTL_REG and CFGREG_RD_CNTL had selected is put back. tt-exalens reads signals in the
same way; here a group is read once for all of its signals.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import TILE_CONTROL_BASE
from tensix_gdb.core.devices.debug.signal_names import NAMES
from tensix_gdb.gdbstub.host.exalens.card import Card

BUS_CNTL, BUS_DATA, CFGREG_RD_CNTL, CFGREG_RDDATA = (
    TILE_CONTROL_BASE + offset for offset in (0x054, 0x05C, 0x058, 0x078)
)
ENABLED = 1 << 29


class Bus:
    """The debug bus of a tile. Each group of signals is read when one of it is asked for."""

    def __init__(self, card: Card) -> None:
        self._card = card
        self._words: dict[tuple[int, int, int], int] = {}

    def signal(self, name: str) -> int:
        """Return the value of a signal. CannotRead if the card does not answer."""
        return NAMES[name].value(self._word)

    def read_anew(self) -> None:
        """Read anew what is asked for from here on."""
        self._words.clear()

    def _word(self, daisy: int, signal: int, number: int) -> int:
        at = daisy, signal, number
        if at not in self._words:
            self._card.write(BUS_CNTL, ENABLED | number << 25 | daisy << 16 | signal)
            self._words[at] = read_word(self._card, BUS_DATA)
        return self._words[at]


def read_word(card: Card, addr: int) -> int:
    """Return a word that the NoC reaches."""
    return int.from_bytes(card.read(addr, 4), "little")


@contextlib.contextmanager
def selections_kept(card: Card) -> Iterator[None]:
    """Put back what the two registers had selected."""
    kept = [(addr, read_word(card, addr)) for addr in (BUS_CNTL, CFGREG_RD_CNTL)]
    try:
        yield
    finally:
        for addr, value in kept:
            card.write(addr, value)

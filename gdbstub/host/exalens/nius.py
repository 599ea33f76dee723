# SPDX-License-Identifier: Apache-2.0
"""The part of a snapshot of the two NoC interface units: over the NoC, word by word.

Registers that keep what was stored in them, and the counters. On a card counters of what the tile
has received count the reads of the snapshot, too.
"""

from __future__ import annotations

from tensix_gdb.core.devices.niu import KEPT_BITS, NIU_BASE, NIU_STRIDE, NIUS
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.host.exalens.bus import read_word
from tensix_gdb.gdbstub.host.exalens.card import Card
from tensix_gdb.gdbstub.tensix.corefile.unknown_memory import NIU_COUNTERS, NIU_STORAGE


def read_nius(card: Card, machine: Machine) -> None:
    """Read both units. CannotRead if the card does not answer."""
    for niu in range(NIUS):
        base = NIU_BASE + niu * NIU_STRIDE
        for offset, slot in NIU_STORAGE.items():
            machine.S.niu.word[niu, slot] = read_word(card, base + offset) & KEPT_BITS[slot]
        for number, offset in enumerate(NIU_COUNTERS):
            machine.S.noc.counter[niu, number] = read_word(card, base + offset)

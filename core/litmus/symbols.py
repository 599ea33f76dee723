# SPDX-License-Identifier: Apache-2.0
"""Names for addresses in litmus programs: words of L1, and devices as a hart sees them.

X, Y, flag       any other name: a word of L1, each in a cache line and a bank of its own
X+4, X[1]        bytes and words from there on
SEM[2], GPR[17]  an element of a device, by the names of the table below or of devices.py
0xffe40000       the address itself
"""

from __future__ import annotations

import re

from tensix_gdb.core.assembly.rv32_read import REGISTERS
from tensix_gdb.core.memory.devices import DEVICES

_AT = {device.key: device.spans[0].start for device in DEVICES if device.spans}
# Name: first address and distance of elements.
# fmt: off
SYMBOLS: dict[str, tuple[int, int]] = {
    "LOCAL":        (_AT["LOCAL"], 4),          # the hart's own local RAM
    "SLOW_B":       (_AT["SLOW_LOCAL"], 4),     # the same memories by the slow path
    "SLOW_NC":      (_AT["SLOW_LOCAL"] + 0x2000, 4),
    "SLOW_T0":      (_AT["SLOW_LOCAL"] + 0x4000, 4),
    "SLOW_T1":      (_AT["SLOW_LOCAL"] + 0x6000, 4),
    "SLOW_T2":      (_AT["SLOW_LOCAL"] + 0x8000, 4),
    "TDMA":         (_AT["TDMA"], 4),
    "INT_NO":       (_AT["PIC"] + 8, 4),        # BRISC_INT_NO: a store without effect
    "MOPCFG":       (_AT["MOP_CONFIG"], 4),
    "DST":          (_AT["DST"], 4),
    "GPR":          (_AT["GPR"], 4),            # T cores: own 64, again every 64; B: 64 a thread
    "PUSH":         (_AT["PUSH"], 0x10000),
    "PCBUF":        (_AT["PCBUF"], 0x10000),
    "TTSYNC":       (_AT["PCBUF"] + 4, 4),      # CoprocessorDoneCheck
    "MOPSYNC":      (_AT["PCBUF"] + 8, 4),      # MOPExpanderDoneCheck
    "SEM":          (_AT["PCBUF"] + 0x20, 4),
    "MAILBOX_B":    (_AT["MAILBOX"], 4),
    "MAILBOX_T0":   (_AT["MAILBOX"] + 0x1000, 4),
    "MAILBOX_T1":   (_AT["MAILBOX"] + 0x2000, 4),
    "MAILBOX_T2":   (_AT["MAILBOX"] + 0x3000, 4),
    "CFG":          (_AT["CONFIG"], 4),         # bank 0, bank 1 from 224 on, both from 448 on
}
# fmt: on
_NAMED = {base for base, _ in SYMBOLS.values()}
# Every other device goes by its key.
SYMBOLS.update((key, (at, 4)) for key, at in _AT.items() if key != "L1" and at not in _NAMED)
FIRST_DATA = 0xC00  # after the programs (machine/machine.py)
LINE = 64

_NAME = re.compile(r"^([A-Za-z_]\w*)(?:\[(\w+)\])?(?:\+(\w+))?$")


class PlaceError(ValueError):
    """The text names no place; one sentence."""


class Places:
    """The words of L1 that a test names, each where it was first needed."""

    def __init__(self, room: int) -> None:
        self._room = room
        self.words: dict[str, int] = {}

    def address(self, text: str) -> int:
        """Return the address that a location means; PlaceError when it is none."""
        try:
            return int(text, 0) & 0xFFFFFFFF
        except ValueError:
            pass
        match = _NAME.match(text)
        if match is None:
            raise PlaceError(f"{text!r} is no location; write X, X+4, SEM[0] or an address")
        name, index, offset = match.groups()
        base, stride = SYMBOLS.get(name) or (self._word(name), 4)
        try:
            return base + int(index or "0", 0) * stride + int(offset or "0", 0)
        except ValueError:
            raise PlaceError(f"{text!r}: what follows {name} is no number") from None

    def _word(self, name: str) -> int:
        if name in REGISTERS:
            raise PlaceError(f"{name} is a register, not a location")
        if name not in self.words:
            at = FIRST_DATA + LINE * len(self.words)
            if at + LINE > self._room:
                most = (self._room - FIRST_DATA) // LINE
                raise PlaceError(f"{name}: a test has at most {most} locations in L1")
            self.words[name] = at
        return self.words[name]

    def name_of(self, address: int) -> str:
        """Return the shortest name of an address, for timelines."""
        for name, at in self.words.items():
            if at <= address < at + LINE:
                return name if address == at else f"{name}+{address - at}"
        for name, (base, _) in SYMBOLS.items():
            if base <= address < base + 0x1000 and name not in ("TTSYNC", "MOPSYNC", "SEM"):
                label = name
                if name == "PCBUF" and address != base:
                    label = {base + 4: "TTSYNC", base + 8: "MOPSYNC"}.get(address, "SEM")
                    base += 0x20 if label == "SEM" else address - base
                index = (address - base) // 4
                return f"{label}[{index}]" if index or label in ("SEM", "GPR", "CFG") else label
        return f"{address:#x}"

# SPDX-License-Identifier: Apache-2.0
"""The one record of the machine: every part's rows joined, and copy, compare, hash and diff.

`Record.S` is the face for Python, `Record.address` the one for compiled code; both are the same
bytes. Rows tagged DERIVED stand at the end and take no part in anything below.
"""

from __future__ import annotations

import ctypes
import hashlib
import mmap
from dataclasses import dataclass

from core.clock import TILE
from core.conditions import CONDITION
from core.counting.fields import COUNTED
from core.devices.backend_config import CONFIG
from core.devices.gprs import GPR
from core.devices.mailboxes import MAILBOX
from core.devices.mop_config import MOP_CONFIG
from core.devices.niu import NIU
from core.devices.overlay import OVERLAY
from core.devices.pcbufs import PCBUF
from core.devices.pic import PIC
from core.devices.push import PUSH
from core.devices.risc_debug import RISC_DEBUG
from core.devices.semaphores import SEMAPHORE
from core.devices.tdma import TDMA
from core.devices.tile_control import TILE_CONTROL
from core.devices.timestamper import TIMESTAMPER
from core.engine.fields import ENGINE
from core.fault_policy import FAULT
from core.layout import CASTS, Layout, Part, Slot, Tag, View
from core.memory.fields import L1, LOCAL
from core.memory.streams import STREAM
from core.noc.state import NOC
from core.riscv.fields import DECODED, HART
from core.riscv.pipeline_fields import PIPELINE
from core.riscv.rvv.fields import RVV
from core.riscv.semihosting import SEMIHOSTING
from core.schedule import SCHEDULE
from core.stop import DEBUG, STOP
from core.tensix.adc import ADC
from core.tensix.config_pipe import CONFIG_PIPE
from core.tensix.coprocessor import TENSIX
from core.tensix.dst import DST
from core.tensix.fifo import FIFO
from core.tensix.gate_stops import GATE_STOP
from core.tensix.gate_watch import GATE_WATCH
from core.tensix.latch import LATCH
from core.tensix.matrix_dst import FPU
from core.tensix.matrix_pipe import FPU_PIPE
from core.tensix.matrix_stale import STALE
from core.tensix.mop_expander import MOP_EXPANDER
from core.tensix.mover import MOVER_STATE
from core.tensix.occupancy import OCCUPANCY
from core.tensix.pack_state import PACKER
from core.tensix.passed import PASSED
from core.tensix.replay_expander import REPLAY_EXPANDER
from core.tensix.rwc import RWC
from core.tensix.src import SRC
from core.tensix.sync import MUTEX
from core.tensix.thcon import THCON
from core.tensix.tracker import TRACKER
from core.tensix.unpack_queue import UNPACK_STATE
from core.tensix.vector.late import LATE
from core.tensix.vector.macro import MACRO
from core.tensix.vector.pipe import PIPE
from core.tensix.vector.state import VECTOR_STATE
from core.tensix.wait_gate import GATE
from core.trace import TRACE

# fmt: off
PARTS: tuple[Part, ...] = (
    TILE, SCHEDULE, HART, PIPELINE, RVV, SEMIHOSTING, STREAM,
    TILE_CONTROL, PUSH, MAILBOX, PCBUF, SEMAPHORE, MOP_CONFIG, GPR, CONFIG, TDMA, DST,
    FIFO, MOP_EXPANDER, REPLAY_EXPANDER, TRACKER, LATCH, GATE, PASSED, MUTEX,
    TENSIX, THCON, CONFIG_PIPE, ADC, RWC, MOVER_STATE, OCCUPANCY, SRC, UNPACK_STATE,
    PACKER, VECTOR_STATE, LATE, MACRO, PIPE, FPU, FPU_PIPE, PIC, TIMESTAMPER, RISC_DEBUG, NIU,
    NOC, OVERLAY, STALE,
    L1, LOCAL,
    FAULT,
    TRACE, STOP, DEBUG, GATE_STOP, GATE_WATCH, CONDITION, DECODED, COUNTED, ENGINE,
)
# fmt: on
LAYOUT = Layout(PARTS)


@dataclass(frozen=True, slots=True)
class Difference:
    """One element that differs: `path` such as `hart.x[1, 10]`, and its two values."""

    path: str
    left: int
    right: int


class Record:
    """A buffer in the shape of `layout`; a fresh one is all zeros."""

    def __init__(self, layout: Layout = LAYOUT, *, checked: bool = True) -> None:
        self.layout = layout
        # Pages of zeros that the system gives when they are touched: most never are.
        storage = mmap.mmap(-1, layout.size)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(storage))
        self._bytes = memoryview(storage)[: layout.size]
        self._state = self._bytes[: layout.state_size]
        self.S = View(layout, self._bytes, checked=checked)

    def row(self, slot: Slot) -> memoryview:
        """The raw bytes of one row."""
        return self._bytes[slot.offset : slot.offset + slot.field.size]

    def raw_state(self) -> memoryview:
        """The raw bytes of all state rows."""
        return self._state

    def snapshot(self, into: bytearray | None = None) -> bytearray:
        """Copy the state; hand in an earlier snapshot to spare the allocation."""
        kept = bytearray(self.layout.state_size) if into is None else into
        kept[:] = self._state
        return kept

    def restore(self, snapshot: bytearray) -> None:
        """Put a snapshot back. The caller drops what is DERIVED from the old state."""
        self._state[:] = snapshot

    def state(self) -> bytes:
        """All state rows as bytes, for byte-for-byte comparison."""
        return bytes(self._state)

    def hash(self, *tags: Tag) -> str:
        """Hash the rows of these tags; all state when none is named."""
        if not tags:
            return hashlib.blake2b(self._state, digest_size=16).hexdigest()
        digest = hashlib.blake2b(digest_size=16)
        for slot in self.layout.storage(*tags):
            digest.update(self.row(slot))
        return digest.hexdigest()

    def diff(self, other: Record, *tags: Tag, limit: int = 20) -> list[Difference]:
        """Name the first `limit` elements in which two records differ."""
        found: list[Difference] = []
        for slot in self.layout.storage(*tags):
            mine, theirs = self.row(slot), other.row(slot)
            if mine == theirs:
                continue
            a, b = (side.cast(CASTS[slot.field.kind]) for side in (mine, theirs))
            for flat, (left, right) in enumerate(zip(a, b, strict=True)):
                if left != right:
                    found.append(Difference(_path(slot, flat), left, right))
                    if len(found) == limit:
                        return found
        return found


def _path(slot: Slot, flat: int) -> str:
    shape = slot.field.shape
    if not shape:
        return slot.path
    index = []
    for length in reversed(shape):
        flat, at = divmod(flat, length)
        index.append(at)
    return f"{slot.path}[{', '.join(map(str, reversed(index)))}]"

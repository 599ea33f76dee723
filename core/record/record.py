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

from tensix_gdb.core.clock.sc import TILE
from tensix_gdb.core.counting.fields import COUNTED
from tensix_gdb.core.debug.conditions import CONDITION
from tensix_gdb.core.devices.backend_config import CONFIG
from tensix_gdb.core.devices.debug.risc_debug import RISC_DEBUG
from tensix_gdb.core.devices.gprs import GPR
from tensix_gdb.core.devices.mailboxes import MAILBOX
from tensix_gdb.core.devices.mop_config import MOP_CONFIG
from tensix_gdb.core.devices.niu import NIU
from tensix_gdb.core.devices.overlay import OVERLAY
from tensix_gdb.core.devices.pcbufs import PCBUF
from tensix_gdb.core.devices.pic import PIC
from tensix_gdb.core.devices.push import PUSH
from tensix_gdb.core.devices.semaphores import SEMAPHORE
from tensix_gdb.core.devices.tdma import TDMA
from tensix_gdb.core.devices.tile_control import TILE_CONTROL
from tensix_gdb.core.devices.timestamper import TIMESTAMPER
from tensix_gdb.core.engine.fields import ENGINE
from tensix_gdb.core.faults.policy import FAULT
from tensix_gdb.core.memory.fields import L1, LOCAL
from tensix_gdb.core.memory.streams import STREAM
from tensix_gdb.core.noc.state import NOC
from tensix_gdb.core.record.layout import CASTS, Layout, Part, Slot, Tag, View
from tensix_gdb.core.riscv.fields import DECODED, HART
from tensix_gdb.core.riscv.pipeline.fields import PIPELINE
from tensix_gdb.core.riscv.rvv.fields import RVV
from tensix_gdb.core.riscv.semihosting import SEMIHOSTING
from tensix_gdb.core.schedule import SCHEDULE
from tensix_gdb.core.stop import DEBUG, STOP
from tensix_gdb.core.tensix.auto_ttsync.tracker import TRACKER
from tensix_gdb.core.tensix.config.pipeline import CONFIG_PIPE
from tensix_gdb.core.tensix.coprocessor import TENSIX
from tensix_gdb.core.tensix.frontend.fifo import FIFO
from tensix_gdb.core.tensix.frontend.mop_expander import MOP_EXPANDER
from tensix_gdb.core.tensix.frontend.replay_expander import REPLAY_EXPANDER
from tensix_gdb.core.tensix.gate.breakpoints import GATE_STOP
from tensix_gdb.core.tensix.gate.issued import PASSED
from tensix_gdb.core.tensix.gate.latch import LATCH
from tensix_gdb.core.tensix.gate.wait_gate import GATE
from tensix_gdb.core.tensix.gate.watchpoints import GATE_WATCH
from tensix_gdb.core.tensix.matrix.dst_before import STALE
from tensix_gdb.core.tensix.matrix.dst_rows import FPU
from tensix_gdb.core.tensix.matrix.pipeline import FPU_PIPE
from tensix_gdb.core.tensix.mover.unit import MOVER_STATE
from tensix_gdb.core.tensix.occupancy import OCCUPANCY
from tensix_gdb.core.tensix.packer.state import PACKER
from tensix_gdb.core.tensix.regfiles.adc import ADC
from tensix_gdb.core.tensix.regfiles.dst import DST
from tensix_gdb.core.tensix.regfiles.rwc import RWC
from tensix_gdb.core.tensix.regfiles.src import SRC
from tensix_gdb.core.tensix.scalar.pipeline import THCON
from tensix_gdb.core.tensix.sync import MUTEX
from tensix_gdb.core.tensix.unpacker.queue import UNPACK_STATE
from tensix_gdb.core.tensix.vector.macro import MACRO
from tensix_gdb.core.tensix.vector.pipeline import PIPE
from tensix_gdb.core.tensix.vector.state import VECTOR_STATE
from tensix_gdb.core.tensix.vector.writeback import LATE
from tensix_gdb.core.timeline.record import TRACE

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

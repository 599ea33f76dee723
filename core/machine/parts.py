# SPDX-License-Identifier: Apache-2.0
"""The parts of the tile's record, joined; those of devices come from the table of devices."""

from __future__ import annotations

from tensix_gdb.core.clock.burst_state import BURST
from tensix_gdb.core.clock.polling_rows import POLLING
from tensix_gdb.core.clock.sc import TILE
from tensix_gdb.core.counting.fields import COUNTED
from tensix_gdb.core.debug.armed import DEBUG
from tensix_gdb.core.debug.conditions import CONDITION
from tensix_gdb.core.decisions import DECISION
from tensix_gdb.core.engine.fields import ENGINE
from tensix_gdb.core.faults.policy import FAULT
from tensix_gdb.core.faults.reports import REPORT
from tensix_gdb.core.memory.devices import DEVICES
from tensix_gdb.core.memory.fields import L1, LOCAL, REQUEST
from tensix_gdb.core.memory.l1_ports import L1_PORT
from tensix_gdb.core.memory.l1_watch import L1_WATCH
from tensix_gdb.core.memory.streams import STREAM
from tensix_gdb.core.noc.state import NOC
from tensix_gdb.core.ordering.holds import HOLD
from tensix_gdb.core.ordering.pause_places import PAUSE_PLACE
from tensix_gdb.core.ordering.pauses import PAUSE
from tensix_gdb.core.ordering.promises import PROMISED
from tensix_gdb.core.race.checks.fields import CHECK
from tensix_gdb.core.race.fields import RACE
from tensix_gdb.core.race.kept import FOUND
from tensix_gdb.core.race.stages.fields import STAGES
from tensix_gdb.core.race.state.fields import STATE
from tensix_gdb.core.record.layout import Layout, Part
from tensix_gdb.core.record.stamps import ORIGIN
from tensix_gdb.core.riscv.fields import DECODED, HART, TRANSLATED
from tensix_gdb.core.riscv.pipeline.asleep import ASLEEP
from tensix_gdb.core.riscv.pipeline.fields import PIPELINE
from tensix_gdb.core.riscv.pipeline.frontend import FRONTEND as FRONT
from tensix_gdb.core.riscv.rvv.fields import RVV
from tensix_gdb.core.riscv.semihosting import SEMIHOSTING
from tensix_gdb.core.schedule import SCHEDULE
from tensix_gdb.core.stop import STOP
from tensix_gdb.core.tensix.auto_ttsync.tracker import TRACKER
from tensix_gdb.core.tensix.config.pipeline import CONFIG_PIPE
from tensix_gdb.core.tensix.coprocessor import TENSIX
from tensix_gdb.core.tensix.frontend.fifo import FIFO
from tensix_gdb.core.tensix.frontend.mop_expander import MOP_EXPANDER
from tensix_gdb.core.tensix.frontend.replay_expander import REPLAY_EXPANDER
from tensix_gdb.core.tensix.gate.breakpoints import GATE_STOP
from tensix_gdb.core.tensix.gate.issued import PASSED
from tensix_gdb.core.tensix.gate.latch import LATCH
from tensix_gdb.core.tensix.gate.requests import REQUEST_WATCH
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

# The parts of devices, each once: both NoC regions are of one module.
DEVICE_PARTS: tuple[Part, ...] = tuple(
    {part.name: part for device in DEVICES for part in getattr(device.load(), "PARTS", ())}.values()
)
# fmt: off
PARTS: tuple[Part, ...] = (
    TILE, SCHEDULE, DECISION, PAUSE, HART, PIPELINE, ASLEEP, FRONT, L1_PORT, RVV, SEMIHOSTING,
    STREAM,
    *DEVICE_PARTS, DST,
    FIFO, MOP_EXPANDER, REPLAY_EXPANDER, TRACKER, LATCH, GATE, PASSED, MUTEX,
    TENSIX, THCON, CONFIG_PIPE, ADC, RWC, MOVER_STATE, OCCUPANCY, SRC, UNPACK_STATE,
    PACKER, VECTOR_STATE, LATE, MACRO, PIPE, FPU, FPU_PIPE,
    NOC, STALE,
    L1, LOCAL,
    FAULT, REPORT, PROMISED, PAUSE_PLACE, HOLD,
    POLLING, TRACE, STOP, DEBUG, GATE_STOP, GATE_WATCH, L1_WATCH, REQUEST_WATCH, CONDITION,
    DECODED, TRANSLATED, COUNTED, RACE, CHECK, STATE, STAGES, FOUND, ORIGIN, BURST,
    REQUEST,
    ENGINE,
)
# fmt: on
LAYOUT = Layout(PARTS)

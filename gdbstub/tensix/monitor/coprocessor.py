# SPDX-License-Identifier: Apache-2.0
"""The `monitor` commands about the coprocessor, one row each.

A command that is about one Tensix thread takes T0, T1 or T2; without, it is about that of the
selected thread, and with B or NC selected about all three. `all` says so.
"""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.tensix.blocked.why import monitor_why
from tensix_gdb.gdbstub.tensix.monitor.cfg import monitor_cfg
from tensix_gdb.gdbstub.tensix.monitor.counters import monitor_adc, monitor_rwc
from tensix_gdb.gdbstub.tensix.monitor.dst import monitor_dst, monitor_vector
from tensix_gdb.gdbstub.tensix.monitor.frontend import monitor_fifo, monitor_mop, monitor_replay
from tensix_gdb.gdbstub.tensix.monitor.gate_breaks import monitor_break, monitor_delete
from tensix_gdb.gdbstub.tensix.monitor.order import monitor_order
from tensix_gdb.gdbstub.tensix.monitor.shared_state import monitor_gpr, monitor_mutex, monitor_sem
from tensix_gdb.gdbstub.tensix.monitor.src import monitor_src
from tensix_gdb.gdbstub.tensix.monitor.trace import MonitorTrace
from tensix_gdb.gdbstub.tensix.monitor.ttsync import monitor_ttsync
from tensix_gdb.gdbstub.tensix.monitor.watch import monitor_watch
from tensix_gdb.gdbstub.tensix.monitor_row import Command
from tensix_gdb.gdbstub.tensix.monitor_show import monitor_show
from tensix_gdb.gdbstub.tensix.pauses import monitor_pause

Form = Callable[[Machine, int, list[str]], str]


def _l1(machine: Machine, thread: int, words: list[str]) -> str:
    """Load its module when it is asked for: a server listens before."""
    from tensix_gdb.gdbstub.tensix.tiles.monitor import monitor_l1

    return monitor_l1(machine, thread, words)


def _dst_load(machine: Machine, thread: int, words: list[str]) -> str:
    from tensix_gdb.gdbstub.tensix.tiles.monitor import monitor_dst_load

    return monitor_dst_load(machine, thread, words)


def _dst_compare(machine: Machine, thread: int, words: list[str]) -> str:
    from tensix_gdb.gdbstub.tensix.tiles.monitor import monitor_dst_compare

    return monitor_dst_compare(machine, thread, words)


def _perf(machine: Machine, thread: int, words: list[str]) -> str:
    from tensix_gdb.gdbstub.tensix.perf.monitor import monitor_perf

    return monitor_perf(machine, thread, words)


def _print(machine: Machine, thread: int, words: list[str]) -> str:
    from tensix_gdb.gdbstub.tensix.vectors.monitor import monitor_print

    return monitor_print(machine, thread, words)


_THREAD = "[T0|T1|T2|all]"

# fmt: off
LOOKING: tuple[tuple[str, str, str, Form], ...] = (
    ("why",    "[HART|THREAD]", "what each hart and thread waits for", monitor_why),
    ("order",  "",      "requests under way, and what C10 sees",  monitor_order),
    ("fifo",   _THREAD, "instructions before the wait gates",     monitor_fifo),
    ("ttsync", _THREAD, "Auto TTSync: on or off, what it tracks", monitor_ttsync),
    ("mop",    f"{_THREAD} [WORD]", "MOP configuration and expansion", monitor_mop),
    ("replay", _THREAD, "replay buffer, and what is played",      monitor_replay),
    ("mutex",  "[N]",   "mutexes, and the threads that hold them",                  monitor_mutex),
    ("adc",    f"{_THREAD} [UNIT [COUNTER]]", "address counters", monitor_adc),
    ("rwc",    f"{_THREAD} [COUNTER]", "row counters and fidelity phase", monitor_rwc),
    ("dst",    "[ROWS|face N|tile N] [--format F]", "rows of Dst", monitor_dst),
    ("src",    "[a|b [BANK] [ROWS] [--format F]]", "SrcA, SrcB as matrices", monitor_src),
    ("print", "[NAME|dst_reg[N]]", "a vFloat, vInt or vUInt of SFPI as lanes", _print),
    ("perf", "[BANK|all]", "performance counters, and metrics of them", _perf),
    ("dst-compare", "ROW FORMAT [bits] DATUM...", "datums of Dst that differ", _dst_compare),
    ("l1",     "ADDR --tile FORMAT [--shape 32x64] [--rows]", "tiles of L1 as a matrix", _l1),
)
ARMING: tuple[tuple[str, str, str, Form], ...] = (
    ("break",  "[gate WHERE [thread T1] [if FIELD=VALUE,...] [nth N] [pending]|race [off]]",
     "stop when an instruction is at its gate; nth: of each push; pending: loaded later",
     monitor_break),
    ("watch",  "[PLACE]",
     "stop when the coprocessor, the NoC or the host changes it", monitor_watch),
    ("delete", "N...|all", "take breaks and watches away", monitor_delete),
)
CHANGING: tuple[tuple[str, str, str, Form], ...] = (
    ("show",   "PLACE [= VALUE]",          "any place in the tile",              monitor_show),
    ("pause",  "[WHERE:CYCLES|none]",      "pause a hart or thread",            monitor_pause),
    ("vector", "[LREG[.LANE = VALUE]] [--format F]", "LRegs and lane flags",  monitor_vector),
    ("dst-load", "ROW FORMAT NUMBER...",   "numbers into rows of Dst",           _dst_load),
    ("sem",    "[N[.max][=VALUE]]",        "semaphores, and the waiting threads", monitor_sem),
    ("gpr",    f"{_THREAD} [N[=VALUE]]",   "GPRs of a Tensix thread",            monitor_gpr),
    ("cfg",    "[TEXT|WORD|NAME=VALUE [BANK|T0]]", "configuration by name",      monitor_cfg),
)
# fmt: on


def tensix_commands(machine: Machine) -> list[Command]:
    """Return the rows, about this tile."""
    tracing = _about(machine, MonitorTrace())
    return [
        *(
            Command(name, arguments, text, _about(machine, form), changes)
            for changes, rows in ((False, LOOKING), (False, ARMING), (True, CHANGING))
            for name, arguments, text, form in rows
        ),
        Command("trace", "[on|off|last [N [TEXT]]]", "what changed, cycle by cycle", tracing),
    ]


def _about(machine: Machine, form: Form) -> Callable[[int, list[str]], str]:
    return lambda thread, words: form(machine, thread, words)

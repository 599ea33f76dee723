# SPDX-License-Identifier: Apache-2.0
"""The `monitor` commands about the coprocessor, one row each.

A command that is about one Tensix thread takes T0, T1 or T2; without, it is about that of the
selected thread, and with B or NC selected about all three. `all` says so.
"""

from __future__ import annotations

from collections.abc import Callable

from core.machine import Machine
from gdbstub.tensix.monitor_command import Command
from gdbstub.tensix.monitor_config import monitor_cfg
from gdbstub.tensix.monitor_frontend import monitor_fifo, monitor_mop, monitor_replay
from gdbstub.tensix.monitor_order import monitor_order
from gdbstub.tensix.monitor_state import monitor_gpr, monitor_mutex, monitor_sem

Form = Callable[[Machine, int, list[str]], str]

# fmt: off
FORMS: tuple[tuple[str, str, str, Form, bool], ...] = (
    ("order",  "",                         "requests under way, and what C10 sees", monitor_order, False),
    ("fifo",   "[T0|T1|T2|all]",           "instructions before the wait gates", monitor_fifo, False),
    ("mop",    "[T0|T1|T2|all]",           "MOP configuration and expansion", monitor_mop, False),
    ("replay", "[T0|T1|T2|all]",           "replay buffer and what is played", monitor_replay, False),
    ("sem",    "[N[.max][=VALUE]]",        "semaphores, and who waits for them", monitor_sem, True),
    ("mutex",  "",                         "who holds the mutexes", monitor_mutex, False),
    ("gpr",    "[T0|T1|T2|all] [N[=VALUE]]", "GPRs of a Tensix thread", monitor_gpr, True),
    ("cfg",    "[TEXT|WORD|NAME=VALUE [BANK|T0]]", "configuration fields by name", monitor_cfg, True),
)
# fmt: on


def tensix_commands(machine: Machine) -> list[Command]:
    """The rows, about this tile."""
    return [
        Command(name, arguments, text, _about(machine, form), changes)
        for name, arguments, text, form, changes in FORMS
    ]


def _about(machine: Machine, form: Form) -> Callable[[int, list[str]], str]:
    return lambda thread, words: form(machine, thread, words)

# SPDX-License-Identifier: Apache-2.0
"""Questions of the helper that `tensix-gdb gdb` loads into GDB, as the document `tensix` of qXfer.

The annex is the question in hex, because an annex has no colons. A line each:

    monitor THREAD COMMAND     what the monitor says
    window THREAD              what the window of GDB's TUI shows
    commands                   names of the monitor's commands
    fields                     names of configuration fields
    changes                    how many commands may have changed registers, and how many resets
    files                      hart, bias and file of what is loaded
    symbol HART NAME           the address that the hart's own files have for a name, or nothing
    value NAME ARGUMENTS       a number, or a text in quotes (VALUES has the names)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREADS
from tensix_gdb.core.devices.backend_config import BANKS
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.isa.config_words import Space, config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.frontend.fifo import FIFOS
from tensix_gdb.core.tensix.sync import MUTEXES, is_mutex
from tensix_gdb.gdbstub.capabilities import Monitor
from tensix_gdb.gdbstub.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.wait_gate import held_text
from tensix_gdb.gdbstub.tensix.capabilities.files import path_of
from tensix_gdb.gdbstub.tensix.documents.tui_window import window
from tensix_gdb.gdbstub.tensix.monitor.cfg import bank_of, field_names, value_of
from tensix_gdb.gdbstub.tensix.monitor.counters import AXES, ROW_COUNTERS, UNITS
from tensix_gdb.gdbstub.tensix.monitor.frontend import FIFO_NAMES
from tensix_gdb.gdbstub.tensix.monitor.shared_state import GPRS
from tensix_gdb.gdbstub.tensix.monitor_row import named, number_of

Answer = int | str


def answer(machine: Machine, monitor: Monitor, annex: str, *, running: bool) -> bytes:
    """The document. What is refused begins with `!`."""
    try:
        question = bytes.fromhex(annex).decode("utf-8")
        return _answer(machine, monitor, question, running=running).encode("utf-8")
    except TargetError as problem:
        return f"!{problem}".encode()
    except (ValueError, IndexError):
        return b"!no question"


def _answer(machine: Machine, monitor: Monitor, question: str, *, running: bool) -> str:
    kind, _, rest = question.partition(" ")
    if kind == "monitor":
        thread, _, line = rest.partition(" ")
        return monitor.command(int(thread), line, running=running)
    if kind == "window":
        why = monitor.command(int(rest), "why", running=running)
        return window(machine, int(rest), why)
    if kind == "commands":
        return "\n".join(monitor.names())
    if kind == "fields":
        return "\n".join(field_names(machine.arch))
    if kind == "changes":
        return " ".join(map(str, monitor.changes()))
    if kind == "files":
        return "\n".join(
            f"{HART_NAMES[image.hart]} {image.bias} {path_of(image)}"
            for image in machine.images
            if image.hart is not None
        )
    if kind == "symbol":
        hart, name = rest.split()
        own = (loaded for loaded in machine.images if loaded.hart == HART_NAMES.index(hart))
        known = (image.symbol(name) for image in own)
        return next((str(addr) for addr in known if addr is not None), "")
    if kind == "value":
        name, *words = rest.split()
        value = VALUES[name](machine, words) if name in VALUES else None
        if value is None:
            raise TargetError(f"there is no value {name!r}; there are {', '.join(VALUES)}")
        return f'"{value}' if isinstance(value, str) else str(value)
    raise TargetError(f"{kind!r} is no question")


def _thread(words: Sequence[str]) -> int:
    thread = named(words[0])
    if thread is None:
        raise TargetError(f"{words[0]!r} is no Tensix thread: type 0, 1 or 2, or 6 to 8 as in GDB")
    return thread


def _semaphore(machine: Machine, words: Sequence[str]) -> Answer:
    number = number_of(words[0], "semaphore", SEMAPHORES - 1)
    row = machine.S.semaphore.max if words[1:] == ["max"] else machine.S.semaphore.value
    return int(row[number])


def _mutex(machine: Machine, words: Sequence[str]) -> Answer:
    """The thread that holds it; -1 for none."""
    number = number_of(words[0], "mutex", MUTEXES - 1)
    if not is_mutex(machine.S, number):
        raise TargetError(f"there is no mutex {number}")
    return int(machine.S.mutex.holder[number]) - 1


def _gpr(machine: Machine, words: Sequence[str]) -> Answer:
    number = number_of(words[1], "GPR", GPRS - 1)
    return int(machine.S.gpr.word[_thread(words) * GPRS + number])


def _cfg(machine: Machine, words: Sequence[str]) -> Answer:
    """NAME [BANK or thread]; without, of thread 0 and its bank."""
    field = config_fields(machine.arch).get(words[0])
    if field is None:
        raise TargetError(f"the configuration has no field {words[0]!r}")
    if field.space is Space.THREAD:
        return value_of(machine, field, _thread(words[1:] or ["0"]))
    bank = number_of(words[1], "bank", BANKS - 1) if words[1:] else bank_of(machine, 0)
    return value_of(machine, field, bank)


def _fifo(machine: Machine, words: Sequence[str]) -> Answer:
    """Return how many instructions are in FIFO A, B or C; without one, in all three."""
    thread = _thread(words)
    counts = [int(machine.S.fifo.count[thread, fifo]) for fifo in range(FIFOS)]
    if not words[1:]:
        return sum(counts)
    if words[1].upper() not in FIFO_NAMES:
        raise TargetError(f"there is no FIFO {words[1]!r}; there are A, B and C")
    return counts[FIFO_NAMES.index(words[1].upper())]


def _gate(machine: Machine, words: Sequence[str]) -> Answer:
    return held_text(machine, _thread(words))


def _adc(machine: Machine, words: Sequence[str]) -> Answer:
    """Thread, unit, channel, X to W."""
    unit = number_of(words[1], "unit (2: packers)", len(UNITS) - 1)
    channel = number_of(words[2], "channel", 1)
    if words[3].upper() not in AXES:
        raise TargetError(f"{words[3]!r} is none of X, Y, Z and W")
    axis = AXES.index(words[3].upper())
    return int(machine.S.adc.value[_thread(words), unit, channel, axis])


def _rwc(machine: Machine, words: Sequence[str]) -> Answer:
    """Thread, counter."""
    names = [*(name for _, name in ROW_COUNTERS), "fidelity"]
    if words[1] not in names:
        raise TargetError(f"there is no row counter {words[1]!r}; there are {', '.join(names)}")
    return int(getattr(machine.S.rwc, words[1])[_thread(words)])


def _cycle(machine: Machine, words: Sequence[str]) -> Answer:
    return int(machine.S.tile.cycle)


VALUES: dict[str, Callable[[Machine, Sequence[str]], Answer]] = {
    "sem": _semaphore,
    "mutex": _mutex,
    "gpr": _gpr,
    "cfg": _cfg,
    "fifo": _fifo,
    "gate": _gate,
    "adc": _adc,
    "rwc": _rwc,
    "cycle": _cycle,
}
assert THREADS == 3

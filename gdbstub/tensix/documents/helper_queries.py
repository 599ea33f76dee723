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
    lanes THREAD NAME          the type of a variable of SFPI there, and its lanes in hex
    places FILE:LINE           where harts come to a line, or to a function that may be inlined:
                               the hart's name, the address and the line (0 for a function) of each
    value NAME ARGUMENTS       a number, or a text in quotes (VALUES has the names)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, THREADS
from tensix_gdb.core.isa.config_words import Space, config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.kinds import ADC_UNITS
from tensix_gdb.core.places.place import NotAPlace
from tensix_gdb.core.places.state import owned, read
from tensix_gdb.core.tensix.frontend.fifo import FIFOS
from tensix_gdb.gdbstub.protocol.capabilities import Monitor
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.wait_gate import held_text
from tensix_gdb.gdbstub.tensix.capabilities.files import path_of
from tensix_gdb.gdbstub.tensix.documents.kernel_lines import places
from tensix_gdb.gdbstub.tensix.documents.tui_window import window
from tensix_gdb.gdbstub.tensix.monitor.cfg import field_names
from tensix_gdb.gdbstub.tensix.monitor.frontend import FIFO_NAMES
from tensix_gdb.gdbstub.tensix.monitor_row import named, number_of, place_in

Answer = int | str


def answer(machine: Machine, monitor: Monitor, annex: str, *, running: bool) -> bytes:
    """Return the document. What is refused begins with `!`."""
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
    if kind == "places":
        return "\n".join(places(machine, rest))
    if kind == "lanes":
        # It reads debug information, which serving alone does not.
        from tensix_gdb.gdbstub.tensix.vectors.monitor import lanes_in_hex

        thread, name = rest.split()
        return lanes_in_hex(machine, int(thread), name)
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


def _value(machine: Machine, *words: str) -> int:
    """Return the value of the place that words name, of thread 0 where they name none."""
    try:
        place = owned(machine, place_in(words, T0), T0)
        return read(machine, place)[0]
    except NotAPlace as problem:
        raise TargetError(str(problem)) from None


def _semaphore(machine: Machine, words: Sequence[str]) -> Answer:
    return _value(machine, "sem", ".".join(words))


def _mutex(machine: Machine, words: Sequence[str]) -> Answer:
    """Return the thread that holds it; -1 for none."""
    return _value(machine, "mutex", *words) - 1


def _gpr(machine: Machine, words: Sequence[str]) -> Answer:
    return _value(machine, "gpr", f"T{_thread(words)}", words[1])


def _cfg(machine: Machine, words: Sequence[str]) -> Answer:
    """NAME [BANK or thread]; without, of thread 0 and its bank."""
    owner = list(words[1:2])
    field = config_fields(machine.arch).get(words[0])
    if owner and field is not None and field.space is Space.THREAD:
        owner = [f"T{_thread(owner)}"]
    return _value(machine, "cfg", words[0], *owner)


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
    unit = ADC_UNITS[number_of(words[1], "unit (2: packers)", len(ADC_UNITS) - 1)]
    return _value(machine, "adc", f"T{_thread(words)}", unit, words[3] + words[2])


def _rwc(machine: Machine, words: Sequence[str]) -> Answer:
    """Thread, counter."""
    return _value(machine, "rwc", f"T{_thread(words)}", words[1])


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

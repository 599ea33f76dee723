# SPDX-License-Identifier: Apache-2.0
"""The coprocessor in a test: wait gates, FIFOs, GPRs, configuration, semaphores, mutexes.

`tile.tensix[1].gate.held` is why T1's thread is held, `tile.tensix[1].gpr[4]` a GPR,
`tile.semaphores[1].value` a semaphore. Everything is as it is now; what has a value may be set.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, Sequence

from tensix_gdb.core.arch.blackhole import HARTS, THREAD_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.isa.config_words import ConfigField, Space, config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.config import value_of, write_field
from tensix_gdb.core.places.kinds import GPRS
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.gate.latch import NONE
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.sync import MUTEXES, is_mutex
from tensix_gdb.gdbstub.tensix.blocked.instructions import at_gate, latched, place
from tensix_gdb.gdbstub.tensix.blocked.wait_conditions import wait_obstacles
from tensix_gdb.gdbstub.tensix.blocked.wait_gate import held_text, obstacles
from tensix_gdb.gdbstub.tensix.blocked.why import party
from tensix_gdb.gdbstub.tensix.monitor.cfg import field_names
from tensix_gdb.gdbstub.tensix.monitor.frontend import FIFO_NAMES


@dataclass(frozen=True, slots=True)
class Gate:
    """A wait gate as it was looked at last.

    `held` is why the instruction there has not passed, as in core/tensix/gate/wait_gate.py, and
    falsy when it was not held; `reason` the whole sentence; `obstacles` what is in the way, one
    text each. `instruction` is what is at the gate, `latched` the wait that is in force, `place`
    and `wait_place` the source lines of their pushes; each empty when there is none.
    """

    held: Held
    reason: str
    obstacles: tuple[str, ...]
    instruction: str
    place: str
    latched: str
    wait_place: str

    def __str__(self) -> str:
        return self.reason or self.instruction or "nothing at the gate"


class Gprs(Sequence[int]):
    """The 64 GPRs of a thread."""

    def __init__(self, machine: Machine, thread: int) -> None:
        self._rows = machine.S.gpr.word
        self._first = thread * GPRS

    def __getitem__(self, number: int) -> int:  # type: ignore[override]
        return int(self._rows[self._at(number)])

    def __setitem__(self, number: int, value: int) -> None:
        self._rows[self._at(number)] = value

    def __len__(self) -> int:
        return GPRS

    def _at(self, number: int) -> int:
        if not 0 <= number < GPRS:
            raise IndexError(f"there is no GPR {number}; there are {GPRS}")
        return self._first + number


class Configuration(MutableMapping[str, int]):
    """The fields by name, as a thread sees them: of the bank that it uses, and its own."""

    def __init__(self, machine: Machine, thread: int) -> None:
        self._machine = machine
        self._thread = thread

    def _field(self, name: str) -> tuple[ConfigField, int]:
        field = config_fields(self._machine.arch).get(name)
        if field is None:
            raise KeyError(f"the configuration has no field {name}")
        if field.space is Space.THREAD:
            return field, self._thread
        return field, bank_of(self._machine.S, self._thread)

    def __getitem__(self, name: str) -> int:
        return value_of(self._machine.S, *self._field(name))

    def __setitem__(self, name: str, value: int) -> None:
        write_field(self._machine.S, *self._field(name), value)

    def __delitem__(self, name: str) -> None:
        raise TypeError("a field of the configuration cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(field_names(self._machine.arch))

    def __len__(self) -> int:
        return len(field_names(self._machine.arch))


class TensixThread:
    """One of the three threads of the coprocessor."""

    def __init__(self, machine: Machine, number: int) -> None:
        self.number = number
        self.name = THREAD_NAMES[number]
        self.gpr = Gprs(machine, number)
        self.config = Configuration(machine, number)
        self._machine = machine

    def __repr__(self) -> str:
        return f"<Tensix thread {self.name}: {self.state or 'nothing to do'}>"

    @property
    def gate(self) -> Gate:
        """The instruction at its wait gate, and why it has not passed."""
        machine, thread = self._machine, self.number
        instruction = at_gate(machine, thread)
        has_wait = machine.S.latch.kind[thread] != NONE
        wait = latched(machine, thread) if has_wait else None
        held = Held(machine.S.gate.held[thread]) if instruction is not None else Held.NOT
        in_the_way = obstacles(machine, thread) if held else wait_obstacles(machine, thread)
        return Gate(
            held,
            held_text(machine, thread),
            tuple(obstacle.text for obstacle in in_the_way),
            "" if instruction is None else instruction.text,
            "" if instruction is None else place(machine, instruction.hart, instruction.pc),
            "" if wait is None else wait.text,
            "" if wait is None else place(machine, wait.hart, wait.pc),
        )

    @property
    def fifo(self) -> dict[str, int]:
        """The number of instructions in FIFO A, B and C."""
        count = self._machine.S.fifo.count
        return {name: int(count[self.number, fifo]) for fifo, name in enumerate(FIFO_NAMES)}

    @property
    def passed(self) -> int:
        """The number of instructions that have passed the gate."""
        return int(self._machine.S.passed.count[self.number])

    @property
    def state(self) -> str:
        """The state of the thread, in words; empty when it has nothing to do."""
        return party(self._machine, HARTS + self.number).does


class Semaphore:
    """One of the eight semaphores."""

    def __init__(self, machine: Machine, number: int) -> None:
        self._rows = machine.S.semaphore
        self.number = number

    def __repr__(self) -> str:
        return f"<semaphore {self.number}: {self.value} of {self.max}>"

    @property
    def value(self) -> int:
        """Its value, 0 to 15."""
        return int(self._rows.value[self.number])

    @value.setter
    def value(self, value: int) -> None:
        self._rows.value[self.number] = value

    @property
    def max(self) -> int:
        """The value that SEMWAIT compares it with."""
        return int(self._rows.max[self.number])

    @max.setter
    def max(self, value: int) -> None:
        self._rows.max[self.number] = value


def semaphores(machine: Machine) -> tuple[Semaphore, ...]:
    """Return all of them."""
    return tuple(Semaphore(machine, number) for number in range(SEMAPHORES))


def mutexes(machine: Machine) -> dict[int, int | None]:
    """Return the thread that holds each mutex now, None for none."""
    holders = {i: int(machine.S.mutex.holder[i]) for i in range(MUTEXES) if is_mutex(machine.S, i)}
    return {i: holder - 1 if holder else None for i, holder in holders.items()}

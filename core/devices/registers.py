# SPDX-License-Identifier: Apache-2.0
"""Memory-mapped registers as rows: where they are, what may be done to them, what that does.

A device declares its registers once as `Register` rows and joins them into a `RegisterBlock`. From
the rows come the tables that the device's `read`, `write` and `peek` dispatch on, the values at
power-up and the names in messages.

    SLOT[offset >> 2]             which register, 0 where there is none
    READ[slot](S, hart, addr)     the value, or WAIT or STOPPED; with side effects
    WRITE[slot](S, hart, addr, value)     0, WAIT or STOPPED
    PEEK[slot](S, hart, addr)     the value without side effects, -1 where looking is impossible

A register without functions of its own is storage: the device's `kept` and `keep` hold it in a row
of the record with one element per slot, and what it is written is cut to its `kept_bits`. Its `row`
is the name of that element for others, `S.tile_control.soft_reset`. Registers that follow each
other in the declaration with the same `row` are its elements, wherever their addresses are. A
register that only acts when it is stored to, or loaded from, has a function for that and is storage
otherwise. A register that has to be a row of its own, because it counts, is as wide as a unit has
it or is one of each hart, says so with `elsewhere`. So nothing but the declaration says where a
register is in the record.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import groupby

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import Field, View, named
from tensix_gdb.core.stop import fault

Read = Callable[[View, int, int], int]
Write = Callable[[View, int, int, int], int]


class Access(enum.Enum):
    """The accesses that software may make; the value is how tables spell it."""

    READ_WRITE = "read / write"
    READ_ONLY = "read only"  # a store stops the hart: no document says what it would do
    IGNORES_WRITES = "read only, writes ignored"  # documented to be so
    WRITE_ONLY = "write only"
    MISSING = "not emulated"  # a name from a header; every access stops the hart


@dataclass(frozen=True, slots=True)
class Bits:
    """A field of a register: `width` bits from bit `low` on."""

    low: int
    width: int
    name: str
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The row of the record that a register shows, where that is not its device's storage.

    `index` says which element: of a hart, a copy of the device and one of the register's `count`;
    None where the hart sees something else there. `reach` of them follow each other, if these are
    more than have a name.
    """

    row: str
    index: Callable[[int, int, int], tuple[int, ...] | None]
    reach: int = 0


Element = tuple[str, str, tuple[int, ...]]  # part, row, index


@dataclass(frozen=True, slots=True)
class Register:
    """`count` registers, `step` bytes apart; `kept_bits` are those that hold what is written."""

    offset: int
    name: str
    access: Access
    doc: str
    reset: int = 0
    kept_bits: int = 0xFFFFFFFF
    count: int = 1
    step: int = 4
    peek: Read | None = None
    read: Read | None = None
    write: Write | None = None
    fields: tuple[Bits, ...] = ()
    page: str = ""  # where it differs from the block's
    row: str = ""  # of the record, if others read it or write it there
    elsewhere: Elsewhere | None = None  # a row that is not its device's storage
    may_wait: bool = False  # a load waits or pops, and a debugger may see nothing

    def title(self, index: int | str) -> str:
        """Return the name of one of `count`."""
        return self.name.format(i=index) if "{i}" in self.name else self.name

    def path(self, part: str) -> str:
        """The row of the record that has a name for it, `part` is its device's; "" for none."""
        if self.elsewhere is not None:
            return self.elsewhere.row
        return f"{part}.{self.row}" if self.row else ""

    def element(self, hart: int, copy: int, offset: int) -> Element | None:
        """The element of another row that the word at `offset` shows to a hart."""
        if self.elsewhere is None:
            return None
        index, rest = divmod(offset - self.offset, self.step)
        if rest or not 0 <= index < (self.elsewhere.reach or self.count):
            return None
        part, _, row = self.elsewhere.row.partition(".")
        at = self.elsewhere.index(hart, copy, index)
        return None if at is None else (part, row, at)


class RegisterBlock:
    """The registers of one device, from `base` on; they repeat after `size` bytes, once for each of
    its `copies`, if these have a name.

    `row` of the record is the storage: an element for each slot or, where that is not the slot's
    number, the element that `place` gives for an offset. With several copies it is an index of two.
    """

    def __init__(
        self,
        name: str,
        base: int,
        size: int,
        page: str,
        registers: tuple[Register, ...],
        *,
        kept: Read,
        keep: Write,
        row: str,
        copies: str = "",
        place: Callable[[int], int] | None = None,
    ) -> None:
        self.name, self.base, self.size, self.page = name, base, size, page
        self.copies, self._kept = copies, kept
        self.part, _, self.row = row.partition(".")
        self._place = place
        self.registers = registers
        slots, self._of_slot = [0] * (size // 4), [(registers[0], 0)]
        for register in registers:
            for index in range(register.count):
                word = (register.offset + index * register.step) // 4
                if slots[word]:
                    raise ValueError(f"{name}: two registers at offset {word * 4:#x}")
                slots[word] = len(self._of_slot)
                self._of_slot.append((register, index))
        self.slots = tuple(slots)
        self.count = len(self._of_slot)
        rows = [register for register, _ in self._of_slot[1:]]
        self.kept_bits = (0, *(row.kept_bits for row in rows))
        self.resets = (0, *(row.reset for row in rows))
        self.peeks = (hidden, *(_peek(row, kept) for row in rows))
        self.reads = (no_register, *(_read(row, kept) for row in rows))
        self.writes = (no_register_write, *(_write(row, keep) for row in rows))

    def named_rows(self, word: Field) -> Iterator[Field]:
        """Yield the rows of registers that have one, which are elements of `word`."""
        slot = 1
        for row, same in groupby(self.registers, lambda register: register.row):
            found = tuple(same)
            count = sum(register.count for register in found)
            if row:
                doc = ", ".join(register.title("i") for register in found)
                if len({register.doc for register in found}) == 1:
                    doc += f": {found[0].doc}"
                yield named(row, word, slot, count if count > 1 else (), doc)
            slot += count

    @cached_property
    def stored(self) -> dict[int, int]:
        """The registers that are what their element of the device's row is: the element by
        offset."""
        return {
            offset: self._place(offset) if self._place else self.slots[offset // 4]
            for offset, register, _ in self
            if self.peeks[self.slots[offset // 4]] is self._kept
            and not (register.access is Access.WRITE_ONLY and register.write)
        }

    def register_at(self, offset: int) -> Register:
        """Return the register at an offset that has one."""
        return self._of_slot[self.slots[offset // 4]][0]

    def __iter__(self) -> Iterator[tuple[int, Register, int]]:
        """(offset, register, index) of every single register, by offset."""
        for word, slot in enumerate(self.slots):
            if slot:
                yield word * 4, *self._of_slot[slot]

    def title(self, offset: int) -> str | None:
        """Return the name of the register at `offset`, or None."""
        slot = self.slots[offset // 4]
        if not slot:
            return None
        register, index = self._of_slot[slot]
        return register.title(index)

    def title_at(self, addr: int) -> str | None:
        """Return the name of the register at an address, with the copy that it is in; or None."""
        copy, offset = divmod(addr - self.base, self.size)
        title = self.title(offset)
        return f"{title} of {self.copies} {copy}" if title and self.copies else title


def _peek(row: Register, kept: Read) -> Read:
    if row.access is Access.MISSING:
        return hidden
    return row.peek or kept


def _read(row: Register, kept: Read) -> Read:
    if row.access is Access.MISSING:
        return missing
    if row.access is Access.WRITE_ONLY:
        return row.read or write_only
    return row.read or row.peek or kept


def _write(row: Register, keep: Write) -> Write:
    if row.access is Access.MISSING:
        return missing_write
    if row.access is Access.READ_ONLY:
        return read_only
    if row.access is Access.IGNORES_WRITES:
        return ignored
    return row.write or keep


def zero(S: View, hart: int, addr: int) -> int:
    """A load of a register that reads as 0."""
    return 0


def hidden(S: View, hart: int, addr: int) -> int:
    """There is nothing to see."""
    return -1


def no_register(S: View, hart: int, addr: int) -> int:
    """A load where no document describes a register."""
    return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, 4)


def no_register_write(S: View, hart: int, addr: int, value: int) -> int:
    """A store where no document describes a register."""
    return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, 4)


def missing(S: View, hart: int, addr: int) -> int:
    """A load from a register that is known by its name only."""
    return fault(S, hart, Fault.UNIMPLEMENTED_REGISTER, addr, 4)


def missing_write(S: View, hart: int, addr: int, value: int) -> int:
    """A store to a register that is known by its name only."""
    return fault(S, hart, Fault.UNIMPLEMENTED_REGISTER, addr, 4)


def write_only(S: View, hart: int, addr: int) -> int:
    """A load from a register that can only be written."""
    return fault(S, hart, Fault.LOAD_WRITE_ONLY, addr, 4)


def read_only(S: View, hart: int, addr: int, value: int) -> int:
    """A store to a register that can only be read."""
    return fault(S, hart, Fault.STORE_READ_ONLY, addr, 4)


def ignored(S: View, hart: int, addr: int, value: int) -> int:
    """A store that is documented to have no effect."""
    return 0


def extract(value: int, addr: int, size: int) -> int:
    """Return the `size` bytes at `addr` of the word that holds them; a status stays what it is."""
    if value < 0:
        return value
    return (value >> ((addr & 3) * 8)) & ((1 << (size * 8)) - 1)

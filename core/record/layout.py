# SPDX-License-Identifier: Apache-2.0
"""Rows and layout of the record: all state of the machine in one buffer with one layout.

Each part of the machine declares its fields as rows beside its code; `core.record.record`
joins the parts into one `Layout`. The same bytes have two faces: `Record.S`, which plain Python
reads and writes as `S.part.field[index]`, and a pointer, which compiled code uses. Nothing else
holds machine state, so a snapshot is one copy and two runs can be compared byte for byte.

Rows carry a tag that says what a difference in them means:

ARCHITECTURAL  what software can see: registers, memories, queues of requests.
TIMING         when things will happen: busy-until cycles, arbitration turns.
MONOTONE       counters that only grow: cycles, instructions retired.
DERIVED        rebuilt from the rest or owned by the debugger: decoded words, break maps.
               Left out of snapshots, hashes and comparisons.

A row also says what it is to others, so that no list of names elsewhere has to: its role for a
value that was computed with it (`Role`), what makes it special (`Mark`), and its part the chapter
of the manual that has it (`Chapter`).
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from math import prod
from typing import Any

from tensix_gdb.core.dataclass import dataclass

SIZES = {"u8": 1, "u16": 2, "u32": 4, "i64": 8}
CASTS: dict[str, Any] = {"u8": "B", "u16": "H", "u32": "I", "i64": "q"}


class Tag(enum.Enum):
    """The meaning of a difference in a row (see the module's docstring)."""

    ARCHITECTURAL = "architectural"
    TIMING = "timing"
    MONOTONE = "monotone"
    DERIVED = "derived"


class Role(enum.Enum):
    """The role of a row in a value that was computed with it (core/origin)."""

    DATA = "data"  # the value was made of it
    SETTING = "setting"  # it decides how, such as a format or an address
    INSTRUCTION = "instruction"  # the word of the instruction that computed
    PROGRESS = "progress"  # which, when and how far: it is followed and not shown


class Mark(enum.Flag):
    """The special properties of a row."""

    NONE = 0
    VISIBLE = enum.auto()  # a person asks for it: memory, registers of harts and units
    STEERS = enum.auto()  # a setting that is state of its own, not a sample of an instruction
    UNDER_WAY = enum.auto()  # all zero when no load or store is under way
    FOR_PEOPLE = enum.auto()  # nothing that runs depends on it
    FOUND = enum.auto()  # a finding of an observer, which stays when it begins anew


class Chapter(enum.Enum):
    """The chapter of the manual with the rows of a part: record-harts and so on."""

    HARTS = "harts"
    DEVICES = "devices"
    CONTROL = "control"
    DATA = "data"


@dataclass(frozen=True, slots=True)
class Field:
    """One row: `kind` is u8, u16, u32 or i64, `shape` is () for a single value.

    `alias` names an earlier field of the same part: this one reads its storage with another width,
    or some of its elements, from `first` on, by a name of their own. `role` is None where the part
    says it.
    """

    name: str
    kind: str
    shape: tuple[int, ...]
    tag: Tag
    doc: str
    alias: str = ""
    first: int = 0
    role: Role | None = None
    marks: Mark = Mark.NONE

    @property
    def size(self) -> int:
        """Bytes of storage."""
        return SIZES[self.kind] * prod(self.shape)


def row(
    name: str,
    kind: str,
    shape: int | tuple[int, ...],
    tag: Tag,
    doc: str,
    *,
    role: Role | None = None,
    marks: Mark = Mark.NONE,
) -> Field:
    """Declare a field: `row("pc", "u32", HARTS, ARCHITECTURAL, "address of the next ...")`."""
    shape = (shape,) if isinstance(shape, int) else shape
    return Field(name, kind, shape, tag, doc, role=role, marks=marks)


def alias(name: str, kind: str, of: Field) -> Field:
    """Declare the storage of `of` once more, as elements of another width."""
    count, rest = divmod(of.size, SIZES[kind])
    if rest:
        raise LayoutError(f"{name}: {of.size} bytes of {of.name} are no whole number of {kind}")
    doc = f"{of.name} as {kind}"
    return Field(name, kind, (count,), of.tag, doc, of.name, 0, of.role, of.marks)


def named(name: str, of: Field, first: int, shape: int | tuple[int, ...], doc: str) -> Field:
    """Give elements of `of`, from `first` on, a name of their own."""
    shape = (shape,) if isinstance(shape, int) else shape
    return Field(name, of.kind, shape, of.tag, doc, of.name, first, of.role, of.marks)


@dataclass(frozen=True, slots=True)
class Part:
    """A named group of rows that belong to one piece of hardware.

    `role` is that of rows that have none of their own.
    """

    name: str
    fields: tuple[Field, ...]
    role: Role = Role.DATA
    chapter: Chapter = Chapter.DATA


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a field: byte `offset` from the start of the record."""

    part: str
    field: Field
    offset: int
    role: Role

    @property
    def path(self) -> str:
        return f"{self.part}.{self.field.name}"

    def is_marked(self, mark: Mark) -> bool:
        """True if the row has that mark."""
        return mark in self.field.marks

    @property
    def element_size(self) -> int:
        """Bytes of one element."""
        return SIZES[self.field.kind]

    def at(self, *index: int) -> int:
        """Return the offset of an element in the record. IndexError where there is none."""
        flat = 0
        for at, length in zip(index, self.field.shape, strict=True):
            if not 0 <= at < length:
                raise IndexError(f"{self.path} has no element {index}")
            flat = flat * length + at
        return self.offset + flat * SIZES[self.field.kind]


# Name, first byte, byte after it, format of a memoryview, shape.
ViewRow = tuple[str, int, int, Any, tuple[int, ...]]


class LayoutError(ValueError):
    """The rows cannot be joined into a record; the message names the row."""


class Layout:
    """Byte offsets of every row: state first, DERIVED rows after `state_size`."""

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self.parts = parts
        self.slots: dict[tuple[str, str], Slot] = {}
        offset = self._place(0, derived=False)
        self.state_size = offset
        self.size = self._place(offset, derived=True)
        self.rows = self.rows_for_views()
        self._before_use: dict[str, type] = {}
        self._marked: dict[Mark, tuple[Slot, ...]] = {}

    def rows_for_views(self) -> dict[str, tuple[ViewRow, ...]]:
        """Return the rows as a View needs them: made once, because a chip has many records."""
        return {
            part.name: tuple(self._row(part, field) for field in part.fields) for part in self.parts
        }

    def before_use(self, part: str) -> type:
        """Return a class with the rows of a part as a View has them before they are used."""
        found = self._before_use.get(part)
        if found is None:
            rows = self.rows.get(part)
            if rows is None:
                raise AttributeError(f"the record has no part {part}")
            members = {row[0]: FirstUse(row) for row in rows}
            found = self._before_use[part] = type(part, (), {"__slots__": (), **members})
        return found

    def _row(self, part: Part, field: Field) -> ViewRow:
        at = self.slots[part.name, field.name].offset
        return field.name, at, at + field.size, CASTS[field.kind], field.shape

    def _place(self, offset: int, *, derived: bool) -> int:
        for part in self.parts:
            for field in part.fields:
                if (field.tag is Tag.DERIVED) is not derived:
                    continue
                key = (part.name, field.name)
                if key in self.slots:
                    raise LayoutError(f"{part.name}.{field.name} is declared twice")
                if field.alias:
                    of = self.slots[part.name, field.alias]
                    at = of.offset + field.first * SIZES[of.field.kind]
                    if at % SIZES[field.kind]:
                        raise LayoutError(f"{part.name}.{field.name} is not aligned to its width")
                else:
                    # Large rows start on a cache line of their own, so that copies stay fast.
                    align = 64 if field.size >= 64 else 8
                    at = -(-offset // align) * align
                    offset = at + field.size
                self.slots[key] = Slot(part.name, field, at, field.role or part.role)
        return -(-offset // 64) * 64

    def slot(self, part: str, field: str) -> Slot:
        """Find a row; KeyError with the path when the record has none of that name."""
        try:
            return self.slots[part, field]
        except KeyError:
            raise KeyError(f"the record has no row {part}.{field}") from None

    def marked(self, mark: Mark) -> tuple[Slot, ...]:
        """Rows with a mark that have storage of their own, in the order of the parts."""
        if mark not in self._marked:
            slots = self.slots.values()
            self._marked[mark] = tuple(s for s in slots if s.is_marked(mark) and not s.field.alias)
        return self._marked[mark]

    def storage(self, *tags: Tag) -> Iterator[Slot]:
        """Rows with storage of their own, in address order; of `tags`, or all state rows."""
        wanted = tags or (Tag.ARCHITECTURAL, Tag.TIMING, Tag.MONOTONE)
        for slot in self.slots.values():
            if slot.field.tag in wanted and not slot.field.alias:
                yield slot


class NegativeIndexError(IndexError):
    """Compiled code has no index from the end, so the reference refuses it too."""


class CheckedArray:
    """A row as the reference engine sees it: indexes ≥ 0 and in range, values that fit.

    `memoryview` itself refuses an index past the end (IndexError) and a value that does not fit the
    element (ValueError); only negative indexes need a test of their own.
    """

    __slots__ = ("raw",)

    def __init__(self, raw: memoryview) -> None:
        self.raw = raw

    def __getitem__(self, index: tuple[int, ...]) -> int:
        if min(index) < 0:
            raise NegativeIndexError(f"index {index}")
        return self.raw[index]

    def __setitem__(self, index: tuple[int, ...], value: int) -> None:
        if min(index) < 0:
            raise NegativeIndexError(f"index {index}")
        self.raw[index] = value


class CheckedRow:
    """The same of a row with one index, as nearly all accesses are."""

    __slots__ = ("raw",)

    def __init__(self, raw: memoryview) -> None:
        self.raw = raw

    def __len__(self) -> int:
        return len(self.raw)

    def __getitem__(self, index: int) -> int:
        if index < 0:
            raise NegativeIndexError(f"index {index}")
        return self.raw[index]

    def __setitem__(self, index: int, value: int) -> None:
        if index < 0:
            raise NegativeIndexError(f"index {index}")
        self.raw[index] = value


def _scalar(raw: memoryview) -> property:
    def get(_: object) -> int:
        return raw[0]

    def put(_: object, value: int) -> None:
        raw[0] = value

    return property(get, put)


class FirstUse:
    """A row before its first use in a view, which puts the row itself into the view's class."""

    __slots__ = ("cast", "end", "name", "shape", "start")

    def __init__(self, row: ViewRow) -> None:
        self.name, self.start, self.end, self.cast, self.shape = row

    def __get__(self, rows: Any, owner: type) -> Any:
        self._make(rows, owner)
        return getattr(rows, self.name)

    def __set__(self, rows: Any, value: int) -> None:
        self._make(rows, type(rows))
        setattr(rows, self.name, value)

    def _make(self, rows: Any, owner: type) -> None:
        raw: Any = rows._buffer[self.start : self.end].cast(self.cast)
        if not self.shape:
            setattr(owner, self.name, _scalar(raw))
            return
        if len(self.shape) > 1:
            raw = raw.cast("B").cast(self.cast, self.shape)
        sees = CheckedArray if len(self.shape) > 1 else CheckedRow
        setattr(owner, self.name, sees(raw) if rows._checked else raw)


class View:
    """`S`: one attribute per part, each with one attribute per row."""

    def __init__(self, layout: Layout, buffer: memoryview, *, checked: bool) -> None:
        self._layout, self._buffer, self._checked = layout, buffer, checked

    def __getattr__(self, part: str) -> Any:
        """Return the rows of a part, when they are wanted for the first time. A view has classes of
        its own, so that a row is an attribute of a class."""
        before = self._layout.before_use(part)
        own = {"__slots__": (), "_buffer": self._buffer, "_checked": self._checked}
        seen = type(part, (before,), own)()
        setattr(self, part, seen)
        return seen

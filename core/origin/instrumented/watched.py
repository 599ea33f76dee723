# SPDX-License-Identifier: Apache-2.0
"""The record as instrumented functions see it: reads give values that know where they are from.

An element that has not been written since the watch began is a *place*: (offset of its byte, size).
One that has been is a `Write`. Rows of the debugger and of time (DERIVED, TIMING, MONOTONE) are no
origin of anything; one of them that is written and read in one cycle passes on what it got.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.origin.instrumented.scopes import Scope
from tensix_gdb.core.origin.instrumented.values import (
    ALL,
    CONTEXT,
    Index,
    Made,
    Parts,
    at_width,
    joined,
    made,
    parts_of,
    plain,
    steer_of,
)
from tensix_gdb.core.record.layout import SIZES, Slot, Tag
from tensix_gdb.core.record.record import Record

Place = tuple[int, int]  # offset in the record, bytes


@dataclass(eq=False, slots=True)
class Write:
    """One store to an element while it is watched."""

    offset: int
    size: int
    value: int
    parts: Parts
    steer: Any
    scope: Scope | None
    before: dict[int, Write | None] = field(default_factory=dict)


class Watch:
    """The writes since the watch began: by byte of the record, the last write."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.last: dict[int, Write] = {}
        self.scope: Scope | None = None


class WatchedRow:
    """One row; `S.part.row[i]` and `S.part.row[i, j]`."""

    __slots__ = ("bits", "by_byte", "offset", "raw", "size", "strides", "tracked", "watch", "where")

    def __init__(self, watch: Watch, slot: Slot, raw: Any, *, by_byte: bool) -> None:
        self.watch, self.raw, self.offset = watch, raw, slot.offset
        self.size = SIZES[slot.field.kind]
        strides, step = [], self.size
        for length in reversed(slot.field.shape):
            strides.append(step)
            step *= length
        self.strides = tuple(reversed(strides))
        self.tracked = slot.field.tag is Tag.ARCHITECTURAL
        self.by_byte = by_byte
        self.bits = (1 << 8 * self.size) - 1

    def at(self, index: Any) -> tuple[Any, int, Any]:
        """Return the index as numbers, the offset of the element, and what has chosen it."""
        if type(index) is tuple:
            steer: Any = None
            offset = self.offset
            for one, stride in zip(index, self.strides, strict=True):
                if type(one) is Made:
                    steer = (steer, Index(one))
                offset += int.__index__(one) * stride
            return index, offset, steer
        steer = (None, Index(index)) if type(index) is Made else None
        return index, self.offset + int.__index__(index) * self.strides[0], steer

    def __getitem__(self, index: Any) -> Any:
        index, offset, steer = self.at(index)
        return self.get(self.raw[index], offset, steer)

    def __setitem__(self, index: Any, value: int) -> None:
        index, offset, steer = self.at(index)
        self.raw[index] = plain(value)
        self.put(offset, value, steer)

    def get(self, value: int, offset: int, steer: Any) -> Any:
        """Return a value that has been read."""
        last = self.watch.last
        if self.by_byte:
            return self._bytes(value, offset, steer)
        write = last.get(offset)
        if write is not None:
            # What was written since is passed on as it is: a copy in the same cycle is no origin.
            return made(value, {write: (0, self.bits, self.bits)}, steer)
        if self.tracked:
            return made(value, {(offset, self.size): (0, self.bits, self.bits)}, steer)
        return value

    def _bytes(self, value: int, offset: int, steer: Any) -> Any:
        parts: Parts = {}
        last = self.watch.last
        for i in range(self.size):
            write = last.get(offset + i)
            bits = 0xFF << 8 * i
            if write is not None:
                inside = 8 * (offset + i - write.offset)
                key: Any = write
                shift, own = 8 * i - inside, 0xFF << inside
                known = parts.get(key)
                if known is not None:
                    bits, own = bits | known[1], own | known[2]
                parts[key] = shift, bits, own
            elif self.tracked:
                parts[offset + i, 1] = 8 * i, bits, 0xFF
        return made(value, parts, steer) if parts else value

    def put(self, offset: int, value: Any, steer: Any) -> None:
        """Note a store."""
        watch = self.watch
        parts = at_width(parts_of(value), self.bits)
        steer = joined(joined(steer_of(value), steer), CONTEXT.steer)
        write = Write(offset, self.size, plain(value), parts, steer, watch.scope)
        if self.by_byte:
            for i in range(self.size):
                watch.last[offset + i] = write
        else:
            watch.last[offset] = write


def _scalar(row: WatchedRow) -> property:
    def get(_: object) -> Any:
        return row.get(row.raw[0], row.offset, None)

    def put(_: object, value: int) -> None:
        row.raw[0] = plain(value)
        row.put(row.offset, value, None)

    return property(get, put)


class WatchedView:
    """`S` of a watch."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def __getattr__(self, part: str) -> Any:
        watch = self._watch
        layout = watch.record.layout
        rows = layout.rows.get(part)
        if rows is None:
            raise AttributeError(f"the record has no part {part}")
        of_part = next(each for each in layout.parts if each.name == part)
        aliased = {one.alias for one in of_part.fields if one.alias}
        members: dict[str, Any] = {}
        for name, start, end, cast, shape in rows:
            raw: Any = watch.record.raw()[start:end].cast(cast)
            slot = layout.slot(part, name)
            by_byte = bool(slot.field.alias) or name in aliased
            if len(shape) > 1:
                raw = raw.cast("B").cast(cast, shape)
            row = WatchedRow(watch, slot, raw, by_byte=by_byte)
            members[name] = row if shape else _scalar(row)
        seen = type(part, (), {"__slots__": (), **members})()
        setattr(self, part, seen)
        return seen


__all__ = ["ALL", "Place", "Watch", "WatchedView", "Write"]

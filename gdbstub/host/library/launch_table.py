# SPDX-License-Identifier: Apache-2.0
"""A launch that may be repeated, as launch.h has it.

A loop launches the same kernels again and again, on each of 140 tiles, and a look at each in Python
takes as long as all that a small operation does on the tile.
"""

from __future__ import annotations

import ctypes
from ctypes import c_uint32, c_uint64

from tensix_gdb.gdbstub.host.simulator.launches import Repeatable

MESSAGES, FIELDS, PARTS = 8, 8, 32
MOST_BYTES = 8  # of a field


class _Field(ctypes.Structure):
    _fields_ = (("at", c_uint32), ("size", c_uint32), ("value", c_uint64))


class _Part(ctypes.Structure):
    _fields_ = (("at", c_uint32), ("size", c_uint32), ("bytes", ctypes.c_char_p))


class Launch(ctypes.Structure):
    """The bytes that `pump` compares; it keeps those of the kernels alive."""

    _fields_ = (
        ("pointer", c_uint32), ("stride", c_uint32), ("go", c_uint32), ("step", c_uint32),
        ("fields", c_uint32), ("parts", c_uint32),
        ("field", _Field * FIELDS), ("part", _Part * PARTS),
    )  # fmt: skip


def table_of(launch: Repeatable) -> Launch | None:
    """Return the table of a launch; None where there is no room for all of it."""
    sizes = [size for _, size, _ in launch.fields]
    if len(sizes) > FIELDS or max(sizes) > MOST_BYTES or len(launch.parts) > PARTS:
        return None
    if launch.messages != MESSAGES:
        return None
    table = Launch(launch.pointer, launch.stride, launch.go, launch.signals.step)
    table.fields, table.parts = len(launch.fields), len(launch.parts)
    for number, field in enumerate(launch.fields):
        table.field[number] = field
    for number, (place, data) in enumerate(launch.parts):
        table.part[number] = (place.start, len(data), data)
    return table

# SPDX-License-Identifier: Apache-2.0
"""L1 and Dst of a tile as arrays: `tile.l1` and `tile.dst`.

    tile.l1.write(0x21000, a, "bf16")                 an array of NumPy, as tiles of 32 by 32
    tile.l1.expect(0x40000, a + b, "bf16", rtol=1e-2)       or fail with a map of what differs
    out = tile.l1.read(0x40000, "bf16", shape=(32, 64))
    tile.dst.expect(0, a @ b, "fp32", rtol=1e-3)      rows of Dst from row 0 on

`rows=True` is for arrays that are there row by row, and not in faces. Only `read` needs NumPy; the
others take nested lists too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tiles.comparison import Tolerance, report
from tensix_gdb.core.tiles.formats import TileFormat, format_named
from tensix_gdb.core.tiles.npy import Array, ArrayError, written
from tensix_gdb.core.tiles.registers import from_dst, held, row_and_column, to_dst
from tensix_gdb.core.tiles.tile import bits_of, to_l1
from tensix_gdb.gdbstub.tensix.tiles.files import array_in_l1, compared
from tensix_gdb.gdbstub.tensix.tiles.spec import ONE_TILE, address, check_in_l1

__tracebackhide__ = True  # pytest shows the test's own line


class TileDiffers(AssertionError):
    """An array is not as a test expected it; the message has the first difference and a map."""


@dataclass(frozen=True)
class Input:
    """An array that a test wrote to L1."""

    cycle: int
    addr: int
    array: Array
    format: TileFormat
    by_rows: bool

    def option(self, path: Path) -> str:
        """Write the array to a file; return the option that loads it."""
        path.write_bytes(written(self.array, "f8"))
        rows = ",rows" if self.by_rows else ""
        return f"--tile={self.addr:#x}={path}:{self.format.name}{rows}"


@dataclass(frozen=True)
class Unmet:
    """An array that a test expected in L1, and that was not there."""

    addr: int
    array: Array
    format: TileFormat
    tolerance: Tolerance
    by_rows: bool

    def option(self, path: Path) -> str:
        """Write the array to a file; return the option that compares with it."""
        path.write_bytes(written(self.array, "f8"))
        given = {"rtol": self.tolerance.rtol, "atol": self.tolerance.atol}
        more = "".join(f",{name}={value}" for name, value in given.items() if value is not None)
        rows = ",rows" if self.by_rows else ""
        return f"--expect={self.addr:#x}={path}:{self.format.name}{more}{rows}"


class L1:
    """L1, by addresses."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.inputs: list[Input] = []
        self.unmet: Unmet | None = None  # the last expectation that failed

    def write(self, addr: int, array: Any, format: str = "bf16", *, rows: bool = False) -> None:
        """Put an array into L1."""
        kind, given = format_named(format), array_like(array)
        check_in_l1(kind, address(hex(addr)), given.shape, rows)
        self._machine.poke(B, addr, to_l1(kind, given, rows))
        cycle = int(self._machine.S.tile.cycle)
        self.inputs.append(Input(cycle, addr, given, kind, rows))

    def read(
        self,
        addr: int,
        format: str = "bf16",
        shape: Sequence[int] = ONE_TILE,
        *,
        rows: bool = False,
    ) -> Any:
        """Return the array at an address, as NumPy has it."""
        kind = format_named(format)
        array, _ = array_in_l1(self._machine, kind, address(hex(addr)), shape, rows)
        return as_numpy(array, kind)

    def expect(
        self,
        addr: int,
        wanted: Any,
        format: str = "bf16",
        *,
        rtol: float | None = None,
        atol: float | None = None,
        rows: bool = False,
    ) -> None:
        """Fail unless an array is there; without a tolerance as the format has it, to the bit."""
        kind, given, tolerance = format_named(format), array_like(wanted), Tolerance(rtol, atol)
        lines = compared(
            self._machine, "what was expected", kind, address(hex(addr)), given, tolerance, rows
        )
        if lines:
            self.unmet = Unmet(addr, given, kind, tolerance, rows)
            raise TileDiffers("\n".join(lines))


class Dst:
    """Dst, by rows: a tile takes 64."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def write(self, row: int, array: Any, format: str = "bf16", *, rows: bool = False) -> None:
        """Write an array to Dst."""
        to_dst(self._machine.S, format_named(format), row, array_like(array), rows)

    def read(
        self,
        row: int,
        format: str = "bf16",
        shape: Sequence[int] = ONE_TILE,
        *,
        rows: bool = False,
    ) -> Any:
        """Return the array from a row on, as NumPy has it. ArrayError where Dst has no value."""
        kind = format_named(format)
        array, bits = from_dst(self._machine.S, kind, row, shape, rows)
        if None in bits:
            place = row_and_column(shape, bits.index(None), row, rows)
            raise ArrayError(f"Dst has no value in row {place[0]}, column {place[1]}")
        return as_numpy(array, held(kind))

    def expect(
        self,
        row: int,
        wanted: Any,
        format: str = "bf16",
        *,
        rtol: float | None = None,
        atol: float | None = None,
        rows: bool = False,
    ) -> None:
        """Fail unless Dst has an array from a row on; without a tolerance to the bit."""
        kind, given = format_named(format), array_like(wanted)
        tolerance = Tolerance(rtol, atol)
        got, bits = from_dst(self._machine.S, kind, row, given.shape, rows)
        if tolerance.exact:
            given = Array(given.shape, [held(kind).decode(b) for b in bits_of(held(kind), given)])

        def describe(place: int) -> str:
            at, column = row_and_column(given.shape, place, row, rows)
            datum = bits[place]
            text = "undefined" if datum is None else f"{datum:#x}"
            return f"row {at}, column {column} of Dst ({text})"

        title = f"Dst from row {row} on is not what was expected, as {held(kind).name}"
        lines = report(title, got, given, tolerance, describe)
        if lines:
            raise TileDiffers("\n".join(lines))


def array_like(given: Any) -> Array:
    """Return an array of NumPy, or of anything else that has a shape, or nested lists."""
    shape = getattr(given, "shape", None)
    if shape is not None:
        flat = given.ravel().tolist() if hasattr(given, "ravel") else _flat(given.tolist(), shape)
        return Array(tuple(map(int, shape)), flat)
    sizes: list[int] = []
    inner = given
    while isinstance(inner, Sequence):
        sizes.append(len(inner))
        inner = inner[0] if inner else 0.0
    return Array(tuple(sizes), _flat(given, sizes))


def _flat(nested: Any, shape: Sequence[int]) -> list[float]:
    for axis, size in enumerate(shape):
        rows = nested if axis else [nested]
        if any(not isinstance(row, Sequence) or len(row) != size for row in rows):
            raise ArrayError("the lists are no array: they have different lengths")
        nested = list(chain.from_iterable(rows))
    return list(nested) if shape else [nested]


def as_numpy(array: Array, format: TileFormat) -> Any:
    """Return the same for NumPy, with the type that holds the format's numbers."""
    try:
        import numpy
    except ImportError:
        raise ImportError(
            "`read` gives an array of NumPy, which is not installed: pip install numpy; `expect` "
            "does without"
        ) from None
    return numpy.array(array.values, dtype=format.saved).reshape(array.shape)

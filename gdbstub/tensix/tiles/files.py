# SPDX-License-Identifier: Apache-2.0
"""Files of tiles and a machine: load inputs, compare outputs, write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tiles.comparison import Tolerance, report
from tensix_gdb.core.tiles.formats import TileFormat
from tensix_gdb.core.tiles.layout import named
from tensix_gdb.core.tiles.npy import Array, ArrayError, read, written
from tensix_gdb.core.tiles.tile import as_the_format_has_it, from_l1, to_l1, where
from tensix_gdb.gdbstub.tensix.tiles.inputs import Input, name_inputs
from tensix_gdb.gdbstub.tensix.tiles.spec import (
    DUMP,
    EXPECT,
    TILE,
    TileFile,
    check_in_l1,
    parse,
)
from tensix_gdb.gdbstub.usage import UsageError


class TileFiles:
    """The files of `--tile`, `--expect` and `--dump`, read and checked before anything slow begins:
    an output is wanted after a long run. UsageError with a sentence."""

    def __init__(
        self, inputs: Sequence[str] = (), wanted: Sequence[str] = (), dumps: Sequence[str] = ()
    ) -> None:
        self.inputs = [read_tiles(TILE, text) for text in inputs]
        _check_apart(self.inputs)
        self.wanted = [read_tiles(EXPECT, text) for text in wanted]
        self.dumps = [parse(DUMP, text) for text in dumps]
        self._compared: dict[bytes, bool] = {}
        for tile in self.dumps:
            if not Path(tile.path).parent.is_dir():
                raise UsageError(f"{DUMP} {tile.path}: there is no such folder")

    def load(self, machine: Machine) -> None:
        """Load the inputs, now and after each reset. UsageError for one in a program's code."""
        for one in self.inputs:
            _check_no_code(machine, one)
            machine.load_bytes(one.tile.addr, one.content)
        name_inputs(
            machine,
            [
                Input(Path(tile.path).name, tile.addr, tile.addr + len(one.content))
                for one in self.inputs
                for tile in [one.tile]
            ],
        )

    def compare(self, machine: Machine, *, with_map: bool = True) -> tuple[list[str], bool]:
        """Return the lines about outputs at the end of a run, and True if all are as wanted. Of a
        run that came to no end only that is said: what has not been computed differs."""
        lines: list[str] = []
        good = True
        for one in self.wanted:
            tile, array, odd = one.tile, one.array, ""
            wrong = compared(
                machine, tile.path, tile.format, tile.addr, array, tile.tolerance, tile.by_rows
            )
            good = good and not wrong
            wrong = wrong if with_map else wrong[:1]
            if not wrong:
                got, _ = array_in_l1(machine, tile.format, tile.addr, array.shape, tile.by_rows)
                odd = tile.format.not_finite(got.values)
            within = "" if tile.tolerance.exact else f" within {tile.tolerance}"
            lines += wrong or [
                f"{tile.addr:#x} is {tile.path}, as {tile.format.name}{within}: all "
                f"{len(array.values)} datums of {named(array.shape)}",
                *([odd] if odd else []),
            ]
        return lines, good

    def are_as_wanted(self, machine: Machine) -> bool:
        """True if all outputs are as wanted. Runs end alike, so the bytes that were compared are
        kept."""
        found = b"".join(machine.peek(B, one.tile.addr, len(one.content)) for one in self.wanted)
        if found not in self._compared:
            self._compared[found] = self.compare(machine)[1]
        return self._compared[found]

    def write(self, machine: Machine) -> tuple[list[str], bool]:
        """Write the outputs; return what to say, and True if all are written."""
        lines: list[str] = []
        good = True
        for tile in self.dumps:
            array, _ = array_in_l1(machine, tile.format, tile.addr, tile.shape, tile.by_rows)
            try:
                Path(tile.path).write_bytes(written(array, tile.format.saved))
            except OSError as problem:
                lines.append(f"{DUMP} {tile.path}: cannot be written: {problem.strerror}")
                good = False
                continue
            lines.append(
                f"{tile.path} has {named(tile.shape)} numbers of {tile.format.name} at "
                f"{tile.addr:#x}"
            )
        return lines, good


@dataclass(frozen=True)
class TilesInL1:
    """An array, and the bytes that L1 has of it."""

    tile: TileFile
    array: Array
    content: bytes


def read_tiles(option: str, text: str) -> TilesInL1:
    """Read a file. UsageError if it cannot be read, or not be in L1 as it is wanted."""
    tile = parse(option, text)
    try:
        content = Path(tile.path).read_bytes()
    except OSError as problem:
        raise UsageError(f"{option} {tile.path}: cannot be read: {problem.strerror}") from None
    try:
        array = read(content)
        check_in_l1(tile.format, tile.addr, array.shape, tile.by_rows)
        return TilesInL1(tile, array, to_l1(tile.format, array, tile.by_rows))
    except ArrayError as problem:
        raise UsageError(f"{option} {tile.path}: {problem}") from None


def _check_apart(inputs: Sequence[TilesInL1]) -> None:
    """UsageError for two inputs that have bytes of L1 in common."""
    for first, second in pairwise(sorted(inputs, key=lambda one: one.tile.addr)):
        end = first.tile.addr + len(first.content)
        if end > second.tile.addr:
            raise UsageError(
                f"{TILE} {second.tile.path}: {second.tile.addr:#x} is inside of {first.tile.path}, "
                f"which ends at {end:#x}"
            )


def _check_no_code(machine: Machine, given: TilesInL1) -> None:
    """UsageError for an input where a program has its code: what is not 0 of the segment that it
    begins in. Variables may be overwritten."""
    start, end = given.tile.addr, given.tile.addr + len(given.content)
    for image in machine.images:
        for segment in image.segments:
            low, high = max(start, segment.addr), min(end, segment.end)
            is_code = segment.addr <= image.entry < segment.end and low < high
            if is_code and any(segment.data[low - segment.addr : high - segment.addr]):
                raise UsageError(
                    f"{TILE} {given.tile.path}: {start:#x} to {end - 1:#x} is where "
                    f"{image.path} has its code from {segment.addr:#x} to {segment.end - 1:#x}"
                )


def array_in_l1(
    machine: Machine, format: TileFormat, addr: int, shape: Sequence[int], by_rows: bool
) -> tuple[Array, list[int]]:
    """Return the array that L1 has at an address, and the bits of its datums."""
    size = check_in_l1(format, addr, tuple(shape), by_rows)
    return from_l1(format, machine.peek(B, addr, size), shape, by_rows)


def compared(
    machine: Machine,
    name: str,
    format: TileFormat,
    addr: int,
    wanted: Array,
    tolerance: Tolerance,
    by_rows: bool = False,
) -> list[str]:
    """Return the lines about a difference between L1 and an array; none if they are alike.

    Without a tolerance the array is taken as the format has it: what cannot be in L1 is not wanted.
    """
    got, bits = array_in_l1(machine, format, addr, wanted.shape, by_rows)
    if tolerance.exact:
        wanted = as_the_format_has_it(format, wanted, by_rows)
    title = f"{addr:#x} is not {name}, as {format.name}"
    describe = _describer(format, addr, got, bits, by_rows)
    lines = report(title, got, wanted, tolerance, describe, format.ieee)
    odd = format.not_finite(got.values) if lines else ""
    return [*lines, odd] if odd else lines


def _describer(
    format: TileFormat, addr: int, got: Array, bits: Sequence[int], by_rows: bool
) -> Callable[[int], str]:
    digits = -(-format.bits // 4)
    return lambda place: (
        f"{where(format, addr, got.shape, place, by_rows)} (0x{bits[place]:0{digits}x})"
    )

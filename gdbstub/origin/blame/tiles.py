# SPDX-License-Identifier: Apache-2.0
"""The oddities of a run's moves, where `--tile` and `--expect` say which tiles are where.

a move begins inside of a tile and not at a part of it that is as long as the move
it has another format than the file
it reads where no tile was put, and nothing was packed before
it writes where no tile is expected
a tile is not read, or not written, from its beginning
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.unpacker.formats import BITS, IS_BFP
from tensix_gdb.gdbstub.origin.blame.moves import Move, format_name
from tensix_gdb.gdbstub.tensix.tiles.files import TilesInL1

DATUMS = 1024  # of a tile
EXPONENTS_FOR = 16  # datums that share one


@dataclass(frozen=True, slots=True)
class Tiles:
    """The tiles of a file, in L1."""

    path: str
    start: int
    end: int
    size: int  # of a tile
    format: Format
    section: int = 0  # bytes of exponents at the beginning of a tile

    def has(self, addr: int) -> bool:
        """True if an address is in one of them."""
        return self.start <= addr < self.end

    def named(self, addr: int) -> str:
        """`tile 1 of right.npy`."""
        return f"tile {(addr - self.start) // self.size} of {self.path}"


def tiles_of(files: Iterable[TilesInL1]) -> list[Tiles]:
    """Return the tiles of files; arrays that are in L1 row by row are one piece."""
    found = []
    for one in files:
        tile, size = one.tile, len(one.content)
        of_one = size if tile.by_rows else size // max(len(one.array.values) // DATUMS, 1)
        code = tile.format.code
        section = DATUMS // EXPONENTS_FOR if IS_BFP[code] and not tile.by_rows else 0
        found.append(Tiles(tile.path, tile.addr, tile.addr + size, of_one, code, section))
    return found


@dataclass(frozen=True, slots=True)
class Odd:
    """A move, what is odd about it, and whether the address or the formats may be why."""

    move: Move
    what: str
    by_format: bool = False

    def lines(self, machine: Machine) -> Iterator[str]:
        """Yield a sentence, and a line for each word that told the unit to."""
        yield f"{self.move.text(machine)}, {self.what}"
        settings = self.move.formats if self.by_format else (self.move.address,)
        for setting in settings:
            yield f"    {setting.text(machine)}"


def odd(moves: Sequence[Move], inputs: Sequence[Tiles], outputs: Sequence[Tiles]) -> Iterator[Odd]:
    """Yield the odd moves, of each line of the program the first."""
    seen: set[tuple[int, int]] = set()
    packed: list[Move] = []
    for move in moves:
        if not move.is_read:
            packed.append(move)
        found = (
            _of(move, inputs, packed) if move.is_read else _odd_writes(move, outputs, packed[:-1])
        )
        for one in found:
            if (move.hart, move.pc) not in seen:
                yield one
            seen.add((move.hart, move.pc))


def _of(move: Move, tiles: Sequence[Tiles], packed: Sequence[Move]) -> Iterator[Odd]:
    at = next((one for one in tiles if one.has(move.start)), None)
    if at is None:
        if tiles and not any(one.start <= move.start < one.end for one in packed):
            what = "where no --tile is and nothing was packed" if move.is_read else ""
            yield Odd(move, what or "where no --expect is")
        return
    offset, length = (move.start - at.start) % at.size, move.end - move.start
    if IS_BFP[move.format] and IS_BFP[at.format]:  # the move begins with a datum
        offset -= at.section
    if offset and length > 1 and (offset % length or (at.size - at.section) % length):
        after = (move.start - at.start) % at.size
        yield Odd(move, f"{after} bytes after the beginning of {at.named(move.start)}")
    elif move.end > at.end:
        yield Odd(move, f"past the end of {at.path}, which is at {at.end:#x}")
    elif BITS[move.format] != BITS[at.format] or move.format != at.format:
        what = f"as {format_name(move.format)}, and {at.path} is there as {at.format.name}"
        yield Odd(move, what, by_format=True)


def _odd_writes(move: Move, outputs: Sequence[Tiles], before: Sequence[Move]) -> Iterator[Odd]:
    first = next((one for one in before if one.start == move.start), None)
    at = next((one for one in outputs if one.has(move.start)), None)
    if first is not None and at is not None:
        yield Odd(move, f"again: {at.named(move.start)}, as in cycle {first.cycle}")
        return
    yield from _of(move, outputs, ())


def left_out(
    moves: Sequence[Move], inputs: Sequence[Tiles], outputs: Sequence[Tiles]
) -> Iterator[str]:
    """Tiles that no move begins with."""
    for tiles, is_read, verb in ((inputs, True, "read"), (outputs, False, "written")):
        starts = {move.start for move in moves if move.is_read == is_read}
        for one in tiles:
            numbers = [
                str(number)
                for number, addr in enumerate(range(one.start, one.end, one.size))
                if addr not in starts and addr + one.section not in starts
            ]
            if numbers:
                what = "tile" if len(numbers) == 1 else "tiles"
                yield (
                    f"no instruction has {verb} {what} {', '.join(numbers)} of "
                    f"{one.path} from the beginning"
                )

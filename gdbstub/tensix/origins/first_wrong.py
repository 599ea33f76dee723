# SPDX-License-Identifier: Apache-2.0
"""`monitor wrong`: back in the history to the instruction that made the first wrong datum.

monitor wrong 0x41000=sum.npy:bf16      of an array in L1, as for --expect
monitor wrong dst 64=sum.npy:bf16       of Dst from row 64 on, as it is now: after math
monitor wrong src a 1=left.npy:bf16     of bank 1 of SrcA, from its row 0 on
monitor wrong                           of the arrays with which a run that is replayed has failed

The array is compared where the tile is now, so of Dst and of a source bank that is where they still
have what is looked for. Then the tile is at the start of the cycle in which the datum was written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.words import in_cycles
from tensix_gdb.core.tensix.regfiles.src import COLUMNS, ROWS
from tensix_gdb.core.tiles.comparison import differing, number
from tensix_gdb.core.tiles.npy import Array, ArrayError
from tensix_gdb.core.tiles.registers import from_dst, held, is_wide, row_and_column
from tensix_gdb.core.tiles.tile import as_the_format_has_it, bits_of, orders
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.monitor.matrix_text import SOURCE_FORMATS
from tensix_gdb.gdbstub.tensix.monitor.record import FLUSH
from tensix_gdb.gdbstub.tensix.monitor.src import of_matrix_unit
from tensix_gdb.gdbstub.tensix.origins.monitor import Wanted, answer
from tensix_gdb.gdbstub.tensix.origins.wrong import first_wrong
from tensix_gdb.gdbstub.tensix.tiles.files import TilesInL1, read_tiles
from tensix_gdb.gdbstub.tensix.tiles.spec import DIFF
from tensix_gdb.gdbstub.usage import UsageError

FORMS = "0x41000=sum.npy:bf16, dst 64=sum.npy:bf16, or src a 1=left.npy:bf16"
_IN_DST = re.compile(r"dst (\d+)=(.+)")
_IN_BANK = re.compile(r"src ([ab]) ([01])=(.+)")


def wrong(machine: Machine, kept: TileHistory, words: list[str]) -> str:
    """Compare, go back, and say which datum it is and what makes it."""
    said, place = _first_of(machine, [" ".join(words)] if words else kept.expected)
    if not place:
        return f"{said}\n"
    found = answer(machine, kept, Wanted([*place.split(), "--values"]))
    history = kept.history
    assert history is not None  # `answer` has found it in there
    made = found.trees[0] if found.trees else None
    if made is None or made.cycles is None:
        note = (
            made.note if made is not None and made.note else "it is not known what has written it"
        )
        return f"{said}\n{place}: {note}\n"
    history.note_inputs()
    cycle = made.cycles[0]
    if not history.to_cycle(cycle):
        return f"{said}\nwritten by {made.by}, in cycle {cycle}, before the history begins\n"
    lines = [said, f"{made.title}: written by {made.by}, {in_cycles(made.cycles)}"]
    return "\n".join([*lines, f"The tile is at cycle {cycle}, before that. {FLUSH}"])


def _first_of(machine: Machine, texts: Sequence[str]) -> tuple[str, str]:
    """Return the first of several that is wrong."""
    if not texts:
        raise TargetError(f"type what is expected where: `monitor wrong` with {FORMS}")
    found = [_first_wrong(machine, text) for text in texts]
    return next((one for one in found if one[1]), ("\n".join(said for said, _ in found), ""))


def _first_wrong(machine: Machine, text: str) -> tuple[str, str]:
    """Return what there is to say of the first wrong datum, and its place; "" without one."""
    try:
        if in_dst := _IN_DST.fullmatch(text):
            return _of_dst(machine, int(in_dst[1]), _read(in_dst[2]))
        if in_bank := _IN_BANK.fullmatch(text):
            return _of_bank(machine, in_bank[1], int(in_bank[2]), _read(in_bank[3]))
        if "=" not in text:
            raise TargetError(f"type what is expected where: `monitor wrong` with {FORMS}")
        of_l1 = first_wrong(machine, text)
    except (UsageError, ArrayError) as problem:
        raise TargetError(str(problem).replace(DIFF, "wrong")) from None
    return of_l1.said or "it is as expected", of_l1.place or ""


def _read(text: str) -> TilesInL1:
    """Read a file that is not about L1."""
    return read_tiles(DIFF, f"0={text}")


def _of_dst(machine: Machine, first: int, one: TilesInL1) -> tuple[str, str]:
    tile = one.tile
    kind = held(tile.format)
    got, _ = from_dst(machine.S, tile.format, first, one.array.shape, tile.by_rows)
    bits = bits_of(kind, one.array)
    exact = Array(one.array.shape, [kind.decode(datum) for datum in bits])
    wanted = exact if tile.tolerance.exact else one.array
    places = differing(got, wanted, tile.tolerance)
    if not places:
        return f"Dst from row {first} on is {tile.path}, as {kind.name}", ""
    row, column = row_and_column(got.shape, places[0], first, tile.by_rows)
    said = (
        f"Dst from row {first} on is not {tile.path}, as {kind.name}: {len(places)} of "
        f"{len(wanted.values)} datums differ; the first: row {row}, column {column}: "
        f"{number(got.values[places[0]])}, wanted {number(wanted.values[places[0]])}"
    )
    if not is_wide(tile.format):
        return said, f"dst {row}.{column}"
    # Dst.md: a row of Dst32b is two rows of Dst16b, eight apart.
    high = (row & ~7) << 1 | row & 7
    return said, f"dst {high},{high + 8}.{column}"


def _of_bank(machine: Machine, name: str, bank: int, one: TilesInL1) -> tuple[str, str]:
    tile = one.tile
    order = list(chain.from_iterable(orders(one.array.shape, tile.by_rows)))
    if len(order) > ROWS * COLUMNS:
        raise TargetError(f"{tile.path} has more datums than a bank, {ROWS} rows of {COLUMNS}")
    datums = machine.S.src.b if name == "b" else machine.S.src.a
    style = tile.format.name if tile.format.name in SOURCE_FORMATS else "tf32"
    text = SOURCE_FORMATS[style]
    values = [0.0] * len(order)
    for i, place in enumerate(order):
        values[place] = float(text(int(datums[bank, i // COLUMNS, i % COLUMNS])))
    got = Array(one.array.shape, values)
    wanted = as_the_format_has_it(tile.format, one.array, tile.by_rows)
    places = differing(got, wanted, tile.tolerance)
    what = f"bank {bank} of Src{name.upper()}"
    if not places:
        return f"{what} is {tile.path}, as {tile.format.name}", ""
    i = order.index(places[0])
    said = (
        f"{what} is not {tile.path}, as {tile.format.name}: {len(places)} of {len(values)} datums "
        f"differ; the first: row {i // COLUMNS}, column {i % COLUMNS}: "
        f"{number(values[places[0]])}, wanted {number(wanted.values[places[0]])}"
    )
    if not of_matrix_unit(machine.S, int(name == "b"), bank):
        said += f"\n{what} is the unpackers' now: an UNPACR may be filling it"
    return said, f"src {name} {bank} {i // COLUMNS}.{i % COLUMNS}"

# SPDX-License-Identifier: Apache-2.0
"""The cost model for people: rows of a part of the tile, and what an instruction takes.

rows_about("unpacker")        rows with the word in name or sentence
rows_of("MVMUL")              those of the unit that executes the instruction, and of its way there
show(rows)                    a table as text
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from tensix_gdb.core.assembly.tensix_names import mnemonics_called
from tensix_gdb.core.cost.row import MEANING, TABLE, Cost, Trust
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.memory.devices import DEVICES
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import ROWS
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.table import rows_of as tensix_rows

WIDTH = 100
INDENT = " " * 6
# The part of the table that a unit's rows are in.
PARTS = {
    Unit.FPU: "matrix", Unit.SFPU: "vector", Unit.THCON: "scalar", Unit.UNPACKER: "unpacker",
    Unit.PACKER: "packer", Unit.MOVER: "mover",
}  # fmt: skip
_LOADS = "BabyRISCV/README.md, Load/Store Unit"
_MEMORY = (Form.LOAD, Form.STORE, Form.AMO, Form.TTINSN)
NOTES = {
    "instruction.RDCFG": "a card: one in each cycle (mesham/tt-sim, tensixbench)",
    "instruction.NOP": "three threads take one in each cycle each on a card: it goes to no unit",
    "load.L1": "a card: 8.1 in a chain of loads (mesham/tt-sim, rv_load_chase)",
    "load.LOCAL": "a card: 2.0 in a chain of loads (mesham/tt-sim, rv_load_stack)",
}


def table() -> list[Cost]:
    """Return all rows, by name: those of `core/cost`, loads by region, and Tensix instructions."""
    return sorted((*TABLE.values(), *_loads(), *_instructions()), key=lambda row: row.name)


def _loads() -> Iterator[Cost]:
    """Yield a row for each region that harts load from (core/memory/devices.py)."""
    for device in DEVICES:
        if device.latencies:
            name = f"load.{device.key}"
            what = f"from EX1 until a load from {device.name} can be used, at least"
            note = NOTES.get(name, "")
            trust = Trust.MEASURED if note else Trust.PAGE
            yield Cost(name, device.latencies[0], "cycles", what, _LOADS, trust, note)


def _instructions() -> Iterator[Cost]:
    """Yield a row for each Tensix instruction with a latency; where it has two, the smaller one."""
    for row in tensix_rows(Arch.BLACKHOLE):
        if row.latency:
            first = row.latency.partition("-")[0]
            least = "at least" if first.endswith("+") or "-" in row.latency else "exactly"
            name = f"instruction.{row.name}"
            note = NOTES.get(f"instruction.{row.mnemonic}", "")
            yield Cost(
                *(name, int(first.rstrip("+")), "cycles", f"that the unit has it, {least}"),
                *(row.page, Trust.PAGE, note),
            )


def rows_about(word: str) -> list[Cost]:
    """Rows with `word` in name, sentence or note; a part's name gives its rows alone."""
    wanted = word.lower()
    rows = table()
    if own := [row for row in rows if row.part == wanted or row.name.lower() == wanted]:
        return own
    return [row for row in rows if wanted in f"{row.name} {row.what} {row.note}".lower()]


def rows_of(text: str) -> list[Cost]:
    """Return the costs of an instruction: its own row, those of its unit, those of its way there.
    Empty if there is no such instruction."""
    name = text.split(maxsplit=1)[0] if text.split() else ""
    hart = {row.name: row.form for row in ROWS}.get(name)
    if hart is not None:
        parts = ("hart", "load", "l1") if hart in _MEMORY else ("hart",)
        return [row for row in table() if row.part in parts]
    called = mnemonics_called(name, Arch.BLACKHOLE)
    found = [row for row in tensix_rows(Arch.BLACKHOLE) if row.mnemonic in called]
    if not found:
        return []
    names = {f"instruction.{row.name}" for row in found}
    part = {PARTS.get(row.unit, "") for row in found}
    return [row for row in table() if row.name in names or row.part in {*part, "frontend"}]


def show(rows: Iterable[Cost]) -> str:
    """Return each row: name, value, what it is; below, how far to trust it, where from, and the
    note."""
    lines = []
    for row in rows:
        head = f"{row.name}: {row.value} {row.unit}, {row.what}"
        lines += textwrap.wrap(head, WIDTH, subsequent_indent=INDENT)
        tail = f"{row.trust.value}: {row.source}" + (f". {row.note}" if row.note else "")
        lines += textwrap.wrap(tail, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
    return "\n".join(lines) + "\n"


def meanings() -> dict[str, str]:
    """Return the meanings of the words of trust."""
    return {trust.value: text for trust, text in MEANING.items()}

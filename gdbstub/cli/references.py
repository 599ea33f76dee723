# SPDX-License-Identifier: Apache-2.0
"""The chapters of the manual that are tables of rows: commands, `monitor`, faults, promises,
formats and configuration of tiles, the record.

`python -m tensix_gdb.gdbstub.cli.references` writes them; run it after a change of any row. A test
compares.
"""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Callable, Iterator
from functools import partial

import tensix_gdb.core.links.flow  # noqa: F401 - with it all rows of time are in the table
from tensix_gdb.core.cost.row import MEANING
from tensix_gdb.core.cost.row import TABLE as COSTS
from tensix_gdb.core.devices.registers import Register, RegisterBlock
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.core.faults.codes import ENTRIES
from tensix_gdb.core.faults.shipped import NONE, SHIPPED
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import PARTS
from tensix_gdb.core.memory.devices import DEVICES as DEVICE_ROWS
from tensix_gdb.core.ordering.promises import PROMISES
from tensix_gdb.core.perf.counters import COUNTERS, L1_COUNTERS, Counter
from tensix_gdb.core.perf.fields import NAMES as BANK_NAMES
from tensix_gdb.core.perf.fields import REQUEST
from tensix_gdb.core.perf.metrics import METRICS
from tensix_gdb.core.places.kinds import KINDS
from tensix_gdb.core.record.layout import Chapter, Field, Part, Tag
from tensix_gdb.core.tiles.configuration.text import FORMS, overview_rows, setup_named, show
from tensix_gdb.core.tiles.formats import FORMATS
from tensix_gdb.core.tiles.tile import tile_bytes
from tensix_gdb.gdbstub.cli.parser import parser, subparsers
from tensix_gdb.gdbstub.tensix.monitor.monitor import NEEDS
from tensix_gdb.gdbstub.tensix.target import tensix_target

MAKER = "python -m tensix_gdb.gdbstub.cli.references"
TILE_DATUMS = 32 * 32
# Commands that have no tile of their own, or one for a question: of instructions, and the others.
INSTRUCTIONS = {"asm", "disasm", "explain", "isa"}
# Commands with a chapter of their own: the block there, and the chapter.
CHAPTERS = {
    "diagnose": ("diagnose", "diagnose"),
    "share": ("share", "share"),
    "vscode": ("vscode", "vscode"),
    "llk": ("llk command", "llk-job"),
    "pollution": ("pollution options", "pollution"),
    "fuzz": ("fuzz options", "fuzz"),
}
TOOLS = {"build", "new", "report", "litmus", "manual", "svd", "completion", "core", "origin"}
TOOLS |= {"picture", "seeds", "top", "mcp", "check", "doctor", "sfpi"}
_NUMBER = re.compile(r" \(\d\)$")
_OPERAND = re.compile(r"\{(\w+)[^}]*\}")


def faults() -> str:
    """Make a row for each fault code, by name."""
    rows = [
        "| fault | category | what is said | what to try | LLK, ttnn, firmware | page |",
        "|---|---|---|---|---|---|",
    ]
    for code, entry in sorted(ENTRIES.items(), key=lambda item: item[0].name):
        cells = (
            f"`{code.name}`",
            entry.category.value,
            _format(entry.said),
            _format(entry.next),
            SHIPPED.get(code.name, NONE),
            entry.page,
        )
        rows.append(_row(cells))
    return "\n".join(rows) + "\n"


def _format(text: str) -> str:
    """Replace the formats in a sentence by the names of the operands."""
    return _OPERAND.sub(r"*\1*", text)


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def monitor_commands() -> str:
    """Make a row for each `monitor` command of a tile that has them all."""
    target = tensix_target(Machine(engine="reference"))
    assert target.monitor is not None
    lines = target.monitor.command(1, "help", running=False).splitlines()
    rows = ["| command | what it does |", "|---|---|"]
    for line in lines:
        use, _, what = line.partition("  ")
        rows.append(_row((f"`{use}`", what.strip())))
    rows += [_row((f"`monitor {name}`", f"it {text}")) for name, text in NEEDS.items()]
    return "\n".join(rows) + "\n"


def places() -> str:
    """Make a row for each kind of place."""
    rows = ["| place | what it is | a value of it |", "|---|---|---|"]
    for kind in KINDS.values():
        forms = ", ".join(f"`{form}`" for form in kind.forms)
        rows.append(_row((forms, kind.means, kind.unit)))
    return "\n".join(rows) + "\n"


def commands(names: set[str] | None) -> str:
    """Make a row for each argument of some commands; None for those that no other page has."""
    text = []
    for name, sub in subparsers(parser()):
        if name in {*TOOLS, *INSTRUCTIONS, *CHAPTERS} if names is None else name not in names:
            continue
        text += [f"## {name}", "", " ".join((sub.description or "").split()), ""]
        arguments = list(_arguments(sub))
        if arguments:
            text += ["| argument | |", "|---|---|", *arguments, ""]
    return "\n".join(text) + "\n"


def _arguments(sub: argparse.ArgumentParser) -> Iterator[str]:
    for action in sub._actions:
        if isinstance(action, argparse._HelpAction) or action.help == argparse.SUPPRESS:
            continue
        meta = action.metavar or ("" if action.nargs == 0 else action.dest.upper())
        value = "|".join(map(str, action.choices)) if action.choices else str(meta)
        shown = ", ".join(action.option_strings)
        form = f"`{shown} {value}`" if shown and value else f"`{shown or value}`"
        yield _row((form, " ".join((action.help or "").split()) % vars(action)))


def record(chapter: Chapter) -> Callable[[], str]:
    """Make the table of the rows of the parts in a chapter of the manual."""
    return lambda: _record([part for part in PARTS if part.chapter is chapter])


def _record(parts: list[Part]) -> str:
    rows = ["| row | elements | what it is |", "|---|---|---|"]
    rows += [
        _row((f"`{part.name}.{field.name}`", _shape(field), field.doc))
        for part in parts
        for field in part.fields
        if field.tag is not Tag.DERIVED
    ]
    return "\n".join(rows) + "\n"


def registers() -> str:
    """Make a table of the registers of each device."""
    text, seen = [], []
    for device in DEVICE_ROWS:
        module = device.load()
        block: RegisterBlock | None = getattr(module, "BLOCK", None)
        rows = block.registers if block is not None else getattr(module, "WINDOW", ())
        if not rows or rows in seen:
            continue  # the two NIUs have the same
        seen.append(rows)
        start = device.spans[0].start
        page = f" ({block.page})" if block is not None and block.page else ""
        text += [f"## From {start:#010x}: {device.name}{page}", ""]
        text += [
            "| register | at | access | what it is | row of the record |",
            "|---|---|---|---|---|",
        ]
        text += _register_rows(rows, block.part if block is not None else "")
        text.append("")
    return "\n".join(text) + "\n"


def _register_rows(rows: tuple[Register, ...], part: str) -> Iterator[str]:
    """Make one row for registers that differ in a number only: `(0)` to `(3)` of an initiator; and
    for those that are a row of the record."""
    alike: dict[tuple[str, str, str], list[Register]] = {}
    for one in rows:
        key = one.row or _NUMBER.sub("", one.name), one.access.value, one.doc
        alike.setdefault(key, []).append(one)
    for (_, access, doc), found in alike.items():
        first = found[0]
        shown = found if first.row else found[:1]
        title = ", ".join(f"`{_register_title(one)}`" for one in shown)
        if len(found) > len(shown):
            title = f"`{_NUMBER.sub('', _register_title(first))} (0) to ({len(found) - 1})`"
        at = ", ".join(f"+{one.offset:#05x}" for one in shown)
        path = first.path(part)
        yield _row((title, at, access, doc, f"`{path}`" if path else ""))


def _register_title(one: Register) -> str:
    return one.title(f"0 to {one.count - 1}") if one.count > 1 else one.name


def promises() -> str:
    """Make a row for each order that no page grants."""
    rows = ["| | order | trust | cycles | where |", "|---|---|---|---|---|"]
    for promise in PROMISES:
        order = f"{promise}" if promise.holds else f"*not kept:* {promise}"
        cycles = "" if promise.bound is None else str(promise.bound)
        cells = (promise.name, order, promise.trust.value, cycles, promise.source)
        rows.append(_row(cells))
    return "\n".join(rows) + "\n"


def formats() -> str:
    """Make a row for each format of a tile in L1."""
    rows = ["| format | code | a datum | bytes of a tile |", "|---|--:|---|--:|"]
    rows += [
        _row((f"`{one.name}`", str(int(one.code)), one.about, str(tile_bytes(one, TILE_DATUMS))))
        for one in FORMATS.values()
    ]
    return "\n".join(rows) + "\n"


def configuration() -> str:
    """Make a table of all formats for each unit, and show what one of them needs."""
    text = []
    for unit in FORMS:
        head, *rows = overview_rows(unit)
        text += [f"## {unit}", "", _row(head), "|" + "---|" * len(head)]
        text += [_row(row) for row in rows]
        text += ["", "```", f"$ tensix-gdb explain --config {unit} bf16"]
        text += [show(setup_named([unit, "bf16"])).rstrip("\n"), "```", ""]
    return "\n".join(text)


def counters() -> str:
    """Make a row for each performance counter; one for ports of L1 that differ in a number."""
    rows = ["| bank | select | counter | what it counts here | trust |", "|---|---|---|---|---|"]
    rows += [_counter(row, row.name, row.count) for row in COUNTERS]
    alike: dict[tuple[int, str, str], list[Counter]] = {}
    for row in L1_COUNTERS:
        if row.kind == REQUEST:
            event = re.sub(r"more than \d+ bytes", "more than 16 bytes for each", row.event)
            name = re.sub(r"(INCOMING|OUTGOING)?_?\d+$", "", row.name)
            alike.setdefault((row.mux, name, event), []).append(row)
    for (mux, _, event), found in alike.items():
        name = f"{found[0].name}` to `{found[-1].name}" if len(found) > 1 else found[0].name
        selects = [row.select for row in found]
        cells = (
            f"L1, mux {mux}",
            _selects(min(selects), len(selects), 1),
            f"`{name}`",
            event,
            found[0].trust.value,
        )
        rows.append(_row(cells))
    return "\n".join(rows) + "\n"


def _counter(row: Counter, name: str, count: int) -> str:
    select = 256 * row.kind + row.select
    cells = (
        BANK_NAMES[row.bank],
        _selects(select, count, row.step),
        f"`{name.format(i='*i*')}`".replace("*i*", "`*i*`").replace("``", ""),
        row.event.format(i="*i*"),
        row.trust.value,
    )
    return _row(cells)


def _selects(first: int, count: int, step: int) -> str:
    if count == 1:
        return str(first)
    return ", ".join(str(first + i * step) for i in range(count))


def costs() -> str:
    """Make a row for each number of time that is beside the code of the machine."""
    # It has rows, and no tile needs it.
    importlib.import_module("tensix_gdb.core.chip.ethernet.packets")
    rows = ["| number | value | of what | trust | source and note |", "|---|---|---|---|---|"]
    for name in sorted(COSTS):
        cost = COSTS[name]
        source = f"{cost.source}. {cost.note}" if cost.note else cost.source
        value = f"{cost.value} {cost.unit}"
        rows.append(_row((f"`{name}`", value, cost.what, cost.trust.value, source)))
    meanings = [f"- *{trust.value}*: {text}" for trust, text in MEANING.items()]
    return "\n".join([*rows, "", *meanings]) + "\n"


def metrics() -> str:
    """Make a row for each metric that tt-metal derives from performance counters."""
    rows = ["| metric | column of LLK's reports | formula |", "|---|---|---|"]
    rows += [_row((one.label, f"`{one.key}`", f"`{one.formula}`")) for one in METRICS]
    return "\n".join(rows) + "\n"


def _shape(field: Field) -> str:
    return " x ".join([*map(str, field.shape), field.kind])


BLOCKS: tuple[tuple[Generated, Callable[[], str]], ...] = (
    (Generated("commands", MAKER, MANUAL / "commands.md"), partial(commands, None)),
    (Generated("tools", MAKER, MANUAL / "tools.md"), partial(commands, TOOLS)),
    (Generated("asm", MAKER, MANUAL / "assembler.md"), partial(commands, INSTRUCTIONS)),
    *(
        (Generated(block, MAKER, MANUAL / f"{page}.md"), partial(commands, {name}))
        for name, (block, page) in CHAPTERS.items()
    ),
    (Generated("places", MAKER, MANUAL / "places.md"), places),
    (Generated("monitor", MAKER, MANUAL / "monitor.md"), monitor_commands),
    (Generated("faults", MAKER, MANUAL / "fault-codes.md"), faults),
    (Generated("promises", MAKER, MANUAL / "ordering.md"), promises),
    (Generated("formats", MAKER, MANUAL / "tiles.md"), formats),
    (Generated("configuration", MAKER, MANUAL / "configuration.md"), configuration),
    (Generated("registers", MAKER, MANUAL / "registers.md"), registers),
    (Generated("counters", MAKER, MANUAL / "perf-counters.md"), counters),
    (Generated("costs", MAKER, MANUAL / "time.md"), costs),
    (Generated("metrics", MAKER, MANUAL / "perf-counters.md"), metrics),
    (Generated("harts", MAKER, MANUAL / "record-harts.md"), record(Chapter.HARTS)),
    (Generated("devices", MAKER, MANUAL / "record-devices.md"), record(Chapter.DEVICES)),
    (Generated("control", MAKER, MANUAL / "record-control.md"), record(Chapter.CONTROL)),
    (Generated("data", MAKER, MANUAL / "record-data.md"), record(Chapter.DATA)),
)

if __name__ == "__main__":
    for block, make in BLOCKS:
        block.write(make())

# SPDX-License-Identifier: Apache-2.0
"""The rows as a table for people: in a terminal, in Markdown, as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tensix_gdb.core.explain.instruction.tensix import bits_of, page
from tensix_gdb.core.explain.instruction.touched import kinds
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.tensix.instruction import Catch, Instruction, Status, Unit

_GATES = {Catch.ONLY_ALL: "all nine", Catch.NEVER: "never", Catch.UNKNOWN: "?"}
HEADS = ("opcode", "instruction", "unit", "held by", "class", "latency", "status", "page")


def block_bits(row: Instruction) -> str:
    """`B0 B5`, or what the gate does instead."""
    if row.gate is not Catch.MASKED:
        return _GATES[row.gate]
    if row.blocked_by == Block.ALL:
        return "any bit"
    return " ".join(str(bit.name) for bit in row.blocked_by)


def facts_of(row: Instruction, arch: Arch) -> dict[str, object]:
    """Return one row as data, as `json.dumps` takes it."""
    return {
        "name": row.name,
        "mnemonic": row.mnemonic,
        "form": row.form,
        "opcode": row.opcode,
        "mask": row.encoding.mask,
        "match": row.encoding.match,
        "undefined_bits": row.encoding.unused,
        "fields": {
            name: {"bits": bits_of(field), "signed": field.signed, "meaning": operand.meaning}
            for (name, field), operand in zip(
                row.encoding.fields.items(), row.operands.values(), strict=True
            )
        },
        "llk": [{"parameter": name, "bit": bit} for name, bit in row.llk],
        "unit": row.unit.value,
        "gate": row.gate.value,
        "held_by": [str(bit.name) for bit in row.blocked_by] if row.gate is Catch.MASKED else [],
        "ttsync": row.ttsync,
        "latency": row.latency,
        "reads": kinds(row, written=False),
        "writes": kinds(row, written=True),
        "status": row.status.value,
        "summary": row.summary,
        "page": page(row, arch),
    }


def _cells(row: Instruction, arch: Arch) -> tuple[str, ...]:
    return (
        f"{row.opcode:#04x}",
        row.name,
        row.unit.value,
        block_bits(row),
        "-" if row.ttsync is None else str(row.ttsync),
        row.latency or "?",
        row.status.value,
        page(row, arch),
    )


def table(rows: Iterable[Instruction], arch: Arch) -> str:
    """Aligned columns for a terminal."""
    cells = [HEADS, *(_cells(row, arch) for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(HEADS))]
    return "".join(
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in cells
    )


def markdown(rows: Iterable[Instruction], arch: Arch) -> str:
    """The same table in Markdown."""
    lines = [" | ".join(HEADS), "|".join("---" for _ in HEADS)]
    lines += [" | ".join(_cells(row, arch)) for row in rows]
    return "".join(f"| {line} |\n" if "---" not in line else f"|{line}|\n" for line in lines)


def meanings(rows: Iterable[Instruction]) -> str:
    """Return a Markdown table of what each instruction does, by name; forms with the same meaning
    once."""
    lines = ["| instruction | unit | what it does |\n", "|---|---|---|\n"]
    kept = {(row.mnemonic, row.unit.value, row.summary): None for row in rows}
    return "".join(
        (*lines, *(f"| `{name}` | {unit} | {what} |\n" for name, unit, what in sorted(kept)))
    )


def by_unit(rows: Sequence[Instruction]) -> str:
    """Return a Markdown table of the opcodes of each unit and how far the emulator is with them."""
    lines = ["| unit | opcodes | " + " | ".join(s.value for s in Status) + " |\n"]
    lines.append("|---|--:|" + "--:|" * len(Status) + "\n")
    # An opcode with several forms counts once, by the one that is least far.
    order = list(Status)
    least: dict[str, Instruction] = {}
    for row in rows:
        other = least.get(row.mnemonic, row)
        least[row.mnemonic] = max((row, other), key=lambda candidate: order.index(candidate.status))
    total = Counter(row.status for row in least.values())
    for unit in Unit:
        counts = Counter(row.status for row in least.values() if row.unit is unit)
        lines.append(_counts(unit.value, counts))
    lines.append(_counts("all", total))
    return "".join(lines)


def _counts(name: str, by_status: Counter[Status]) -> str:
    counts = " | ".join(str(by_status[status]) for status in Status)
    return f"| {name} | {by_status.total()} | {counts} |\n"

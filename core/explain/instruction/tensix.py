# SPDX-License-Identifier: Apache-2.0
"""A Tensix word explained from its row: fields, gate, class, latency, and what its wait means."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.assembly.tensix_names import SHORT
from tensix_gdb.core.assembly.tensix_text import show, undefined
from tensix_gdb.core.explain.instruction import touched
from tensix_gdb.core.explain.instruction.detail import detail_of
from tensix_gdb.core.explain.instruction.explanation import Explanation, FieldText, Line
from tensix_gdb.core.explain.instruction.notes import notes_of
from tensix_gdb.core.explain.instruction.other_chip import on_other_chip, other
from tensix_gdb.core.explain.instruction.warn import warnings_of
from tensix_gdb.core.isa import masks
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.operand import Bits
from tensix_gdb.core.isa.schema import Field
from tensix_gdb.core.tensix.auto_ttsync.resourcedecl import CLASS_MEMBERS
from tensix_gdb.core.tensix.instruction import BH, WH, Catch, Instruction, Unit
from tensix_gdb.core.tensix.scalar.alu import cycles
from tensix_gdb.core.tensix.table import by_mnemonic, find, rows_of
from tensix_gdb.core.waits import elsewhere
from tensix_gdb.core.waits.tensix import CONDITIONS, WAITS, TensixWait

# What `.ttinsn` cannot push: its word would look like a RISC-V instruction.
FIRST_UNPUSHABLE = 0xC0000000
MAX_NAMES = 8


def explain_tensix(word: int, arch: Arch) -> Explanation:
    """Everything about `word`; one that means nothing says why."""
    row = find(word, arch)
    if row is None:
        explanation = Explanation(arch.title, show(word, Dialect(arch)), word, 8, "")
        explanation.summary = f"No instruction: {undefined(word, arch)}."
        return explanation
    explanation = Explanation(arch.title, show(word, Dialect(arch)), word, 8, row.summary)
    explanation.facts = list(_facts(row, word, arch))
    explanation.fields = [_field(row, name, word, arch) for name in row.encoding.fields]
    explanation.details, explanation.detail = detail_of(row, word, arch)
    if row.mnemonic in WAITS:
        _explain_wait(explanation, TensixWait(row, word, arch))
    explanation.warnings = list(warnings_of(row, word, arch))
    return explanation


def _facts(row: Instruction, word: int, arch: Arch) -> Iterator[Line]:
    pushed = ""
    if word < FIRST_UNPUSHABLE:
        pushed = f", pushed by the RISC-V word {(word << 2 | word >> 30) & 0xFFFFFFFF:#010x}"
    yield Line("Word", f"{word:#010x} on {arch.title}{pushed}")
    if not row.undefined_bits(word):
        yield Line("LLK", show(word, Dialect(arch, llk=True)))
    yield Line("Unit", row.unit.value)
    if read := touched.reads(row, word):
        yield Line("Reads", read)
    if written := touched.writes(row, word):
        yield Line("Writes", written)
    yield Line("Latency", latency_of_word(row, word))
    yield Line("Wait gate", gate(row))
    if arch is Arch.BLACKHOLE:
        yield Line("Auto TTSync", ttsync(row))
    if row.mnemonic not in WAITS:
        yield Line(f"On {other(arch).title}", on_other_chip(row, word, arch))
    yield Line("Page", page(row, arch))


def page(row: Instruction, arch: Arch) -> str:
    """Return the page of an architecture; what holds for both names Blackhole's where it has
    one."""
    if arch is Arch.WORMHOLE:
        return row.page.replace(BH, WH)
    return row.page


def latency(row: Instruction) -> str:
    """`5`, `3-4` and `2+` in words."""
    if not row.latency:
        return "no page has a number"
    text = row.latency.replace("-", " to ")
    unit = "cycle" if row.latency in ("1", "1+") else "cycles"
    return f"{text.removesuffix('+')} {unit}{' or more' if text.endswith('+') else ''}"


def latency_of_word(row: Instruction, word: int) -> str:
    """Return the latency of this word, where its operands decide it."""
    fields = row.encoding.decode(word)
    if row.latency != "3-4" or not {"left_reg", "right_reg"} <= fields.keys():
        return latency(row)
    left, right = fields["left_reg"], fields["right_reg"]
    count = cycles(left, right)
    groups = [f"G{reg & ~3} to G{reg | 3}" for reg in (left, right)]
    if count == 3:
        return f"3 cycles: its operands are in one aligned group of four GPRs, {groups[0]}; else 4"
    return f"4 cycles: its operands are in two aligned groups of four GPRs, {' and '.join(groups)}"


def gate(row: Instruction) -> str:
    """Return what a block mask does to the instruction."""
    match row.gate:
        case Catch.MASKED if row.blocked_by == Block.ALL:
            return "held by any bit of a block mask"
        case Catch.MASKED:
            bits = masks.BLOCK_MASK.parts(int(row.blocked_by))
            return f"held by {' or '.join(f'{b.text} ({b.llk[0]})' for b in bits)} of a block mask"
        case Catch.ONLY_ALL:
            return "held only by a block mask with all nine bits"
        case Catch.NEVER:
            return f"never reaches it: {row.unit.value} takes it before"
        case _:
            return "not in the table of STALLWAIT.md"


def ttsync(row: Instruction) -> str:
    """Return the class, and what Auto TTSync takes its members to use unless RESOURCEDECL changes
    it."""
    if row.ttsync is None:
        return "no class"
    uses = masks.RESOURCES.meaning(masks.DEFAULT_RESOURCES[row.ttsync], Arch.BLACKHOLE)
    return f"class {row.ttsync} ({CLASS_MEMBERS[row.ttsync]}): {uses}"


def bits_of(field: Field) -> str:
    """`23:15`, or `15:14|3:0` where a field is in several places."""
    return "|".join(
        f"{p.word_shift + p.width - 1}:{p.word_shift}" if p.width > 1 else str(p.word_shift)
        for p in field.pieces
    )


def _field(row: Instruction, name: str, word: int, arch: Arch) -> FieldText:
    field, operand = row.encoding.fields[name], row.operands[name]
    value = field.get(word)
    meaning = operand.meaning
    # Of a wait's masks each bit has a line of its own further down.
    if not (row.mnemonic in WAITS and name in SHORT):
        said = operand.kind.meaning(value, arch)
        text = operand.kind.show(value, Dialect(arch))
        if said and said != text:
            meaning += f": {said}"
    return FieldText(name, bits_of(field), value, operand.kind.show(value, Dialect(arch)), meaning)


def _explain_wait(explanation: Explanation, wait: TensixWait) -> None:
    explanation.waits_while = list(_conditions(wait))
    explanation.notes = list(notes_of(wait))
    if wait.row.mnemonic == "FLUSHDMA":
        explanation.holds = [
            Line(Unit.THCON.value, "of every thread, because the unit is occupied"),
            Line("this thread", "everything, until it is done"),
        ]
    else:
        explanation.holds, explanation.lets_pass = held(wait)
    explanation.elsewhere = list(elsewhere.of_tensix(wait))


def _conditions(wait: TensixWait) -> Iterator[Line]:
    fields = wait.fields()
    match wait.row.mnemonic:
        case "SEMWAIT" if fields["condition_mask"]:
            chosen = [s.text for s in masks.SEMAPHORES.names if s.value & fields["semaphore_mask"]]
            of = "any of " * (len(chosen) > 1) + ", ".join(chosen)
            if not chosen:
                return
            for condition, test in zip(
                masks.CONDITIONS_SEMWAIT.names, ("Value == 0", "Value >= Max"), strict=True
            ):
                if condition.value & fields["condition_mask"]:
                    yield Line(condition.text, f"{condition.llk[0]}: {of} has {test}")
        case "SEMWAIT" if wait.arch is Arch.BLACKHOLE:
            return  # undefined, as a warning says
        case "STREAMWAIT":
            condition = masks.CONDITION_STREAMWAIT.names[fields["condition_index"]]
            yield Line(condition.text, condition.meaning)
        case "FLUSHDMA":
            yield from _named(masks.CONDITIONS_FLUSHDMA, wait.condition_mask())
        case _:
            yield from _named(CONDITIONS[wait.arch], wait.condition_mask())


def _named(names: Bits, mask: int) -> Iterator[Line]:
    for bit in names.names:
        if bit.value & mask:
            yield Line(bit.text, f"{bit.llk[0]}: {bit.meaning}")


def held(wait: TensixWait) -> tuple[list[Line], list[Line]]:
    """Return by unit which instructions the block mask catches and which pass."""
    caught: dict[Unit, list[str]] = {}
    free: dict[Unit, list[str]] = {}
    for row in rows_of(wait.arch):
        if (
            row.gate in (Catch.NEVER, Catch.UNKNOWN)
            or row != by_mnemonic(wait.arch)[row.mnemonic][0]
        ):
            continue
        side = caught if wait.catches(row.encoding.match) else free
        side.setdefault(row.unit, []).append(row.mnemonic)
    return _by_unit(caught, free), _by_unit(free, caught)


def _by_unit(side: dict[Unit, list[str]], other: dict[Unit, list[str]]) -> list[Line]:
    lines = []
    for unit, names in side.items():
        text = ", ".join(names)
        if len(names) > MAX_NAMES:
            text = f"its {len(names)} instructions"
            if 0 < len(other.get(unit, ())) <= MAX_NAMES:
                text += f", but not {', '.join(other[unit])}"
        lines.append(Line(unit.value, text))
    return lines

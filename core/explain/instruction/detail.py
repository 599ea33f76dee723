# SPDX-License-Identifier: Apache-2.0
"""The objects of an instruction's operands: configuration fields, MOP templates, replayed
entries."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.explain.instruction.explanation import Line
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import ConfigField, fields_of_word
from tensix_gdb.core.tensix.config_use import Stage
from tensix_gdb.core.tensix.instruction import Instruction

REPLAY_ENTRIES = 32
# MOPExpander.md, "Configuration".
TEMPLATE_0 = (
    "not used",
    "flags: bit 0 there is a B, bit 1 there are A1 to A3",
    "B",
    "A0",
    "A1",
    "A2",
    "A3",
    "instead of the As, where the mask has a 1",
    "instead of B, where the mask has a 1",
)
TEMPLATE_1 = (
    "iterations of the outer loop",
    "iterations of the inner loop",
    "before the inner loop",
    "after the inner loop",
    "after that, if there was one",
    "the inner loop",
    "alternating with it, and then there are twice as many",
    "instead of the last of all",
    "instead of the last of an inner loop",
)


def detail_of(row: Instruction, word: int, arch: Arch) -> tuple[str, list[Line]]:
    """Return a title and lines; both empty where there is nothing to say."""
    fields = row.encoding.decode(word)
    match row.mnemonic:
        case "MOP":
            names = TEMPLATE_1 if fields["template"] else TEMPLATE_0
            title = f"Words of the MOP configuration for template {fields['template']}"
            return title, [Line(str(i), text) for i, text in enumerate(names)]
        case "REPLAY":
            return _replay(fields)
        case "SETC16":
            lines = _values(
                fields_of_word(arch, fields["cfg_index"], thread=True), 0xFFFF, fields["new_value"]
            )
            return "Configuration that is written", list(lines)
        case "RMWCIB0" | "RMWCIB1" | "RMWCIB2" | "RMWCIB3":
            shift = 8 * int(row.mnemonic[-1])
            lines = _values(
                fields_of_word(arch, fields["index4"], thread=False),
                fields["mask"] << shift,
                fields["new_value"] << shift,
            )
            return "Configuration that is written", list(lines)
    if row.config is not None and row.config.stage in (Stage.PIPE, Stage.LATE):
        verb = "written" if row.config.writes else "read"
        words = row.config.words(fields)
        return f"Configuration that is {verb}", list(_words(arch, words.start, len(words)))
    return "", []


def _replay(fields: dict[str, int]) -> tuple[str, list[Line]]:
    count = fields["count"]
    if not 1 <= count <= REPLAY_ENTRIES:
        return "", []
    first = fields["index"]
    last = (first + count - 1) % REPLAY_ENTRIES
    entries = f"{first} to {last}" if count > 1 else str(first)
    if last < first:
        entries = f"{first} to {REPLAY_ENTRIES - 1} and 0 to {last}"
    what = "are issued"
    if fields["load"]:
        what = "record the instructions that follow" + (
            ", which are executed too" if fields["exec"] else ", which are not executed"
        )
    return "Replay buffer", [Line(f"entries {entries}", what)]


def _words(arch: Arch, first: int, count: int) -> Iterator[Line]:
    for word in range(first, first + count):
        fields = fields_of_word(arch, word, thread=False)
        if not fields:
            yield Line(f"word {word}", "no named field")
        for field in fields:
            yield Line(_place(field, word), field.name)


def _place(field: ConfigField, word: int) -> str:
    low = max(field.low - 32 * (word - field.word), 0)
    high = min(field.low + field.width - 1 - 32 * (word - field.word), 31)
    return f"word {word} bits {high}:{low}" if high > low else f"word {word} bit {low}"


def _values(fields: tuple[ConfigField, ...], mask: int, value: int) -> Iterator[Line]:
    """Yield the fields that a write under `mask` reaches, and what they become."""
    for field in fields:
        reached = field.mask & mask
        if not reached:
            continue
        new = (value & reached) >> field.low
        part = "" if reached == field.mask else f" (its bits {reached >> field.low:#x})"
        yield Line(field.name, f"= {new:#x}" + part if new > 9 else f"= {new}" + part)
    if unnamed := value & mask & ~sum(field.mask for field in fields):
        yield Line("bits without a name", f"= {unnamed:#x}")

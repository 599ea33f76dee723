# SPDX-License-Identifier: Apache-2.0
"""The response of the tile to faults, and its counts, for `run` and for `monitor faults`."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.explain.stop import fault_text
from tensix_gdb.core.faults.codes import Category
from tensix_gdb.core.faults.policy import Policy
from tensix_gdb.core.machine import Machine

MEANING = {
    Category.UNDEFINED_BEHAVIOR: "a document forbids it, or says that anything may happen",
    Category.NON_CONTRACTUAL: "no document forbids it, and none promises that it works",
    Category.UNPREDICTABLE_VALUE: "a value is used that is documented to be unpredictable",
    Category.MISSING_SPECIFICATION: "no document says what happens",
    Category.UNIMPLEMENTED: "the hardware has it, this emulator does not",
    Category.RACE: "the result depends on which access comes first",
    Category.SILICON_DEFECT: "cards are reported to fail here, and the pages allow it: continues",
}


def counted_faults(machine: Machine) -> Iterator[str]:
    """Yield a row for each category of which something was counted, and one for each place."""
    for category in Category:
        count = machine.faults.counted(machine.S, category)
        if count:
            yield f"{category.value}: {count} counted"
    yield from _places(machine)


def _places(machine: Machine) -> Iterator[str]:
    """Yield a row for each place where faults were counted, or cards are reported to fail."""
    for place in machine.faults.places.values():
        yield f"  {place.text}"
    if machine.faults.of[Category.SILICON_DEFECT] is Policy.IGNORE:
        return
    reports = machine.S.report
    for i in range(reports.count):
        hart, pc = int(reports.hart[i]), int(reports.pc[i])
        text = fault_text(
            hart,
            int(reports.code[i]),
            int(reports.a[i]),
            int(reports.b[i]),
            machine.places,
            chip=int(machine.S.tile.chip),
        )
        times = f"{reports.times[i]} time{'s' * (reports.times[i] != 1)}"
        yield f"  {HART_NAMES[hart]} at {machine.places.at(hart, pc)}, {times}: {text}"


def fault_table(machine: Machine) -> Iterator[str]:
    """Yield a row for each category: its policy, how often it was counted, what it means."""
    width = max(len(category.value) for category in Category)
    for category in Category:
        policy = machine.faults.of[category].value
        count = machine.faults.counted(machine.S, category)
        yield f"{category.value:{width}}  {policy:6}  {count:6} counted  {MEANING[category]}"
    yield from _places(machine)

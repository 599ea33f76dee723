# SPDX-License-Identifier: Apache-2.0
"""The cost of the observer: nothing where no run is observed, vectors where one is."""

from __future__ import annotations

import re
from bisect import bisect_right

import pytest

from tensix_gdb.core.clock.sc import run
from tensix_gdb.core.clock.timed import run_timed
from tensix_gdb.core.engine import Entry, jit
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.machine.parts import PARTS
from tensix_gdb.core.race import clocks
from tensix_gdb.core.record.layout import Layout

OBSERVER = ("race", "check", "state", "stages", "found")
WITH = Layout(PARTS)
WITHOUT = Layout(tuple(part for part in PARTS if part.name not in OBSERVER))
_OFFSET = re.compile(r"(getelementptr (?:inbounds )?i8, ptr %[\w.]+, i64 )(\d+)")


def code(entry: Entry, layout: Layout) -> str:
    """Return LLVM's input for an entry, with the rows that are not the observer's counted
    through."""
    rows = sorted({slot.offset for slot in layout.slots.values() if slot.part not in OBSERVER})

    def numbered(found: re.Match[str]) -> str:
        if int(found[2]) >= layout.size:  # an argument that is no place in the record
            return found[0]
        row = bisect_right(rows, int(found[2])) - 1
        return f"{found[1]}{row} + {int(found[2]) - rows[row]}"

    return _OFFSET.sub(numbered, lower([entry], layout).ir)


@pytest.mark.parametrize("loop", [run, run_timed])
def test_a_run_that_is_not_observed_has_no_instruction_for_it(loop: object) -> None:
    entry = Entry("run", loop, {"CHECKED": 0})  # type: ignore[arg-type]
    assert code(entry, WITH) == code(entry, WITHOUT)


def test_the_loop_that_observes_has() -> None:
    ir = lower([Entry("run", run_timed, {"CHECKED": 1})], WITH).ir
    assert "core.race.clocks.copy" in ir


@pytest.mark.usefixtures("processor")
@pytest.mark.parametrize("function", [clocks.join, clocks.copy, clocks.copy_push, clocks.clear])
def test_clocks_are_copied_many_words_at_a_time(function: object) -> None:
    ir = lower([Entry("it", function)], WITH).ir  # type: ignore[arg-type]
    assert re.search(r"<\d+ x i32>|@llvm\.memset", str(jit.optimise(ir, jit.FULL)))

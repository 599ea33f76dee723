# SPDX-License-Identifier: Apache-2.0
"""The cost of watched ranges of L1 while there is none: a test in a branch that is cold."""

from __future__ import annotations

import re

import pytest

from tensix_gdb.core.clock.sc import run
from tensix_gdb.core.clock.timed import run_timed
from tensix_gdb.core.engine import Entry
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.machine.parts import LAYOUT

FUNCTION = re.compile(r"^define [^@]*@\"?([\w.]+)\"?\(.*?^}", re.DOTALL | re.MULTILINE)
NOTE_WRITE = "tensix_gdb.core.memory.l1_watch.note_write"


def callers(ir: str, name: str) -> set[str]:
    """The functions that call one."""
    called = re.compile(rf'call [^@\n]*@"?{re.escape(name)}\b')
    return {found[1] for found in FUNCTION.finditer(ir) if called.search(found[0])}


@pytest.mark.parametrize("loop", [run, run_timed])
def test_the_loop_without_checks_has_none_of_it(loop: object) -> None:
    ir = lower([Entry("run", loop, {"CHECKED": 0})], LAYOUT).ir  # type: ignore[arg-type]
    assert "core.tensix.gate.requests." not in ir
    assert "core.tensix.gate.watchpoints." not in ir
    assert {re.sub(r"\.\d+$", "", name) for name in callers(ir, NOTE_WRITE)} == {
        "tensix_gdb.core.memory.ram.overwrite"
    }


def test_the_loop_with_checks_has() -> None:
    ir = lower([Entry("run", run_timed, {"CHECKED": 1})], LAYOUT).ir
    assert "core.tensix.gate.requests.before" in ir

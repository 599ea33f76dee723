# SPDX-License-Identifier: Apache-2.0
"""The manual's chapter about kernels of one's own shows what its commands show."""

from __future__ import annotations

import pytest

from scripts.examples.kernels import EXAMPLES, Example, shown
from tensix_gdb.core.explain.instruction.block import MANUAL
from tensix_gdb.gdbstub.demo.transcript import gdb_version
from tests.gdbstub.kernels.kernels import C_TOOLS, want, want_llk
from tests.programs.build import COMPILER, compiler_version
from tests.tools import find_tool

pytestmark = pytest.mark.gdb


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
@pytest.mark.long("tests/gdbstub/kernels builds such kernels and runs them")
def test_typed_as_it_is(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    want(find_tool, "gdb-multiarch", *C_TOOLS)
    if example.needs_sfpi:
        want_llk(monkeypatch)
    text = shown(example)
    for wanted in example.shows:
        assert wanted in text, text
    if gdb_version() not in (MANUAL / "session.md").read_text("utf-8") or (
        compiler_version() != COMPILER
    ):
        pytest.skip("the session in the manual was made with another GDB or compiler")
    assert text == example.block.read(), f"run `{example.block.maker}`"

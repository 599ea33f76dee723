# SPDX-License-Identifier: Apache-2.0
"""The manual's chapter about kernels of one's own shows what its commands show."""

from __future__ import annotations

import pytest

from scripts.examples.kernels import EXAMPLES, Example, shown
from tensix_gdb.core.explain.instruction.block import MANUAL
from tensix_gdb.gdbstub.demo.transcript import gdb_version
from tests.gdbstub.kernels.kernels import CXX_TOOLS, want, want_llk
from tests.programs.build import COMPILER, compiler_version
from tests.tools import find_tool

pytestmark = pytest.mark.gdb


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(
            each,
            id=each.name,
            marks=pytest.mark.long("tests/layers/test_installed.py: a kernel of LLK's is built")
            if each.name == "llk"
            else (),
        )
        for each in EXAMPLES
    ],
)
def test_typed_as_it_is(example: Example) -> None:
    want(find_tool, "gdb-multiarch", *CXX_TOOLS)
    want_llk()
    text = shown(example)
    for wanted in example.shows:
        assert wanted in text, text
    if gdb_version() not in (MANUAL / "session.md").read_text("utf-8") or (
        compiler_version() != COMPILER
    ):
        pytest.skip("the session in the manual was made with another GDB or compiler")
    assert text == example.block.read(), f"run `{example.block.maker}`"

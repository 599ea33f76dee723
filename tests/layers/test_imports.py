# SPDX-License-Identifier: Apache-2.0
"""Imports point one way (the rules are in imports.py)."""

from __future__ import annotations

import pytest

from tests.layers.imports import modules, violations


def test_imports_point_one_way() -> None:
    checked = dict(modules())
    assert {"core.machine", "core.loader"} <= set(checked)
    found = [line for name, path in checked.items() for line in violations(name, path.read_text())]
    assert not found, "\n".join(found)


# fmt: off
BAD = {
    "core.machine":      "from gdbstub.rsp import framing",
    "core.clock":        "import trio",
    "core.isa.decode":   "from construct import BitStruct",
    "core.stop":         "import elftools.elf.elffile",
    "core.riscv.lsu":    "def f():\n    from llvmlite import ir",
    "core.engine.jit":   "from core.machine import Machine",
    "core.layout":       "from .state import LAYOUT",
    "gdbstub.session":   "import trio",
    "gdbstub.rsp.text":  "from core.stop import Stop",
    "gdbstub.rsp.other": "from gdbstub import session",
    "gdbstub.commands.resume": "from gdbstub.session import Session",
    "gdbstub.target":    "from gdbstub.tensix import threads",
    "gdbstub.cli":       "from core import machine",
}
GOOD = {
    "core.isa.schema":   "import construct",
    "core.engine.jit":   "import llvmlite.binding",
    "core.loader":       "from elftools.elf.elffile import ELFFile",
    "gdbstub.server":    "import trio\nfrom gdbstub.session import Session",
    "gdbstub.tensix.target": "from core.machine import Machine",
    "gdbstub.session":   "from gdbstub.rsp import framing",
}
# fmt: on


@pytest.mark.parametrize("module", BAD)
def test_the_check_finds_a_bad_import(module: str) -> None:
    assert violations(module, BAD[module]) != []


@pytest.mark.parametrize("module", GOOD)
def test_the_check_passes_a_good_import(module: str) -> None:
    assert violations(module, GOOD[module]) == []

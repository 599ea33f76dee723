# SPDX-License-Identifier: Apache-2.0
"""Imports are those that the allow-list names (imports.py)."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import pytest

from tests.layers.imports import (
    MAY,
    PACKAGE,
    graph,
    imports,
    is_under,
    modules,
    package_of,
    violations,
)


def test_only_allowed_imports() -> None:
    checked = dict(modules())
    assert {"core.machine.machine", "core.program.elf"} <= set(checked)
    found = [line for name, path in checked.items() for line in violations(name, path.read_text())]
    assert not found, "\n".join(found)


def test_every_package_has_a_row() -> None:
    packages = {package_of(name) for name, _ in modules() if "." in name}
    assert packages == set(MAY)


def test_no_row_names_what_its_package_does_not_import() -> None:
    used: dict[str, list[str]] = {}
    for name, path in modules():
        for _, imported, _ in imports(path.read_text()):
            used.setdefault(package_of(name), []).append(imported.removeprefix(PACKAGE + "."))
    idle = [
        f"{package}: {place}"
        for package, places in MAY.items()
        for place in places
        if len(places) < 9 and not any(is_under(name, place) for name in used.get(package, []))
    ]
    assert idle == []


def test_no_circle_of_imports() -> None:
    """Imports that are for types only make no circle either."""
    for top in ("core", "gdbstub"):
        try:
            TopologicalSorter(graph(top)).prepare()
        except CycleError as circle:
            pytest.fail(" imports ".join(reversed(circle.args[1])))


# fmt: off
BAD = {
    "core.machine.machine":    "from tensix_gdb.gdbstub.protocol.rsp import framing",
    "core.clock.sc":           "import trio",
    "core.riscv.decode":       "from construct import BitStruct",
    "core.stop":               "import elftools.elf.elffile",
    "core.riscv.lsu":          "def f():\n    from llvmlite import ir",
    "core.engine.jit":         "from tensix_gdb.core.machine import Machine",
    "core.record.layout":      "from .state import LAYOUT",
    "core.noc.state":          "from core.stop import Stop",
    "gdbstub.protocol.session.session":  "import trio",
    "gdbstub.protocol.rsp.text":        "from tensix_gdb.core.stop import Stop",
    "gdbstub.protocol.rsp.other":       "from tensix_gdb.gdbstub import session",
    "gdbstub.protocol.commands.resume": "from tensix_gdb.gdbstub.protocol.session import Session",
    "gdbstub.protocol.target":          "from tensix_gdb.gdbstub.tensix import threads",
}
GOOD = {
    "core.isa.by_construct": "import construct",
    "core.engine.jit":       "import llvmlite.binding",
    "core.program.elf":      "from elftools.elf.elffile import ELFFile",
    "gdbstub.protocol.server.server":
        "import trio\nfrom tensix_gdb.gdbstub.protocol.session import Session",
    "gdbstub.tensix.target": "from tensix_gdb.core.machine import Machine",
    "gdbstub.cli.run":       "from tensix_gdb.core.machine import Machine",
    "gdbstub.protocol.session":       "from tensix_gdb.gdbstub.protocol.rsp import framing",
}
# fmt: on


@pytest.mark.parametrize("module", BAD)
def test_the_check_finds_a_bad_import(module: str) -> None:
    assert violations(module, BAD[module]) != []


@pytest.mark.parametrize("module", GOOD)
def test_the_check_passes_a_good_import(module: str) -> None:
    assert violations(module, GOOD[module]) == []

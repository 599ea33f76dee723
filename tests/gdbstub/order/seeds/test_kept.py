# SPDX-License-Identifier: Apache-2.0
"""Runs that `simulator --keep` has kept, as programs of a search."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.parser import parse
from tensix_gdb.gdbstub.order.search.programs import kept_program
from tensix_gdb.gdbstub.order.seeds.bench import Bench
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of


@pytest.mark.parametrize("arch", Arch)
def test_a_kept_run_is_of_its_chip(tmp_path: Path, arch: Arch) -> None:
    """One of Wormhole was run by the code of Blackhole, and ended as a defect of the emulator."""
    core = tmp_path / "run-1.core"
    with closing(Machine(engine="reference", arch=arch)) as machine:
        core.write_bytes(core_of(machine, "before"))
    core.with_suffix(".json").write_text('{"addr": 0, "data": "", "reads": {}}')
    program = kept_program(core, parse(["seeds", "--kept", str(core)]).options)
    assert program.arch == arch.name
    with closing(Bench(program, "reference")) as bench:
        assert bench.machine.arch is arch

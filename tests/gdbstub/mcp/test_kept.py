# SPDX-License-Identifier: Apache-2.0
"""Kernels that a driver has started once, run by an assistant: `run_kept`, and what follows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of
from tensix_gdb.gdbstub.usage import parse_schedule
from tests.gdbstub.mcp.conversation import assistant
from tests.programs.build import build

SOURCE = Path(__file__).with_name("kept.c")
GO, DONE, RESULT = 0x20000, 0x20010, 0x20020
BEGUN = 500  # cycles, in which T0 polls


@pytest.fixture(autouse=True)
def compiler(tool: Callable[[str], str]) -> None:
    tool("riscv64-unknown-elf-gcc")


def kept(folder: Path, wait: int, result: tuple[int, int] = (0x2000, 7)) -> str:
    """Write what `simulator --keep` writes, without one. Return the name of the core file."""
    name = f"run-{wait + 1}"
    elf = folder / f"{name}.elf"
    build(SOURCE, "T0", elf, defines=(f"WAIT={wait}",))
    machine = Machine(engine="reference", schedule=parse_schedule("latency"))
    machine.load(T0, read_elf(elf))
    machine.run(BEGUN)
    (folder / f"{name}.core").write_bytes(core_of(machine, "before the host lets go"))
    machine.close()
    reads = {DONE: "ff000000", RESULT: b"".join(n.to_bytes(4, "little") for n in result).hex()}
    document = {"command": "WRITE", "addr": GO, "data": "01000000", "reads": reads, "writes": []}
    (folder / f"{name}.json").write_text(json.dumps(document))
    return f"{name}.core"


async def test_a_kept_run_ends_when_its_host_goes_on(tmp_path: Path) -> None:
    core = kept(tmp_path, 0)
    async with assistant([tmp_path]) as one:
        for schedule in ("latency", "random:3,no-pauses"):
            ran = await one.ask("run_kept", core=core, schedule=schedule)
            assert ran.startswith("the kernel has ended after ")
            assert "all 8 bytes are as its host has read them\n" in ran
        line = SOURCE.read_text("utf-8").splitlines().index("    RESULT[0] = GPR4;") + 1
        ran = await one.ask("run_kept", core=core, until=f"kept.c:{line}")
        assert f"main at kept.c:{line}: breakpoint after" in ran
        assert "the kernel has ended" in await one.ask("resume")


async def test_another_result_is_named(tmp_path: Path) -> None:
    core = kept(tmp_path, 0, (0x2001, 7))
    async with assistant([tmp_path]) as one:
        said = await one.ask("run_kept", core=core)
        assert "1 of 8 bytes are not as its host has read them" in said


async def test_races_of_a_kept_run(tmp_path: Path) -> None:
    core, fixed = kept(tmp_path, 0), kept(tmp_path, 1)
    async with assistant([tmp_path]) as one:
        await one.ask("run_kept", core=core, races="default")
        assert "1 race" in await one.ask("races")
        said = await one.ask("witness", report=1)
        assert "goes the other way, too" in said
        assert "RDCFG finds 0x0, and 0x2000 in the observed run" in said
        await one.ask("run_kept", core=core, races="default")
        assert await one.ask("confirm", core=fixed) == (
            "The pair is not reported any more; 0 reports of these programs."
        )
        assert (await one.ask("confirm", core=core)).startswith("The pair is still reported")
        assert "no beginning from which" in await one.refused("confirm")


async def test_what_is_refused(tmp_path: Path) -> None:
    core = kept(tmp_path, 0)
    async with assistant([tmp_path]) as one:
        assert "latency or random:SEED" in await one.refused("run_kept", core=core, schedule="sc")
        assert "is in none of the folders" in await one.refused("run_kept", core="/etc/passwd")
        said = await one.refused("run_kept", core="run-1.json")
        assert said.endswith("run-1.json: not a core file: it is no ELF file of 32 bits")
        for wrong in ("{", "[]", '{"addr": -1, "data": "", "reads": {}}', '{"reads": 5}'):
            (tmp_path / "run-1.json").write_text(wrong)
            said = await one.refused("run_kept", core=core)
            assert said.endswith("run-1.json: is not what `tensix-gdb simulator --keep` writes")
        (tmp_path / "run-1.json").unlink()
        said = await one.refused("run_kept", core=core)
        assert said.endswith("run-1.json: cannot be read: No such file or directory")

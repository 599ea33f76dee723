# SPDX-License-Identifier: Apache-2.0
"""tt-metal's own functions for Wormhole's NoC, from its header, on the tile."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import LOCAL_BASE, B
from tensix_gdb.core.arch.wormhole import LOCAL_BYTES
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.kernels.compilers import DEBIAN, Compiler
from tensix_gdb.gdbstub.kernels.places import symbols
from tests.core.isa.wheel import wheel
from tests.gdbstub.kernels.kernels import CXX_TOOLS, want
from tests.machines import ENGINES, machine_on
from tests.programs.build import DEMO, PROGRAMS

ROOT = "ttnn/tt_metal/hw/inc/"
HEADERS = (
    "internal/tt-1xx/wormhole/noc_nonblocking_api.h",
    "internal/tt-1xx/wormhole/noc/noc_parameters.h",
    "internal/tt-1xx/wormhole/noc/noc_overlay_parameters.h",
    "internal/tt-1xx/cache.h",
    "internal/risc_attribs.h",
)
# What these include of the rest of tt-metal, as far as it is used.
INSTEAD = {
    "hostdev/dev_msgs.h": """#pragma once
        #include <cstdint>
        enum class TensixProcessorTypes : uint8_t { DM0, DM1 };
        constexpr int MaxDMProcessorsPerCoreType = 2;
        constexpr uint32_t NOC_0 = 0, NOC_1 = 1;
        #define DM_DEDICATED_NOC 0
        #define DM_DYNAMIC_NOC 1
        #define MEM_NOC_COUNTER_BASE 0
        """,
    "api/debug/assert.h": "#pragma once\n#define ASSERT(...)\n",
}
DEFINES = ("-DCOMPILE_FOR_BRISC", "-DARCH_WORMHOLE", "-DNOC_INDEX=0", "-DNOC_MODE=0")


@pytest.fixture(scope="module")
def program(tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, built."""
    want(tool, *CXX_TOOLS)
    folder = tmp_path_factory.mktemp("noc")
    files = {name: wheel().read(ROOT + name).decode() for name in HEADERS} | INSTEAD
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    compiler = Compiler(DEBIAN)
    names = {**symbols("B"), "__stack_top": LOCAL_BASE + LOCAL_BYTES[B], "__shared_start": 0x38000}
    places = [f"-Wl,--defsym={name}={value:#x}" for name, value in names.items()]
    out, start = folder / "noc.elf", folder / "crt0.o"
    machine = ("-march=rv32im_zicsr", "-mabi=ilp32")
    commands = [
        [*compiler.assembler(tensix=False), *machine, "-c", str(DEMO / "crt0.S"), "-o", str(start)],
        [
            *(*compiler.cxx(tensix=False), *machine, "-Os", "-w", "-ffreestanding", "-nostdlib"),
            *("-static", *DEFINES, f"-I{folder}", f"-I{folder / 'internal/tt-1xx/wormhole/noc'}"),
            *(*places, "-T", str(DEMO / "tile.ld"), str(start)),
            *(str(PROGRAMS / "wormhole_noc.cpp"), "-o", str(out)),
        ],
    ]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return out


DRAM_WORD, HOST_WORD = 4095 * 3 + 1, 15 * 3 + 1
EXPECTED = [DRAM_WORD, HOST_WORD, *(110 + i for i in range(5)), 105]


def test_requests(program: Path) -> None:
    """DRAM, host, inline writes and atomics on both NoCs; both engines in the same cycles."""
    ends = {}
    for engine, schedule in [
        *((engine, Schedule.LATENCY) for engine in ENGINES[:2]),
        *(("compiled", other) for other in (Schedule.SC, Schedule.RANDOM)),
    ]:
        machine = machine_on(engine, schedule, arch=Arch.WORMHOLE)
        machine.load(B, read_elf(program))
        stop = machine.run(200_000)
        assert stop is not None, "still running"
        assert stop.kind is StopKind.EBREAK, stop.text
        data = machine.peek(B, 0x30000, 64)
        found = [int.from_bytes(data[i : i + 4], "little") for i in range(0, 64, 4)]
        assert found == EXPECTED * 2, (engine, schedule)
        assert machine.outside.dram[3].read(0x4000_0000, 4) == b"\1\0\0\0"
        assert machine.outside.host.read(0x100, 4) == b"\1\0\0\0"
        ends[engine, schedule] = machine.record.state()
        machine.close()
    first, second = (ends[engine, Schedule.LATENCY] for engine in ENGINES[:2])
    assert first == second

# SPDX-License-Identifier: Apache-2.0
"""The ten functions called from C (calls.c): order, arguments, callbacks, threads.

A host that breaks a rule ends with status 1 and one sentence of the library's. What the server says
of its end comes after it. What concerns no tile is run with a server that has none (server.c).
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.host.library.build import COMPILERS, HERE
from tensix_gdb.gdbstub.host.library.command import SCRIPT
from tests.gdbstub.host.library.host import library
from tests.patience import HANG

__all__ = ["library"]

CONFIG, READ = "libttsim_pci_config_rd32: ", "libttsim_pci_mem_rd_bytes: "
WRITE = "libttsim_pci_mem_wr_bytes: "
TILE_READ, TILE_WRITE = "libttsim_tile_rd_bytes: ", "libttsim_tile_wr_bytes: "
FIRST = "libttsim_init comes first"
WITHIN = "a call within a call; callbacks and signal handlers of the host cannot make any"

# Exit status and the first line of standard error.
ENDS: dict[str, tuple[int, str]] = {
    "all_ten": (0, ""),
    "before_init": (0, f"libttsim_exit: {FIRST}"),
    "after_exit": (1, f"libttsim_clock: {FIRST}"),
    "init_twice": (1, "libttsim_init: the tiles are there already"),
    "callbacks_after_init": (
        1,
        "libttsim_set_pci_dma_mem_callbacks: this comes before libttsim_init",
    ),
    "config_device": (1, CONFIG + "0x100 is no device of bus 0 and function 0"),
    "config_offset": (1, CONFIG + "offset 0x3 is not a multiple of 4"),
    "config_write": (
        1,
        "libttsim_pci_config_wr32: configuration space cannot be written here (0x1 at 0x10 of "
        "device 0x0)",
    ),
    "read_null": (1, READ + "the 4 bytes at 0x100000000 are at NULL in the host"),
    "write_null": (1, WRITE + "the 4 bytes at 0x100000000 are at NULL in the host"),
    "read_nothing": (1, READ + "0 bytes at 0x100000000"),
    "read_outside": (1, READ + "no BAR has the 4 bytes at 0x7ffffffff"),
    "read_around": (1, READ + "4 bytes at 0xfffffffffffffffe end after 64 bits"),
    "tile_null": (1, TILE_READ + "the 16 bytes at 0x0 are at NULL in the host"),
    "tile_nothing": (1, TILE_WRITE + "0 bytes at 0x100"),
    "tile_far": (1, TILE_READ + "core 65537-2: a coordinate of a NoC has 6 bits"),
    "tile_none": (
        1,
        "UnimplementedFunctionality: the host reads 4 bytes at 0x0 of core 2-2: core 2-2 is not "
        "there. Next: --faults UnimplementedFunctionality=count, with which what is read from it "
        "is zero",
    ),
    "tile_around": (1, TILE_WRITE + "4 bytes at 0xffffffffffffffff end after 64 bits"),
    "tile_hole": (
        1,
        "UnimplementedFunctionality: the host reads 4 bytes at 0x1000000000 of core 1-2: "
        "0x1000000000 is nothing that the NoC reaches in this tile. Next: "
        "--faults UnimplementedFunctionality=count, with which what is read from it is zero",
    ),
    "a_callback": (0, ""),
    "no_callback": (
        1,
        "a tile wants the host's memory at 0x5000, and the host has no callbacks for that",
    ),
    "a_callback_that_calls": (1, TILE_READ + WITHIN),
    "a_callback_that_forks": (
        0,
        "a callback of the host has forked, and its child cannot return from it",
    ),
    "two_threads": (0, ""),
    "two_threads_init": (1, "libttsim_init: the tiles are there already"),
    "a_thread_at_the_end": (7, ""),
    "a_fork_of_a_thread": (0, ""),
    "a_signal_handler": (1, f"libttsim_clock: {WITHIN}"),
}
SAYS = {
    "a_callback": "of this process",
    "a_callback_that_forks": "its child ends with 1\ngoes on",
}


OF_TILES = {
    *("all_ten", "tile_none", "tile_hole", "two_threads", "no_callback"),
    *("a_callback", "a_callback_that_calls", "a_callback_that_forks"),
}


@dataclass(frozen=True)
class Programs:
    """The program, and a library with a server that has no tiles."""

    calls: Path
    library: Path


@pytest.fixture(scope="session")
def programs(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Compile both."""
    folder = tmp_path_factory.mktemp("from c")
    compiler = next(filter(None, map(shutil.which, COMPILERS)))
    options = ["-std=gnu17", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", str(HERE)]
    for name in ("calls", "server"):
        source = Path(__file__).with_name(f"{name}.c")
        subprocess.run([compiler, *options, "-o", str(folder / name), str(source)], check=True)
    shutil.copy(library, folder)
    (folder / SCRIPT).write_text(f"exec {shlex.quote(str(folder / 'server'))}\n", "ascii")
    return Programs(folder / "calls", folder / library.name)


def run(program: Path, library: Path, *case: str) -> tuple[int, str, list[str]]:
    """Run it; return its exit status, its output, and the lines on standard error without the one
    that says where the tile is."""
    done = subprocess.run(
        [program, library, *case], capture_output=True, text=True, timeout=HANG, check=False
    )
    lines = [line for line in done.stderr.splitlines() if "gdb-multiarch" not in line]
    return done.returncode, done.stdout.strip("\n"), lines


def test_the_cases_are_those_of_the_table(programs: Programs) -> None:
    assert run(programs.calls, programs.library)[1].split() == list(ENDS)


@pytest.mark.parametrize("case", [case for case in ENDS if case != "before_init"])
def test_how_a_host_ends(case: str, programs: Programs, library: Path) -> None:
    taken = library if case in OF_TILES else programs.library
    status, said, lines = run(programs.calls, taken, case)
    assert (status, said) == (ENDS[case][0], SAYS.get(case, "")), lines
    assert [line.removeprefix("tensix-gdb: ") for line in lines[:1]] == list(
        filter(None, ENDS[case][1:])
    )


def test_before_init(programs: Programs) -> None:
    """Two functions may come first; each of the others says that it may not."""
    status, said, lines = run(programs.calls, programs.library, "before_init")
    ends = dict(line.split() for line in said.splitlines())
    may = {"libttsim_init", "libttsim_set_pci_dma_mem_callbacks"}
    assert (status, {name for name, end in ends.items() if end == "0"}) == (0, may)
    assert len(ends) == 10
    assert lines == [f"tensix-gdb: {name}: {FIRST}" for name in ends if name not in may]

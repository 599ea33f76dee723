# SPDX-License-Identifier: Apache-2.0
"""A GDB in the kernel of a host in C++, of which nothing is changed but a path.

`python -m scripts.examples.ttnn.simulator` builds tests/ttnn/host/sum.cpp, writes the folder of a
simulator, runs the program with it, and puts what GDB shows into the manual. It needs what
`scripts/ttnn` needs, and g++.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.examples.ttnn.session import QUIETLY, anywhere, output_of
from scripts.ttnntools.headers import options
from scripts.ttnntools.prepare import prepare
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.host.library.build import LIBRARY
from tensix_gdb.gdbstub.host.simulator.grid import variables_of
from tensix_gdb.gdbstub.host.ttnn.command import free_port
from tensix_gdb.gdbstub.host.ttnn.compiler import root_of, root_with_compiler
from tensix_gdb.gdbstub.host.ttnn.environment import ROOT, cache_folder, find_ttnn
from tests.patience import HANG

SOURCE = Path(__file__).resolve().parents[3] / "tests" / "ttnn" / "host" / "sum.cpp"
BLOCK = Generated("simulator", "python -m scripts.examples.ttnn.simulator", MANUAL / "simulator.md")
TILES = "1x1"
TYPED = (
    "target remote 127.0.0.1:{port}",
    "tbreak kernel_includes.hpp:14 thread 1",
    "continue",
    "next 4",
    "info locals",
    "monitor why b",
    "detach",
)


def session(python: str) -> tuple[str, str]:
    """Return what GDB shows, and what the program said."""
    port = free_port()
    installed = find_ttnn(python)
    root = root_with_compiler(installed.folder) or root_of(installed.folder)
    with tempfile.TemporaryDirectory() as name:
        host, folder = Path(name) / "sum", Path(name) / "tiles"
        words = options(python)
        subprocess.run(["g++", "-w", "-O1", str(SOURCE), "-o", str(host), *words], check=True)
        write = [sys.executable, "-m", "tensix_gdb.gdbstub", "simulator", str(folder)]
        write += ["--tiles", TILES, "--port", str(port), "--stop-at-entry"]
        subprocess.run(write, check=True, stdout=subprocess.DEVNULL)
        variables = {
            **os.environ,
            **variables_of(TILES),
            ROOT: str(root.resolve()),
            "TT_METAL_CACHE": str(cache_folder()),
            "TT_METAL_LOGS_PATH": str(cache_folder()),  # else it writes into the working directory
            "TT_METAL_LOGGER_LEVEL": "error",
            "TT_METAL_SIMULATOR": str(folder / LIBRARY),
        }
        gdb = ["gdb-multiarch", "-nx", "-q", "-batch"]
        for line in QUIETLY:
            gdb += ["-ex", line]
        for line in TYPED:
            text = line.format(port=port)
            gdb += ["-ex", f"echo (gdb) {text}\\n", "-ex", text]
        with output_of([str(host)], variables) as program, output_of(gdb) as debugger:
            seen, _ = debugger.communicate(timeout=HANG)
            said, _ = program.communicate(timeout=HANG)
    return seen, said


if __name__ == "__main__":
    shown, _ = session(str(prepare()))
    BLOCK.write(f"```\n{anywhere(shown)}\n```\n")

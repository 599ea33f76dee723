# SPDX-License-Identifier: Apache-2.0
"""A GDB in the kernels of ttnn programs, with breakpoints that are set before they are compiled.

`python -m scripts.examples.ttnn.session` runs them, on one tile and on 2x2, and puts what GDB shows
between the marks in the manual. It needs what `scripts/ttnn` needs.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scripts.ttnntools.prepare import prepare
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.cli.options.tile import DEFAULT_PORT
from tensix_gdb.gdbstub.host.ttnn.command import free_port
from tests.patience import HANG

HERE = Path(__file__).parent
COMMAND = "python -m scripts.examples.ttnn.session"
BLOCK = Generated("ttnn", COMMAND, MANUAL / "ttnn.md")
TILES_BLOCK = Generated("ttnn-tiles", COMMAND, MANUAL / "ttnn.md")
# Before what a person types: where the address is tried again until the driver has started the
# simulator.
QUIETLY = (
    *("set confirm off", "set pagination off", "set width 0", "set breakpoint pending on"),
    *("set tcp auto-retry on", f"set tcp connect-timeout {HANG:.0f}"),
    "set osabi none",
    "set schedule-multiple on",
)
TYPED = (
    "target remote 127.0.0.1:{port}",
    "break eltwise_binary_no_bcast.cpp:70 thread 3",
    "continue",
    "info locals",
    "backtrace 2",
    "monitor why",
    "detach",
)
ON_TILES = (
    "target extended-remote 127.0.0.1:{port}",
    *("attach 1", "add-inferior", "inferior 2", "attach 2", "inferior 1"),
    "info inferiors",
    "tbreak kernel_includes.hpp:21 thread 5",
    "continue",
    "next",
    "monitor chip",
    "monitor noc 1-2",
    "thread 2.5",
    "backtrace 2",
    "monitor why nc",
    "detach inferior 1 2",
)


def session(
    python: str,
    script: Sequence[str] = ("operations.py", "add"),
    tiles: str = "1x1",
    typed: Sequence[str] = TYPED,
    dispatch: str = "slow",
) -> tuple[str, str]:
    """Return what GDB shows, and what the program said. Kernels and firmware are compiled meanwhile
    where the cache has none, which is half a minute of processor."""
    port = free_port()
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--python", python]
    # The firmware waits at its entry, so that GDB is there before the first kernel.
    command += ["--port", str(port), "--tiles", tiles, "--dispatch", dispatch]
    command += ["--stop-at-entry", "--"]
    command += [str(HERE / script[0]), *script[1:]]
    gdb = ["gdb-multiarch", "-nx", "-q", "-batch"]
    for line in QUIETLY:
        gdb += ["-ex", line]
    for line in typed:
        text = line.format(port=port)
        gdb += ["-ex", f"echo (gdb) {text}\\n", "-ex", text]
    with output_of(command) as program, output_of(gdb) as debugger:
        seen, _ = debugger.communicate(timeout=HANG)
        said, _ = program.communicate(timeout=HANG)
    return seen, said


@contextlib.contextmanager
def output_of(
    command: Sequence[str], variables: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A process; at the end nothing is left of it, nor of what it has started."""
    with subprocess.Popen(
        command,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as it:
        try:
            yield it
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(it.pid, signal.SIGKILL)


def anywhere(seen: str) -> str:
    """Without the folders, port and numbers of one machine."""
    text = re.sub(r"127\.0\.0\.1:\d+", f"127.0.0.1:{DEFAULT_PORT}", seen)
    text = re.sub(r"^Reading \S+ from remote target...\n", "", text, flags=re.MULTILINE)
    # Where the firmware is when GDB attaches is another place in each run.
    text = re.sub(
        r"^(\(gdb\) (?:target|attach) .*\n)(?:.*\n)*?(?=\(gdb\))",
        r"\1...\n",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(r"^warning: .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"/\S+/tt-metal-cache\d+/(kernels/[^/\s]+)/\d+/", r".../\1/.../", text)
    text = re.sub(r"/\S+/tt-metal-cache\d+/", ".../", text)
    text = re.sub(r"/\S+/(site-packages/ttnn|root-[0-9a-f]{16})/(\S+/)?", ".../", text)
    text = re.sub(r"^cycle \d+", "cycle ...", text, flags=re.MULTILINE)
    # Where GDB believes the sections of a library to end depends on its own memory.
    return re.sub(r"^0x[0-9a-f]{8}  0x[0-9a-f]{8}  ", "", text, flags=re.MULTILINE).strip()


if __name__ == "__main__":
    program = str(prepare())
    if "tiles" not in sys.argv[1:]:
        BLOCK.write(f"```\n{anywhere(session(program)[0])}\n```\n")
    shown, _ = session(program, ("chain.py",), "2x2", ON_TILES)
    TILES_BLOCK.write(f"```\n{anywhere(shown)}\n```\n")

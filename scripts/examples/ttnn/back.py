# SPDX-License-Identifier: Apache-2.0
"""Back in time on four tiles: a ttnn program is recorded, and a GDB goes through the recording.

`python -m scripts.examples.ttnn.back` puts what was typed and said between the marks in the manual.
It needs what `scripts/ttnn` needs.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.examples.ttnn.session import QUIETLY, anywhere
from scripts.ttnntools.prepare import prepare
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.host.ttnn.command import free_port
from tests.patience import HANG

CHAIN = Path(__file__).with_name("chain.py")
BLOCK = Generated("chip-back", "python -m scripts.examples.ttnn.back", MANUAL / "chip.md")
COMMAND = (sys.executable, "-m", "tensix_gdb.gdbstub")
TYPED = (
    "target extended-remote 127.0.0.1:{port}",
    *("attach 1", "add-inferior", "inferior 2", "attach 2", "inferior 1"),
    "monitor goto 0",
    "break kernel_includes.hpp:21",
    *("continue", "continue", "continue"),
    "monitor why all",
    "reverse-stepi",
    "monitor bookmark here",
    "reverse-continue",
    "monitor record",
    "monitor goto here",
    "monitor chip",
    "detach inferior 1 2",
)


def recorded(python: str, file: Path) -> str:
    """Run the program and record it; what it has said, and how the replay went."""
    options = ["--python", python, "--port", "0", "--tiles", "2x2", "--record-to", str(file)]
    done = subprocess.run(
        [*COMMAND, "ttnn", *options, "--", str(CHAIN)],
        stdout=subprocess.PIPE,
        text=True,
        timeout=HANG,
        check=True,
    )
    command = [*COMMAND, "replay", "--threads", "2", str(file)]
    replay = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=True)
    said = re.sub(r"hash \w+", "hash ...", replay.stdout)
    return (
        "$ tensix-gdb ttnn --tiles 2x2 --record-to chain.recording -- chain.py\n...\n"
        f"{done.stdout.splitlines()[-1]}\n"
        f"$ tensix-gdb replay --threads 2 chain.recording\n{said}"
        "$ tensix-gdb replay --serve chain.recording\n"
    )


def session(file: Path, typed: Sequence[str] = TYPED) -> str:
    """Return what GDB shows of a served recording."""
    port = free_port()
    command = [*COMMAND, "replay", "--serve", "--port", str(port), str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            while "listening" not in server.stdout.readline():
                pass
            gdb = ["gdb-multiarch", "-nx", "-q", "-batch"]
            for line in QUIETLY:
                gdb += ["-ex", line]
            for line in typed:
                text = line.format(port=port)
                gdb += ["-ex", f"echo (gdb) {text}\\n", "-ex", text]
            return subprocess.run(
                gdb,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=HANG,
                check=False,
            ).stdout
        finally:
            server.kill()


def all_of_it(python: str) -> str:
    """The commands and the session, as the manual has them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "chain.recording")
        said = recorded(python, file)
        return f"{said}...\n{anywhere(session(file))}\n"


if __name__ == "__main__":
    BLOCK.write(f"```\n{all_of_it(str(prepare()))}```\n")

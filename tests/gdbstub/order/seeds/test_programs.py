# SPDX-License-Identifier: Apache-2.0
"""The beginnings of a search: firmware that launches kernels, and recordings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.usage import HARTS
from tests.core.firmware.builds import KNOWN, unpack
from tests.gdbstub.order.seeds.test_search import SEEN
from tests.gdbstub.order.seeds.test_seeds import here
from tests.programs.build import GCC, build_kernel

__all__ = ["here"]
SMALL = ("--seeds=12", "--jobs=1")
WRITES = "*(volatile unsigned *)0x40000 = 7;"
# It counts on time alone.
READS = """for (volatile int i = 0; i < 5; i++)
        ;
    *(volatile unsigned *)0x30000 = *(volatile unsigned *)0x40000;"""


def launching(folder: Path, **bodies: str) -> list[str]:
    """Options that boot the firmware and launch kernels with these bodies."""
    words = ["--firmware", str(unpack(KNOWN, folder))]
    for name, body in bodies.items():
        source = folder / f"{name}.c"
        source.write_text(f"void kernel_main(void)\n{{\n    {body}\n}}\n")
        kernel = build_kernel(source, HARTS.index(name), folder / f"{name}.elf")
        words += ["--launch", f"{name}={kernel}"]
    return words


def test_firmware_that_launches_kernels(
    tmp_path: Path, tool: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    tool(GCC)
    words = launching(tmp_path, b=WRITES, nc=READS)
    status = main(["seeds", *words, "--state", SEEN, "--same", "--seeds=40", "--jobs=1"])
    out, err = capsys.readouterr()
    assert (status, err) == (1, "")
    assert " of 40 runs are wrong, " in out
    assert "other state 0x30000+4=0x7" in out
    (at,) = (i for i, line in enumerate(out.splitlines()) if line.startswith("    smallest: "))
    assert "not found" not in out.splitlines()[at]
    assert "nothing else is late" in out.splitlines()[at + 1]


def test_kernels_that_do_not_end(
    tmp_path: Path, tool: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    tool(GCC)
    words = launching(tmp_path, nc="for (;;) *(volatile int *)0x100000 = 1;")
    assert main(["seeds", *words, *SMALL, "--max-cycles=100000"]) == 2
    assert "does not end in latency: still running after" in capsys.readouterr().err


def test_a_recording(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ("--state", SEEN, "--same", "--no-smallest", *SMALL)
    assert main(["seeds", "--dir=.", *wanted]) == 1
    of_files = capsys.readouterr().out.splitlines()
    assert main(["run", "--dir=.", "--record-to", "run.rec"]) == 0
    capsys.readouterr()
    assert main(["seeds", "--recording", "run.rec", *wanted]) == 1
    of_recording = capsys.readouterr().out.splitlines()
    # The same runs, under the name of the file.
    assert of_recording[1].startswith("run.rec: ")
    assert of_recording[1].partition(": ")[2] == of_files[1].partition(": ")[2]
    assert of_recording[2:] == of_files[2:]

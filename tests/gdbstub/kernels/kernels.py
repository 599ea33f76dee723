# SPDX-License-Identifier: Apache-2.0
"""The shared part of the tests of `build` and `new`: the command line, what compilers need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.kernels.llk import Llk, find_llk
from tests.core.isa.wheel import wheel
from tests.gdbstub.kernels.sfpi.installed import installed_sfpi

KERNELS = Path(__file__).resolve().parents[3] / "gdbstub" / "kernels"
C_TOOLS = ("riscv64-unknown-elf-gcc",)
PICOLIBC_HEADER = "/usr/lib/picolibc/riscv64-unknown-elf/include/stdint.h"
CXX_TOOLS = (*C_TOOLS, "riscv64-unknown-elf-g++", "g++", PICOLIBC_HEADER)
MAIN = "int main(void) { return 0; }\n"


def want(tool: Callable[[str], str], *names: str) -> None:
    """Skip the test without these tools."""
    for name in names:
        tool(name)


def want_llk(monkeypatch: pytest.MonkeyPatch) -> Llk:
    """Give LLK's headers, and let commands find the SFPI that is here, which all other tests leave
    out (tests/conftest.py). Skip the test without either."""
    installed_sfpi(monkeypatch)
    wheel()
    return find_llk(None)


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Give the one sentence that a command line gets."""
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tensix-gdb: ")
    assert err.count("\n") == 1
    return err.removeprefix("tensix-gdb: ").rstrip("\n")

# SPDX-License-Identifier: Apache-2.0
"""`check --pair` of the kernel that `tensix-gdb new` writes: its stores are in an inlined function
of a header, and a line of the kernel is one of the calls on the way to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main

STORE = "configure(THCON_SEC0_REG3_Base_address"
WAIT = "wait_for_configuration(STALLWAIT_block_B3);"
PUSH = "TTINSN(UNPACK | UNPACR_which_unpacker_UNP0);"


@pytest.fixture
def check(
    tool: Callable[[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[[str], tuple[int, str]]:
    """Exit status and answer about STORE and PUSH, with something else in the place of WAIT."""
    tool("riscv64-unknown-elf-gcc")
    monkeypatch.chdir(tmp_path)

    def checked(wait: str) -> tuple[int, str]:
        assert main(["new", "k"]) == 0
        source = Path("k/add.c")
        text = source.read_text("utf-8").replace(WAIT, wait)
        source.write_text(text, "utf-8")
        assert main(["build", "k/add.c", "-o", "build"]) == 0
        lines = text.splitlines()
        (store,), (push,) = (
            [number for number, line in enumerate(lines, 1) if one in line] for one in (STORE, PUSH)
        )
        capsys.readouterr()
        status = main(["check", "--pair", f"add.c:{store}", f"add.c:{push}", "--dir", "build"])
        return status, capsys.readouterr().out

    return checked


@pytest.mark.long("test_units.py asks the same of a smaller program")
def test_without_its_wait(check: Callable[[str], tuple[int, str]]) -> None:
    """It has one that holds another unit. With its own the answer is yes, as in test_units.py."""
    status, said = check(WAIT.replace("B3", "B2"))
    assert (status, said.partition("\n")[0]) == (1, "no: both orders are possible")
    # The line of the kernel, not that of the function that stores.
    assert "sw      add.c:35 unpack_tile" in said
    assert "does not hold UNPACR: that takes p_stall::STALL_UNPACK" in said

# SPDX-License-Identifier: Apache-2.0
"""Waits of the kernel in C are there for a reason: without one the sums are wrong, or it hangs,
in `latency` or in one of the five seeds of its own test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.testing.stop import NotStopped
from tensix_gdb.gdbstub.testing.tile import Tile
from tests.gdbstub.kernels.kernels import C_TOOLS, KERNELS, want

LEFT, RIGHT, SUM = 0x21000, 0x31000, 0x41000
SCHEDULES = ("latency", *(f"random:{seed}" for seed in range(1, 6)))
ROWS, COLUMNS = np.mgrid[0:128, 0:32]
LEFT_TILES, RIGHT_TILES = COLUMNS + ROWS // 32 * 32.0, 2.0 * (ROWS % 32)
KERNEL = (KERNELS / "template" / "add.c").read_text("utf-8")
WAITS = (
    "wait_for_configuration(STALLWAIT_block_B3);",
    "wait_for_tensix(); /* the unpackers read",
    "TTINSN(SEMWAIT | SEMWAIT_block_B6 | SEMWAIT_sem_S1 | SEMWAIT_wait_C1);",
    "TTINSN(SEMWAIT | SEMWAIT_block_B2 | SEMWAIT_sem_S1 | SEMWAIT_wait_C0);",
    "TTINSN(STALLWAIT | STALLWAIT_block_B1 | STALLWAIT_wait_C3);",
    "wait_for_configuration(STALLWAIT_block_B2);",
)


def is_right(folder: Path, schedule: str) -> bool:
    with Tile(schedule=schedule, engine="compiled") as tile:
        for hart in ("t0", "t1", "t2"):
            tile.load(hart, folder / f"{hart}.elf")
        tile.l1.write(LEFT, LEFT_TILES, "bf16")
        tile.l1.write(RIGHT, RIGHT_TILES, "bf16")
        try:
            tile.run_to_end()
        except NotStopped:
            return False
        return bool((tile.l1.read(SUM, "bf16", (128, 32)) == LEFT_TILES + RIGHT_TILES).all())


@pytest.mark.parametrize("wait", ["", *WAITS])
def test_without_it(wait: str, tmp_path: Path, tool: Callable[[str], str]) -> None:
    want(tool, *C_TOOLS)
    assert not wait or KERNEL.count(wait) == 1
    code, _, _ = wait.partition("/*")
    (tmp_path / "add.c").write_text(KERNEL.replace(wait, wait.removeprefix(code)), "utf-8")
    assert main(["build", str(tmp_path / "add.c"), "-o", str(tmp_path)]) == 0
    wrong = [schedule for schedule in SCHEDULES if not is_right(tmp_path, schedule)]
    assert bool(wrong) == bool(wait), wrong

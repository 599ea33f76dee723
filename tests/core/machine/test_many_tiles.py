# SPDX-License-Identifier: Apache-2.0
"""A process that opens tile after tile, with gigabytes of addresses in use, continues."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import HANG

ROOT = Path(__file__).resolve().parents[3]
# Memory is free in small pieces here and far away there, as after thousands of tests. Each time the
# machine code is loaded anew: nothing else has it open.
CODE = """
import gc, mmap, random, sys
from core.machine.machine import Machine
from core.machine.parts import LAYOUT
from core.record.record import Record

dice = random.Random(int(sys.argv[1]))
gc.disable()
kept = []
for _ in range(45):
    machine = Machine(engine="compiled")
    machine.run(10)
    machine.close()
    kept.append(Record(LAYOUT))
    if dice.random() < 0.6:
        kept.append(mmap.mmap(-1, dice.choice((1 << 12, 1 << 13, 1 << 16, 1 << 18))))
    if dice.random() < 0.5:
        kept.pop(dice.randrange(len(kept)))
print("fine")
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_code_is_loaded_wherever_there_is_memory(seed: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(seed)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=HANG,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "fine\n", "")

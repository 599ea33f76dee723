# SPDX-License-Identifier: Apache-2.0
"""The litmus tests of this folder."""

from __future__ import annotations

from pathlib import Path

from tensix_gdb.core.litmus.text import Litmus, read

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.litmus"))
TESTS = {f"{path.stem}: {test.name}": test for path in FILES for test in read(path)}


def operations(test: Litmus) -> int:
    """Return how many instructions a test has that reach memory or the coprocessor."""
    short = ("nop", "use", "mv", "li", "addi", "ori", "beqz", "bnez", "csr")
    return sum(
        not statement.text.startswith(short)
        for program in test.programs.values()
        for statement in program
    )

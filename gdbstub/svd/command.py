# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb svd`: write the description of the registers."""

from __future__ import annotations

import argparse
from pathlib import Path

from tensix_gdb.gdbstub.svd.document import document
from tensix_gdb.gdbstub.svd.rows import peripherals
from tensix_gdb.gdbstub.usage import UsageError


def svd_command(arguments: argparse.Namespace) -> int:
    """`tensix-gdb svd`."""
    found = list(peripherals())
    text = document(found)
    if arguments.output is None:
        print(text, end="")
        return 0
    try:
        Path(arguments.output).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"{arguments.output} cannot be written: {problem.strerror}") from None
    count = sum(len(one.registers) * one.copies for one in found)
    print(f"{arguments.output}: {len(found)} peripherals with {count} registers")
    return 0

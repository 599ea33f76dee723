# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb svd`: write the description of the registers."""

from __future__ import annotations

from pathlib import Path

from tensix_gdb.gdbstub.svd.document import document
from tensix_gdb.gdbstub.svd.options import SvdOptions
from tensix_gdb.gdbstub.svd.rows import peripherals
from tensix_gdb.gdbstub.usage import UsageError


def svd_command(options: SvdOptions) -> int:
    """`tensix-gdb svd`."""
    found = list(peripherals())
    text = document(found)
    if options.output is None:
        print(text, end="")
        return 0
    try:
        Path(options.output).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"{options.output} cannot be written: {problem.strerror}") from None
    count = sum(len(one.registers) * one.copies for one in found)
    print(f"{options.output}: {len(found)} peripherals with {count} registers")
    return 0

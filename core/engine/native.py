# SPDX-License-Identifier: Apache-2.0
"""A call of machine code by an address that is in the record (core/translate)."""

from tensix_gdb.core.record.layout import View


def call_code(S: View, code: int, *arguments: int) -> int:
    """Call the function of the record and of integers that is at the address `code`. Compiled code
    can do that; the reference engine is never given such an address."""
    raise NotImplementedError("only compiled code calls machine code")

# SPDX-License-Identifier: Apache-2.0
"""A debugger's write defines what it writes, also where undefined rows of Dst decided the value
before it ("Undefined rows" of core/README.md).

Dst sees to it itself: `write16` and `write32` of core/tensix/regfiles/dst.py.
"""

from tensix_gdb.core.record.layout import View


def define(S: View, row: str, *index: int) -> None:
    """An element of a row of the Vector Unit has been written."""
    match row, index:
        case "lreg", (number, lane):
            S.vector.undefined[number] &= ~(1 << lane)
        case "flags", ():
            S.vector.flags_undefined = 0
        case "stack_flags", (entry,):
            S.vector.stack_undefined[entry] = 0

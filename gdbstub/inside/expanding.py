# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: names of functions that link-time optimization has inlined everywhere.

GDB's index has functions with code of their own. Of a kernel that tt-metal has linked, all code is
in one unit that the linker's compiler has made, `<artificial>`, and `break kernel_main` stays
pending until something else lets GDB read that unit. Here it is read with the file.
"""

import gdb

UNIT = "<artificial>"


def read_unit(event: gdb.NewObjFileEvent) -> None:
    """Read the unit of a file that was just loaded; of others it was read before."""
    gdb.execute(f"maintenance expand-symtabs {UNIT}", to_string=True)


def define() -> None:
    """Make GDB do so."""
    gdb.events.new_objfile.connect(read_unit)

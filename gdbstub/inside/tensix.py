# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `tensix-gdb gdb` has GDB source this file.

In a GDB that was started otherwise: `source .../gdbstub/inside/tensix.py`.
"""

import sys
from pathlib import Path

# `__file__` is that of the outermost script, when one sources this.
ROOT = str(Path(sys._getframe().f_code.co_filename).resolve().parents[2])
# First for this one import: GDB's Python may know another package of that name.
sys.path.insert(0, ROOT)
try:
    from gdbstub.inside import (
        commands,
        dst_difference,
        fresh,
        gate_breaks,
        nowhere,
        own_symbols,
        reloading,
    )
finally:
    sys.path.remove(ROOT)

commands.define()
dst_difference.define()
fresh.define()
gate_breaks.define()
nowhere.define()
own_symbols.define()
reloading.define()

# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `tensix-gdb gdb` has GDB source this file.

In a GDB that was started otherwise: `source .../gdbstub/inside/tensix.py`.
"""

import sys
from pathlib import Path

# `__file__` is that of the outermost script, when one sources this.
ROOT = str(Path(sys._getframe().f_code.co_filename).resolve().parents[2])
# First for this one import: GDB's Python may know other packages of these names. `core` is a name
# that scripts of a user have themselves: theirs stays, and ours is removed again.
sys.path.insert(0, ROOT)
theirs = {
    name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "core"
}
try:
    from gdbstub.inside import (
        commands,
        dst_difference,
        dst_load,
        expanding,
        fresh,
        gate_breaks,
        kernel_lines,
        nowhere,
        other_side,
        own_symbols,
        reloading,
        tui_window,
        vectors,
        wrong_datum,
    )
finally:
    sys.path.remove(ROOT)
    for name in [name for name in sys.modules if name.partition(".")[0] == "core"]:
        del sys.modules[name]
    sys.modules.update(theirs)

commands.define()
dst_difference.define()
dst_load.define()
expanding.define()
fresh.define()
gate_breaks.define()
kernel_lines.define()
nowhere.define()
other_side.define()
own_symbols.define()
reloading.define()
tui_window.define()
vectors.define()
wrong_datum.define()

# SPDX-License-Identifier: Apache-2.0
"""Machine code of the tile for a wheel to bring (core/engine/shipped).

python -m scripts.package_objects      for the common processor of this kind of machine
"""

from __future__ import annotations

import os
import subprocess
import sys

from tensix_gdb.core.arch.chips import CHIPS
from tensix_gdb.core.engine import jit, shipped
from tensix_gdb.core.engine.cache import open_cache
from tensix_gdb.core.engine.plan import plan_for
from tensix_gdb.core.machine.entries import ENTRIES, fixed_rows
from tensix_gdb.core.machine.parts import LAYOUT


def main() -> int:
    """Compile, in a process that compiles for that processor; 0 if it is written."""
    name = jit.baseline()
    if not name:
        print("package_objects: this processor cannot run code for a common one", file=sys.stderr)
        return 1
    if os.environ.get(jit.CPU) != name:
        command = [sys.executable, "-m", "scripts.package_objects"]
        return subprocess.run(command, env={**os.environ, jit.CPU: name}, check=False).returncode
    for chip in range(CHIPS):
        plan = plan_for(ENTRIES, LAYOUT, fixed=fixed_rows(chip))
        path = shipped.write(plan, plan.build(open_cache(), jit.FULL))
        print(f"{path}: {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

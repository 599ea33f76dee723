# SPDX-License-Identifier: Apache-2.0
"""Machine code of the tile for a wheel to bring (core/engine/shipped).

python -m scripts.package_objects [KIND...]     for the common processor of each kind of machine,
                                                x86_64 and aarch64, or of these kinds
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


def main(kinds: list[str]) -> int:
    """Compile, for each kind in a process of its own; 0 if everything is written."""
    if {"--help", "-h"} & set(kinds):
        print(f"{__doc__}\nusage: python -m scripts.package_objects [{' | '.join(jit.BASELINES)}]")
        return 0
    if unknown := set(kinds) - set(jit.BASELINES):
        known = ", ".join(jit.BASELINES)
        print(f"package_objects: {min(unknown)} is none of {known}", file=sys.stderr)
        return 2
    if kinds == [os.environ.get(jit.KIND)]:
        _compile()
        return 0
    statuses = [
        subprocess.run(
            [sys.executable, "-m", "scripts.package_objects", kind],
            env={**os.environ, jit.KIND: kind},
            check=False,
        ).returncode
        for kind in kinds or jit.BASELINES
    ]
    return max(statuses)


def _compile() -> None:
    for chip in range(CHIPS):
        plan = plan_for(ENTRIES, LAYOUT, fixed=fixed_rows(chip))
        path = shipped.write(plan, plan.build(open_cache(), jit.FULL))
        print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

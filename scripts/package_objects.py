# SPDX-License-Identifier: Apache-2.0
"""Machine code of the tile for a wheel to bring (core/engine/shipped).

python -m scripts.package_objects [KIND...]     for the common processors of each kind of machine,
                                                x86_64 and aarch64, or of these kinds
    --builds tile                               of builds with such a name alone (doctor/builds.py)

The code of a tile is made for processors of x86-64 without AVX2, too. For them the other builds are
compiled when they are wanted.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence

from tensix_gdb.core.engine import jit, shipped
from tensix_gdb.core.engine.cache import open_cache
from tensix_gdb.gdbstub.doctor.builds import builds


def main(arguments: Sequence[str]) -> int:
    """Compile, for each processor in a process of its own; 0 if everything is written."""
    options = argparse.ArgumentParser(prog="package_objects")
    options.add_argument("kinds", nargs="*", metavar="KIND", help="x86_64 or aarch64")
    options.add_argument("--builds", default="", metavar="NAME", help="builds with such a name")
    options.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args(arguments)
    if unknown := set(given.kinds) - set(jit.BASELINES):
        known = ", ".join(jit.BASELINES)
        print(f"package_objects: {min(unknown)} is none of {known}", file=sys.stderr)
        return 2
    if given.here:
        _compile(given.builds)
        return 0
    statuses = [
        subprocess.run(
            [sys.executable, "-m", "scripts.package_objects", "--here", "--builds", given.builds],
            env={**os.environ, jit.KIND: kind, jit.CPU: processor},
            check=False,
        ).returncode
        for kind, processor in _processors(given.kinds or jit.BASELINES)
    ]
    return max(statuses)


def _processors(kinds: Iterable[str]) -> Iterator[tuple[str, str]]:
    for kind in kinds:
        for processor in dict.fromkeys((jit.BASELINES[kind][0], jit.GENERIC)):
            yield kind, processor


def _compile(named: str) -> None:
    is_best = jit.processor()[0] == jit.BASELINES[os.environ[jit.KIND]][0]
    for build in builds():
        if (is_best or build.is_common) and named in build.name:
            path = shipped.write(build.plan, build.plan.build(open_cache(), jit.FULL))
            print(f"{path}: {path.stat().st_size:,} bytes, {build.name}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

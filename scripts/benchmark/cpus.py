# SPDX-License-Identifier: Apache-2.0
"""`--cpu`: what LLVM compiles for. A figure that holds for one processor alone is not one of the
project, so the same run can be had for a common one.

    --cpu native       everything that this processor has (default)
    --cpu x86-64-v3    AVX2, no AVX-512: what x86-64 processors have had for ten years
    --cpu generic      the same of arm64
    --cpu both         one after the other
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from tensix_gdb.core.engine import jit

NATIVE = "native"
SETTINGS = (*(name for name, _ in jit.BASELINES.values()), NATIVE)
BOTH = "both"


def add_option(options: argparse.ArgumentParser) -> None:
    """Add `--cpu` to a measurement's options."""
    options.add_argument(
        "--cpu",
        choices=(*SETTINGS, BOTH),
        default=NATIVE,
        help="compile for this processor, or for both, one after the other",
    )


def in_turn(module: str, arguments: argparse.Namespace) -> int | None:
    """Run `module` for each processor that was asked for, in processes of their own, because code
    of one cannot be told from the other's in a process; its status. None if this is one of them."""
    wanted = (jit.baseline(), NATIVE) if arguments.cpu == BOTH else (arguments.cpu,)
    if wanted == (os.environ.get(jit.CPU, NATIVE),):
        return None
    if any(name not in (NATIVE, jit.baseline()) or not name for name in wanted):
        common = " or ".join(name for name in SETTINGS if name != NATIVE)
        print(f"scripts/bench: this processor cannot run code for {common}", file=sys.stderr)
        return 2
    rest = _without_cpu(sys.argv[1:])
    statuses = [
        subprocess.run(
            [sys.executable, "-m", module, "--cpu", name, *rest],
            env={**os.environ, jit.CPU: name},
            check=False,
        ).returncode
        for name in wanted
    ]
    return max(statuses)


def _without_cpu(arguments: list[str]) -> list[str]:
    rest = []
    given = iter(arguments)
    for argument in given:
        if argument == "--cpu":
            next(given, None)
        elif not argument.startswith("--cpu="):
            rest.append(argument)
    return rest

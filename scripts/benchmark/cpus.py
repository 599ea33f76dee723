# SPDX-License-Identifier: Apache-2.0
"""`--cpu`: what LLVM compiles for. A figure that holds for one processor alone is not one of the
project, so the same run can be had for a common one.

    --cpu native       everything that this processor has (default)
    --cpu x86-64-v3    AVX2, no AVX-512: what x86-64 processors have had for ten years
    --cpu both         one after the other
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from tensix_gdb.core.engine import jit

NATIVE = "native"
SETTINGS = (*jit.COMMON, NATIVE)
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
    wanted = SETTINGS if arguments.cpu == BOTH else (arguments.cpu,)
    if wanted == (os.environ.get(jit.CPU, NATIVE),):
        return None
    missing = [name for name in wanted if name != NATIVE and not _has(name)]
    if missing:
        print(f"scripts/bench: this processor cannot run code for {missing[0]}", file=sys.stderr)
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


def _has(name: str) -> bool:
    """True if this processor can run code for it; all of COMMON are x86-64-v3 so far."""
    features = jit.llvm().get_host_cpu_features()
    return name in jit.COMMON and all(features.get(one) for one in ("avx2", "bmi2", "fma"))


def _without_cpu(arguments: list[str]) -> list[str]:
    rest = []
    given = iter(arguments)
    for argument in given:
        if argument == "--cpu":
            next(given, None)
        elif not argument.startswith("--cpu="):
            rest.append(argument)
    return rest

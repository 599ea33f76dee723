# SPDX-License-Identifier: Apache-2.0
"""Compile random kernels with SFPI, run them on the tile, compare lanes with a model of the pages.

    python -m scripts.random_kernels --count 1000 --seed 1 [--optimize 3] [--ttsim LIBRARY]

A kernel is drawn from the seed and its number: `--seed 7 --only 123` is kernel 123 of seed 7.
What fails is made small, and printed with the variable, the lane, what was expected and found, the
operands of that lane and the line that wrote it. `--keep DIR` keeps sources and ELF files.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from itertools import groupby
from pathlib import Path

from scripts.random_kernels.check import Checker, Engines, Failure
from scripts.random_kernels.draw import kernel
from scripts.random_kernels.tree import Kernel
from tensix_gdb.gdbstub.kernels.compilers import find_compiler

BATCH = 56  # kernels in a program: their outputs fill Dst


def main() -> int:
    """Run `--count` kernels; 1 if a lane is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=60, help="how many kernels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first kernel")
    parser.add_argument("--only", type=int, help="this kernel alone")
    parser.add_argument("--optimize", type=int, choices=(1, 2, 3), default=2)
    parser.add_argument("--ttsim", type=Path, metavar="LIBRARY", help="compare with it as well")
    parser.add_argument("--plain", action="store_true", help="only what ttsim does not refuse")
    parser.add_argument("--engines", choices=("compiled", "reference", "both"), default="compiled")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep sources and ELF files")
    parser.add_argument("--sfpi", metavar="DIR", help="the folder of SFPI")
    options = parser.parse_args()
    compiler = find_compiler(options.sfpi)
    if compiler.sfpi is None:
        parser.error("SFPI is not here: `tensix-gdb sfpi --install` gets it")
    numbers = range(options.first, options.first + options.count)
    if options.only is not None:
        numbers = range(options.only, options.only + 1)
    engines = Engines(options.engines, options.ttsim)
    checker = Checker(compiler, options.optimize, engines)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        seen = run(checker, options.seed, numbers, folder, plain=options.plain)
    for what, count in sorted(seen.items()):
        print(f"{count:7} {what}")
    return 1 if checker.failures else 0


def run(
    checker: Checker, seed: int, numbers: range, folder: Path, *, plain: bool = False
) -> Counter[str]:
    """Run the kernels of a seed in batches, and print what fails."""
    start = time.monotonic()
    for _, together in groupby(numbers, lambda number: number // BATCH):
        batch = [(number, drawn(seed, number, plain=plain)) for number in together]
        place = folder / f"{seed}-{batch[0][0]}-O{checker.optimize}"
        place.mkdir(parents=True, exist_ok=True)
        for failure in checker.check(batch, pool_seed(seed, batch[0][0]), place):
            report(failure, seed, checker.optimize)
    checker.seen["seconds"] = round(time.monotonic() - start)
    return checker.seen


def drawn(seed: int, number: int, *, plain: bool = False) -> Kernel:
    """Kernel `number` of a seed."""
    return kernel(f"{seed}.{number}", plain=plain)


def pool_seed(seed: int, number: int) -> str:
    """The seed of the inputs of the batch that a kernel is in."""
    return f"{seed}.{number // BATCH}.inputs"


def report(failure: Failure, seed: int, optimize: int) -> None:
    """Print a failure."""
    print(f"kernel {failure.number} of seed {seed}, -O{optimize}: {failure.what}")
    for line in failure.source:
        print(f"    {line}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Kernels of LLK's suite that disturb each other: `scripts/llk pollution DIR`.

DIR is where `scripts/llk --keep DIR` has kept what each kernel begins with; without one it is done
now, a variant of each file. All ordered pairs of the first kernel of each file are looked at by
`tensix-gdb pollution`; the other options are given to that. Its --json FILE is judged by
`python -m scripts.llktests.judged.pollution FILE`. With `--undone NUMBER` one more kernel is that
of `scripts/llk left NUMBER`, in which a fix of LLK is undone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.llktests.left import LEFT
from scripts.llktests.scratch import scratch
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tensix_gdb.gdbstub.llk.running import Choice, run
from tensix_gdb.gdbstub.llk.suite import CannotPrepare
from tensix_gdb.gdbstub.llk.tree import add_llk_option, suite_of

FIRST = "run-1.core"  # of a file; what the runs after it begin with is what that has left


def first_kernels(folder: Path) -> list[str]:
    """Return the kept beginnings of a folder, one of each file of the suite."""
    return sorted(map(str, folder.rglob(FIRST)))


def keep_undone(llk: Path | None, numbers: Sequence[int], folder: Path) -> list[str]:
    """Keep the kernels of tests with a fix undone; return their beginnings.

    Raises CannotPrepare if one has not run.
    """
    found = []
    with suite_of(llk) as suite:
        for one in LEFT:
            if one.number not in numbers:
                continue
            kept = folder / f"undone-{one.number}"
            with tempfile.TemporaryDirectory(prefix="llk-scratch-", dir=suite.root.parent) as name:
                copy = scratch(suite, one.edits, Path(name))
                run(copy, [one.test], Choice(1, "1", "latency", "compiled"), str(kept))
            if not (kept / FIRST).exists():
                raise CannotPrepare(f"{one.test} has not run; `scripts/llk {one.test}` says why")
            found.append(str(kept / FIRST))
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk pollution", description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="of --keep")
    parser.add_argument(
        "--undone",
        type=int,
        action="append",
        default=[],
        metavar="NUMBER",
        help="a fix of `scripts/llk left --list` that is undone in one more kernel",
    )
    add_llk_option(parser)
    arguments, others = parser.parse_known_args(argv)
    try:
        with tempfile.TemporaryDirectory(prefix="llk-kept-") as name:
            more = keep_undone(arguments.llk, arguments.undone, Path(name))
            folder = arguments.folder
            if folder is None:
                folder = Path(name, "suite")
                llk = [] if arguments.llk is None else ["--llk", str(arguments.llk)]
                if tensix_gdb(["llk", "--variants", "1", "--keep", str(folder), *llk]) > 1:
                    return 2
            return _look(folder, more, others)
    except CannotPrepare as problem:
        print(f"llk: {problem}", file=sys.stderr)
        return 2


def _look(folder: Path, more: Sequence[str], options: Sequence[str]) -> int:
    kernels = first_kernels(folder)
    if not kernels:
        print(f"llk: {folder} has no {FIRST} in it: `scripts/llk --keep {folder}`", file=sys.stderr)
        return 2
    return int(tensix_gdb(["pollution", *options, *kernels, *more]))


if __name__ == "__main__":
    sys.exit(main())

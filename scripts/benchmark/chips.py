# SPDX-License-Identifier: Apache-2.0
"""Speed of both chips in one run: the same programs on a Blackhole and on a Wormhole tile, in turn.

    scripts/bench chips

Bursts of harts are Blackhole's alone (core/arch/README.md), so a hart of Wormhole goes cycle by
cycle. What computes is the same code, or a function beside it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from scripts.benchmark import tensix, timed
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.schedule import Schedule

CHIPS = (Arch.BLACKHOLE, Arch.WORMHOLE)
MATRIX = [one for one in tensix.ALL if one.text in ("MVMUL", "ELWADD", "ELWMUL")]


def rows(folder: Path) -> dict[str, tuple[Callable[[Arch], float], str]]:
    """Return what is measured, by name, and its unit."""
    found: dict[str, tuple[Callable[[Arch], float], str]] = {
        "a hart alone in local RAM": (lambda arch: timed.alone(folder, arch), "MIPS"),
        "full tile": (lambda arch: timed.full_tile(folder, arch), "M cycles/s"),
    }
    for name, texts in timed.VECTOR.items():
        found[name] = (lambda arch, texts=texts: timed.vector_unit(texts, arch), "M/s")
    for one in MATRIX:
        found[one.name] = (
            lambda arch, one=one: tensix.speed(one, Schedule.LATENCY, arch),
            "M/s",
        )
    return found


def table(folder: Path) -> Table:
    """Measure everything on both chips."""
    result = Table(title="latency, by chip")
    for column in ("", "Blackhole", "Wormhole", ""):
        result.add_column(column, justify="left" if not column else "right")
    for name, (measure, unit) in rows(folder).items():
        result.add_row(name, *(f"{measure(arch):.2f}" for arch in CHIPS), unit)
    return result


def main() -> int:
    """Print the table."""
    argparse.ArgumentParser(prog="scripts/bench chips", description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Console(width=100).print(table(Path(folder)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

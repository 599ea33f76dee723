# SPDX-License-Identifier: Apache-2.0
"""Settings from what is typed: `--vary T0@kernel.c:35:10-100/10`, a run for each length."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing

from tensix_gdb.gdbstub.order.seeds.bench import Bench
from tensix_gdb.gdbstub.order.seeds.case import Setting
from tensix_gdb.gdbstub.order.seeds.program import Program
from tensix_gdb.gdbstub.tensix.pauses import parse_pause
from tensix_gdb.gdbstub.usage import UsageError

MOST = 100_000
_SWEEP = re.compile(r"(.+):(\d+)(?:-(\d+))?(?:/(\d+))?")


def varied(program: Program, texts: Sequence[str]) -> list[Setting]:
    """Return the pauses of all sweeps, each alone. UsageError with a sentence."""
    found: list[Setting] = []
    with closing(Bench(program, "reference")) as bench:
        for text in texts:
            match = _SWEEP.fullmatch(text)
            if match is None or not int(match[2]):
                raise UsageError(
                    f"--vary {text}: type a place and lengths, as in T0@0x6010:10-100/10"
                )
            where, first, last, step = match.groups()
            lengths = range(int(first), int(last or first) + 1, int(step or 1) or 1)
            if not lengths or len(lengths) > MOST:
                raise UsageError(f"--vary {text}: names 1 to {MOST:,} lengths in rising order")
            for length in lengths:
                try:
                    pause = parse_pause(bench.machine, f"{where}:{length}")
                except UsageError as problem:
                    raise UsageError(f"--vary {problem}") from None
                found.append(Setting(str(pause), (pause,)))
    return found

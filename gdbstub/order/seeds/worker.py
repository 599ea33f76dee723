# SPDX-License-Identifier: Apache-2.0
"""The worker: run the cases of a batch, each on the machine that it has kept.

A worker is a process, of this machine or of another one. It keeps the machines of the programs that
it has run last, and the compiled code of the first serves all of them.
"""

from __future__ import annotations

import hashlib
import platform
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol

from tensix_gdb.core.engine import Engine
from tensix_gdb.gdbstub.order.seeds.bench import Bench
from tensix_gdb.gdbstub.order.seeds.case import Case, Outcome
from tensix_gdb.gdbstub.order.seeds.program import Program, unpacked

KEPT = 8  # machines of a worker


class Runs(Protocol):
    """The runner of cases of one program."""

    def run(self, case: Case) -> Outcome: ...

    def close(self) -> None: ...


class Kept:
    """The machines of this process."""

    def __init__(self, is_interrupted: Callable[[], bool] = lambda: False) -> None:
        self._is_interrupted = is_interrupted
        self._benches: OrderedDict[str, Runs] = OrderedDict()
        self._engine: Engine | None = None

    def bench(self, digest: str, program: Callable[[], Program]) -> Runs:
        """Return the machine of a program; `program` is called when there is none yet."""
        if digest in self._benches:
            self._benches.move_to_end(digest)
            return self._benches[digest]
        made = self._make(program())
        self._benches[digest] = made
        while len(self._benches) > KEPT:
            _, oldest = self._benches.popitem(last=False)
            oldest.close()
        return made

    def _make(self, program: Program) -> Runs:
        if program.litmus is not None:
            from tensix_gdb.gdbstub.order.seeds.litmus import LitmusBench

            return LitmusBench(program)
        bench = Bench(
            program,
            self._engine or "compiled",
            judge=judge_of(program),
            is_interrupted=self._is_interrupted,
        )
        if self._engine is None:
            self._engine = bench.machine.engine
        return bench

    def close(self) -> None:
        """Give all of them back."""
        for bench in self._benches.values():
            bench.close()
        self._benches.clear()


KEPT_HERE = Kept()


def judge_of(program: Program) -> Callable[..., str] | None:
    """Return the function that judges the end of its runs; None without `--check`."""
    if program.check is None:
        return None
    # What tests see of a tile: only searches with a check load it.
    judge: Callable[..., str] = import_module("tensix_gdb.gdbstub.testing.judging").judge(
        program.check.source, program.check.path, program.check.function
    )
    return judge


def run_batch(digest: str, data: bytes | str, cases: Sequence[Case]) -> list[Outcome]:
    """Run cases of one program; `data` is the packed program, or the file that has it."""

    def program() -> Program:
        return unpacked(Path(data).read_bytes() if isinstance(data, str) else data)

    bench = KEPT_HERE.bench(digest, program)
    return [bench.run(case) for case in cases]


@cache
def own_version() -> str:
    """Return what has to be the same of all workers of a search: the code that decides what a run
    does, and the kind of processor."""
    package = Path(__file__).resolve().parents[3]
    digest = hashlib.sha256()
    for folder in ("core", "gdbstub/order/seeds", "gdbstub/tensix", "gdbstub/order/report"):
        for file in sorted((package / folder).rglob("*.py")):
            digest.update(str(file.relative_to(package)).encode() + file.read_bytes())
    return f"{digest.hexdigest()[:12]} on {platform.machine()}"

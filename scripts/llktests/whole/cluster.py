# SPDX-License-Identifier: Apache-2.0
"""One test for each kernel on more machines: `scripts/llk whole FILE --kernels --on ADDRESS`.

Each worker of a Dask cluster (gdbstub/order/seeds/cluster.py) has a checkout of this project, SFPI
and the suite, which it gets by itself. It says the kernels of files, and runs pieces of them. The
ledger is here: a piece is in it when it has ended, and a run that is killed continues with the
others.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from functools import cache
from pathlib import Path
from typing import Any

from scripts.llktests.whole.kernels import KernelList, KernelsOf, kernels_of
from scripts.llktests.whole.ledger import Ledger
from scripts.llktests.whole.piece import Piece, outcomes_of
from tensix_gdb.gdbstub.llk import suite as of_user
from tensix_gdb.gdbstub.llk.running import Choice, Outcome
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import linked

EACH = 25  # kernels of a piece: a worker that dies loses so many
Done = tuple[list[Outcome], Mapping[str, float], str]


@cache
def _own_suite() -> Suite:
    """The suite of this process: two that run at once need two."""
    kept = of_user.prepare()
    folder = Path(tempfile.mkdtemp(prefix="worker-", dir=of_user.cache()))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return linked(kept, folder / "suite")


def list_there(choice: Choice, name: str) -> KernelsOf:
    """Say the kernels of a file, on a worker."""
    return kernels_of(_own_suite(), choice, name)


def run_there(choice: Choice, name: str, tests: Sequence[str]) -> Done:
    """Run tests of a file, on a worker; return the outcomes, the cost, and why there are none."""
    piece = Piece(len(tests), frozenset(), only=tests)
    parts = of_user.cache() / f"parts-{choice.arch}"
    found = list(outcomes_of(_own_suite(), None, choice, name, piece, parts=parts))
    cost = {"seconds": piece.seconds, "processor": piece.processor, "built": piece.built}
    return found, {"tests": len(found), **cost}, piece.problem


def run_on(
    executor: Executor,
    names: Sequence[str],
    ledger: Ledger,
    known: KernelList,
    choice: Choice,
    say: Callable[[str], None],
) -> None:
    """Run what is left of these files on workers, as many pieces at once as there are workers."""
    under_way: dict[Future[Any], str] = {}
    for name in names:
        if name in known.files:
            _submit(executor, under_way, ledger, known, choice, name)
        else:
            under_way[executor.submit(list_there, choice, name)] = name
    while under_way:
        ended, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in ended:
            name = under_way.pop(future)
            try:
                found = future.result()
            except CannotPrepare as problem:
                say(f"{name}: set aside: {problem}")
                continue
            if isinstance(found, KernelsOf):
                known.add(found)
                say(f"{name}: {len(found.tests):,} kernels of {found.asked:,} tests")
                _submit(executor, under_way, ledger, known, choice, name)
                continue
            _take(ledger, name, found, say)


def _submit(
    executor: Executor,
    under_way: dict[Future[Any], str],
    ledger: Ledger,
    known: KernelList,
    choice: Choice,
    name: str,
) -> None:
    """Let workers run what is left of a file."""
    tests = known.files[name].tests
    ledger.collected(name, len(tests))
    left = [test for test in tests if test not in ledger.of(name).outcomes]
    for at in range(0, len(left), EACH):
        under_way[executor.submit(run_there, choice, name, left[at : at + EACH])] = name


def _take(ledger: Ledger, name: str, done: Done, say: Callable[[str], None]) -> None:
    outcomes, cost, problem = done
    for one in outcomes:
        ledger.add(name, one)
    ledger.spent(name, cost)
    file = ledger.of(name)
    said = f" ({problem})" if problem else ""
    say(f"{name}: {len(outcomes)} more, {len(file.wrong)} wrong, {file.left} left{said}")

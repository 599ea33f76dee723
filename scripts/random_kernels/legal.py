# SPDX-License-Identifier: Apache-2.0
"""Search for decisions of the compiler that give the results that were found."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from scripts.random_kernels.model import Decisions, Place, Run, results, run
from scripts.random_kernels.tree import Kernel
from tests.core.tensix.vector.pages import Words

MOST = 4000  # decisions that are tried


def legal(kernel: Kernel, pool: Words, fits: Callable[[Words], bool]) -> Run | None:
    """Return a run with results that fit, or None. The usual decisions come first, then those that
    differ from them in one place, in two, and so on."""
    first = run(kernel, pool)
    if fits(results(first)):
        return first
    for decisions in itertools.islice(_others(first.asked), MOST):
        done = run(kernel, pool, decisions)
        if fits(results(done)):
            return done
    return None


def _others(asked: dict[Place, int]) -> Iterator[Decisions]:
    for size in range(1, len(asked) + 1):
        for places in itertools.combinations(asked, size):
            for ways in itertools.product(*(range(1, asked[place]) for place in places)):
                yield dict(zip(places, ways, strict=True))

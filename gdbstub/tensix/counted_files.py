# SPDX-License-Identifier: Apache-2.0
"""`--coverage`, `--tensix-coverage` and `--profile`: counting, and their files in the end."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.machine import Machine

COUNTED_TWICE = (
    "what is gone through again would be counted again: leave out --record, or --coverage, "
    "--tensix-coverage and --profile"
)


def wants_counts(arguments: argparse.Namespace) -> bool:
    """Does any of them?"""
    return any((arguments.coverage, arguments.tensix_coverage, arguments.profile))


@contextmanager
def counted(machine: Machine, arguments: argparse.Namespace) -> Iterator[Callable[[], list[str]]]:
    """Count from now on if it is wanted. Gives what writes the files and says so."""
    if not wants_counts(arguments):
        yield list
        return
    # Imported here: others start without what reads DWARF.
    from gdbstub.tensix.coverage_file import covered
    from gdbstub.tensix.profile_file import profiled

    coverage = covered(machine, arguments.coverage, arguments.tensix_coverage)
    with coverage as write_coverage, profiled(machine, arguments.profile) as write_profile:
        # Who ends a server so wants its files too.
        before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
        try:
            yield lambda: [*write_coverage(), *write_profile()]
        finally:
            signal.signal(signal.SIGTERM, before)

# SPDX-License-Identifier: Apache-2.0
"""`--coverage`, `--tensix-coverage` and `--profile`: counting, and their files in the end."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.tensix.output.sigterm import as_by_ctrl_c

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
    from tensix_gdb.gdbstub.tensix.output.lcov import covered
    from tensix_gdb.gdbstub.tensix.output.profile_files import profiled

    coverage = covered(machine, arguments.coverage, arguments.tensix_coverage)
    profile = profiled(machine, arguments.profile)
    with coverage as write_coverage, profile as write_profile, as_by_ctrl_c():
        yield lambda: [*write_coverage(), *write_profile()]

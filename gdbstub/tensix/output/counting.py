# SPDX-License-Identifier: Apache-2.0
"""`--coverage`, `--tensix-coverage` and `--profile`: counting, and their files in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.options.tile import CountOptions


@contextmanager
def counted(machine: Machine, options: CountOptions) -> Iterator[Callable[[], list[str]]]:
    """Count from now on if it is wanted. Gives what writes the files and says so; in the end they
    are written in any case."""
    if not options.are_wanted:
        yield list
        return
    # Imported here: others start without what reads DWARF.
    from tensix_gdb.gdbstub.tensix.output.lcov import covered
    from tensix_gdb.gdbstub.tensix.output.profile_files import profiled

    coverage = covered({"": machine}, options.coverage, options.tensix_coverage)
    profile = profiled(machine, options.profile)
    with coverage as write_coverage, profile as write_profile:
        is_written = False

        def write() -> list[str]:
            nonlocal is_written
            is_written = True
            return [*write_coverage(), *write_profile()]

        try:
            yield write
        finally:
            # A command that has not come so far as to run anything has something else to say.
            if not is_written and any(machine.S.hart.retired[hart] for hart in range(HARTS)):
                for line in write():
                    print(line, flush=True)

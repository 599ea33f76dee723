# SPDX-License-Identifier: Apache-2.0
"""`--coverage`, `--tensix-coverage` and `--profile` of several tiles.

Coverage is one file, in which each hart of each tile is a test. A profile is of one tile: FILE-1-2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.options.tile import CountOptions
from tensix_gdb.gdbstub.usage import UsageError


@contextmanager
def counted_tiles(machines: Mapping[str, Machine], options: CountOptions) -> Iterator[None]:
    """Count from now on if it is wanted; the files are written in the end. A profile is written of
    tiles that have executed anything."""
    if not options.are_wanted:
        yield
        return
    # Imported here: others start without what reads DWARF.
    from tensix_gdb.gdbstub.tensix.output.lcov import covered

    if options.profile is not None:
        for machine in machines.values():
            machine.count()
    with covered(machines, options.coverage, options.tensix_coverage) as write:
        try:
            yield
        finally:
            has_run = {
                name: machine
                for name, machine in machines.items()
                if any(machine.S.hart.retired[hart] for hart in range(HARTS))
            }
            if has_run:
                for line in (*write(), *_profiles(has_run, options.profile)):
                    print(line, flush=True)


def check_place(path: str | None) -> None:
    """Refuse a place where no file can be made now, not after the run."""
    if path is not None and not Path(path).absolute().parent.is_dir():
        raise UsageError(f"--profile {path}: there is no such directory")


def _profiles(machines: Mapping[str, Machine], path: str | None) -> Iterator[str]:
    from tensix_gdb.gdbstub.tensix.output.profile_files import profiled

    for name, machine in machines.items() if path is not None else ():
        with ExitStack() as stack:
            try:
                write = stack.enter_context(profiled(machine, _named(path, name)))
            except UsageError as problem:
                yield str(problem)  # the others are written all the same
            else:
                yield from write()


def _named(path: str | None, tile: str) -> str:
    """FILE-1-2.json for FILE.json; all of `.pb.gz` stays the ending."""
    assert path is not None
    folder, name = Path(path).parent, Path(path).name
    stem, dot, ending = name.partition(".")
    return str(folder / f"{stem}-{tile}{dot}{ending}")

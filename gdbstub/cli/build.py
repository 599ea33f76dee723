# SPDX-License-Identifier: Apache-2.0
"""A machine with programs in it, from the command line's options."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, T1, T2
from tensix_gdb.core.engine.jit import LlvmMissingError
from tensix_gdb.core.faults.policy import PolicyError
from tensix_gdb.core.firmware.folder import programs_in
from tensix_gdb.core.firmware.host import Host
from tensix_gdb.core.firmware.image import read_firmware
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.program.built_for import built_for
from tensix_gdb.core.program.elf import Image, LoadError, read_elf
from tensix_gdb.gdbstub.cli.options.tile import ProgramOptions
from tensix_gdb.gdbstub.cli.terminal.width import say
from tensix_gdb.gdbstub.tensix.pauses import add_pause
from tensix_gdb.gdbstub.usage import DEFAULT_SCHEDULE, UsageError, check_once, parse_schedule

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.tensix.tiles.files import TileFiles

_log = logging.getLogger(__name__)
T_CORES = (T0, T1, T2)


def arch_named(name: str | None) -> Arch:
    """Return the architecture `blackhole` or `wormhole`; the first if none is named."""
    return Arch.BLACKHOLE if name is None else Arch[name.upper()]


def build_machine(
    programs: Sequence[tuple[int, str]],
    engine: str,
    schedule: str = DEFAULT_SCHEDULE,
    arch: Arch = Arch.BLACKHOLE,
) -> Machine:
    """Load (hart, path) pairs. UsageError has the loader's sentence if one does not fit."""
    execution = parse_schedule(schedule)
    check_once(programs)
    try:
        images = [(hart, read_elf(path)) for hart, path in programs]
        with _kept_if_good(Machine(engine=engine, schedule=execution, arch=arch)) as m:
            for hart, image in images:
                m.load(hart, image)
    except LoadError as problem:
        raise UsageError(str(problem)) from None
    for _, image in images:
        if said := _built_for_another(image, arch):
            _log.warning("%s", said)
    return m


def _built_for_another(image: Image, arch: Arch) -> str:
    """Return a warning about a program that was built for the other chip; empty if it was not. It
    may run all the same: what both chips have is encoded alike."""
    told = built_for(image)
    if told is None or told[0] == arch.title:
        return ""
    chip, extension = told
    return (
        f"{image.path} was built for {chip}, as its extension {extension} tells, and this tile "
        f"takes {arch.title}'s instructions: start with --arch {chip.lower()}, or build it for "
        f"{arch.title}"
    )


@contextlib.contextmanager
def _kept_if_good(machine: Machine) -> Iterator[Machine]:
    """Close a machine that does not become ready: no caller gets it, and its compiler may be
    at work."""
    try:
        yield machine
    except BaseException:
        machine.close()
        raise


def programs_of_folders(folders: Sequence[str]) -> list[tuple[int, str]]:
    """List what `--dir` names, by hart. UsageError if a folder has no programs."""
    programs = []
    try:
        for folder in folders:
            programs += [(hart, str(path)) for hart, path in programs_in(folder).items()]
    except LoadError as problem:
        raise UsageError(f"--dir {problem}") from None
    return programs


def programs_named(options: ProgramOptions) -> list[tuple[int, str]]:
    """List what `--elf` and `--dir` name, by hart. UsageError if they name nothing."""
    programs = [*(options.elf), *programs_of_folders(options.dir)]
    if options.firmware is None and not programs:
        raise UsageError(
            "nothing to run: name a program as in --elf b=program.elf, or with --dir or --firmware"
        )
    if options.firmware is not None and programs:
        raise UsageError("--firmware brings a program for every hart: leave out --elf and --dir")
    if options.launch and options.firmware is None:
        raise UsageError("--launch needs the firmware that launches kernels: add --firmware DIR")
    check_once(options.launch)
    _check_together(options.launch)
    return programs


def _check_together(kernels: Sequence[tuple[int, str]]) -> None:
    """UsageError if some T cores have a kernel and others none: brisc.cc starts all three if T0 has
    one, and none if it has none."""
    given = {hart for hart, _ in kernels if hart in T_CORES}
    missing = [f"--launch {HART_NAMES[hart].lower()}=FILE" for hart in T_CORES if hart not in given]
    if given and missing:
        raise UsageError(
            "the firmware starts T0, T1 and T2 together, each with a kernel of its own: add "
            + " and ".join(missing)
        )


def machine_of(
    options: ProgramOptions, tiles: TileFiles | None = None, *, reads_prints: bool = False
) -> tuple[Machine, Host | None]:
    """Make the machine that the options describe, and its host if it has a firmware. `tiles` are
    the files of `--tile` with those of a command's other options."""
    arch = arch_named(options.arch)
    if tiles is None:
        tiles = tile_files(options.tile)
    machine = build_machine(programs_named(options), options.engine, options.schedule, arch)
    host: Host | None = None
    try:
        with _kept_if_good(machine):
            if options.firmware is not None:
                firmware = read_firmware(options.firmware, int(machine.S.tile.chip))
                host = Host(machine, firmware, reads_prints=reads_prints)
            for addr, path in options.bin:
                machine.load_bytes(addr, _content(path))
            if tiles is not None:
                tiles.load(machine)
            if options.faults is not None:
                machine.faults.set(options.faults)
            _name_pauses(machine, options.pause)
    except LoadError as problem:
        raise UsageError(str(problem)) from None
    except MemoryFault as problem:
        raise UsageError(f"--bin: {problem}") from None
    except PolicyError as problem:
        raise UsageError(f"--faults: {problem}") from None
    return machine, host


def machine_from_core(path: str, options: ProgramOptions) -> Machine:
    """Return the machine of `run --from`. What a snapshot of a card has not is as after a reset:
    that is assumed, and said."""
    from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, read_core

    note = read_core(path)
    if options.arch is not None and arch_named(options.arch) is not note.arch:
        raise UsageError(f"{path} is of a {note.arch.title} tile: leave out --arch {options.arch}")
    say([f"{path}: {note.ending}"])
    if note.unknown:
        say([f"assumed to be as after a reset: {', '.join(note.unknown)}"])
    machine = machine_from(note, options.engine)
    machine.unknown.clear()  # from here on it is an execution of its own
    return machine


def tile_files(
    tile: Sequence[str], expect: Sequence[str] = (), dump: Sequence[str] = ()
) -> TileFiles | None:
    """Return the files of `--tile`, `--expect` and `--dump`; None without. Only commands with such
    an option load what reads them."""
    if not (tile or expect or dump):
        return None
    from tensix_gdb.gdbstub.tensix.tiles.files import TileFiles

    return TileFiles(tile, expect, dump)


def _name_pauses(machine: Machine, pauses: Sequence[str]) -> None:
    """Name the pauses of `--pause`."""
    for text in pauses:
        try:
            add_pause(machine, text)
        except UsageError as problem:
            raise UsageError(f"--pause {problem}") from None


def observe_served(machine: Machine, races: str | None) -> None:
    """Carry `--races` of a command that serves debuggers out."""
    if races is None:
        return
    from tensix_gdb.gdbstub.protocol.target import TargetError
    from tensix_gdb.gdbstub.tensix.races.witness import observe

    try:
        observe(machine, strict=races == "strict")
    except TargetError as problem:
        raise UsageError(f"--races: {problem}") from None
    assert machine.runner.races is not None
    machine.runner.races.stops = True


def unusable_engine(problem: BaseException) -> str:
    """Return the sentence about an engine that cannot be had; "" for other failures."""
    if not isinstance(problem, LlvmMissingError):
        return ""
    return f"{problem}, or choose `--engine reference`"


def launch(host: Host, kernels: Sequence[tuple[int, str]]) -> None:
    """Start the kernels of `--launch`."""
    try:
        host.launch({hart: read_elf(path) for hart, path in kernels})
    except (LoadError, MemoryFault) as problem:
        raise UsageError(f"--launch: {problem}") from None


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as problem:
        raise UsageError(f"--bin {path}: cannot be read: {problem.strerror}") from None

# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb serve`."""

from __future__ import annotations

from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.host import HostOptions
from tensix_gdb.gdbstub.cli.options.races import observed
from tensix_gdb.gdbstub.usage import UsageError


@dataclass(frozen=True)
class ServeOptions:
    """Load ELF files into the harts of a tile, halted at their entries, and wait for debuggers.
    Prints the gdb command that attaches."""

    programs: tile.ProgramOptions = field(default_factory=tile.ProgramOptions)
    address: tile.AddressOptions = field(default_factory=tile.AddressOptions)
    history: tile.HistoryOptions = field(default_factory=tile.HistoryOptions)
    races: str | None = observed()
    stop_at_end: bool = tile.stop_at_end()
    counts: tile.CountOptions = field(default_factory=tile.CountOptions)
    host: HostOptions = field(default_factory=HostOptions)
    processes: bool = tile.processes()
    web: int | None = tile.web()
    ports: bool = option(
        "--ports",
        action="store_true",
        help="one more port for each loaded hart, numbered after --port: a client there sees that "
        "hart alone, as editors with one ELF like it",
    )
    rsp_log: str | None = option(
        "--rsp-log",
        metavar="FILE",
        help="write every packet, readable, to this file; `tensix-gdb replay` plays it",
    )
    core: str | None = option(
        "--core",
        metavar="FILE",
        help="instead of programs: a tile as `run --core` or `monitor core` has written it",
    )
    core_dir: str | None = option(
        "--core-dir",
        metavar="DIR",
        help="let clients write core files into this directory, by `monitor core NAME`",
    )

    def __post_init__(self) -> None:
        programs = self.programs
        if self.rsp_log is not None:
            for is_given, why in (
                (
                    programs.firmware or programs.bin or programs.tile,
                    "a packet log names ELF files only: leave out --firmware, --bin and --tile",
                ),
                (
                    self.ports,
                    "a packet log has the clients of the tile's port only: leave out --ports",
                ),
                (self.history.record, "a packet log goes forward only: leave out --record"),
                (
                    self.host.semihosting,
                    "a packet log has no program's input: leave out --semihosting",
                ),
            ):
                if is_given:
                    raise UsageError(why)
        if self.processes and self.ports:
            raise UsageError(
                "each hart has a port or is a process: leave out --ports or --processes"
            )
        if self.history.record and self.counts.are_wanted:
            raise UsageError(tile.COUNTED_TWICE)
        loads = (programs.elf, programs.dir, programs.bin, programs.firmware, programs.launch)
        if self.core is not None and (any(loads) or self.rsp_log):
            raise UsageError(
                "a core file has its programs in it: leave out --elf, --dir, --bin, --firmware, "
                "--launch and --rsp-log"
            )

# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb diagnose -- PROGRAM ARGS`: a program with emulated tiles as its device, as
`tensix-gdb ttnn` runs it.

It runs once, observed for races and by the checks that are silent in right kernels, and is ended
when a tile stops at a fault, or when all that kernels do is to wait. Then the page is that of any
other program: the rows of causes.py, asked about what the tiles have said.
"""

from __future__ import annotations

import shlex
from dataclasses import replace

from tensix_gdb.core.race.state.table import GROUPS, parse_groups
from tensix_gdb.gdbstub.cli.options.races import RaceFlags
from tensix_gdb.gdbstub.cli.options.tile import AddressOptions
from tensix_gdb.gdbstub.cli.terminal.width import say, width_of_terminal
from tensix_gdb.gdbstub.diagnose.host_evidence import HostEvidence
from tensix_gdb.gdbstub.diagnose.options import DiagnoseOptions
from tensix_gdb.gdbstub.diagnose.page import Ranking, page_lines, rank, wrapped
from tensix_gdb.gdbstub.diagnose.reported import INIT, LEAKS
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.host.ttnn.observed import observed_program


def diagnose_program(options: DiagnoseOptions) -> bool:
    """Run the program and print the page; return True if there is a cause."""
    programs, host = options.programs, options.host
    is_observed = programs.schedule != "sc"
    of = SimulatorOptions(
        tiles=host.tiles,
        address=AddressOptions(port=0),
        engine=programs.engine,
        schedule=programs.schedule,
        faults=programs.faults,
        pause=programs.pause,
        races=_observed(options) if is_observed else RaceFlags(),
    )
    observed = observed_program(options.script, host.python, of, host.dispatch)
    evidence = HostEvidence(observed, is_observed=is_observed)
    ranking = rank(evidence)
    found = [(cause, evidence.of_run(one)) for cause, one in ranking.found]
    page = page_lines(
        evidence,
        Ranking(found, ranking.ruled_out),
        lambda text: _command(options),
        everything=options.everything,
    )
    lines = [*page, *observed.kept.lines()]
    say(wrapped(lines, width_of_terminal()))
    return bool(found)


def _observed(options: DiagnoseOptions) -> RaceFlags:
    """Observe for races, and by the checks of which a find is a cause by itself."""
    causes = tuple(group for group in GROUPS if group.upper() not in (INIT, LEAKS))
    return RaceFlags(
        races="default",
        check=parse_groups(",".join(causes)),
        buffer=options.buffer,
        races_suppressions=options.races_suppressions,
    )


def _command(options: DiagnoseOptions) -> str:
    """Return the command that opens a GDB in the same program."""
    from tensix_gdb.gdbstub.cli.options.again import typed_again

    host, programs = typed_again(options.host), replace(options.programs, engine="auto")
    words = ["tensix-gdb ttnn --gdb", host, typed_again(programs), "--", shlex.join(options.script)]
    return " ".join(filter(None, words))

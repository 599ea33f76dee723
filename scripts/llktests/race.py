# SPDX-License-Identifier: Apache-2.0
"""The race that mailbox_read_completion ends with (ordering.py), in one seed: `scripts/llk race`.

A promise hides it by default (P15 of core/ordering/promises.py), so the seed is run in `strict`.
Which seed shows it changes with each cost of the model, so the first that does is looked for.
Prints what `monitor order` says when MATH's last RMWCIB has been through the Configuration Unit:
the loads that should have come before it and are still under way.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from scripts.llktests.beginning import Beginning
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.config.pipeline import ACCESS, Op
from tensix_gdb.gdbstub.llk.running import Choice, run
from tensix_gdb.gdbstub.llk.suite import CannotPrepare
from tensix_gdb.gdbstub.llk.tree import add_llk_option, suite_of
from tensix_gdb.gdbstub.tensix.monitor.order import monitor_order

TEST = "test_mailbox_read_completion.py"
LATE = "{}  emitted  load from the Tensix backend configuration 0xffef0048"
READERS = ("T0", "T2")  # of what MATH's RMWCIB changes
SEEDS = 60  # about one in ten has both loads late; a new cost of a core decides which
END = 6_000  # cycles before the host sees the end, in which the last RMWCIB comes


def order_at_the_end(beginning: Beginning, seed: int) -> str:
    """Run again, the end of it cycle by cycle."""
    execution = Execution(Schedule.RANDOM, seed, strict=True, pauses=False)
    cycles = beginning.run(execution).cycles
    beginning.begin(execution, poisoned=True)
    machine = beginning.machine
    machine.run(cycles - END)
    found = ""
    for _ in range(END):
        machine.run(1)
        if machine.S.config_pipe.op[ACCESS] == Op.MODIFY:
            found = f"cycle {machine.S.tile.cycle}\n{monitor_order(machine, 0, [])}"
    return found


def first_of_both(beginning: Beginning, seeds: Sequence[int]) -> tuple[int, str]:
    """Find the first of these seeds in which both loads are late, and what `monitor order` says.

    Raises CannotPrepare if none of them has both.
    """
    for seed in seeds:
        order = order_at_the_end(beginning, seed)
        if all(LATE.format(hart) in order for hart in READERS):
            return seed, order
    raise CannotPrepare(f"in none of {len(seeds)} seeds are both loads late")


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk race", description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "seed", nargs="?", type=int, help="by default the first in which both loads are late"
    )
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    try:
        with (
            suite_of(arguments.llk) as suite,
            tempfile.TemporaryDirectory(prefix="llk-kept-") as folder,
        ):
            run(suite, [TEST], Choice(1, "1", "latency", "compiled"), folder)
            core = Path(folder) / "run-1.core"
            if not core.exists():
                raise CannotPrepare(f"{TEST} has not run; `scripts/llk {TEST}` says why")
            with closing(Beginning(core)) as beginning:
                if arguments.seed is None:
                    seed, order = first_of_both(beginning, range(1, SEEDS + 1))
                else:
                    seed, order = arguments.seed, order_at_the_end(beginning, arguments.seed)
                print(f"random:{seed},strict,no-pauses\n{order}", end="")
    except CannotPrepare as problem:
        print(f"llk race: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

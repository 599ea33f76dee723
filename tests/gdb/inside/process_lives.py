# SPDX-License-Identifier: Apache-2.0
"""Inferiors come and go: attach, detach, kill, run, names that mean the inferior (all: names)."""

import os

import gdb
from checks import (
    ELFS,
    equal,
    execute,
    function,
    refused,
    run,
    selected,
    value,
    within,
)


def attach():
    for setting in ("sysroot", "schedule-multiple on"):
        execute(f"set {setting}")
    execute(f"target extended-remote 127.0.0.1:{os.environ['TENSIX_PORT']}")


def go(command="continue"):
    """Go on to a stop of what is attached; the ends of the others' programs are told too."""
    seen = output = execute(command)
    while "has stopped the tile" in output:
        output = execute("continue")
        seen += output
    return seen


def main():
    equal(gdb.selected_inferior().pid, 0, "nothing is attached at first")
    within("No symbol", refused("print counter"), "so there are no symbols")
    execute("attach 2")
    execute("break *count")
    told = go()
    equal((selected(), function()), ("T0", "count"), "one process alone")
    equal((value("counter"), value("::limits.low")), (100, 1), "with its own variables")

    # The other hart runs meanwhile, as on a card, and comes to its end too. Nobody debugs it, so
    # that everybody is told.
    execute("delete")
    for _ in range(4):
        if "T0 at" not in told or "NC at" not in told:
            told += execute("continue")
    within("NC has stopped the tile. NC at", told, "the end of a process that is not attached")
    within("\nT0 at", told, "and that of the one that is")
    execute("add-inferior")
    execute("inferior 2")
    execute("attach 5")
    equal((selected(), value("counter")), ("NC", 404), "a second one, where it has come to")

    # Kill and run: one hart is reset, its program loaded again; the others stay as they are.
    execute("set var ::limits.high = 7")
    execute("kill")
    equal([i.pid for i in gdb.inferiors()], [2, 0], "one inferior has no process now")
    execute("break *count")
    go("run")
    equal((selected(), function(), value("counter")), ("NC", "count", 400), "run starts it again")
    equal(value("::limits.high"), 40, "with its data as in the file")
    execute("inferior 1")
    equal((selected(), value("counter")), ("T0", 101), "the other one is at its end")

    # By its name; an ELF that is not loaded is refused.
    execute("delete")
    execute("inferior 2")
    execute("kill")
    execute("set remote exec-file no-such.elf")
    within("no-such.elf", refused("run"), "only what is loaded can be run")
    execute(f"set remote exec-file {ELFS['NC']}")
    go("run")
    equal(selected(), "NC", "run by name")

    execute("detach")
    equal([i.pid for i in gdb.inferiors()], [2, 0], "detached")
    execute("attach 3")
    equal(selected(), "T1", "the inferior takes another process")


run(main, attach)

# SPDX-License-Identifier: Apache-2.0
"""detach and attach again, disconnect, kill: the tile is as it was left (T0: watched)."""

import gdb
from checks import connect, equal, execute, function, report, run, value, within


def main():
    execute("break write_local")
    execute("continue")
    execute("continue")
    equal(value("value"), 22, "stopped in the second round")
    execute("set var in_l1 = 77")
    execute("delete")

    execute("disconnect")
    report(gdb.selected_thread() is None, "disconnected")
    connect()
    equal((function(), value("value")), ("write_local", 22), "the tile is where it was left")
    equal(value("in_l1"), 77, "with what was written")

    execute("tbreak scoped")
    execute("continue")
    equal(function(), "scoped", "and continues from there, without the old breakpoints")

    # A detached tile runs on by itself, here to the end of the program.
    execute("monitor reset")
    within("[Inferior 1 (Remote target) detached]", execute("detach"), "detached")
    connect()
    report(gdb.selected_thread() is not None, "attached again")
    execute("monitor reset")
    execute("tbreak main")
    execute("continue")
    equal(function(), "main", "a reset starts the program again")

    # What editors send at the end of a session.
    execute("kill")
    connect()
    execute("monitor reset halt")
    execute("tbreak scoped")
    execute("continue")
    equal(function(), "scoped", "the server outlives kill")


run(main)

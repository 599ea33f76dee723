# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C stops a running tile, again and again, and shows the hart that ran (T1: spin)."""

from checks import equal, execute, function, interrupt_after, report, run, selected, value, within


def main():
    before = 0
    for _ in range(3):
        # GDB asks for the registers of all, and leaves the server at the last one.
        execute("info threads")
        with interrupt_after(0.5):
            within("SIGINT", execute("continue"), "Ctrl-C stops the tile")
        equal(selected(), "T1", "where it runs")
        report(function() in ("beat", "main"), "in the loop")
        beats = value("beats")
        report(beats > before, "which has continued")
        before = beats

    # Also while GDB is busy with a condition that never holds, and a watchpoint that never changes.
    execute("break beat if beats == 0xffffffff")
    with interrupt_after(0.5):
        within("SIGINT", execute("continue"), "Ctrl-C stops it between false conditions")
    execute("delete")
    report(value("beats") > before, "and it has continued")
    execute("watch stop")
    with interrupt_after(0.5):
        within("SIGINT", execute("continue"), "and while something is watched")
    execute("delete")

    execute("break beat")
    execute("continue")
    equal(function(), "beat", "breakpoints work after it")
    execute("delete")
    execute("set var stop = 1")
    within("SIGTRAP", execute("continue"), "the program ends when it is told to")
    equal(value("$a0"), value("beats"), "with its result")


run(main)

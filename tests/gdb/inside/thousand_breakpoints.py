# SPDX-License-Identifier: Apache-2.0
"""A thousand breakpoints at once (B: thousand)."""

import gdb
from checks import equal, execute, function, report, run, value


def main():
    execute("set breakpoint always-inserted on")
    breakpoints = [gdb.Breakpoint(f"f{number:03}") for number in range(1000)]
    equal(len(gdb.breakpoints()), 1000, "a thousand breakpoints are set")
    stops = []
    for _ in range(30):
        gdb.execute("continue", to_string=True)
        stops.append(function())
    equal(stops, [f"f{number:03}" for number in range(30)], "each stops in its turn")
    equal(value("hits"), 29, "and nothing ran twice or not at all")

    for breakpoint in breakpoints[30:500]:
        breakpoint.enabled = False
    for breakpoint in breakpoints[500:990]:
        breakpoint.delete()
    stops = []
    for _ in range(10):
        gdb.execute("continue", to_string=True)
        stops.append(function())
    equal(stops, [f"f{number:03}" for number in range(990, 1000)], "the last ten, past 960 others")
    execute("set breakpoint always-inserted off")
    execute("delete")
    execute("continue")
    equal(value("hits"), 1000, "all thousand functions were called once")
    report(function() == "_start", "and the program has ended")


run(main)

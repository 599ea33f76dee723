# SPDX-License-Identifier: Apache-2.0
"""Back in time: steps, breakpoints, watchpoints, the start of history (T0: watched)."""

from checks import equal, execute, function, line_of, report, run, value, within
from wordings import says


def main():
    execute("thread 2")
    start = value("$pc")
    execute("break main")
    execute("continue")
    at_main = value("$pc")
    execute("tbreak scoped")
    execute("continue")
    equal(function(), "scoped", "forward to scoped")
    there = value("$pc")

    # Single instructions, there and back.
    pcs = [value("$pc")]
    for _ in range(6):
        execute("stepi")
        pcs.append(value("$pc"))
    back = [value("$pc")]
    for _ in range(6):
        execute("reverse-stepi")
        back.append(value("$pc"))
    equal(back, pcs[::-1], "reverse-stepi goes the way of stepi back")

    # From the wrong value to the store that caused it.
    equal(value("in_local"), 55, "the value")
    execute("watch in_local")
    output = execute("reverse-continue")
    within("Old value = 55\nNew value = 44\n", output, "the watchpoint has both values")
    equal(function(), "write_local", "in the function that wrote")
    output = execute("reverse-continue")
    within("Old value = 44\nNew value = 33\n", output, "and the one before")
    execute("reverse-finish")
    equal(function(), "main", "reverse-finish goes to the call")
    equal(value("i"), 4, "in the round that wrote it")
    output = execute("continue")
    within("Old value = 33\nNew value = 44\n", output, "forward it is written again")
    execute("delete $bpnum")

    # Breakpoints, lines.
    execute(f"tbreak watched.c:{line_of('watched', 'reads in_l1')}")
    execute("reverse-continue")
    equal(function(), "read_l1", "a breakpoint in reverse")
    equal(value("in_l1"), 3, "of the round before")
    execute("reverse-finish")
    equal(function(), "main", "at its call")
    execute("reverse-next")
    equal(function(), "main", "reverse-next stays in the function")
    execute("reverse-continue")
    equal(value("$pc"), at_main, "back to main")
    output = execute("reverse-continue")
    report(says(output, "No more reverse-execution history."), "there is no more history")
    equal(value("$pc"), start, "at the start")

    # Forward again: the same.
    execute("tbreak scoped")
    execute("delete 1")
    execute("continue")
    equal(value("$pc"), there, "forward to the same place")
    equal(value("in_local"), 55, "with the same value")


run(main)

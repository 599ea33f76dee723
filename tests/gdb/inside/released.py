# SPDX-License-Identifier: Apache-2.0
"""B lets the others out of reset, seen from GDB (B: release)."""

from checks import equal, execute, line_of, run, select, text, value, within


def main():
    execute(f"tbreak release.c:{line_of('release', 'start(stub1')}")
    execute("continue")
    within("reset", execute("info threads"), "harts in reset are said to be")
    execute("break start if bit == 14")
    execute("continue")
    equal(text("came_alive"), "{0, 2, 3, 0, 0}", "T0 and T1 run before T2 is let go")
    execute("delete")
    execute("continue")
    select("NC")
    equal(value("$a0"), 5, "NC has run its stub")
    equal(value("$pc"), 0x1200C, "and stands at its ebreak")
    equal(text("came_alive"), "{0, 2, 3, 4, 5}", "all four have")


run(main)

# SPDX-License-Identifier: Apache-2.0
"""B lets the others out of reset, seen from GDB (B: release)."""

from checks import HART_THREADS, equal, execute, line_of, run, selected, text, value, within


def main():
    execute(f"tbreak release.c:{line_of('release', 'start(stub1')}")
    execute("continue")
    within("reset", execute("info threads"), "harts in reset are said to be")
    for hart, listing in (
        ("T0", "{0, 2, 0, 0, 0}"),
        ("T1", "{0, 2, 3, 0, 0}"),
        ("T2", "{0, 2, 3, 4, 0}"),
        ("NC", "{0, 2, 3, 4, 5}"),
    ):
        within("SIGTRAP", execute("continue"), f"{hart} runs to its ebreak")
        equal(selected(), hart, "which selects its thread")
        equal(text("came_alive"), listing, "it has left its mark, the next one has not")
        equal(value("$a0"), HART_THREADS[hart], "and has its result")
    equal(value("$pc"), 0x1200C, "NC is at its ebreak")


run(main)

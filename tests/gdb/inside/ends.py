# SPDX-License-Identifier: Apache-2.0
"""Where a program ends and what it may not do: ebreak, and an access to nothing (B: calls)."""

import gdb
from checks import equal, execute, function, interrupt_after, refused, report, run, value, within


def main():
    within("SIGTRAP", execute("continue"), "ebreak stops the program")
    equal(function(), "_start", "behind main")
    end = value("$pc")
    within("ebreak", execute("x/i $pc"), "with the pc at the ebreak")
    with interrupt_after(0.3):
        execute("continue")
    equal(value("$pc"), end + 4, "continue passes it; after it the hart is stopped")

    execute("monitor reset")
    execute("tbreak length")
    execute("continue")
    execute("set var text = (const char *)0xf0000000")
    within("SIGSEGV", execute("continue"), "a load from nowhere stops the tile")
    equal(function(), "length", "at the instruction")
    within("0xf0000000", refused("print *text") + execute("monitor status"), "and is explained")
    execute("set var text = greeting")
    execute("set var $pc = length")
    execute("set var $a0 = greeting")
    within("Value returned is $1 = 11\n", execute("finish"), "once repaired, the program continues")

    execute("set var $pc = 0xfffffff0")
    output = execute("stepi")
    report("SIGSEGV" in output or "SIGILL" in output or "SIGBUS" in output, "no code there")
    within("reset", gdb.execute("monitor help", to_string=True), "monitor help helps")


run(main)

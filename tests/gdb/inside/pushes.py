# SPDX-License-Identifier: Apache-2.0
"""Stepping and breakpoints on `.ttinsn` words, which GDB takes for compressed code (T0: push)."""

import re

from checks import equal, execute, function, line, line_of, run, value, within


def main():
    first = line_of("push", "the first push")
    execute("break push_three")
    execute("continue")
    equal(line(), first, "a breakpoint on a push stops")
    start = value("$pc")

    # NOP, DMANOP and STALLWAIT, each rotated left by two.
    words = execute("x/3xw $pc")
    for word in ("0x08000000", "0x80000001", "0x88000006"):
        within(word, words, "memory has the word")
    listing = execute("x/12i $pc")
    within("ret", listing, "x/i continues after the pushes")
    within(f"{start:#x} <push_three>", listing, "and begins at the first")
    addresses = [int(row, 16) for row in re.findall(r"0x([0-9a-f]+)", listing)]
    within(start + 12, addresses, "and meets the instruction behind them")

    # What GDB cannot name, the stub can.
    listing = execute("monitor disasm push_three 4")
    for text in (f"=> {start:#010x} <push_three>:", "DMANOP", "STALLWAIT wait=C0", "\tret"):
        within(text, listing, "monitor disasm knows both instruction sets")
    within("Miscellaneous Unit", execute("monitor explain"), "monitor explain explains the push")
    within("C10", execute("monitor explain STALLWAIT(B3, C10)"), "and what is typed")

    for number in range(1, 4):
        execute("stepi")
        equal(value("$pc"), start + 4 * number, "stepi over a push goes four bytes on")
    equal(function(), "push_three", "still in the function")

    execute("continue")
    equal((value("$pc"), value("rounds")), (start, 1), "the breakpoint stops in the next round")
    execute("next")
    equal(line(), first + 1, "next goes over a push")
    execute("step")
    equal(line(), first + 2, "step too")
    execute("finish")
    equal(function(), "main", "finish leaves")

    execute("delete")
    execute(f"break *{start + 4}")
    execute("continue")
    equal(value("$pc"), start + 4, "a breakpoint between two pushes stops")
    execute("nexti")
    equal(value("$pc"), start + 8, "nexti goes from it over the push")
    execute("hbreak *($pc)")
    execute("continue")
    execute("continue")
    equal((value("$pc"), value("rounds")), (start + 8, 3), "hbreak on a push stops")
    execute("delete")
    execute(f"tbreak {line_of('push', 'a round is over')}")
    execute("continue")
    equal(value("rounds"), 3, "tbreak behind the pushes stops")
    execute("continue")
    equal((function(), value("rounds")), ("_start", 4), "all rounds were run, and none twice")


run(main)

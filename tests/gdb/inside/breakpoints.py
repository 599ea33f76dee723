# SPDX-License-Identifier: Apache-2.0
"""break, tbreak, hbreak, conditions, ignore counts, disable, delete (B: calls)."""

import gdb
from checks import equal, execute, function, line, line_of, report, run, text, value, within


def main():
    code_before = execute("x/8xw add")

    execute("break add")
    execute("continue")
    equal(function(), "add", "break stops in the function")
    equal((value("a"), value("b")), (2, 3), "with its arguments")
    equal(gdb.selected_frame().older().name(), "main", "called by main")
    equal(execute("x/8xw add"), code_before, "memory does not show the breakpoint")

    execute("tbreak middle")
    execute("continue")
    equal(function(), "middle", "tbreak stops")
    execute("tbreak main")
    report("middle" not in execute("info breakpoints"), "and is gone afterwards")

    execute("hbreak inner")
    execute("continue")
    equal(function(), "inner", "hbreak stops")
    within("hw breakpoint", execute("info breakpoints"), "as a hardware breakpoint")

    marked = line_of("calls", "the bottom of the recursion")
    execute(f"break calls.c:{marked}")
    execute("continue")
    equal((function(), line()), ("factorial", marked), "break FILE:LINE stops on the line")
    equal(value("n"), 1, "at the bottom of the recursion")
    depth = sum(1 for row in execute("backtrace").splitlines() if "factorial" in row)
    equal(depth, 6, "backtrace shows every call of it")
    execute("delete")

    loop = line_of("calls", "the loop")
    execute(f"break calls.c:{loop} if i == 7")
    execute("continue")
    equal(line(), loop, "a conditional breakpoint stops")
    equal(value("i"), 7, "where its condition holds, not before")
    execute("condition $bpnum i == 11")
    execute("continue")
    equal(value("i"), 11, "a changed condition holds too")
    execute("condition $bpnum")
    execute("ignore $bpnum 2")
    execute("continue")
    equal(value("i"), 14, "ignore passes two of three")
    execute("disable $bpnum")
    execute("tbreak length")
    execute("continue")
    equal(function(), "length", "a disabled breakpoint does not stop")
    within("hello, tile", text("text"), "and strings can be read")

    execute("delete")
    execute("continue")
    equal(function(), "_start", "without breakpoints it runs to the end of the program")


run(main)

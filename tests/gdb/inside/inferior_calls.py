# SPDX-License-Identifier: Apache-2.0
"""Functions of the program called from GDB, with their return address on the stack in local RAM."""

import gdb
from checks import equal, execute, function, refused, run, text, value, within


def main():
    execute("break inner")
    execute("continue")
    registers = execute("info registers")

    equal(value("add(40, 2)"), 42, "a call returns its value")
    equal(value("factorial(10)"), 3628800, "a recursive one")
    equal(text("make_pair(7, -8)"), "{first = 7, second = -8}", "one that returns a struct")
    equal(value("length(greeting)"), 11, "one that takes a pointer")
    equal(value("add(factorial(3), length(greeting))"), 17, "one inside another")
    execute("call fill()")
    equal(value("squares[7]"), 49, "one without a value has its effect")
    equal(execute("info registers"), registers, "all registers are as before")
    equal(function(), "inner", "and the program is where it was")

    execute("break length")
    within(
        "stopped while in a function called from GDB", refused("print length(greeting)"), "a stop"
    )
    equal(function(), "length", "at a breakpoint in a called function")
    within("<function called from gdb>", execute("backtrace"), "the backtrace names it")
    execute("finish")
    equal(function(), "inner", "finish comes back")
    execute("delete")
    equal(execute("info registers"), registers, "with all registers as before")

    execute("set var counter = 100")
    equal(value("counter + add(1, 1)"), 102, "a call in an expression")
    execute("break main if add(1, 1) == 2")
    execute("monitor reset")
    execute("continue")
    equal(function(), "main", "a call in a condition")
    gdb.execute("delete")


run(main)

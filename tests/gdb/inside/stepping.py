# SPDX-License-Identifier: Apache-2.0
"""step, next, finish, until, advance, stepi, nexti, return, up and down (B: calls)."""

import gdb
from checks import equal, execute, function, line, line_of, report, run, value, within


def main():
    execute("break main")
    execute("continue")
    execute("next")
    equal(line(), line_of("calls", "result += add(2, 3);"), "next goes to the next line")
    execute("step")
    equal(function(), "add", "step goes into the call")
    equal((value("a"), value("b")), (2, 3), "with the arguments")
    within("Value returned is $1 = 5", execute("finish"), "finish shows what it returned")
    execute("next")
    equal(line(), line_of("calls", "result += outer(1);"), "next leaves the line")
    execute("next")
    equal(function(), "main", "next goes over the call")
    equal(line(), line_of("calls", "factorial(6);"), "to the line behind it")

    execute("advance locals")
    equal(function(), "locals", "advance goes to the function")
    execute(f"until {line_of('calls', 'all locals have their values here')}")
    equal(line(), line_of("calls", "all locals have their values here"), "until goes to the line")

    execute("advance fill")
    equal(function(), "main", "advance ends where the frame ends")
    execute("advance fill")
    equal(function(), "fill", "and from there goes to the function")
    body = line_of("calls", "squares[i] = i * i;")
    execute(f"until {body}")
    for _ in range(3):
        execute("next")
    execute("until")
    for _ in range(3):
        if function() == "fill" and line() <= body:
            execute("until")
    report(function() == "main" or line() > body, "until leaves a loop instead of repeating it")
    equal(value("squares[9]"), 81, "the loop ran to its end")

    execute("tbreak inner")
    execute("tbreak main")
    execute("monitor reset")
    execute("continue")
    equal(function(), "main", "after monitor reset the program starts again")
    execute("continue")
    names = [row.split(" in ")[-1] for row in execute("backtrace").splitlines()]
    for number, name in enumerate(("inner", "middle", "outer", "main")):
        within(name, names[number], f"frame {number} is {name}")
    execute("up")
    equal((function(), value("value")), ("middle", 2), "up selects the caller, with its locals")
    execute("down")
    equal((function(), value("value")), ("inner", 12), "down goes back")

    before = value("$pc")
    execute("stepi")
    equal(value("$pc"), before + 4, "stepi goes one instruction on")
    executed = 1
    while function() == "inner" and executed < 50:
        execute("stepi")
        executed += 1
    equal(function(), "middle", "stepi after stepi leaves the function")
    while "jal" not in gdb.execute("x/i $pc", to_string=True) and executed < 100:
        gdb.execute("stepi", to_string=True)
        executed += 1
    at, name = value("$pc"), function()
    execute("nexti")
    equal((value("$pc"), function()), (at + 4, name), "nexti goes over a call")

    execute("tbreak locals")
    execute("continue")
    execute("return 1000")
    equal(function(), "main", "return goes back to the caller at once")
    execute("next")
    report(value("result") >= 1000, "and gives it the value")


run(main)

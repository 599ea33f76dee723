# SPDX-License-Identifier: Apache-2.0
"""Conditions and dprintf evaluated by the stub: what stops, what is printed, what GDB is spared."""

import checks
import gdb
from checks import equal, execute, report, value, within


def count(command):
    """Execute a command with the protocol shown; its output and how often it resumed."""
    execute("set debug remote 1")
    output = execute(command)
    execute("set debug remote 0")
    return output, output.count("Sending packet: $vCont;")


def conditions():
    execute("set breakpoint condition-evaluation target")
    execute(f"break calls.c:{checks.line_of('calls', 'the loop')} if i == 13 && counter > 70")
    output, resumed = count("continue")
    within("hit Breakpoint 2", output, "the condition comes true")
    equal((value("i"), value("counter")), (13, 79), "at the right iteration")
    equal(resumed, 1, "with one resumption")
    within("stop only if i == 13 && counter > 70 (target evals)", execute("info breakpoints"), "so")
    # Changed while it stays inserted.
    execute("set breakpoint always-inserted on")
    execute("condition 2 i == 16")
    execute("continue")
    equal(value("i"), 16, "a changed condition")
    execute("condition 2")
    execute("continue")
    equal(value("i"), 17, "no condition any more")
    execute("condition 2 squares[i - 10] == 64")
    output, resumed = count("continue")
    equal((value("i"), resumed), (18, 2), "memory that an index selects")
    execute("condition 2 $x2 == 0")
    execute("tbreak length")
    execute("continue")
    equal(gdb.selected_frame().name(), "length", "a register that never has that value")
    execute("delete")
    execute("set breakpoint always-inserted off")


def printing():
    execute("set dprintf-style agent")
    execute("monitor reset")
    execute('dprintf factorial,"factorial of %d, %s %#06x%%\\n", n, &greeting[0], n * 16')
    execute("tbreak locals")
    output, resumed = count("continue")
    shown = [line for line in output.splitlines() if line.startswith("factorial of")]
    equal(
        shown,
        [
            f"factorial of {n}, {checks.text('(char *) greeting').split(chr(34))[1]} {n * 16:#06x}%"
            for n in (6, 5, 4, 3, 2, 1)
        ],
        "dprintf in the stub prints",
    )
    equal(resumed, 1, "without GDB")
    execute("delete")
    execute("monitor reset")
    execute('dprintf factorial,"only %d\\n", n')
    execute("condition $bpnum n == 3")
    execute("tbreak locals")
    output = execute("continue")
    equal([row for row in output.splitlines() if "only" in row], ["only 3"], "with a condition")
    report("hit Temporary" in output or "Temporary breakpoint" in output, "and continues")


def main():
    execute("tbreak main")
    execute("continue")
    conditions()
    printing()


checks.run(main)

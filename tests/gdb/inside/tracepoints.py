# SPDX-License-Identifier: Apache-2.0
"""Tracepoints: collected without stopping, looked at afterwards."""

import re
import tempfile

import checks
from checks import equal, execute, refused, report, value, within


def trace(where, what, *more):
    """Set a tracepoint with what it collects; GDB reads that only from a script."""
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as script:
        actions = "\n".join((f"collect {what}", *more, "end"))
        script.write(f"trace {where}\nactions\n{actions}\n")
        script.flush()
        execute(f"source {script.name}")


def main():
    trace("factorial", "$regs, n, bottoms, counter")
    trace("inner if value > 5", "$args, counter")
    execute("tstart")
    execute("tbreak locals")
    execute("continue")
    within("Trace is running", execute("tstatus"), "it runs")
    execute("tstop")
    within("Collected 7 trace frames", execute("tstatus"), "a frame for each hit")
    execute("tfind start")
    equal((checks.function(), value("value"), value("counter")), ("inner", 12, 0), "the first")
    seen = []
    for _ in range(6):
        execute("tfind")
        seen.append((checks.function(), value("n"), value("bottoms")))
    equal(seen, [("factorial", n, 0) for n in (6, 5, 4, 3, 2, 1)], "one after the other")
    within("No trace frame found", execute("tfind"), "no more")
    execute("tfind 3")
    equal(value("n"), 4, "by number")
    execute("tfind tracepoint 2")
    equal(value("$trace_frame"), -1, "none behind it of that tracepoint")
    execute("tfind start")
    execute("tfind tracepoint 1")
    equal(value("n"), 6, "the next of a tracepoint")
    within("Cannot access memory", refused("print squares[3]"), "what was not collected")
    execute("tfind none")
    equal(checks.function(), "locals", "back at the tile")
    within("collect $args, counter", execute("info tracepoints"), "listed with its actions")
    switching()
    counting()
    saving()


def started(*commands):
    """From the beginning to `locals`, tracing; the trace is then stopped."""
    execute("monitor reset")
    execute("tstart")
    for command in commands:
        execute(command)
    execute("tbreak locals")
    execute("continue")
    execute("tstop")
    return int(re.search(r"Collected (\d+) trace frame", execute("tstatus"))[1])


def switching():
    """A tracepoint that is disabled and enabled while tracing runs."""
    equal(started("disable 1"), 1, "QTDisable: only the other one collects")
    equal(started("enable 1"), 7, "QTEnable: both again")
    execute("enable 1")


def counting():
    """Trace state variables: in conditions, changed by a tracepoint, and collected."""
    execute("delete")
    execute("tvariable $hits = 10")
    trace("factorial if $hits < 13", "n, $hits", "teval $hits = $hits + 1")
    equal(started(), 3, "the condition counts")
    within("$hits", execute("info tvariables"), "listed")
    within("13", execute("info tvariables"), "with its value")
    execute("tfind start")
    equal((value("n"), value("$hits")), (6, 10), "as it was at the first")
    execute("tfind")
    equal((value("n"), value("$hits")), (5, 11), "and at the second")
    dump = execute("tdump")
    within("Data collected at tracepoint", dump, "tdump")
    within("n = 5", dump, "tdump shows the variable")
    within("$hits = 11", dump, "and the trace state variable")
    execute("tfind none")
    # The same variable in the condition of a breakpoint, evaluated by the stub.
    execute("set breakpoint condition-evaluation target")
    execute("delete")
    execute("monitor reset")
    execute("break factorial if $hits == 99")
    execute("tbreak locals")
    execute("continue")
    equal(checks.function(), "locals", "a condition with a trace state variable")


def saving():
    """tsave, and the file without the tile."""
    execute("delete")
    execute("monitor reset")
    trace("factorial", "$regs, n, bottoms")
    equal(started(), 6, "six to save")
    with tempfile.TemporaryDirectory() as folder:
        execute(f"tsave {folder}/trace.tf")
        within("Target returns error", refused(f"tsave -r {folder}/trace.tf"), "tsave -r")
        execute("disconnect")
        execute(f"target tfile {folder}/trace.tf")
        seen = []
        execute("tfind start")
        for _ in range(6):
            seen.append((checks.function(), value("n")))
            if len(seen) < 6:
                execute("tfind")
        equal(seen, [("factorial", n) for n in (6, 5, 4, 3, 2, 1)], "the file by itself")
        report(value("$sp") > 0xFFB00000, "registers from the file")
        within("collect $regs, n, bottoms", execute("info tracepoints"), "what was typed")


checks.run(main)

# SPDX-License-Identifier: Apache-2.0
"""Tracepoints: collected without stopping, looked at afterwards."""

import tempfile

import checks
from checks import equal, execute, refused, value, within


def trace(where, what):
    """Set a tracepoint with what it collects; GDB reads that only from a script."""
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as script:
        script.write(f"trace {where}\nactions\ncollect {what}\nend\n")
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
    execute("info tracepoints")


checks.run(main)

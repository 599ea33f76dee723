# SPDX-License-Identifier: Apache-2.0
"""`run` of one process while another one, stepped before, meets its ebreak: that stops GDB (B:
halts, T0: spin)."""

import os

from checks import equal, execute, function, run, selected, value, within


def attach():
    for setting in ("sysroot", "schedule-multiple on"):
        execute(f"set {setting}")
    execute(f"target extended-remote 127.0.0.1:{os.environ['TENSIX_PORT']}")
    execute("attach 1")
    execute("add-inferior")
    execute("inferior 2")
    execute("attach 2")


def main():
    for rounds, command in enumerate(("next", "stepi", "step"), 1):
        execute("inferior 1")
        execute("tbreak *main" if rounds == 1 else "tbreak main")
        execute("continue")
        execute(command)
        equal((selected(), function()), ("B", "main"), f"{command} in main of B")
        execute("inferior 2")
        execute("kill")
        said = execute("run")
        within("ebreak; a resume continues after it", said, "why B stops, while T0 is started")
        within('Thread 1.1 "B" stopped.', said, "that it stops")
        equal((selected(), function()), ("B", "halt"), "and where")
        count = value("rounds")
        within("received signal SIGTRAP", execute("continue"), "the next one is a signal as ever")
        equal(value("rounds"), count + 1, "of the next round")
        execute("inferior 1")
        execute("monitor reset")
        execute("maintenance flush register-cache")


run(main, attach)

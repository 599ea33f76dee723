# SPDX-License-Identifier: Apache-2.0
"""One visit of a GDB to a program that runs; runs inside GDB, and prints one line of JSON.

It connects, stops the program by a breakpoint or by Ctrl-C, lists the threads and detaches. Its
timeouts are those that GDB has by itself, unless VISIT_PATIENCE has other seconds.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time

import gdb

TARGET, STOP = os.environ["VISIT_TARGET"], os.environ["VISIT_STOP"]
PRESS_SECONDS = 0.2  # after GDB has let the program go on


def execute(command: str) -> str:
    return str(gdb.execute(command, to_string=True))


def threads() -> list[gdb.InferiorThread]:
    return sorted(gdb.selected_inferior().threads(), key=lambda one: one.num)


def breakpoint_hit() -> str:
    """Continue to where one of the harts is now: most wait in a loop. Return why it has stopped."""
    for thread in threads():
        thread.switch()
        execute("break *$pc")
    reason = continued()
    execute("delete")
    return reason


def interrupted() -> str:
    """Continue, press Ctrl-C once, and return why it has stopped."""
    pressing = threading.Timer(PRESS_SECONDS, os.kill, (os.getpid(), signal.SIGINT))

    def press(_: gdb.ContinueEvent) -> None:
        gdb.events.cont.disconnect(press)
        pressing.start()

    gdb.events.cont.connect(press)
    reason = continued()
    pressing.cancel()
    return reason


def continued() -> str:
    stops: list[gdb.StopEvent] = []
    gdb.events.stop.connect(stops.append)
    execute("continue")
    if isinstance(stops[0], gdb.BreakpointEvent):
        return "breakpoint"
    number = str(getattr(stops[0], "stop_signal", "no signal"))
    return "Ctrl-C" if number == "SIGINT" else number


def main() -> None:
    for setting in ("confirm off", "pagination off", "width 0", "osabi none", "sysroot"):
        execute(f"set {setting}")
    if "VISIT_PATIENCE" in os.environ:
        execute(f"set remotetimeout {os.environ['VISIT_PATIENCE']}")
    execute(f"set remotelogfile {os.environ['VISIT_LOG']}")
    start = time.perf_counter()
    execute(f"target remote {TARGET}")
    connected = time.perf_counter() - start
    reason = breakpoint_hit() if STOP == "breakpoint" else interrupted()
    listed = len(execute("info threads").splitlines()) - 1  # the first one has the titles
    execute("detach")
    print("VISIT " + json.dumps([connected, reason, listed]), flush=True)


main()
gdb.execute("quit")

# SPDX-License-Identifier: Apache-2.0
"""The cost of debugging through GDB; runs inside GDB, and prints one line of JSON."""

import json
import os
import signal
import threading
import time

import gdb

SECONDS = 0.2
INTERRUPTS = 15  # with five, their median was anything from 0.2 to 0.7 ms on either server
PORT, ELF = os.environ["BENCH_PORT"], os.environ["BENCH_ELF"]
BUFFER, IMAGE = int(os.environ["BENCH_BUFFER"]), os.environ["BENCH_IMAGE"]
BYTES = 0x10000


def execute(command):
    return gdb.execute(command, to_string=True)


def rate(command):
    count, start = 0, time.perf_counter()
    while time.perf_counter() < start + SECONDS:
        execute(command)
        count += 1
    return count / (time.perf_counter() - start)


def seconds(command):
    start = time.perf_counter()
    execute(command)
    return time.perf_counter() - start


def beats():
    return int(gdb.parse_and_eval("beats"))


def false_conditions():
    """Return how often per second a condition is found false, told from what the program counts."""
    before = beats()
    execute("break beat if beats == 0xffffffff")
    start = time.perf_counter()
    interrupted(SECONDS)
    taken = time.perf_counter() - start
    execute("delete")
    return (beats() - before) / taken


def interrupted(wait):
    """Continue, and press Ctrl-C after some time: seconds from then to the stop."""
    pressed, over = [], threading.Event()

    def press():
        # GDB may lose one while it evaluates a condition.
        seconds = wait
        while not over.wait(seconds):
            pressed.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)
            seconds = 0.5

    presser = threading.Thread(target=press)
    presser.start()
    execute("continue")
    end = time.perf_counter()
    over.set()
    presser.join()
    return end - pressed[-1]


def main():
    figures = {}
    for setting in ("confirm off", "pagination off", "osabi none", "remotetimeout 20"):
        execute(f"set {setting}")
    execute(f"file {ELF}")
    figures["attach"] = 1e3 * seconds(f"target remote 127.0.0.1:{PORT}")
    execute("break main")
    execute("continue")
    execute("delete")
    figures["stepi"] = rate("stepi")
    figures["next"] = rate("next")
    execute("break beat")
    figures["breakpoint hit"] = rate("continue")
    execute("delete")
    figures["false condition"] = false_conditions()
    execute("watch beats")
    figures["watch hit"] = rate("continue")
    execute("delete")
    dump = seconds(f"dump binary memory {IMAGE} {BUFFER:#x} {BUFFER + BYTES:#x}")
    figures["dump"] = BYTES / dump / 1e6
    figures["restore"] = BYTES / seconds(f"restore {IMAGE} binary {BUFFER:#x}") / 1e6
    figures["Ctrl-C"] = 1e3 * sorted(interrupted(0.02) for _ in range(INTERRUPTS))[INTERRUPTS // 2]
    execute("detach")
    print("FIGURES " + json.dumps(figures), flush=True)


main()
gdb.execute("quit")

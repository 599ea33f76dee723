# SPDX-License-Identifier: Apache-2.0
"""The shared part of the scripts that run inside GDB: attach, execute, report.

A script is a `main()` that reports what it sees, and `run(main)`. GDB exits with the number of
failed reports; an error anywhere is one more. The environment names the port and the ELFs
(tests/gdb/harness.py sets it).
"""

import contextlib
import json
import os
import signal
import sys
import tempfile
import threading
import traceback
from pathlib import Path

import gdb

PROGRAMS = Path(__file__).resolve().parents[2] / "programs"
HART_THREADS = {"B": 1, "T0": 2, "T1": 3, "T2": 4, "NC": 5}
ELFS = json.loads(os.environ["TENSIX_ELFS"])
failures = 0


def report(good, what):
    """Say whether something is as it should be, and count it when it is not."""
    global failures
    if not good:
        failures += 1
    print(f"{'PASS' if good else 'FAIL'}: {what}", flush=True)


def equal(seen, wanted, what):
    """Report whether two values are equal, showing both when they are not."""
    good = seen == wanted
    report(good, what if good else f"{what}: saw {seen!r}, wanted {wanted!r}")


def within(part, text, what):
    """Report whether `part` occurs in `text`, showing both when it does not."""
    good = part in text
    report(good, what if good else f"{what}: no {part!r} in {text!r}")


def execute(command):
    """Run a GDB command, as typed, and give what appears on the terminal.

    Read from the file descriptors, because GDB's `to_string` leaves out how the program stopped
    and what `monitor` commands say.
    """
    print(f"(gdb) {command}", flush=True)
    gdb.flush()
    with tempfile.TemporaryFile() as caught:
        terminal = [(stream, os.dup(stream)) for stream in (1, 2)]
        for stream, _ in terminal:
            os.dup2(caught.fileno(), stream)
        try:
            gdb.execute(command)
        finally:
            for stream in (gdb.STDOUT, gdb.STDERR, gdb.STDLOG):
                gdb.flush(stream)
            sys.stdout.flush()
            for stream, kept in terminal:
                os.dup2(kept, stream)
                os.close(kept)
            caught.seek(0)
            output = caught.read().decode("utf-8", "replace")
            print(output, end="", flush=True)
    return output


def refused(command):
    """Run a command that must fail; what GDB says."""
    try:
        output = execute(command)
    except gdb.error as error:
        return str(error)
    report(False, f"{command} is refused, and said {output!r}")
    return ""


def value(expression):
    """An integer expression in the selected frame."""
    return int(gdb.parse_and_eval(expression))


def text(expression):
    """Return an expression as GDB prints it."""
    return str(gdb.parse_and_eval(expression))


def function():
    """Name of the selected frame's function."""
    return gdb.selected_frame().name()


def line():
    """Source line of the selected frame."""
    return gdb.selected_frame().find_sal().line


def line_of(program, marker):
    """The line of tests/programs/PROGRAM.c whose text contains `marker`."""
    lines = (PROGRAMS / f"{program}.c").read_text().splitlines()
    found = [number for number, content in enumerate(lines, 1) if marker in content]
    assert len(found) == 1, f"{marker!r} is on the lines {found} of {program}.c"
    return found[0]


def select(hart):
    """Select the thread of a hart."""
    execute(f"thread {HART_THREADS[hart]}")


def selected():
    """The hart whose thread is selected."""
    number = gdb.selected_thread().ptid[1] or gdb.selected_thread().num
    return next(hart for hart, thread in HART_THREADS.items() if thread == number)


def connect():
    """Attach to the server, or attach again."""
    execute(f"target remote 127.0.0.1:{os.environ['TENSIX_PORT']}")


@contextlib.contextmanager
def interrupt_after(seconds):
    """Press Ctrl-C after some time, and again every other second while what is inside continues."""
    over = threading.Event()

    def press():
        wait = seconds
        while not over.wait(wait):
            os.kill(os.getpid(), signal.SIGINT)
            wait = 2

    presser = threading.Thread(target=press)
    presser.start()
    try:
        yield
    finally:
        over.set()
        presser.join()


def attach_all(settings=()):
    """Attach to every process, each an inferior of its own, whose symbols come from the server."""
    for setting in ("sysroot", "schedule-multiple on", *settings):
        execute(f"set {setting}")
    execute(f"target extended-remote 127.0.0.1:{os.environ['TENSIX_PORT']}")
    for pid in HART_THREADS.values():
        if pid > 1:
            execute("add-inferior")
            execute(f"inferior {pid}")
        execute(f"attach {pid}")
    execute("inferior 1")


def run(main, attach=None):
    """Load symbols, attach, run a script's main, and leave GDB with the number of failures. With
    `attach`, that is called instead, to do so in its own way."""
    global failures
    try:
        for setting in ("confirm off", "pagination off", "width 0", "height 0"):
            execute(f"set {setting}")
        execute(f"directory {PROGRAMS}")
        if attach is not None:
            attach()
        else:
            for first, path in zip([True, *[False] * len(ELFS)], ELFS.values(), strict=False):
                execute(f"{'file' if first else 'add-symbol-file'} {path}")
            connect()
        main()
    except Exception:
        traceback.print_exc()
        failures += 1
    print(f"{failures} failures", flush=True)
    gdb.execute(f"quit {min(failures, 99)}")

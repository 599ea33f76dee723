# SPDX-License-Identifier: Apache-2.0
"""The text that a program prints is on the terminal while it runs: Ctrl-C is pressed when it is."""

import os
import signal
import tempfile
import threading
import time

import checks
import gdb
from checks import execute, within

LINES = 20


def press_when_there_is(line, file):
    """Press Ctrl-C when so many of these lines are in the file; without them the script hangs."""
    while os.pread(file, 1 << 20, 0).count(line) < LINES:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)


def run_until_shown(line):
    """Continue until lines have appeared; what is on the terminal then."""
    with tempfile.TemporaryFile() as caught:
        presser = threading.Thread(target=press_when_there_is, args=(line, caught.fileno()))
        presser.start()
        kept = [(stream, os.dup(stream)) for stream in (1, 2)]
        for stream, _ in kept:
            os.dup2(caught.fileno(), stream)
        try:
            gdb.execute("continue")
        finally:
            gdb.flush()
            for stream, old in kept:
                os.dup2(old, stream)
                os.close(old)
        presser.join()
        caught.seek(0)
        return caught.read().decode()


def main():
    output = run_until_shown(b"a line\n")
    within("received signal SIGINT", output, "text of the program, then Ctrl-C")
    execute("set dprintf-style agent")
    execute('dprintf beat,"beat %d\\n", beats')
    output = run_until_shown(b"beat ")
    within("a line\nbeat ", output, "a dprintf in the stub")
    within("received signal SIGINT", output, "then Ctrl-C")


checks.run(main)

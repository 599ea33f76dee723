# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB (with GDB's own Python): types the commands of the demo and checks what appears.

session.py gives it everything in one environment variable. GDB's exit status is the number of
commands that did not show what they had to.
"""

import json
import os
import re
import signal
import sys
import tempfile
import textwrap
import threading
from typing import Any

import gdb

WIDTH = 80
CTRL_C_SECONDS = 1.0
CTRL_C = "Ctrl-C"

task: dict[str, Any] = json.loads(os.environ["TENSIX_DEMO"])


def styled(text: str, code: str) -> str:
    """Return text in a colour or weight, where the output is a terminal."""
    return f"\033[{code}m{text}\033[0m" if task["colour"] else text


def run(command: str) -> str:
    """Run a command as if typed, and give all that appears on the terminal.

    Read from the file descriptors, because GDB's own way to catch output leaves out how the
    program stopped.
    """
    gdb.flush()
    sys.stdout.flush()
    with tempfile.TemporaryFile() as caught:
        terminal = [(stream, os.dup(stream)) for stream in (1, 2)]
        for stream, _ in terminal:
            os.dup2(caught.fileno(), stream)
        try:
            gdb.execute(command, from_tty=True)
        except gdb.error as error:
            print(error)
        finally:
            for stream in (gdb.STDOUT, gdb.STDERR, gdb.STDLOG):
                gdb.flush(stream)
            sys.stdout.flush()
            for stream, kept in terminal:
                os.dup2(kept, stream)
                os.close(kept)
        caught.seek(0)
        return caught.read().decode("utf-8", "replace").strip("\n")


def show(command: str, shows: list[str], *, interrupt: bool = False) -> list[str]:
    """Type one command; what was missing in its output."""
    print(styled("(gdb) ", "2") + styled(command, "1"), flush=True)
    timer = threading.Timer(CTRL_C_SECONDS, os.kill, (os.getpid(), signal.SIGINT))
    if interrupt:
        timer.start()
    output = run(command)
    timer.cancel()
    if interrupt:
        started, _, output = output.partition("\n")
        print(started)
        print(styled(f"^C    (after {CTRL_C_SECONDS:g} second)", "1"))
    if output:
        print(output)
    missing = [wanted for wanted in shows if re.search(wanted, output) is None]
    for wanted in missing:
        print(styled(f"!!! this should have shown {wanted}", "31"))
    sys.stdout.flush()
    return missing


def main() -> int:
    """Run the whole session; return how many commands failed."""
    failed = 0
    for setting in ("confirm off", "pagination off", "width 0", "height 0"):
        gdb.execute(f"set {setting}")
    for number, (title, text, commands) in enumerate(task["chapters"]):
        print()
        print(styled(f"{number}. {title} ".ljust(WIDTH, "-"), "1;36"))
        print(textwrap.fill(text, WIDTH))
        print()
        for (command, shows), (after, _) in zip(commands, [*commands[1:], ("", [])], strict=True):
            if command != CTRL_C:
                failed += bool(show(command, shows, interrupt=after == CTRL_C))
        if number == 0 and failed:
            break  # not attached: nothing else can work
    return failed


try:
    status = main()
except BaseException as error:
    print(f"!!! {type(error).__name__}: {error}")
    status = 1
sys.stdout.flush()
gdb.execute(f"quit {min(status, 99)}")

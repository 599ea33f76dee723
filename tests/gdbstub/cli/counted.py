# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb` in a process of its own in which calls of functions are counted, C's included.

Calls measure work and name a moment: both are the same on every machine and under every load.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.gdbstub.cli.terminal import finish

NEVER = 0

# Its arguments: the call at which Ctrl-C is pressed, the text after which the command is killed,
# and those of the command. What it has counted is the last line of its errors.
_CHILD = """\
import atexit, os, sys
from _signal import SIGINT, raise_signal
from tensix_gdb.gdbstub.__main__ import main

moment, last = int(sys.argv.pop(1)), sys.argv.pop(1)
calls = 0

def count(frame, event, argument):
    global calls
    if event == "call" or event == "c_call":
        calls += 1
        if calls == moment:
            raise_signal(SIGINT)

def tell():
    sys.setprofile(None)
    os.write(2, b"\\n%d" % calls)

class Output:
    def __init__(self, output):
        self.output = output
    def write(self, text):
        if last in text:
            tell()
            os._exit(0)
        return self.output.write(text)
    def __getattr__(self, name):
        return getattr(self.output, name)

if not moment:
    atexit.register(tell)
if last:
    sys.stdout = Output(sys.stdout)
sys.setprofile(count)
sys.exit(main())
"""


def _command(moment: int, last: str = "") -> tuple[str, ...]:
    return sys.executable, "-c", _CHILD, str(moment), last


def calls_of(*arguments: str | Path, until: str = "") -> int:
    """Run a command to its end, or until it prints this; the number of functions it calls, those
    of the modules that it loads included."""
    status, _, err = finish(arguments, command=_command(NEVER, until))
    assert status == 0, err
    return int(err.splitlines()[-1])


def interrupted(arguments: Sequence[str], call: int) -> tuple[int, str]:
    """Press Ctrl-C at this call of a function; exit status and errors."""
    status, _, err = finish(arguments, command=_command(call))
    return status, err

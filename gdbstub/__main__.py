# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb`, and `python -m tensix_gdb.gdbstub`: what happens before anything is loaded.

Loading takes most of the first moments. Python's answer to Ctrl-C, an exception in the middle of
some module, would be shown, or be lost. Nothing has to be tidied up yet: so until the command
begins (cli/main.py), and when it has ended, Ctrl-C ends the process as it ends other programs.

This module is the first of ours that runs, some 15 ms after exec. Python has its own answer to
Ctrl-C from 6 ms on: no module can change what comes between, in `site`, in the search for modules
and in the script that pip wrote.
"""

import os
import sys

# `signal` itself would load what takes as long as all that comes before it.
from _signal import (  # type: ignore[import-not-found]
    SIG_DFL,
    SIGINT,
    default_int_handler,
    getsignal,
    signal,
)


def main() -> int:
    """Run the command that was typed; the exit status."""
    if getsignal(SIGINT) is default_int_handler:
        signal(SIGINT, SIG_DFL)
    if "TENSIX_GDB_WARM" in os.environ:  # which an editor sets: a process that has loaded all
        from tensix_gdb.gdbstub.warm.client import hand_over

        status = hand_over()
        if status is not None:
            return status
    from tensix_gdb.gdbstub.cli.main import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())

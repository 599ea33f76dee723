# SPDX-License-Identifier: Apache-2.0
"""`python -m gdbstub` is `tensix-gdb`."""

import sys

from gdbstub.cli import main

if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""`python -m tensix_gdb.gdbstub` is `tensix-gdb`."""

import sys

from tensix_gdb.gdbstub.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Run a script of ttnn while its own comparisons are watched: what the program's Python starts.

run_watched.py FOLDER SCRIPT.py ARGS, or run_watched.py FOLDER -m MODULE ARGS, or -c TEXT ARGS

FOLDER has tensix_gdb in it (run.py).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Run the script as Python does."""
    sys.path[0] = sys.argv[1]
    from tensix_gdb.gdbstub.host.ttnn.compare.checks import watching
    from tensix_gdb.gdbstub.host.ttnn.compare.run import run_script
    from tensix_gdb.gdbstub.host.ttnn.compare.wanted import WRONG

    run_script(sys.argv[2:], watching(Path(os.environ[WRONG])))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Run a script of ttnn while its operations are captured: what the program's Python starts.

run.py FOLDER SCRIPT.py ARGS, or run.py FOLDER -m MODULE ARGS, or -c TEXT ARGS

FOLDER has tensix_gdb in it (compare/run.py).
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the script as Python does."""
    sys.path[0] = sys.argv[1]
    from tensix_gdb.gdbstub.host.ttnn.compare.run import need_torch, run_script
    from tensix_gdb.gdbstub.host.ttnn.operations.captured import capturing

    need_torch("--operations")
    run_script(sys.argv[2:], capturing())


if __name__ == "__main__":
    main()

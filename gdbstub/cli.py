# SPDX-License-Identifier: Apache-2.0
"""The command line: `tensix-gdb serve`, `run`, `replay`, `gdb`, `litmus`, `demo`; about
instructions `asm`, `disasm`, `explain`, `isa`.

Exit status: 0 for success, 1 when the program on the tile failed, 2 when the command could not be
carried out (wrong arguments, a bad file, a port in use); then one sentence says why.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence

from gdbstub.arguments import parser
from gdbstub.usage import UsageError

OK, PROGRAM_FAILED, CANNOT = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    try:
        arguments = parser().parse_args(argv)
        logging.basicConfig(
            level=logging.INFO if arguments.verbose else logging.WARNING,
            format="tensix-gdb: %(message)s",
        )
        return _run(arguments)
    except UsageError as problem:
        print(f"tensix-gdb: {problem}", file=sys.stderr)
        return CANNOT
    except BrokenPipeError:
        # Whoever read our output has had enough of it.
        sys.stderr.close()
        return OK
    except KeyboardInterrupt:
        return 130


def _run(arguments: argparse.Namespace) -> int:
    # Each command imports what it needs: `serve` has to listen before anything slow is loaded.
    match arguments.command:
        case "serve":
            from gdbstub import serve

            return serve.serve(arguments)
        case "run":
            from gdbstub.tensix import headless

            return headless.run(arguments)
        case "replay":
            from gdbstub import replaying

            return replaying.replay(arguments)
        case "gdb":
            from gdbstub import gdb

            return int(gdb.gdb(arguments))
        case "litmus":
            from gdbstub.tensix import litmus

            return litmus.litmus(arguments)
        case "asm":
            from gdbstub.tensix import assembling

            return assembling.asm(arguments)
        case "disasm":
            from gdbstub.tensix import disassembling

            return disassembling.disasm(arguments)
        case "explain":
            from gdbstub.tensix import explaining

            return explaining.explain_command(arguments)
        case "isa":
            from gdbstub.tensix import explaining

            return explaining.isa_command(arguments)
        case "demo":
            from gdbstub import demo

            return int(demo.main())
    return int(arguments.function(arguments))

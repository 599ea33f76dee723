# SPDX-License-Identifier: Apache-2.0
"""Run a script of ttnn with a comparison after each operation: what the program's Python starts.

run.py FOLDER SCRIPT.py ARGS, or run.py FOLDER -m MODULE ARGS, or -c TEXT ARGS

FOLDER has tensix_gdb in it. It is looked in for our own modules alone, so that no other package
of that environment gets between the script and its own.
"""

from __future__ import annotations

import importlib.util
import runpy
import sys
from contextlib import AbstractContextManager
from pathlib import Path


def main() -> None:
    """Run the script as Python does."""
    sys.path[0] = sys.argv[1]
    from tensix_gdb.gdbstub.host.ttnn.compare.hooks import comparing

    need_torch("--compare")
    run_script(sys.argv[2:], comparing())


def need_torch(option: str) -> None:
    """End the program, with a sentence, if there is no torch, which an option needs."""
    if importlib.util.find_spec("torch") is None:
        install = f"{sys.executable} -m pip install torch"
        print(f"tensix-gdb: {option} needs torch beside ttnn: {install}", file=sys.stderr)
        raise SystemExit(2)


def run_script(words: list[str], around: AbstractContextManager[None]) -> None:
    """Run a script, a module or a text with its arguments, in a context of ours."""
    first, *rest = words
    with around:
        if first in ("-m", "-c") and rest:
            sys.path[0] = ""
            sys.argv = [first, *rest[1:]] if first == "-c" else rest
            if first == "-m":
                runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
            else:
                exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
        else:
            sys.path[0] = str(Path(first).resolve().parent)
            sys.argv = [first, *rest]
            runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    main()

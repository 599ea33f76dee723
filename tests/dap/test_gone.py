# SPDX-License-Identifier: Apache-2.0
"""An editor that is killed: all pipes of the adapter are closed at once, also where it writes its
errors. It ends, as do GDB and the server, whatever it would have said."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.vscode.plan import plan_for
from tests.dap import extension
from tests.dap.client import Adapter
from tests.dap.test_extension import kernel
from tests.gdb.harness import ROOT
from tests.patience import turns

pytestmark = pytest.mark.gdb
__all__ = ["kernel"]  # the fixture


def editor(kernel: Path, node: str, program: str) -> None:
    """Begin a session, name its adapter, and stay."""
    pipe = subprocess.PIPE
    with subprocess.Popen([node, program], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        made = Adapter(process)
        made.initialize("tensix")
        made.start("launch", **extension.configuration(plan_for(kernel)))
        print(process.pid, flush=True)
        sys.stdin.read()


def test_an_editor_that_is_killed(kernel: Path, tmp_path: Path, tool: Callable[[str], str]) -> None:
    program = extension.adapter_program(tool, tmp_path)
    words = [sys.executable, "-m", "tests.dap.test_gone", str(kernel), tool("node"), str(program)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        number = int(process.stdout.readline())
        process.kill()
    with suppress(ProcessLookupError):
        for _ in turns(0.05):
            os.kill(number, 0)


if __name__ == "__main__":
    editor(Path(sys.argv[1]), *sys.argv[2:])

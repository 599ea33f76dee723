# SPDX-License-Identifier: Apache-2.0
"""The extension for VS Code as it is shipped: built once, its adapter taken out of the file,
and a session as an editor begins it."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.usage import UsageError
from tensix_gdb.gdbstub.vscode.build import built
from tensix_gdb.gdbstub.vscode.plan import plan_for
from tests.dap.client import Adapter, adapter
from tests.tools import unavailable


def file(tool: Callable[[str], str]) -> Path:
    """The extension's file."""
    tool("npm")
    try:
        return built()
    except UsageError as problem:
        unavailable(str(problem))
        raise AssertionError from problem


def adapter_program(tool: Callable[[str], str], folder: Path) -> Path:
    """The adapter's program, in a folder."""
    with zipfile.ZipFile(file(tool)) as whole:
        return Path(whole.extract("extension/dist/adapter.js", folder))


@contextmanager
def session(
    kernel: Path,
    folder: Path,
    tool: Callable[[str], str],
    *breakpoints: dict[str, Any],
) -> Iterator[Adapter]:
    """A session at its first stop."""
    plan = plan_for(kernel)
    program = adapter_program(tool, folder)
    target = {
        "server": sys.executable,
        "serverParameters": ["-m", "tensix_gdb.gdbstub", *plan.serve],
        "serverPortRegExp": plan.ready,
        "portDetectionTimeout": 90_000,
        "cwd": plan.folder,
    }
    with adapter([tool("node"), str(program)]) as made:
        made.initialize("tensix")
        number = made.start(
            "launch",
            gdb=plan.gdb,
            cwd=plan.folder,
            target=target,
            updateThreadInfo="when-requested",
            preConnectCommands=plan.commands,
        )
        if breakpoints:
            for one in made.breakpoints(kernel, *breakpoints):
                assert one["verified"], one["message"]
        made.ask("setExceptionBreakpoints", filters=["fault"])
        made.ask("configurationDone")
        made.end(number)
        yield made

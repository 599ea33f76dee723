# SPDX-License-Identifier: Apache-2.0
"""The extension for VS Code as it is shipped: built once, its adapter taken out of the file,
and a session as an editor begins it."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.usage import UsageError
from tensix_gdb.gdbstub.vscode.build import built
from tensix_gdb.gdbstub.vscode.plan import Plan, plan_for
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


def configuration(plan: Plan) -> dict[str, Any]:
    """The configuration that the extension makes of a plan."""
    target = {
        "server": sys.executable,
        "serverParameters": ["-m", "tensix_gdb.gdbstub", *plan.serve],
        "serverPortRegExp": plan.ready,
        "portDetectionTimeout": 90_000,
        "cwd": plan.folder,
        **({"connectCommands": plan.connect} if plan.connect else {}),
    }
    return {
        **{"gdb": plan.gdb, "banner": plan.banner, "cwd": plan.folder, "target": target},
        **{"byTail": plan.kind != "kernel", "sourceRoot": plan.root},
        **{"updateThreadInfo": "when-requested", "preConnectCommands": plan.commands},
    }


@contextmanager
def session(
    kernel: Path,
    folder: Path,
    tool: Callable[[str], str],
    *breakpoints: dict[str, Any],
    more: Sequence[str] = (),
    source: Path | None = None,
    root: str = "",
) -> Iterator[Adapter]:
    """A session that begins. `more` are options of what is started; `source` is the file of the
    breakpoints, if that is not loaded yet, or lies in `root`, a folder that was copied to be
    compiled, as of a test of LLK."""
    plan = plan_for(kernel, more)
    if root:
        plan = replace(plan, root=root, kind="test of LLK")
    program = adapter_program(tool, folder)
    with adapter([tool("node"), str(program)]) as made:
        made.initialize("tensix")
        number = made.start("launch", **configuration(plan))
        if breakpoints:
            for one in made.breakpoints(source or kernel, *breakpoints):
                assert one["verified"] == (source is None or bool(root)), one
        made.ask("setExceptionBreakpoints", filters=["fault"])
        made.ask("configurationDone")
        made.end(number)
        yield made

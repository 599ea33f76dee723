# SPDX-License-Identifier: Apache-2.0
"""The extension for VS Code as it is shipped: built once, its adapter taken out of the file."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

from tensix_gdb.gdbstub.usage import UsageError
from tensix_gdb.gdbstub.vscode.build import built
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

# SPDX-License-Identifier: Apache-2.0
"""Every command of the help is there, and nothing slow is imported before it is known which."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from tensix_gdb.gdbstub.cli.main import COMMANDS
from tensix_gdb.gdbstub.cli.parser import loaded, parser, subparsers


def test_every_command_of_the_help_is_there() -> None:
    assert [name for name, _ in subparsers(parser())] == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_takes_its_arguments(name: str) -> None:
    """Its function has one parameter, of the class of its options."""
    row = COMMANDS[name]
    (parameter,) = inspect.signature(loaded(row.run)).parameters.values()
    assert parameter.annotation == loaded(row.options).__name__


def test_the_command_line_alone_is_cheap() -> None:
    code = "import sys, tensix_gdb.gdbstub.cli.main; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"trio", "core", "llvmlite", "construct", "elftools", "argparse", "logging"}

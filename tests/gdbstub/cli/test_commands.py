# SPDX-License-Identifier: Apache-2.0
"""Every command of the help is there, and nothing slow is imported before it is known which."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest

from tensix_gdb.gdbstub.cli.main import COMMANDS
from tensix_gdb.gdbstub.cli.parser import parser


def test_every_command_of_the_help_is_there() -> None:
    (choices,) = (a.choices for a in parser()._subparsers._group_actions)  # type: ignore[union-attr]
    assert choices is not None
    assert set(choices) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_takes_its_arguments(name: str) -> None:
    module, _, function = COMMANDS[name].partition(":")
    assert (
        len(inspect.signature(getattr(importlib.import_module(module), function)).parameters) == 1
    )


def test_the_command_line_alone_is_cheap() -> None:
    code = "import sys, tensix_gdb.gdbstub.cli.main; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"trio", "core", "llvmlite", "construct", "elftools", "argparse", "logging"}

# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb completion`."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option

SHELLS = ("bash", "zsh", "fish")


@dataclass(frozen=True)
class CompletionOptions:
    """Print a script for bash, zsh or fish, which then completes commands, options, files, chapters
    of the manual and instructions. For bash: `tensix-gdb completion bash >
    ~/.local/share/bash-completion/completions/tensix-gdb`."""

    shell: str = option(choices=SHELLS, help="the shell")

# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb completion`: what makes a shell complete commands, options, files, chapters, names.

The script is made from the parser, once, when it is installed: pressing Tab starts no Python.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

from tensix_gdb.gdbstub.cli.options.completion import CompletionOptions
from tensix_gdb.gdbstub.cli.parser import parser, subparsers
from tensix_gdb.gdbstub.manual import TOPICS

PREFIX = "_tensix_gdb"
FILES, FOLDERS = ("FILE",), ("DIR",)


def completion(options: CompletionOptions) -> int:
    """`tensix-gdb completion`."""
    print(script(options.shell), end="")
    return 0


def script(shell: str) -> str:
    """Return the script of a shell."""
    import shtab

    top = parser()
    words = _words()
    for command, action in _actions(top):
        if action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif not action.option_strings and command in words:
            action.complete = _complete(command, words[command])  # type: ignore[attr-defined]
    # The others take a list where bash takes a function.
    functions = [_function(*row) for row in words.items()] if shell == "bash" else []
    made = shtab.complete(top, shell, root_prefix=PREFIX, preamble="".join(functions))
    return made if made.endswith("\n") else f"{made}\n"


def _actions(top: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """Yield every argument, with the name of its command."""
    for name, sub in subparsers(top):
        yield from ((name, own) for own in sub._actions)


def _words() -> Mapping[str, Sequence[str]]:
    """Return the operands that a command may have, where they are names that we know."""
    from tensix_gdb.core.assembly.tensix_names import spellings
    from tensix_gdb.core.isa.architecture import Arch

    instructions = sorted(spellings(Arch.BLACKHOLE))
    return {"manual": TOPICS, **dict.fromkeys(("explain", "isa"), instructions)}


def _function(command: str, names: Sequence[str]) -> str:
    """Bash's function that lists what begins as the word does."""
    return f'{PREFIX}_words_{command}() {{\n  compgen -W "{" ".join(names)}" -- $1\n}}\n'


def _complete(command: str, names: Sequence[str]) -> dict[str, str]:
    listed = " ".join(names)
    return {
        "bash": f"{PREFIX}_words_{command}",
        "zsh": f"({listed})",
        "fish": f"(printf '%s\\n' {listed})",
    }

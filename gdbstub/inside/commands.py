# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `tensix COMMAND`, with completion, and the convenience functions."""

import os
from collections.abc import Sequence
from typing import Any

import gdb

from gdbstub.inside.fresh import flush
from gdbstub.inside.query import ask, document, value
from gdbstub.inside.source_lines import with_source

THREADS = ["T0", "T1", "T2", "all"]
NUMBERS = {"sem": 8, "gpr": 64}
OF_THREADS = ("fifo", "mop", "replay", "adc", "rwc", "gpr", "why")


def selected_thread() -> int:
    """GDB's thread as the server counts it."""
    thread = gdb.selected_thread()
    return 1 if thread is None else thread.ptid[1] or thread.ptid[2] or thread.num


class Tensix(gdb.Command):
    """Ask the tile: `tensix why`, `tensix cfg NAME`, and so on.

    The commands are those of `monitor`; `tensix help` lists them. Here the TAB key completes
    commands, threads and names of configuration fields, and what they print can be searched,
    logged and paged like anything of GDB's own.

    Expressions have convenience functions: `help function` lists them, $_tensix_sem and others."""

    def __init__(self) -> None:
        super().__init__("tensix", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        said = ask(f"monitor {selected_thread()} {argument or 'help'}")
        gdb.write(with_source(argument, said))
        flush()

    def complete(self, text: str, word: str | None) -> list[str]:
        if word is None:
            # GDB calls this twice. The first call, without a word, only asks which characters end
            # a word; GDB's own serve. GDB 13 hides an exception in it, GDB 17 shows it.
            return []
        *before, typed = text.split(" ") if text else [""]
        # To GDB a dash ends a word: of `step-l` it passes `l`, and replaces only that.
        known = len(typed) - len(word)
        return [name[known:] for name in self._names(before) if name.startswith(typed)]

    def _names(self, before: Sequence[str]) -> list[str]:
        """List what may follow these words."""
        words = [word for word in before if word]
        if not words or words == ["help"]:
            return _lines("commands")
        match words[0]:
            case "cfg":
                return _lines("fields")
            case "src":
                return ["a", "b", "--format"]
            case "l1":
                return ["--tile", "--shape", "--rows"]
            case "races":
                return ["strict"] if words[1:] == ["on"] else ["on", "promises", "witness"]
            case "check":
                return ["on", "kernel", "buffers", "rules"]
            case "break":
                return ["off"] if words[1:] == ["race"] else ["gate", "race"]
        numbers = list(map(str, range(NUMBERS.get(words[0], 0))))
        return [*THREADS, *numbers] if words[0] in OF_THREADS else numbers


class Core(gdb.Command):
    """Write a core file of the whole tile: `tensix-core FILE`, on the machine that GDB runs on.

    It has all memories, registers, queues and programs: GDB opens it with `core FILE`, and
    `tensix-gdb serve --core FILE` continues from there. What GDB's own `gcore` writes of a tile,
    GDB cannot read."""

    def __init__(self) -> None:
        super().__init__("tensix-core", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    def invoke(self, argument: str, from_tty: bool) -> None:
        words = gdb.string_to_argv(argument)
        if len(words) != 1:
            raise gdb.GdbError("Type `tensix-core FILE`.")
        content = document("tensix-core")
        try:
            with open(os.path.expanduser(words[0]), "wb") as file:
                file.write(content)
        except OSError as problem:
            raise gdb.GdbError(f"{words[0]}: {problem.strerror}") from None
        gdb.write(f"Saved corefile {words[0]}\n")


def _lines(question: str) -> list[str]:
    try:
        return ask(question).splitlines()
    except (gdb.error, gdb.GdbError):
        return []


def function(name: str, about: str) -> None:
    """Make a convenience function `$_tensix_NAME`, which asks for the value of that name."""

    class Function(gdb.Function):
        def invoke(self, *arguments: Any) -> Any:
            return value(name, *arguments)

    Function.__doc__ = about
    Function(f"_tensix_{name}")


def define() -> None:
    """Make GDB know all of it."""
    Tensix()
    Core()
    function("sem", """Value of a semaphore: $_tensix_sem(N), or $_tensix_sem(N, "max").""")
    function("mutex", """Tensix thread that holds a mutex, -1 for none: $_tensix_mutex(N).""")
    function("gpr", """GPR of a Tensix thread: $_tensix_gpr(THREAD, N).""")
    function(
        "cfg",
        """Configuration field: $_tensix_cfg("NAME", PLACE).

PLACE is a bank, or the thread for ThreadConfig; without it, thread 0 and the bank it uses.""",
    )
    function("fifo", """Instructions before a wait gate: $_tensix_fifo(THREAD, "A").""")
    function("gate", """What holds a Tensix thread at its gate: $_tensix_gate(THREAD).""")
    function("adc", """Address counter: $_tensix_adc(THREAD, UNIT, CHANNEL, "X").""")
    function("rwc", """Row counter: $_tensix_rwc(THREAD, "dst"), "src_a", "src_b", "fidelity".""")
    function("cycle", """Cycles since power-up: $_tensix_cycle().""")

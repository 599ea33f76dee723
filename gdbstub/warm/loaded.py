# SPDX-License-Identifier: Apache-2.0
"""The modules and machine code of a warm process, and whether their files are still the same."""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.cli.attach.find_gdb import banner, find_gdb
from tensix_gdb.gdbstub.cli.options.table import COMMANDS
from tensix_gdb.gdbstub.cli.parser import loaded
from tensix_gdb.gdbstub.kernels.compilers import find_compiler
from tensix_gdb.gdbstub.pages.web.wanted import PACKAGES
from tensix_gdb.gdbstub.usage import UsageError

# The commands that F5 begins with: they need little, and are done while the rest is loaded.
EARLY = ("vscode", "build")
# What a server loads, in pieces that take a tenth of a second, and then what it loads at work and
# when a debugger asks it.
OF_A_SERVER = (
    *("core.tensix.table", "core.counting.counts", "core.debug.memory", "core.machine"),
    *("gdbstub.protocol.server.server", "gdbstub.tensix.target", "gdbstub.cli.packets.command"),
    *("gdbstub.cli.serve", "gdbstub.cli.options.serve"),
    *("core.dwarf.info", "core.dwarf.kept_lines", "core.engine.background"),
    *("core.program.elf_tables", "gdbstub.protocol.server.connection"),
    "gdbstub.tensix.tiles.files",
)
PAGE = "gdbstub.pages.web.serve"  # of a server of F5, where its packages are installed


class Loaded:
    """The modules and the machine code of this process, which its copies share."""

    def __init__(self) -> None:
        self._engine: object = None  # keeps the code
        self._files: dict[str, int] = {}

    def pieces(self) -> Iterator[None]:
        """Load all of it, with pauses in which commands of EARLY may be done."""
        for load in (*self._of_commands(), self.load_code, _practise):
            load()
            self._files = {**_times(), **self._files}
            yield
        gc.collect()
        gc.freeze()  # a search for garbage would write to every page that copies share

    def _of_commands(self) -> Iterator[Callable[[], object]]:
        rows = (COMMANDS[name] for name in EARLY)
        yield from (partial(loaded, name) for row in rows for name in (row.options, row.run))
        modules = [*OF_A_SERVER, *([PAGE] if all(map(find_spec, PACKAGES)) else [])]
        yield from (partial(importlib.import_module, f"tensix_gdb.{name}") for name in modules)
        yield _ask_versions

    def load_code(self) -> None:
        """Load the tile's machine code, if it is compiled already: nothing is compiled for an
        editor that has opened a file. A copy may have done it since the last time."""
        if self._engine is not None:
            return
        from tensix_gdb.core.engine import jit, shipped
        from tensix_gdb.core.engine.cache import open_cache
        from tensix_gdb.core.engine.plan import plan_for
        from tensix_gdb.core.machine import Machine
        from tensix_gdb.core.machine.entries import ENTRIES, fixed_rows
        from tensix_gdb.core.machine.parts import LAYOUT

        try:
            plan = plan_for(ENTRIES, LAYOUT, fixed=fixed_rows(Arch.BLACKHOLE.chip))
            if plan.find(open_cache(), jit.FULL) or shipped.find(plan):
                self._engine = Machine(engine="compiled")
        except (jit.LlvmMissingError, OSError, RuntimeError, MemoryError):
            pass  # the command that needs it says so

    def is_current(self) -> bool:
        """True if no file that was loaded has changed."""
        return self._files == _times(self._files)


def _ask_versions() -> None:
    """The compiler and the GDB are asked for them."""
    with suppress(UsageError):
        assert find_compiler(None, Arch.BLACKHOLE).name
    with suppress(UsageError):
        banner(find_gdb(None))


def _practise() -> None:
    """Answer what debuggers ask first: patterns are compiled, and Python's code is specialised."""
    import trio

    from tensix_gdb.core.machine import Machine
    from tensix_gdb.gdbstub.protocol.rsp.packet import PATTERNS
    from tensix_gdb.gdbstub.protocol.server import warm_up
    from tensix_gdb.gdbstub.protocol.server.server import Server
    from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
    from tensix_gdb.gdbstub.tensix.target import tensix_target

    target = tensix_target(Machine(engine="reference"))
    woken = signal.set_wakeup_fd(-1)  # Trio has one of its own
    trio.run(Server(SharedTile(target)).warm_up)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    for piece in target.learn:
        piece()
    for pattern in PATTERNS.values():
        pattern.compile()
    warm_up.is_done = True


def _times(paths: dict[str, int] | None = None) -> dict[str, int]:
    """Return when files were changed last, by default those of all modules; 0 if one is gone."""
    times = {}
    for path in paths or {each for m in list(sys.modules.values()) if (each := _file(m))}:
        try:
            times[path] = os.stat(path).st_mtime_ns
        except OSError:
            times[path] = 0
    return times


def _file(module: object) -> str | None:
    path = getattr(module, "__file__", None)
    return path if isinstance(path, str) else None

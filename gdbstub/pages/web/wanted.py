# SPDX-License-Identifier: Apache-2.0
"""The page, if it is wanted: what `--web` asks for, without loading it otherwise."""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tensix_gdb.gdbstub.usage import UsageError

if TYPE_CHECKING:
    from tensix_gdb.core.machine import Machine
    from tensix_gdb.gdbstub.protocol.server.server import Server
    from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
    from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles

# A task of trio that gives the address of the page when it has begun.
Serve = Callable[..., Awaitable[Any]]


def page_wanted(
    port: int | None, server: Server, tile: SharedTile, machine: Machine
) -> Serve | None:
    """Return the task that serves the page; None without `--web`. UsageError if a package is
    missing."""
    if port is None:
        return None
    return partial(_module().serve_page, server, tile, machine, port)


def chip_page_wanted(
    port: int | None, server: Server, tile: SharedTile, tiles: Tiles
) -> Serve | None:
    """Return the same for a chip."""
    if port is None:
        return None
    return partial(_module().serve_chip, server, tile, tiles, port)


def check_installed(port: int | None) -> None:
    """UsageError if `--web` needs a package that is missing."""
    if port is not None:
        _module()


def _module() -> ModuleType:
    # Imported here: it takes a while to load, and few sessions have a page.
    try:
        return importlib.import_module("tensix_gdb.gdbstub.pages.web.serve")
    except ImportError as problem:
        raise UsageError(
            f"--web needs the package {problem.name}, which is not installed; type "
            "`pip install 'tensix-gdb[web]'`"
        ) from None

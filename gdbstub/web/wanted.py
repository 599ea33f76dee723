# SPDX-License-Identifier: Apache-2.0
"""The page, if it is wanted: what `--web` asks for, without loading it otherwise."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from tensix_gdb.gdbstub.usage import UsageError

if TYPE_CHECKING:
    from tensix_gdb.core.machine import Machine
    from tensix_gdb.gdbstub.server.server import Server
    from tensix_gdb.gdbstub.sharing.tile import SharedTile

# A task of trio that gives the address of the page when it has begun.
Serve = Callable[..., Awaitable[Any]]


def page_wanted(
    arguments: argparse.Namespace, server: Server, tile: SharedTile, machine: Machine
) -> Serve | None:
    """The task that serves the page; None without `--web`. UsageError if a package is missing."""
    if arguments.web is None:
        return None
    # Imported here: it takes a while to load, and few sessions have a page.
    try:
        from tensix_gdb.gdbstub.web.serve import serve_page
    except ImportError as problem:
        raise UsageError(
            f"--web needs the package {problem.name}, which is not installed; type "
            "`pip install 'tensix-gdb[web]'`"
        ) from None
    return partial(serve_page, server, tile, machine, arguments.web)

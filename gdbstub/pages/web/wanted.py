# SPDX-License-Identifier: Apache-2.0
"""The page, if it is wanted: what `--web` asks for, without loading it otherwise.

It loads in a thread, when the tile is served already and its clients rest: one thread of Python
runs at a time, so a debugger that attaches meanwhile would wait with each of its packets.
"""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
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
PACKAGES = ("hypercorn", "starlette")
REST, LONGEST = 0.2, 2.0  # seconds that clients say nothing, and that are waited for it


def page_wanted(
    port: int | None, server: Server, tile: SharedTile, machine: Machine
) -> Serve | None:
    """Return the task that serves the page; None without `--web`. UsageError if a package is
    missing."""
    if port is None:
        return None
    check_installed(port)
    import trio  # which a server has loaded, and `run` does without

    async def page(*, task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED) -> None:
        await _clients_rest(server)
        module = await trio.to_thread.run_sync(_module)
        await module.serve_page(server, tile, machine, port, task_status=task_status)

    return page


def chip_page_wanted(
    port: int | None, server: Server, tile: SharedTile, tiles: Tiles
) -> Serve | None:
    """Return the same for a chip."""
    if port is None:
        return None
    check_installed(port)
    import trio  # which a server has loaded, and `run` does without

    async def page(*, task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED) -> None:
        await _clients_rest(server)
        module = await trio.to_thread.run_sync(_module)
        await module.serve_chip(server, tile, tiles, port, task_status=task_status)

    return page


def check_installed(port: int | None) -> None:
    """UsageError if `--web` needs a package that is missing."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if port is not None and missing:
        raise UsageError(
            f"--web needs the package {missing[0]}, which is not installed; type "
            "`pip install 'tensix-gdb[web]'`"
        )


async def _clients_rest(server: Server) -> None:
    """Wait until clients have said nothing for a while, as an editor's after it has attached."""
    import trio  # which a server has loaded, and `run` does without

    with trio.move_on_after(LONGEST), trio.move_on_after(REST) as rest:

        def heard() -> None:
            rest.deadline = trio.current_time() + REST

        others, server.noticed = server.noticed, heard
        await trio.sleep_forever()
    server.noticed = others


def _module() -> ModuleType:
    # Imported here: it takes a while to load, and few sessions have a page.
    return importlib.import_module("tensix_gdb.gdbstub.pages.web.serve")

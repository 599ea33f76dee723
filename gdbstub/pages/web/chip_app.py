# SPDX-License-Identifier: Apache-2.0
"""The page of a chip as an ASGI application: the grid, and below it the page of each tile."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from tensix_gdb.core.chip.places import ETHERNET, on_noc
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.noc.coordinates import AT_OF, COLUMNS_OF, DRAM_0, HOST, ROWS, TENSIX
from tensix_gdb.core.noc.state import PLACES
from tensix_gdb.gdbstub.pages.web.app import FILES, application, attend
from tensix_gdb.gdbstub.pages.web.chip import ChipPage
from tensix_gdb.gdbstub.tensix.chip.grid import LEGEND


def chip_application(chip: ChipPage) -> Starlette:
    """Return the application of a chip."""
    applications: dict[str, ASGIApp] = {}

    async def index(request: Request) -> Response:
        return FileResponse(FILES / "chip.html")

    async def grid(request: Request) -> Response:
        return JSONResponse(grid_plan(chip.arch))

    async def look(socket: WebSocket) -> None:
        await attend(chip, socket)

    async def enter(scope: Scope, receive: Receive, send: Send) -> None:
        """Enter the page of a tile."""
        name = scope["path_params"]["name"]
        page = chip.page(name)
        if page is None:
            answer = PlainTextResponse(f"there is no tile {name}\n", 404)
            if scope["type"] == "http":
                await answer(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        if name not in applications:
            applications[name] = application(page)
        await applications[name](scope, receive, send)

    return Starlette(
        routes=[
            Route("/", index),
            Route("/grid.json", grid),
            WebSocketRoute("/ws", look),
            Mount("/page", StaticFiles(directory=FILES)),
            Mount("/tile/{name}", enter),
        ]
    )


def grid_plan(arch: Arch) -> dict[str, object]:
    """Return what the grid of a chip draws once."""
    columns, others = COLUMNS_OF[arch.chip], _others(arch.chip)
    ethernet = [on_noc(place) for place in ETHERNET[arch.chip]]
    places = {"columns": columns, "rows": ROWS, "others": others, "ethernet": ethernet}
    return {**places, "legend": LEGEND}


def _others(chip: int) -> list[tuple[int, int, str]]:
    """Return what is at places of the NoC that have no Tensix tile."""
    found = []
    for number, kind in enumerate(AT_OF[PLACES * chip :][:PLACES]):
        x, y = number % COLUMNS_OF[chip], number // COLUMNS_OF[chip]
        if kind == HOST:
            found.append((x, y, "PCIe"))
        elif DRAM_0 <= kind < TENSIX:
            found.append((x, y, f"DRAM {kind - DRAM_0}"))
    return found

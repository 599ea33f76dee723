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

from tensix_gdb.core.chip.places import ETHERNET
from tensix_gdb.core.noc.coordinates import AT, COLUMNS, DRAM_0, HOST, ROWS, TENSIX
from tensix_gdb.gdbstub.pages.web.app import FILES, application, attend
from tensix_gdb.gdbstub.pages.web.chip import ChipPage
from tensix_gdb.gdbstub.tensix.chip.grid import LEGEND


def chip_application(chip: ChipPage) -> Starlette:
    """Return the application of a chip."""
    applications: dict[str, ASGIApp] = {}

    async def index(request: Request) -> Response:
        return FileResponse(FILES / "chip.html")

    async def grid(request: Request) -> Response:
        places = {"columns": COLUMNS, "rows": ROWS, "others": _others(), "ethernet": ETHERNET}
        return JSONResponse({**places, "legend": LEGEND})

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


def _others() -> list[tuple[int, int, str]]:
    """Return what is at places of the NoC that have no Tensix tile."""
    found = []
    for number, kind in enumerate(AT):
        x, y = number % COLUMNS, number // COLUMNS
        if kind == HOST:
            found.append((x, y, "PCIe"))
        elif DRAM_0 <= kind < TENSIX:
            found.append((x, y, f"DRAM {kind - DRAM_0}"))
    return found

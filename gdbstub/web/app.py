# SPDX-License-Identifier: Apache-2.0
"""The page as an ASGI application: files, the floor plan, a WebSocket for each viewer."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from tensix_gdb.gdbstub.picture import plan
from tensix_gdb.gdbstub.picture.files import content
from tensix_gdb.gdbstub.picture.state import take
from tensix_gdb.gdbstub.web.connection import Connection
from tensix_gdb.gdbstub.web.frames import ending
from tensix_gdb.gdbstub.web.page_state import Page
from tensix_gdb.gdbstub.web.timeline import NoTimeline

FILES = Path(__file__).parent / "page"
MAX_VIEWERS = 64
TRY_LATER = 1013  # the close code for that


def application(page: Page) -> Starlette:
    """The application of one tile."""

    async def index(request: Request) -> Response:
        return FileResponse(FILES / "index.html")

    async def floor(request: Request) -> Response:
        return JSONResponse(
            {
                "width": plan.WIDTH,
                "height": plan.HEIGHT,
                "line": plan.LINE,
                "boxes": [asdict(box) for box in plan.boxes()],
                "arrows": [asdict(arrow) for arrow in plan.arrows()],
                "dst": {"x": plan.DST_X, "y": plan.DST_Y, "row": plan.DST_ROW,
                        "width": plan.DST_WIDTH},
            }
        )  # fmt: skip

    async def state(request: Request) -> Response:
        """The tile as `tensix-gdb picture -o FILE.json` has it."""
        picture = take(page.machine, ending(page.tile, page.machine))
        return Response(content(picture, "state.json"), media_type="application/json")

    async def timeline(request: Request) -> Response:
        """Some cycles of the history as a Trace Event file."""
        try:
            first, last = (int(request.query_params[name]) for name in ("first", "last"))
            text = await page.timelines.of(first, last)
        except (KeyError, ValueError):
            return PlainTextResponse("first and last are cycles\n", 400)
        except NoTimeline as problem:
            return PlainTextResponse(f"{problem}\n", 409)
        name = f'attachment; filename="cycles-{first}-{last}.json"'
        headers = {"content-disposition": name}
        return Response(text, media_type="application/json", headers=headers)

    async def look(socket: WebSocket) -> None:
        if len(page.viewers) >= MAX_VIEWERS:
            await socket.close(TRY_LATER)
            return
        await Connection(page, socket).serve()

    return Starlette(
        routes=[
            Route("/", index),
            Route("/plan.json", floor),
            Route("/state.json", state),
            Route("/timeline.json", timeline),
            WebSocketRoute("/ws", look),
            Mount("/page", StaticFiles(directory=FILES)),
        ]
    )

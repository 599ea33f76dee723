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

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.gdbstub.pages.picture.files import content
from tensix_gdb.gdbstub.pages.picture.state import take_picture
from tensix_gdb.gdbstub.pages.web.connection import Connection, Viewed
from tensix_gdb.gdbstub.pages.web.floor_plan import floor_plan
from tensix_gdb.gdbstub.pages.web.frames import ending
from tensix_gdb.gdbstub.pages.web.page_state import Page
from tensix_gdb.gdbstub.pages.web.past.origins import for_page
from tensix_gdb.gdbstub.pages.web.past.timeline import NoTimeline
from tensix_gdb.gdbstub.pages.web.races import reports
from tensix_gdb.gdbstub.protocol.target import TargetError

FILES = Path(__file__).parent / "page"
MAX_VIEWERS = 64
MAX_PLACE = 200  # characters of a place
TRY_LATER = 1013  # the close code for that


async def attend(page: Viewed, socket: WebSocket) -> None:
    """Serve a viewer, if there is room."""
    if len(page.viewers) >= MAX_VIEWERS:
        await socket.close(TRY_LATER)
        return
    await Connection(page, socket).serve()


def application(page: Page) -> Starlette:
    """Return the application of one tile."""

    async def index(request: Request) -> Response:
        return FileResponse(FILES / "index.html")

    async def floor(request: Request) -> Response:
        return JSONResponse(floor_plan(page.name))

    async def state(request: Request) -> Response:
        """Return the tile as `tensix-gdb picture -o FILE.json` has it."""
        page.look()
        picture = take_picture(page.machine, ending(page.tile))
        return Response(content(picture, "state.json"), media_type="application/json")

    async def timeline(request: Request) -> Response:
        """Return some cycles of the history as a Trace Event file."""
        try:
            first, last = (int(request.query_params[name]) for name in ("first", "last"))
            places = "places" in request.query_params
            text = await page.timelines.of(first, last, places=places)
        except (KeyError, ValueError):
            return PlainTextResponse("first and last are cycles\n", 400)
        except NoTimeline as problem:
            return PlainTextResponse(f"{problem}\n", 409)
        name = f'attachment; filename="cycles-{first}-{last}.json"'
        headers = {"content-disposition": name}
        return Response(text, media_type="application/json", headers=headers)

    async def word(request: Request) -> Response:
        """Return the history of a word of L1, or of a hart's local RAM."""
        try:
            addr, hart = (int(request.query_params[name]) for name in ("addr", "hart"))
            if addr % 4 or not 0 <= addr < 1 << 32 or not 0 <= hart < HARTS:
                raise ValueError
            found = await page.timelines.word(hart, addr)
        except (KeyError, ValueError):
            return PlainTextResponse("addr is a multiple of 4, hart 0 to 4\n", 400)
        except NoTimeline as problem:
            return PlainTextResponse(f"{problem}\n", 409)
        return JSONResponse(asdict(found))

    async def origin(request: Request) -> Response:
        """Answer where a value came from: `place` is what `monitor origin` takes."""
        words = request.query_params.get("place", "")[:MAX_PLACE].split()
        try:
            found = await page.timelines.origin(words, running=page.tile.running)
        except TargetError as problem:
            return PlainTextResponse(f"{problem}\n", 400)
        except NoTimeline as problem:
            return PlainTextResponse(f"{problem}\n", 409)
        return JSONResponse(for_page(found, page.sources_of, page.name))

    async def races(request: Request) -> Response:
        """Reports of races, with the cycles of both accesses."""
        return JSONResponse(reports(page.machine))

    async def look(socket: WebSocket) -> None:
        await attend(page, socket)

    return Starlette(
        routes=[
            Route("/", index),
            Route("/plan.json", floor),
            Route("/state.json", state),
            Route("/timeline.json", timeline),
            Route("/word.json", word),
            Route("/origin.json", origin),
            Route("/races.json", races),
            WebSocketRoute("/ws", look),
            Mount("/page", StaticFiles(directory=FILES)),
        ]
    )

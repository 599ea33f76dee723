# SPDX-License-Identifier: Apache-2.0
"""The requests of the page: each as packets.

    {"do": "step", "thread": 2}    {"do": "break", "file": "t0.c", "line": 41, "on": true}

A request that is not one of these, or has not what it needs, is refused with a sentence.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.pages.web.client import PageClient, Refused
from tensix_gdb.gdbstub.pages.web.sources import Sources
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of, tensix_of

Request = dict[str, Any]
MAX_TEXT = 1000  # characters of a command
CODE_BYTES = 2  # the smallest instruction


class Control:
    """Carries requests of one viewer out; `show` gets text for its console."""

    def __init__(
        self,
        machine: Machine,
        client: PageClient,
        sources: Sources,
        show: Callable[[str], None],
        base: int = 0,
    ) -> None:
        self._machine = machine
        self._client = client
        self._sources = sources
        self._show = show
        self._base = base  # thread N of the page is thread base + N of the target

    async def do(self, request: Request) -> None:
        """Carry it out. Refused with a sentence."""
        what = request.get("do")
        done = DOES.get(what) if isinstance(what, str) else None
        if done is None:
            raise Refused(f"{what!r} is nothing that can be done: {', '.join(DOES)}")
        if what != "stop" and self._client.waits:
            raise Refused("the tile runs: stop it first")
        await done(self, request)

    async def continue_(self, request: Request) -> None:
        """Let all continue."""
        await self._client.resume(b"vCont;c")

    async def stop(self, request: Request) -> None:
        """Stop where it is."""
        await self._client.interrupt()

    async def stepi(self, request: Request) -> None:
        """Execute one instruction of a hart or a Tensix thread; the others run meanwhile."""
        await self._client.resume(b"vCont;s:%x;c" % (self._base + _thread(request)))

    async def step(self, request: Request) -> None:
        """To another line of a hart; of a Tensix thread, one instruction."""
        thread = _thread(request)
        hart = hart_of(thread)
        lines = None
        if tensix_of(thread) is None:
            lines = self._sources.range_at(hart, int(self._machine.read_pc(hart)))
        if lines is None:
            await self.stepi(request)
        else:
            await self._client.resume(b"vCont;r%x,%x:%x;c" % (*lines, self._base + thread))

    async def until(self, request: Request) -> None:
        """Run to a line."""
        addresses = self._addresses(request)
        await self._insert(addresses)
        try:
            await self._client.resume(b"vCont;c")
            await self._client.stopped()
        finally:
            await self._remove(addresses)

    async def break_(self, request: Request) -> None:
        """Set a breakpoint at a line, or remove it."""
        addresses = self._addresses(request)
        await (self._insert if request.get("on", True) else self._remove)(addresses)

    async def back(self, request: Request) -> None:
        """Back to the last breakpoint before this, or to the beginning of the history."""
        await self._client.resume(b"bc")

    async def stepi_back(self, request: Request) -> None:
        """Back to before the last instruction."""
        await self._client.ask(b"Hc%x" % (self._base + _thread(request)))
        await self._client.resume(b"bs")

    async def goto(self, request: Request) -> None:
        """To a cycle of the history."""
        cycle = request.get("cycle")
        if not isinstance(cycle, int):
            raise Refused("`goto` needs a cycle")
        said = await self._command(f"goto {cycle}")
        if not request.get("quiet"):  # a film goes to many
            self._show(said)

    async def record(self, request: Request) -> None:
        """Begin a history, or end it."""
        word = "on" if request.get("on", True) else "off"
        self._show(await self._command(f"record {word}"))

    async def monitor(self, request: Request) -> None:
        """Execute a command of `monitor`, as GDB has it."""
        text = request.get("text")
        if not isinstance(text, str) or not text.strip() or len(text) > MAX_TEXT:
            raise Refused(f"`monitor` needs a command of at most {MAX_TEXT} characters")
        self._show(f"> monitor {text.strip()}\n" + await self._command(text.strip()))

    async def _command(self, text: str) -> str:
        """Carry out a command of `monitor`, of this tile."""
        if self._base:
            await self._client.ask(b"Hg%x" % (self._base + 1))
        return await self._client.monitor(text)

    def _addresses(self, request: Request) -> list[int]:
        file, line = request.get("file"), request.get("line")
        if not isinstance(file, str) or not isinstance(line, int):
            raise Refused(f"`{request['do']}` needs a file and a line")
        addresses = self._sources.addresses(file, line)
        if not addresses:
            raise Refused(f"{file}:{line} has no code: choose a line with a mark")
        return addresses

    async def _insert(self, addresses: list[int]) -> None:
        for addr in addresses:
            await self._client.ask(b"Z0,%x,%x" % (addr, CODE_BYTES))

    async def _remove(self, addresses: list[int]) -> None:
        for addr in addresses:
            await self._client.ask(b"z0,%x,%x" % (addr, CODE_BYTES))


def _thread(request: Request) -> int:
    thread = request.get("thread")
    if not isinstance(thread, int) or not 1 <= thread <= HARTS + THREADS:
        raise Refused(f"`{request['do']}` needs a thread, 1 to {HARTS + THREADS}")
    return thread


DOES: dict[str, Callable[[Control, Request], Awaitable[None]]] = {
    "continue": Control.continue_,
    "stop": Control.stop,
    "step": Control.step,
    "stepi": Control.stepi,
    "until": Control.until,
    "break": Control.break_,
    "back": Control.back,
    "stepi back": Control.stepi_back,
    "goto": Control.goto,
    "record": Control.record,
    "monitor": Control.monitor,
}

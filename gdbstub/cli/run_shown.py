# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb run --web`: the run with its page beside it, which stays after the end.

The run is one of a client that says `continue` once. So a viewer of the page may stop it, set
breakpoints, go back in time and continue, and the tile is served as to any other client.
"""

from __future__ import annotations

import signal
from contextlib import ExitStack

import trio

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.cli.after_run import NOT_REACHED, REACHED
from tensix_gdb.gdbstub.cli.options.run import RunOptions
from tensix_gdb.gdbstub.cli.serve import attach_command
from tensix_gdb.gdbstub.pages.web.client import PageClient, Refused
from tensix_gdb.gdbstub.pages.web.wanted import page_wanted
from tensix_gdb.gdbstub.protocol.server.event_loop import run_until_asked
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.protocol.target import Signal
from tensix_gdb.gdbstub.tensix.blocked.why import deadlock_text
from tensix_gdb.gdbstub.tensix.host.host import host_side
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.usage import UsageError

NAME = "the run"
LOOK = 0.05  # seconds between two looks at --max-cycles
CODE_BYTES = 4


def run_shown(
    machine: Machine, options: RunOptions, until: list[tuple[int, int]]
) -> tuple[list[str], int]:
    """Run, and show the tile until Ctrl-C; return what to print of the end, and the status."""
    with ExitStack() as stack:
        target = tensix_target(
            machine,
            record=not options.counts.are_wanted and options.record_to is None,
            host=host_side(machine, None, options.host, stack),
            stop_at_end=False,
        )
        tile = SharedTile(target)
        server = Server(tile)
        page = page_wanted(options.web, server, tile, machine)
        assert page is not None
        client = PageClient(server, lambda text: print(text, end="", flush=True), NAME)
        files = [str(image.path) for image in machine.images]
        ended: list[tuple[list[str], int]] = []

        async def main() -> None:
            async with trio.open_nursery() as nursery:
                ((host, port),) = await nursery.start(server.serve, "127.0.0.1", [0])
                print(f"the page is at {await nursery.start(page)}", flush=True)
                print(f"a GDB attaches with\n    {attach_command(files, host, port)}", flush=True)
                await nursery.start(client.run)
                for _, addr in until:
                    await client.ask(b"Z0,%x,%x" % (addr, CODE_BYTES))
                nursery.start_soon(_limit, machine, client, options.max_cycles)
                await _to_the_end(machine, tile, client)
                for _, addr in until:
                    await client.ask(b"z0,%x,%x" % (addr, CODE_BYTES))
                ended.append(_end(machine, tile, options.until))
                print(f"{ended[0][0][-1]}; the page stays until Ctrl-C", flush=True)
                await trio.sleep_forever()

        try:
            run_until_asked(main, signal.SIGINT)
        except Refused as problem:
            raise UsageError(str(problem)) from None
    return ended[0] if ended else ([f"interrupted {_after(machine)}"], NOT_REACHED)


async def _to_the_end(machine: Machine, tile: SharedTile, client: PageClient) -> None:
    """Run until something stops it that is not the end of one program of several."""
    while True:
        await client.resume(b"vCont;c")
        await client.stopped()
        ended = machine.S.stop.kind in (StopKind.EBREAK, StopKind.ECALL)
        if not ended or tile.last_stop().signal == Signal.INT or not _going(machine):
            return


async def _limit(machine: Machine, client: PageClient, most: int) -> None:
    """Stop the run after so many cycles: again, if it has just stopped for another reason."""
    while True:
        await trio.sleep(LOOK)
        if machine.S.tile.cycle >= most and client.waits:
            await client.interrupt()


def _going(machine: Machine) -> list[int]:
    """Return the harts that have not paused."""
    S = machine.S
    return [hart for hart in range(HARTS) if not (S.hart.paused[hart] or S.hart.in_reset[hart])]


def _end(machine: Machine, tile: SharedTile, until: str | None) -> tuple[list[str], int]:
    """Return the lines about the end of the run, and the exit status."""
    S, stop = machine.S, tile.last_stop()
    lines = [
        f"{HART_NAMES[hart]} paused at {machine.places.at(hart, machine.read_pc(hart))}, after "
        f"{S.hart.retired[hart]} instructions"
        for hart in range(HARTS)
        if S.hart.paused[hart] and not S.hart.in_reset[hart]
    ]
    if stop.breakpoint is not None and until is not None:
        return [*lines, f"{until} was reached {_after(machine)}"], REACHED
    if not _going(machine):
        status = REACHED if until is None else NOT_REACHED
        missed = "" if until is None else f", none has reached {until}"
        return [*lines, f"all harts have paused {_after(machine)}{missed}"], status
    if stop.idle:
        return [*lines, deadlock_text(machine)], NOT_REACHED
    if stop.text and stop.signal != Signal.INT:
        return [*lines, f"{stop.text.strip()} {_after(machine)}"], NOT_REACHED
    return [*lines, f"stopped {_after(machine)}"], NOT_REACHED


def _after(machine: Machine) -> str:
    return f"after {machine.S.tile.cycle} cycles"

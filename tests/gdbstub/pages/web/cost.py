# SPDX-License-Identifier: Apache-2.0
"""The cost of viewers: `python -m tests.gdbstub.pages.web.cost` prints the figures of the manual.

Cycles a second of two harts in `latency` with no viewer, one and ten, in turn; how long it takes
from a step to the picture of it; how much memory the server has.
"""

from __future__ import annotations

import contextlib
import socket
import statistics
import time

import trio

from tensix_gdb.gdbstub.protocol.rsp.framing import encode
from tests.gdb.harness import serve
from tests.gdbstub.pages.web.conftest import DEMO
from tests.gdbstub.pages.web.page import Page, Viewer

SECONDS = 1.5  # of a measurement: short, and many in turn, as the speed of a machine changes
ROUNDS = 9
COUNTS = (0, 1, 10)
STEPS = 50


def memory(page: Page) -> float:
    """MiB of the server's process."""
    with open(f"/proc/{page.server.process.pid}/status", encoding="ascii") as file:
        row = next(line for line in file if line.startswith("VmRSS"))
    return int(row.split()[1]) / 1024


async def hear(viewer: Viewer, counts: list[int]) -> None:
    """Take what comes, and count it."""
    while True:
        await viewer.hear()
        counts[0] += 1


async def speed(page: Page, count: int) -> tuple[float, float]:
    """Cycles a second with so many viewers, and pictures a second of each."""
    pictures = [0]
    async with contextlib.AsyncExitStack() as stack:
        viewers = [await stack.enter_async_context(page.viewer()) for _ in range(count)]
        async with trio.open_nursery() as nursery:
            for viewer in viewers:
                nursery.start_soon(hear, viewer, pictures)
            await trio.sleep(0.5)
            begin, start, before = await _cycle(page), time.perf_counter(), pictures[0]
            await trio.sleep(SECONDS)
            seconds = time.perf_counter() - start
            cycles = await _cycle(page) - begin
            shown = pictures[0] - before
            nursery.cancel_scope.cancel()
    return cycles / seconds, shown / seconds / max(count, 1)


async def _cycle(page: Page) -> int:
    return int((await trio.to_thread.run_sync(page.state))["cycle"])


async def latencies(page: Page) -> list[float]:
    """Milliseconds from a request to step to the picture of it."""
    found = []
    async with page.viewer() as viewer:
        await viewer.until(lambda viewer: viewer.frame)
        for _ in range(STEPS):
            before = viewer.frame["cells"]["hart-1"]
            start = time.perf_counter()
            await viewer.say(do="stepi", thread=2)
            await viewer.until(
                lambda viewer, before=before: viewer.frame["cells"]["hart-1"] != before
            )
            found.append(1000 * (time.perf_counter() - start))
    return found


async def main() -> None:
    """Measure and print."""
    programs = ("--elf", f"t0={DEMO}/t0.elf", "--elf", f"b={DEMO}/b.elf")
    with serve({}, *programs, "--web") as server:
        page = Page(server)
        await trio.sleep(8)  # the compiler
        async with page.viewer() as driver:
            found = sorted(await latencies(page))
            print(f"a step to its picture: median {statistics.median(found):.0f} ms, "
                  f"most {found[-1]:.0f} ms")  # fmt: skip
            await driver.say(do="monitor", text="status")
            await driver.until(lambda viewer: "> monitor" in viewer.text)
        print(f"memory without a viewer {memory(page):.0f} MiB")
        # A client of the protocol drives, so that no viewer is needed for it.
        with contextlib.closing(socket.create_connection(("127.0.0.1", server.port))) as gdb:
            gdb.sendall(encode(b"vCont;c", run_lengths=False))
            await trio.sleep(2)
            rows: dict[int, list[tuple[float, float]]] = {count: [] for count in COUNTS}
            for _ in range(ROUNDS):
                for count in COUNTS:
                    rows[count].append(await speed(page, count))
            for count, values in rows.items():
                cycles = statistics.median(value for value, _ in values) / 1e6
                shown = statistics.median(value for _, value in values)
                print(f"{count} viewers: {cycles:.1f} M cycles/s, {shown:.1f} pictures/s each")
            print(f"memory after ten viewers {memory(page):.0f} MiB", flush=True)


if __name__ == "__main__":
    trio.run(main)

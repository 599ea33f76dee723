# SPDX-License-Identifier: Apache-2.0
"""At a stop the page says what a GDB is told at that moment; and looking changes nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tensix_gdb.gdbstub.cli.rsp_client import RspClient
from tests.gdbstub.web.conftest import Open
from tests.gdbstub.web.page import Page

STOPS = 200


class Gdb(RspClient):
    """A client that drives, and asks what GDB asks."""

    def pc(self, thread: int) -> int:
        """The pc of a thread."""
        assert self.ask(b"Hg%x" % thread) == b"OK"
        return int.from_bytes(bytes.fromhex(self.ask(b"p20").decode()), "little")


@pytest.fixture(scope="module")
def both(open_page: Open, programs: list[str]) -> Iterator[tuple[Page, Gdb]]:
    with open_page(*programs, "--record") as page, Gdb("127.0.0.1", page.server.port) as gdb:
        gdb.features()
        gdb.ask(b"vCont;c")
        yield page, gdb


def test_page_and_gdb_say_the_same(both: tuple[Page, Gdb]) -> None:
    page, gdb = both
    said = gdb.monitor("record")
    last = int(said.split(" to ")[1].split(",")[0])
    rng = random.Random(1)
    for _ in range(STOPS):
        cycle = rng.randrange(last)
        gdb.monitor(f"goto {cycle}")
        state = page.state()
        assert state["cycle"] == cycle
        for number, hart in enumerate(state["harts"]):
            # GDB is shown a pc of no code for a hart in reset.
            assert hart["state"] == "in reset" or hart["pc"] == gdb.pc(number + 1)
        rows = [line.split() for line in gdb.monitor("sem").splitlines()[1:]]
        assert [[str(s["number"]), str(s["value"]), str(s["max"])]
                for s in state["semaphores"]] == [row[:3] for row in rows]  # fmt: skip
        why = gdb.monitor("why").splitlines()
        for one in (*state["harts"], *state["threads"]):
            told = f"{one['name']}: {one['does']}"
            assert not one["does"] or any(line.startswith(told) for line in why), why
        order = gdb.monitor("order")
        for hart in state["harts"]:
            assert all(line in order for line in hart["under_way"])


async def test_looking_changes_nothing(open_page: Open, programs: list[str]) -> None:
    hashes = []
    for look in (False, True):
        with open_page(*programs) as page:
            if look:
                async with page.viewer() as viewer:
                    for box in ("hart-1", "gate-0", "dst-0", "bank-2", "unit-vector-unit"):
                        await viewer.say(look=box)
                        await viewer.until(lambda viewer, box=box: viewer.details.get("id") == box)
                    await viewer.run(do="continue")
            else:
                with Gdb("127.0.0.1", page.server.port) as gdb:
                    gdb.features()
                    gdb.ask(b"vCont;c")
            state = page.state()
            state.pop("ending")
            hashes.append(state)
    assert hashes[0] == hashes[1]

# SPDX-License-Identifier: Apache-2.0
"""At a stop the page says what a GDB is told at that moment; and looking changes nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
import trio

from tensix_gdb.gdbstub.cli.rsp_client import RspClient
from tests.forms import rounds
from tests.gdbstub.pages.web.conftest import Open
from tests.gdbstub.pages.web.page import Page

STOPS = rounds(30, 60)


class Gdb(RspClient):
    """A client that drives, and asks what GDB asks."""

    def pc(self, thread: int) -> int:
        """The pc of a thread."""
        assert self.ask(b"Hg%x" % thread) == b"OK"
        return int.from_bytes(bytes.fromhex(self.ask(b"p20").decode()), "little")

    def memory(self, addr: int, length: int) -> bytes:
        """Bytes of L1."""
        return bytes.fromhex(self.ask(b"m%x,%x" % (addr, length)).decode())


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
        check_memory(state, gdb, rng)


def check_memory(state: dict[str, Any], gdb: Gdb, rng: random.Random) -> None:
    """Some cells of L1 by `m`, some tiles of Dst and LRegs by `monitor`."""
    for cell in [rng.randrange(len(state["l1"])) for _ in range(4)]:
        data = gdb.memory(1024 * cell, 1024)
        is_known = state["l1"][cell] not in ".d"
        assert is_known or (state["l1"][cell] == "d") == any(data)
    row = rng.randrange(16) * 64
    for line in gdb.monitor(f"dst {row} 64").splitlines()[2:]:
        number, *columns = line.split()
        letter = state["dst"][int(number)]
        assert (letter == "?") == (set(columns) == {"undef"})
        assert (letter == "N") == any("nan" in column for column in columns)
    number = rng.randrange(8)
    lanes = state["lregs"][32 * number : 32 * number + 32]
    text = gdb.monitor(f"vector {number}").split("\n", 1)[1]
    shown = [word for line in text.splitlines() for word in line.split()[2:]]
    assert [lane == "0" for lane in lanes] == [word.lstrip("-") in ("0", "(0)") for word in shown]


async def test_details_are_what_g_says(open_page: Open, programs: list[str]) -> None:
    """Registers in the panel against the packet `g`, and the word that is looked at against `m`."""
    with open_page(*programs, "--record") as page, Gdb("127.0.0.1", page.server.port) as gdb:
        gdb.features()
        gdb.ask(b"vCont;c")
        last = int(gdb.monitor("record").split(" to ")[1].split(",")[0])
        rng = random.Random(2)
        async with page.viewer() as viewer:
            for _ in range(20):
                cycle = rng.randrange(last)
                await trio.to_thread.run_sync(gdb.monitor, f"goto {cycle}")
                for hart in (1, 2, 3):
                    assert gdb.ask(b"Hg%x" % (hart + 1)) == b"OK"
                    data = bytes.fromhex(gdb.ask(b"g").decode())
                    words = [int.from_bytes(data[i : i + 4], "little") for i in range(0, 132, 4)]
                    await viewer.say(look="semaphore-0")
                    await viewer.until(lambda viewer: viewer.details.get("id") == "semaphore-0")
                    await viewer.say(look=f"hart-{hart}")
                    await viewer.until(
                        lambda viewer, hart=hart: viewer.details.get("id") == f"hart-{hart}"
                    )
                    said = dict(viewer.details["sections"])["registers"]
                    assert said.split() == ["pc", f"{words[32]:08x}"]
                    shown = viewer.details["values"]["values"]
                    assert [int(value, 16) for _, value, _ in shown] == words[1:32]
                start = rng.randrange(0x20000, 0x22000) & ~1023
                await viewer.say(look=f"l1-{start // 1024}")
                await viewer.until(lambda viewer: "words" in viewer.details)
                found = viewer.details["words"]
                data = gdb.memory(found["start"], 1024)
                assert found["start"] == start
                assert b"".join(v.to_bytes(4, "little") for v in found["values"]) == data
                viewer.details = {}


async def test_looking_changes_nothing(open_page: Open, programs: list[str]) -> None:
    hashes = []
    for look in (False, True):
        with open_page(*programs) as page:
            if look:
                async with page.viewer() as viewer:
                    for box in (
                        *("hart-1", "gate-0", "dst-0", "bank-2", "unit-vector-unit"),
                        *("unit-packer", "l1-128", "local-1", "lreg-3", "front-2", "mutexes"),
                    ):
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

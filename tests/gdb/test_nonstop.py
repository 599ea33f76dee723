# SPDX-License-Identifier: Apache-2.0
"""Non-stop mode in a real GDB: one hart is looked at while the others run, with and without
processes. Driven by GDB/MI, which tells of stops as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Build
from tests.gdb.harness import serve
from tests.gdb.mi import Mi
from tests.programs.build import PLACES

pytestmark = pytest.mark.gdb

HARTS = tuple(PLACES)
ALL = [str(number) for number in range(1, 9)]


@pytest.fixture(scope="module")
def elfs(program: Build) -> Mapping[str, Path]:
    return {hart: program("five", hart, defines=(f"HART={i}",)) for i, hart in enumerate(HARTS)}


class Listening(Mi):
    """Keeps the stops that GDB tells of while it is asked for something else."""

    def __init__(self, gdb: str) -> None:
        super().__init__(gdb)
        self._heard: list[dict[str, Any]] = []

    def _messages(self) -> Iterator[dict[str, Any]]:
        for message in super()._messages():
            if message["type"] == "notify" and message["message"] == "stopped":
                self._heard.append(message["payload"])
            yield message

    def stopped(self) -> dict[str, Any]:
        """The next stop that was not asked for yet."""
        messages = self._messages()
        while not self._heard:
            next(messages)
        return self._heard.pop(0)


@contextmanager
def debugged(
    gdb: str, elfs: Mapping[str, Path], *options: str, settings: tuple[str, ...] = ()
) -> Iterator[tuple[Mi, int]]:
    """A GDB in non-stop mode beside a server."""
    with serve(elfs, *options) as server:
        mi = Listening(gdb)
        try:
            for one in ("mi-async on", "pagination off", "confirm off", "sysroot"):
                mi.tell(f"-gdb-set {one}")
            for one in settings:
                mi.tell(f'-interpreter-exec console "{one}"')
            yield mi, server.port
        finally:
            mi.close()


def stops(mi: Mi, count: int) -> list[dict[str, Any]]:
    """The next so many stops."""
    return [mi.stopped() for _ in range(count)]


def states(mi: Mi) -> dict[str, str]:
    """Whether each thread runs, by its number in GDB."""
    return {one["id"]: one["state"] for one in mi.tell("-thread-info")["threads"]}


def number(mi: Mi, thread: str, expression: str) -> int:
    """Return a value in a thread that has stopped."""
    text = mi.tell(f"-data-evaluate-expression --thread {thread} {expression}")["value"]
    return int(text.split()[0], 0)


def attach(mi: Mi, port: int, elfs: Mapping[str, Path]) -> None:
    """Attach as a front end does in non-stop mode: every thread stops, and GDB is told of each.
    The symbols of the other harts come as libraries."""
    mi.tell("-gdb-set non-stop on")
    mi.tell(f"-file-exec-and-symbols {elfs['B']}")
    mi.tell(f"-target-select remote 127.0.0.1:{port}")
    assert sorted(one["thread-id"] for one in stops(mi, len(ALL))) == ALL


def test_one_hart_is_looked_at_while_the_others_run(
    elfs: Mapping[str, Path], tool: Callable[[str], str]
) -> None:
    with debugged(tool("gdb-multiarch"), elfs) as (mi, port):
        attach(mi, port, elfs)
        assert set(states(mi).values()) == {"stopped"}

        # All but NC run; they wait for each other's turns, so none comes to its end.
        for thread in ("1", "2", "3", "4"):
            mi.tell(f"-exec-continue --thread {thread}")
        assert {t: s for t, s in states(mi).items() if t <= "5"} == {
            **dict.fromkeys(("1", "2", "3", "4"), "running"),
            "5": "stopped",
        }
        # Memory and registers of the one that has stopped; the common memory changes meanwhile.
        assert number(mi, "5", "$pc") == 0x12000
        while number(mi, "5", "turn") != 4:
            pass
        assert number(mi, "5", "total") == 0
        before = number(mi, "5", "$pc")
        mi.tell("-exec-step-instruction --thread 5")
        (step,) = stops(mi, 1)
        assert (step["thread-id"], step["stopped-threads"]) == ("5", ["5"])
        assert number(mi, "5", "$pc") > before

        # A breakpoint that is set while harts run stops only who comes there.
        mi.tell("-break-insert -t work")
        mi.tell("-exec-continue --thread 5")
        (hit,) = stops(mi, 1)
        assert (hit["thread-id"], hit["frame"]["func"]) == ("5", "work")
        assert hit["reason"] == "breakpoint-hit"
        assert states(mi)["1"] == "running"
        assert number(mi, "5", "round") == 0

        # Another one is stopped by hand, steps, and continues.
        mi.tell("-exec-interrupt --thread 2")
        (halted,) = stops(mi, 1)
        assert (halted["thread-id"], halted["frame"]["func"]) == ("2", "main")
        assert number(mi, "2", "$pc") in range(0x6000, 0xA000)
        mi.tell("-exec-next --thread 2")
        # It spins for its turn on one line: `next` ends when NC has had its own.
        mi.tell("-exec-continue --thread 5")
        (moved,) = stops(mi, 1)
        assert (moved["thread-id"], moved["reason"]) == ("2", "end-stepping-range")

        # Everybody to the end: five stops, one by one, and the sum is right.
        mi.tell("-exec-continue --thread 2")
        ends = stops(mi, 5)
        assert sorted(one["thread-id"] for one in ends) == ["1", "2", "3", "4", "5"]
        assert {one["frame"]["func"] for one in ends} == {"_start"}
        assert number(mi, "1", "total") == sum(h * r for h in range(5) for r in range(10))


def test_a_watchpoint_and_a_breakpoint_of_a_thread(
    elfs: Mapping[str, Path], tool: Callable[[str], str]
) -> None:
    with debugged(tool("gdb-multiarch"), elfs, "--schedule", "latency") as (mi, port):
        attach(mi, port, elfs)
        mi.tell("-thread-select 4")
        mi.tell("-break-insert -p 4 work")
        mi.tell("-exec-continue --all")
        (hit,) = stops(mi, 1)
        assert (hit["thread-id"], number(mi, "4", "round")) == ("4", 0)
        mi.tell("-break-delete")
        # `rounds` in T2's own local RAM.
        mi.tell("-break-watch *(unsigned*)0xffb00000")
        mi.tell("-exec-continue --thread 4")
        (written,) = stops(mi, 1)
        assert (written["thread-id"], written["reason"]) == ("4", "watchpoint-trigger")
        assert written["value"] == {"old": "300", "new": "301"}
        assert states(mi)["1"] == "running"
        mi.tell("-exec-interrupt --all")
        halted = {one["thread-id"] for one in stops(mi, 7)}
        assert halted == set(ALL) - {"4"}


def test_processes_one_by_one(elfs: Mapping[str, Path], tool: Callable[[str], str]) -> None:
    gdb = tool("gdb-multiarch")
    with debugged(gdb, elfs, "--processes", settings=("set non-stop on",)) as (mi, port):
        mi.tell(f"-target-select extended-remote 127.0.0.1:{port}")
        mi.tell("-target-attach 1")
        (first,) = stops(mi, 1)
        assert (first["thread-id"], first["frame"]["func"]) == ("1", "_start")
        mi.tell("-add-inferior")
        mi.tell('-interpreter-exec console "inferior 2"')
        mi.tell("-target-attach 5")
        (second,) = stops(mi, 1)
        assert second["thread-id"] == "2"
        assert number(mi, "2", "$pc") == 0x12000, "the tile was stopped meanwhile"

        # B runs, and T0 to T2, which nobody debugs; NC is looked at. Then its turn comes.
        mi.tell("-exec-continue --thread 1")
        while number(mi, "2", "turn") != 4:
            pass
        assert states(mi) == {"1": "running", "2": "stopped"}
        mi.tell("-break-insert -t *work")
        mi.tell("-exec-continue --thread 2")
        (hit,) = stops(mi, 1)
        assert (hit["thread-id"], hit["frame"]["func"]) == ("2", "work")
        assert number(mi, "2", "round") == 0

        # Killed, which B waits for then, and started again.
        mi.tell('-interpreter-exec console "kill inferiors 2"')
        (left,) = stops(mi, 1)
        assert left["thread-id"] == "1", "all poll for what NC would store: nothing can move"
        mi.tell("-break-insert -t *main")
        mi.tell("-exec-run")
        again = mi.stopped()
        assert (again["thread-id"], again["frame"]["func"]) == ("3", "main")
        mi.tell("-exec-continue --thread 1")
        mi.tell("-exec-interrupt --thread 1")
        (halted,) = stops(mi, 1)
        assert halted["thread-id"] == "1"


def test_all_stop_on_top_of_it(elfs: Mapping[str, Path], tool: Callable[[str], str]) -> None:
    """`maint set target-non-stop on`: GDB stops the others itself, thread by thread."""
    gdb = tool("gdb-multiarch")
    with debugged(gdb, elfs, settings=("maint set target-non-stop on",)) as (mi, port):
        mi.tell(f"-file-exec-and-symbols {elfs['B']}")
        mi.tell(f"-target-select remote 127.0.0.1:{port}")
        mi.stopped()
        mi.tell("-break-insert work")
        seen = [int(mi.resume("-exec-continue")["thread-id"]) for _ in range(3)]
        assert seen == [1, 2, 3], "each in its turn"
        assert number(mi, "3", "total") == 0
        assert set(states(mi).values()) == {"stopped"}
        assert mi.resume("-exec-next")["reason"] == "end-stepping-range"

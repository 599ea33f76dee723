# SPDX-License-Identifier: Apache-2.0
"""REPLAYs that SFPI's compiler makes by itself: an unrolled loop is one that records and three
that play, and the source has no word of them."""

from __future__ import annotations

import pytest

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.why import monitor_why
from tensix_gdb.gdbstub.tensix.capabilities.threads import thread_of_tensix
from tensix_gdb.gdbstub.tensix.monitor.frontend import monitor_fifo, monitor_replay
from tensix_gdb.gdbstub.tensix.monitor.gate_breaks import monitor_break
from tensix_gdb.gdbstub.tensix.vectors.monitor import monitor_print
from tests.gdbstub.kernels.sfpi.installed import installed_sfpi
from tests.gdbstub.tensix.vectors.kernel import X, Y, built, line_of, tile_with
from tests.gdbstub.tensix.vectors.test_print import lanes

TENSIX = thread_of_tensix(1)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    with pytest.MonkeyPatch.context() as patch:
        installed_sfpi(patch)
        return built(tmp_path_factory.mktemp("sfpi"), unrolled=True)


def stopped(image: Image, name: str, *words: str, hits: int = 2) -> tuple[Machine, Stop]:
    """Run to an instruction at the gate of T1 math, for the second time: it is played then. The
    hart has come to its end meanwhile."""
    machine = tile_with(image, Schedule.LATENCY)
    monitor_break(machine, TENSIX, ["gate", name, "thread", "T1", *words])
    stops: list[Stop] = []
    while len(stops) < hits:
        stop = machine.run(10_000)
        assert stop is not None
        assert stop.kind in (StopKind.GATE, StopKind.EBREAK), stop.text
        if stop.kind is StopKind.GATE:
            stops.append(stop)
    return machine, stops[-1]


def test_the_line_that_has_recorded_it_is_said(image: Image) -> None:
    machine, stop = stopped(image, "SFPMUL")
    line = f"kernel.cpp:{line_of('vFloat z')}"
    assert " of a REPLAY, at its gate, pushed at 0x" in stop.text
    assert stop.text.endswith(f"; recorded at {line}")
    (first, second) = monitor_fifo(machine, TENSIX, []).splitlines()[-2:]
    assert first.endswith(f"by way of REPLAY; recorded at {line}")
    # The same word twice: entries of the buffer tell them apart, words do not.
    both = " or ".join(f"kernel.cpp:{line_of(f'dst_reg[0] = {name}')}" for name in "xz")
    assert second.endswith(f"; recorded at {both}")
    played = monitor_replay(machine, TENSIX, [])
    for text in ("vFloat x", "vFloat y", "vInt exponent", "y = -y", "vFloat z", "dst_reg++"):
        assert f"  recorded at kernel.cpp:{line_of(text)}\n" in played, text


def test_the_first_time_it_is_no_replay(image: Image) -> None:
    _, stop = stopped(image, "SFPMUL", hits=1)
    assert "REPLAY" not in stop.text
    assert "recorded" not in stop.text


def test_variables_where_it_was_recorded(image: Image) -> None:
    machine, _ = stopped(image, "SFPMUL")
    assert lanes(monitor_print(machine, TENSIX, ["x"])) == X
    assert lanes(monitor_print(machine, TENSIX, ["y"])) == Y
    with pytest.raises(TargetError, match="z has no value yet"):
        monitor_print(machine, TENSIX, ["z"])


def test_why_says_it_too(image: Image) -> None:
    """Of an instruction that is held at the gate."""
    machine, _ = stopped(image, "SFPSTORE", "if", "imm10=2")
    machine.S.gate.held[1] = 1
    said = monitor_why(machine, TENSIX, ["T1"])
    assert f"; recorded at kernel.cpp:{line_of('dst_reg[1] = y')}" in said, said

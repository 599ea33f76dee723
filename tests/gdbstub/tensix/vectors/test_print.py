# SPDX-License-Identifier: Apache-2.0
"""`monitor print` of SFPI's vectors: at a stop of a hart, which runs ahead, and at a gate."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

import pytest

from tensix_gdb.core.arch.blackhole import T1
from tensix_gdb.core.dwarf.info import debug_info
from tensix_gdb.core.dwarf.vectors import line_in
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.vector.opcodes import Sfp
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.threads import thread_of, thread_of_tensix
from tensix_gdb.gdbstub.tensix.monitor.gate_breaks import monitor_break
from tensix_gdb.gdbstub.tensix.vectors import drained
from tensix_gdb.gdbstub.tensix.vectors.held import vector_words
from tensix_gdb.gdbstub.tensix.vectors.monitor import lanes_in_hex, monitor_print
from tests.gdbstub.kernels.sfpi.installed import installed_sfpi
from tests.gdbstub.tensix.vectors.kernel import X, Y, Z, built, line_of, tile_with

HART, TENSIX = thread_of(T1), thread_of_tensix(1)
ROW = re.compile(r"lane +\d+(.*)")


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    with pytest.MonkeyPatch.context() as patch:
        installed_sfpi(patch)
        return built(tmp_path_factory.mktemp("sfpi"))


@pytest.fixture(params=[Schedule.SC, Schedule.LATENCY])
def stopped(image: Image, request: pytest.FixtureRequest) -> Callable[[Sfp, str], Machine]:
    """Run T1 to the instruction of this kind that a line pushes."""

    def run(opcode: Sfp, text: str) -> Machine:
        machine = tile_with(image, request.param)
        machine.add_break(pushing(machine, image, opcode, text))
        stop = machine.run(10_000)
        assert stop is not None
        assert stop.kind is StopKind.BREAK, stop.text
        return machine

    return run


def pushing(machine: Machine, image: Image, opcode: Sfp, text: str) -> int:
    """Return where a line of the kernel pushes an instruction of this kind."""
    info = debug_info(image.content)
    kernel = next(block for block in info.functions if block.name == "kernel")
    ((low, high),) = kernel.ranges
    return next(
        at
        for at, word in vector_words(machine, T1, low, high)
        if word >> 24 == opcode and line_in(info, kernel, at) == line_of(text)
    )


def lanes(said: str) -> list[float]:
    """Return the lanes in an answer."""
    return [float(cell.strip("()")) for row in ROW.findall(said) for cell in row.split()]


def test_values_are_those_of_the_source_at_the_pc(
    stopped: Callable[[Sfp, str], Machine],
) -> None:
    machine = stopped(Sfp.MUL, "vFloat z")
    before, stop = machine.hash(), machine.reports.now()
    x, y = (monitor_print(machine, HART, [name]) for name in "xy")
    assert lanes(x) == X
    assert lanes(y) == Y
    assert x.startswith("x is a vFloat in LReg[")
    assert f"of line {line_of('vFloat x')}" in x
    assert f"of line {line_of('y = -y')}" in y
    exponents = lanes(monitor_print(machine, HART, ["exponent"]))
    assert [exponents[lane] for lane in (0, 9, 11, 31)] == [4, 1, 1, 5]
    assert lanes(monitor_print(machine, HART, ["dst_reg[0]"])) == X
    assert "all lanes are enabled" in x
    with pytest.raises(TargetError, match=f"no value yet: line {line_of('vFloat z')} gives it one"):
        monitor_print(machine, HART, ["z"])
    assert machine.hash() == before, "to look changes nothing"
    assert machine.reports.now() == stop


def test_what_was_pushed_and_has_not_executed_is_said(
    image: Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = tile_with(image, Schedule.LATENCY)
    machine.add_break(pushing(machine, image, Sfp.MUL, "vFloat z"))
    machine.run(10_000)
    assert re.search(r"; after \d+ instructions on the way to T1 math; ", ask(machine, "x"))
    monkeypatch.setattr(drained, "LONGEST", 0)  # as of one that waits for another thread
    said = ask(machine, "y")
    assert re.search(r"; now; \d+ instructions on the way to T1 math wait \(`monitor why`\)", said)
    assert ", and this is older: one of them writes it;" in said
    assert lanes(said) != Y
    with pytest.raises(TargetError, match="y is not there yet: what writes it waits"):
        lanes_in_hex(machine, HART, "y")


def test_lanes_for_expressions_of_gdb(stopped: Callable[[Sfp, str], Machine]) -> None:
    machine = stopped(Sfp.MUL, "vFloat z")
    kind, *words = lanes_in_hex(machine, HART, "y").split()
    assert kind == "vFloat"
    assert [struct.unpack("<f", int(word, 16).to_bytes(4, "little"))[0] for word in words] == Y
    with pytest.raises(TargetError, match="B has no Vector Unit"):
        lanes_in_hex(machine, thread_of(0), "y")


def ask(machine: Machine, name: str) -> str:
    return monitor_print(machine, HART, [name])


def test_lanes_that_a_v_if_has_disabled(stopped: Callable[[Sfp, str], Machine]) -> None:
    machine = stopped(Sfp.MOV, "y = -y")
    said = ask(machine, "x")
    assert "22 lanes are disabled, ( )" in said
    assert [cell.startswith("(") for row in ROW.findall(said) for cell in row.split()] == [
        x >= 0 for x in X
    ]


def test_a_register_that_was_written_again(stopped: Callable[[Sfp, str], Machine]) -> None:
    machine = stopped(Sfp.STORE, "dst_reg[0] = z")
    assert lanes(ask(machine, "z")) == Z
    with pytest.raises(TargetError) as caught:
        ask(machine, "x")
    line = line_of("vFloat z")
    assert re.search(rf"until SFPMUL of line {line} wrote that. Instead: ", str(caught.value))
    assert "SFPSTORE" in str(caught.value)


def test_at_a_gate(image: Image) -> None:
    """There a Tensix thread is exact: nothing of it is ahead."""
    machine = tile_with(image, Schedule.LATENCY)
    at = pushing(machine, image, Sfp.MUL, "vFloat z")
    monitor_break(machine, TENSIX, ["gate", f"{at:#x}"])
    stop = machine.run(10_000)
    assert stop is not None
    assert stop.kind is StopKind.GATE, stop.text
    said = monitor_print(machine, TENSIX, ["y"])
    assert lanes(said) == Y, "the MAD's result may come at the end of this cycle"
    assert "; before the instruction at the gate of T1 math; " in said


def test_names_and_what_is_none(stopped: Callable[[Sfp, str], Machine]) -> None:
    machine = stopped(Sfp.MUL, "vFloat z")
    known = monitor_print(machine, HART, [])
    assert {"lane", "x", "y", "exponent", "z"} <= set(known[:-2].split(": ")[1].split(", "))
    for typed, why in (
        ("count", "no vFloat, vInt or vUInt is called count at .*: it has .*x, y"),
        ("x + 1", "neither the name of a vFloat, vInt or vUInt nor"),
        ("dst_reg[512]", "dst_reg has 512 places"),
    ):
        with pytest.raises(TargetError, match=why):
            monitor_print(machine, HART, typed.split())
    with pytest.raises(TargetError, match="B has no Vector Unit"):
        monitor_print(machine, 1, ["x"])

# SPDX-License-Identifier: Apache-2.0
"""`monitor perf`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.perf.fields import NAMES
from tensix_gdb.core.perf.reading import by_name
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.tensix_registers import REGISTERS, read
from tests.core.perf.measure import measure
from tests.core.tensix.drive import fill_sources
from tests.gdbstub.tensix.monitor.test_monitor_tensix import RspClient
from tests.machines import machine_on

BOTH_BANKS = "SETDVALID flip_src_b=1, flip_src_a=1"


@pytest.fixture
def ask() -> Iterator[RspClient]:
    machine = machine_on("compiled", Schedule.LATENCY)
    yield RspClient(machine)
    machine.close()


def counted(ask: RspClient) -> None:
    fill_sources(ask.machine.S)
    measure(ask.machine, [BOTH_BANKS, *["MVMUL dst_row=0"] * 10], [])


def test_before_software_has_started_a_bank(ask: RspClient) -> None:
    assert ask("perf").startswith("no bank of performance counters has been started")


def test_what_has_counted_and_metrics(ask: RspClient) -> None:
    counted(ask)
    text = ask("perf")
    cycles = int(ask.machine.S.perf.reference[1])
    assert f"FPU: {cycles:,} cycles, stopped\n" in text
    lines = {line.split()[1]: line.split() for line in text.splitlines() if line[2:3].isdigit()}
    assert lines["FPU_COUNTER"][:3] == ["0", "FPU_COUNTER", "10"]
    assert lines["MATH_COUNTER"][:3] == ["257", "MATH_COUNTER", "10"]
    assert "SFPU_COUNTER" not in lines, "it is 0"
    assert "Math Scoreboard Stall Rate (%)" in text
    assert "1 - MATH_NOT_SCOREBOARD_STALLED / MATH_INSTRN_AVAILABLE" in text
    assert "L1: " in text
    assert "mux 0" in text


def test_one_bank_says_what_is_counted(ask: RspClient) -> None:
    text = ask("perf TDMA_P")
    assert text.startswith("TDMA_PACK: 0 cycles, stopped\n")
    assert "267" in text
    assert "DEST_READ_GRANTED_0" in text
    assert "UNPACK1_BUSY_THREAD0" in ask("perf tdma_u")
    assert "unpacker 1 has instructions of thread 0" in ask("perf tdma_u")
    assert "NOC_RING0_INCOMING_1" in ask("perf L1")


def test_all_has_every_counter(ask: RspClient) -> None:
    assert sum(line[2:3].isdigit() for line in ask("perf all").splitlines()) == 59 + 3 + 18 + 5 + 16


def test_what_it_does_not_know(ask: RspClient) -> None:
    for words, sentence in (
        ("TDMA", "'TDMA' is no bank of performance counters"),
        ("X", "is no bank"),
        ("FPU y", "does not know 'y'"),
    ):
        with pytest.raises(TargetError, match=sentence):
            ask(f"perf {words}")


def test_registers_have_the_counts_by_the_names_of_the_hardware(ask: RspClient) -> None:
    counted(ask)
    S = ask.machine.S
    counts = by_name(S)
    own = [register for register in REGISTERS if register.name.startswith("perf_")]
    assert [register.name for register in own] == [f"perf_{name.lower()}" for name in NAMES]
    for register, bank in zip(own, NAMES, strict=True):
        data = read(S, 1, register)
        words = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
        for field in register.fields:
            for i in range(field.count):
                name = {"cycles": f"{bank} cycles"}.get(field.name, field.name)
                value = words.pop(0)
                if field.count > 1 and bank != "L1":
                    one = unpacker(name, i) if "UNPACK_BUSY" in name else f"{name}_{i}"
                    assert value == counts[one], one
                elif field.name == "cycles" or bank != "L1":
                    assert value == counts[name], name
    assert counts["FPU_COUNTER"] > 0


def unpacker(name: str, i: int) -> str:
    """UNPACK_BUSY_THREAD0 of unpacker `i`."""
    return name.replace("UNPACK_BUSY", f"UNPACK{i}_BUSY")

# SPDX-License-Identifier: Apache-2.0
"""Tenstorrent's firmware boots: every build for Blackhole, states as on other emulators."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.assembly.tensix_text import show
from tensix_gdb.core.firmware.host import Host, State
from tensix_gdb.core.firmware.image import read_firmware
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.core.firmware.builds import KNOWN, different, names, unpack
from tests.machines import ENGINES, machine_on
from tests.work import calls_in

INIT, GO, DONE = 0x40, 0x80, 0
ALL_INIT = 0x40404040
# What other emulators take, with some room: theirs have no exact cycles either.
FEWEST, MOST = 4_500, 6_500


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("firmware")


def boot(build: str, folder: Path, machine: Machine) -> tuple[Host, list[State]]:
    host = Host(machine, read_firmware(unpack(build, folder)))
    states, stop = host.run_until_done()
    assert stop is None, f"{build}: {stop.text}"
    assert host.is_done(), f"{build}: still booting after {machine.S.tile.cycle} cycles"
    return host, states


def check_states(states: list[State]) -> None:
    """RUN_MSG_INIT until all four bytes of subordinate_sync have gone from 0x40 to 0."""
    assert (states[0].sync, states[0].signal) == (0, INIT)
    assert (states[1].sync, states[1].signal) == (ALL_INIT, INIT)
    for before, after in pairwise(states[1:-1]):
        assert after.sync & ~before.sync == 0, "bytes only go to 0"
        assert after.signal == INIT
    assert (states[-2].sync, states[-2].signal) == (0, INIT)
    assert (states[-1].sync, states[-1].signal) == (0, DONE)


@pytest.mark.long("test_some_boot_when_requests_take_time")
def test_every_build_boots(folder: Path) -> None:
    blackhole, wormhole = names()
    assert (len(blackhole), len(wormhole)) == (36, 28)
    cycles = {}
    for build in different(blackhole, folder):
        machine = machine_on("compiled")
        _, states = boot(build, folder, machine)
        check_states(states)
        cycles[build] = states[-1].cycle
        machine.close()
    assert len(cycles) == 18
    assert all(FEWEST < count < MOST for count in cycles.values()), cycles


def test_some_boot_when_requests_take_time(folder: Path) -> None:
    chosen = random.Random(3).sample(names()[0], 6)
    for number, build in enumerate(chosen):
        schedule = Schedule.RANDOM if number % 3 == 2 else Schedule.LATENCY
        machine = machine_on("compiled", schedule, seed=number + 1)
        _, states = boot(build, folder, machine)
        check_states(states)
        machine.close()


def test_both_engines_boot_alike(folder: Path) -> None:
    ends = []
    for engine in ENGINES:
        machine = machine_on(engine)
        host, states = boot(KNOWN, folder, machine)
        machine.run(500)
        ends.append((states, machine.record.state()))
        assert host.is_done()
        machine.close()
    assert ends[0] == ends[1] == ends[2]


def test_what_the_firmware_does(folder: Path) -> None:
    machine = machine_on("compiled")
    host, _ = boot(KNOWN, folder, machine)
    seen = []
    for _ in range(1000):
        machine.run(1)
        if not seen or host.state().sync != seen[-1]:
            seen.append(host.state().sync)
    assert seen == [0, 0x300, 0], "T0 is asked for its sync registers, and answers"
    assert not any(machine.S.hart.in_reset[hart] for hart in range(HARTS))
    pushed = [show(machine.S.push.word[0, i]).split()[0] for i in range(machine.S.push.count[0])]
    assert [name for name in pushed if name.upper() != "NOP"] == [
        *("ZEROACC", "SFPENCC", "SFPLOADI", "SFPCONFIG"),
        *("SEMINIT",) * 4,
    ]
    assert machine.S.push.count[1] == machine.S.push.count[2] == 0
    machine.close()


def test_a_boot_takes_a_fraction_of_a_second(folder: Path) -> None:
    machine = machine_on("compiled")
    machine.run(1)  # nothing is left to compile or to fetch from the cache
    host = Host(machine, read_firmware(unpack(KNOWN, folder)))

    def again() -> None:
        machine.reset()
        host.run_until_done()

    # A tenth of a second is 300,000.
    assert calls_in(again) < 500_000
    machine.close()


def test_a_reset_goes_back_to_before_the_boot(folder: Path) -> None:
    machine = machine_on("compiled")
    host, states = boot(KNOWN, folder, machine)
    machine.reset()
    assert host.state() == states[0]
    again, stop = host.run_until_done()
    assert stop is None
    assert again == states
    machine.close()

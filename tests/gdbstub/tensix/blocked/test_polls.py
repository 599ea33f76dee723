# SPDX-License-Identifier: Apache-2.0
"""`monitor why` of harts that poll: the word, what it has, what ends the loop, what could write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, T1, B
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.devices.overlay import OVERLAY_BASE, STREAM_STRIDE
from tensix_gdb.core.firmware.host import KERNELS, Host
from tensix_gdb.core.firmware.image import read_firmware
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.tensix.blocked.polls import polling
from tensix_gdb.gdbstub.tensix.blocked.stores_in_code import stores_to
from tensix_gdb.gdbstub.tensix.blocked.why import deadlock_text
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import EBREAK, asm, image, li
from tests.core.firmware.builds import KNOWN, unpack
from tests.core.polls import programs
from tests.core.polls.programs import FLAG, KEEPS_LINES, OTHER, X5, X6, X7, X8, until
from tests.gdbstub.host.simulator.test_circular_buffers import CONFIG, count, put
from tests.machines import machine_on

PROGRAMS = {NC: 0x40000, T0: 0x44000}
ACKNOWLEDGED, RECEIVED = OVERLAY_BASE + 4 * 8, OVERLAY_BASE + 4 * 10


@pytest.fixture
def tile() -> Iterator[Machine]:
    machine = machine_on("reference", Schedule.LATENCY)
    yield machine
    machine.close()


def load(machine: Machine, **words: Sequence[int]) -> Machine:
    for hart, name in ((B, "b"), (T0, "t0"), (T1, "t1"), (NC, "nc")):
        if name in words:
            machine.load(hart, image(list(words[name]), 0x1000 * (hart + 1)))
    return machine


def monitor(machine: Machine, line: str) -> str:
    found = tensix_target(machine).monitor
    assert found is not None
    return found.command(1, line, running=False)


def store(addr: int, value: int = 1) -> list[int]:
    return [*li(X5, addr), *li(X8, value), asm("sw", rs1=X5, rs2=X8), EBREAK]


def test_a_circle_of_flags(tile: Machine) -> None:
    load(
        tile,
        t0=[*until("bne", 1)[:-1], *store(OTHER)],
        t1=[*until("bne", 7, addr=OTHER)[:-1], *store(FLAG)],
    )
    stop = tile.run(20_000)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    shown = deadlock_text(tile).splitlines()
    assert shown[1:] == [
        "T0: polls L1 0x20000, at 0x00002010: it is 0, and the loop ends when it is 1",
        "    T1 writes it at 0x00003028, and polls L1 0x20040",
        "T1: polls L1 0x20040, at 0x00003010: it is 0, and the loop ends when it is 7",
        "    T0 writes it at 0x00002028, and polls L1 0x20000",
        "Nothing to do: B, T2, NC, T0 unpack, T1 math, T2 pack.",
        "In a circle: T0 waits for T1 waits for T0.",
    ]
    assert "T0  polls L1 0x20000, pc" in monitor(tile, "status")


def test_a_poll_with_a_time_out_says_so(tile: Machine) -> None:
    load(tile, t0=programs.TIMES_OUT).run(300)
    assert monitor(tile, "why T0").splitlines()[:2] == [
        "T0: polls L1 0x20000, at 0x00002010: it is 0, and the loop ends when it is not 0",
        "    with a counter or a clock in the loop: it may end without the word",
    ]


def test_what_wrote_it_last_where_that_is_observed(tile: Machine) -> None:
    load(tile, t0=until("bne", 1, asm("fence")), b=store(FLAG, 2), nc=until("bne", 1, addr=OTHER))
    tile.check_state(("memory",))
    tile.run(300)
    tile.run(300)
    shown = monitor(tile, "why")
    assert "T0: polls L1 0x20000, at 0x00002010: it is 2, and the loop ends when it is 1" in shown
    assert "    B wrote it last, at 0x00001010 in cycle " in shown
    assert "\n    no instruction has written it\n" in shown
    assert "    B writes it at 0x00001010, and has ended or paused\n" in shown


def test_an_old_copy(tile: Machine) -> None:
    wait = [*li(X7, 100), asm("addi", rd=X7, rs1=X7, imm=-1), asm("bne", rs1=X7, imm=-4)]
    load(tile, t0=[*KEEPS_LINES, *until("bne", 1)], b=[*wait, *store(FLAG)])
    tile.run(2000)
    tile.run(2000)
    shown = monitor(tile, "why T0")
    assert "reads 0 from T0's L0 data cache, L1 has 1: a fence in the loop" in shown
    assert "GDB shows what L1 has" in shown


def test_a_semaphore_of_the_coprocessor(tile: Machine) -> None:
    load(tile, t0=until("bne", 1, addr=0xFFE80024)).run(300)
    shown = monitor(tile, "why T0")
    assert "T0: polls semaphore 1 of the coprocessor, at 0x00002010: it is 0, and" in shown


def test_a_register(tile: Machine) -> None:
    load(tile, nc=until("bne", 1, addr=0xFFB20208)).run(300)
    assert "NC: polls NIU_MST_RD_RESP_RECEIVED of NoC 0, at" in monitor(tile, "why NC")


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A tile with tt-metal's firmware in it, and cb 0 with two pages."""
    firmware = read_firmware(unpack(KNOWN, tmp_path_factory.mktemp("firmware")))
    machine = machine_on("reference", Schedule.LATENCY)
    machine.loader.set_hosted("firmware", firmware.images)
    made = Host(machine, firmware)
    put(made, {0: (0x1E000, 4096, 2, 2048)})
    for hart, addr in PROGRAMS.items():
        machine.load(hart, image([EBREAK] * 32, addr))
    yield made
    machine.close()


def run(host: Host, words: Sequence[int], hart: int = NC) -> None:
    """Run a program of a hart in place of its last one."""
    machine = host.machine
    for at, word in enumerate([*words, EBREAK]):
        machine.poke(B, PROGRAMS[hart] + 4 * at, word.to_bytes(4, "little"))
    machine.write_pc(hart, PROGRAMS[hart])
    machine.run(300)


def room_for(pages: int) -> list[int]:
    """cb_reserve_back: 2 - (received - acknowledged) >= pages; 2 received."""
    free = [asm("lw", rd=X6, rs1=X5), asm("addi", rd=X6, rs1=X6, imm=0)]
    return [
        *li(X5, ACKNOWLEDGED), *li(X8, pages), *free,
        asm("bltu", rs1=X6, rs2=X8, imm=-8), EBREAK,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("pages", "needs"),
    [
        (1, "it waits for 1 more to be popped"),
        (3, "it wants 3 pages of a ring of 2, which never fits"),
    ],
)
def test_a_circular_buffer_that_is_full(host: Host, pages: int, needs: str) -> None:
    machine = host.machine
    count(host, 0, 2, 0)
    run(host, room_for(pages))
    found = polling(machine, NC)
    assert found is not None
    counts = "2 received, 0 acknowledged: 2 of 2 pages"
    assert found.does == f"polls cb 0 for room, at 0x00040010: {counts}; {needs}"
    assert found.brief == "cb 0 for room"


def test_a_circular_buffer_that_is_empty(host: Host) -> None:
    machine = host.machine
    count(host, 0, 4, 4)
    run(host, until("bne", 5, addr=RECEIVED))
    found = polling(machine, NC)
    assert found is not None
    assert found.does == (
        "polls cb 0 for pages, at 0x00040010: 4 received, 4 acknowledged: empty; it waits for 1 "
        "more to be pushed"
    )


def test_a_circular_buffer_that_the_program_does_not_have(host: Host) -> None:
    run(host, until("bne", 5, addr=RECEIVED + 17 * STREAM_STRIDE))
    found = polling(host.machine, NC)
    assert found is not None
    assert found.brief == "cb 17, which the program does not have"
    assert "it is 0, and the loop ends when it is 5" in found.does


def test_a_semaphore_of_the_program(host: Host) -> None:
    machine = host.machine
    place = host.firmware.field("launch[0].kernel_config.sem_offset[0]")
    machine.poke(B, place.offset, (0x100).to_bytes(place.size, "little"))
    addr = KERNELS + 0x100 + 16 * 2
    assert addr < KERNELS + CONFIG
    machine.poke(B, addr, b"\2")
    run(host, until("bne", 1, addr=addr))
    found = polling(machine, NC)
    assert found is not None
    assert found.does.startswith(f"polls semaphore 2 of the program (L1 {addr:#x}), at ")
    assert found.does.endswith(": it is 2, and the loop ends when it is 1")


def test_a_mailbox_of_the_firmware(host: Host) -> None:
    machine = host.machine
    place = host.firmware.field("go_messages[0].signal")
    run(host, until("bne", 1, addr=place.offset & ~3))
    found = polling(machine, NC)
    assert found is not None
    assert found.brief.startswith("go_messages[0]")


def test_stores_in_code(tile: Machine) -> None:
    storereg = parse(f"STOREREG data_reg=4, addr_lo={ACKNOWLEDGED >> 2 & 0x3FFFF:#x}")
    pushed = (storereg << 2 | storereg >> 30) & 0xFFFFFFFF
    by_store = [*li(X5, 0xFFE40000), *li(X6, storereg), asm("sw", rs1=X5, rs2=X6)]
    load(tile, t0=[pushed, *by_store, EBREAK], b=store(FLAG), nc=[asm("jal", rd=1), *store(OTHER)])
    assert dict(stores_to(tile, ACKNOWLEDGED, 4)) == {T0: [0x2000, 0x2014]}
    assert dict(stores_to(tile, FLAG, 4)) == {B: [0x1010]}
    assert dict(stores_to(tile, FLAG + 4, 4)) == {}

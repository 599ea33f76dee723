# SPDX-License-Identifier: Apache-2.0
"""Harts of Wormhole: RV32IM and .ttinsn; the memories and their ends; where harts start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch import blackhole, wormhole
from tensix_gdb.core.arch.blackhole import HARTS, NC, T0, T1, T2, B
from tensix_gdb.core.arch.chips import BLACKHOLE, WORMHOLE
from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.map import Region, region_of, region_on
from tensix_gdb.core.program.elf import LoadError
from tensix_gdb.core.riscv.decode import decode, decode_on
from tensix_gdb.core.riscv.encoding import Instruction
from tensix_gdb.core.riscv.table import ILLEGAL, ROWS
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import EBREAK, NOP, asm, image, li
from tests.core.devices.scripts import Load, Store, fault_of, run
from tests.machines import ENGINES, SCHEDULES, machine_on

L1_END, IRAM = 0x16E000, 0xFFC00000
LOCAL = 0xFFB00000
TDMA = 0xFFB11000
# BabyRISCV/README.md, Instruction set: the base, M, and `.ttinsn`.
BASE = "lui auipc jal jalr beq bne blt bge bltu bgeu lb lh lw lbu lhu sb sh sw addi slti sltiu xori"
BASE += " ori andi slli srli srai add sub sll slt sltu xor srl sra or and fence.i ecall ebreak"
MULTIPLY = "mul mulh mulhsu mulhu div divu rem remu"
THERE = {*BASE.split(), *MULTIPLY.split(), ".ttinsn"}


@pytest.fixture(params=[(e, s) for e in ENGINES[:2] for s in SCHEDULES], ids=str)
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    engine, schedule = request.param
    machine = machine_on(engine, schedule, arch=Arch.WORMHOLE)
    yield machine
    machine.close()


def fault(tile: Machine, hart: int, *steps: Store | Load | int) -> Fault:
    """The fault of a program on the tile after a reset."""
    tile.images.clear()
    tile.reset()
    return fault_of(tile, hart, *steps)[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.name))
def test_what_harts_execute(row: Instruction) -> None:
    """RV32IM, ebreak, ecall and .ttinsn are Blackhole's; the rest is no instruction."""
    word = row.encoding.match
    if row.name in ("fence", "fence.i"):
        assert decode_on(word, WORMHOLE) == decode(NOP)
    elif row.name in THERE:
        assert decode_on(word, WORMHOLE) == decode(word)
    else:
        assert decode_on(word, WORMHOLE) & 0xFF == ILLEGAL
    assert decode_on(word, BLACKHOLE) == decode(word)


@pytest.mark.parametrize("name", ["amoadd.w", "csrrs", "sh1add", "fadd.s", "vsetvli", "mret"])
def test_an_extension_that_is_not_there_stops_by_name(tile: Machine, name: str) -> None:
    code, text = fault_of(tile, T2, asm(name))
    assert code is Fault.ILLEGAL_INSTRUCTION
    assert f"{asm(name):#010x}" in text


def test_a_program_of_rv32im(tile: Machine) -> None:
    program = [*li(5, 7), *li(6, 6), asm("mul", rd=10, rs1=5, rs2=6), asm("fence"), EBREAK]
    tile.load(B, image(program, 0x1000))
    stop = tile.run(1000)
    assert stop is not None
    assert stop.kind is StopKind.EBREAK, stop.text
    assert tile.read_x(B, 10) == 42


# first address of a kilobyte or page, who sees it, and what it is
# fmt: off
MAP = [
    (0x0016DFFC, "B T0 T1 T2 NC", Region.L1),
    (0x0016E000, "",              Region.NONE),
    (0xFFB11000, "B T0 T1 T2 NC", Region.TDMA),
    (0xFFB12000, "B T0 T1 T2 NC", Region.TILE_CONTROL),
    (0xFFB13000, "B T0 T1 T2 NC", Region.PIC),
    (0xFFB14000, "",              Region.NONE),
    (0xFFB20000, "B T0 T1 T2 NC", Region.NOC0),
    (0xFFB40000, "B T0 T1 T2 NC", Region.OVERLAY),
    (0xFFB80000, "T0 T1 T2",      Region.MOP_CONFIG),
    (0xFFBD8000, "",              Region.NONE),
    (0xFFC00000, "",              Region.NONE),
    (0xFFE00000, "B T0 T1 T2",    Region.GPR),
    (0xFFE40000, "B T0 T1 T2",    Region.PUSH),
    (0xFFE80000, "B T0 T1 T2",    Region.PCBUF),
    (0xFFE90000, "B",             Region.PCBUF),
    (0xFFEC0000, "B T0 T1 T2",    Region.MAILBOX),
    (0xFFEF0000, "B T0 T1 T2",    Region.CONFIG),
]
# fmt: on


@pytest.mark.parametrize(("addr", "harts", "region"), MAP)
def test_a_row_of_the_map(addr: int, harts: str, region: Region) -> None:
    machine = machine_on("reference", arch=Arch.WORMHOLE)
    other = machine_on("reference")
    for hart, name in enumerate(blackhole.HART_NAMES):
        seen = region if name in harts.split() else Region.NONE
        assert region_on(machine.S, hart, addr) == seen, name
        assert region_on(other.S, hart, addr) == region_of(hart, addr), name
    machine.close()
    other.close()


@pytest.mark.parametrize("hart", range(HARTS), ids=blackhole.HART_NAMES)
def test_memories_end_where_the_page_says(tile: Machine, hart: int) -> None:
    last = LOCAL + wormhole.LOCAL_BYTES[hart] - 4
    assert run(tile, hart, Store(last, 5), Load(last), Load(L1_END - 4)) == [5, 0]
    assert fault(tile, hart, Load(last + 4)) is Fault.LOAD_UNMAPPED
    assert fault(tile, hart, Store(last + 4, 1)) is Fault.STORE_UNMAPPED
    assert fault(tile, hart, Load(L1_END)) is Fault.LOAD_UNMAPPED
    assert fault(tile, hart, Store(0x17FFFC, 1)) is Fault.STORE_UNMAPPED
    assert fault(tile, hart, Load(IRAM)) is Fault.LOAD_UNMAPPED
    tile.load(hart, image([*li(5, L1_END), asm("jalr", rs1=5)], 0x20000))
    stop = tile.run(1000)
    assert stop is not None
    assert Fault(stop.code) is Fault.FETCH_OUTSIDE_L1


def test_a_debugger_sees_the_same_memories() -> None:
    machine = machine_on("reference", arch=Arch.WORMHOLE)
    assert len(machine.peek(T0, LOCAL, 0x2000)) == 0x800
    assert len(machine.peek(B, L1_END - 16, 64)) == 16
    for hart, addr in ((B, L1_END), (T1, LOCAL + 0x800), (B, IRAM), (T0, 0xFFB14000)):
        with pytest.raises(MemoryFault, match="cannot be read"):
            machine.peek(hart, addr, 4)
    with pytest.raises(MemoryFault, match="cannot be written"):
        machine.poke(B, L1_END - 2, bytes(4))
    assert len(machine.peek(NC, IRAM, 0x8000)) == 0x4000
    assert machine.read_csr(B, 0x301) is None
    machine.close()


def test_files_have_to_fit() -> None:
    machine = machine_on("reference", arch=Arch.WORMHOLE)
    with pytest.raises(LoadError, match="L1 ends at 0x16e000"):
        machine.load(B, image([EBREAK], L1_END))
    machine.close()


def test_a_store_is_not_merged_and_nothing_is_cached() -> None:
    """Another core's store is seen by the next load, which on Blackhole the L0 cache may hide."""
    for arch, sees in ((Arch.BLACKHOLE, 1), (Arch.WORMHOLE, 2)):
        machine = machine_on("compiled", Schedule.LATENCY, arch=arch)
        fill = [*li(5, 0x30000), asm("lw", rd=6, rs1=5), asm("add", rd=7, rs1=6)]
        machine.poke(B, 0x30000, (1).to_bytes(4, "little"))
        machine.load(B, image([*fill, *[NOP] * 400, asm("lw", rd=10, rs1=5), EBREAK], 0x1000))
        machine.load(
            T0, image([*[NOP] * 60, *li(5, 0x30000), asm("addi", rd=6, imm=2),
                       asm("sw", rs1=5, rs2=6), EBREAK], 0x6000)
        )  # fmt: skip
        while (stop := machine.run(5000)) is not None and stop.kind is StopKind.EBREAK:
            pass
        assert machine.read_x(B, 10) == sees
        machine.close()


def mover(src: int, dst: int, size: int) -> list[Store]:
    """Commands for TDMA-RISC: copy to what is not L1."""
    values = (src >> 4, dst >> 4, size >> 4, 1)
    stores = [Store(TDMA + 4 * i, value) for i, value in enumerate(values)]
    return [*stores, Store(TDMA + 0x10, 0x40)]


def test_instruction_ram(tile: Machine) -> None:
    """B copies a program there, and NC runs it; NC can do so too, but not by stores."""
    program = [*li(10, 77), asm("jal", imm=8), EBREAK, asm("addi", rd=11, rs1=10, imm=1), EBREAK]
    tile.load_bytes(0x40000, b"".join(word.to_bytes(4, "little") for word in program))
    run(tile, B, *mover(0x40000, 0x40100, 64))
    assert tile.peek(NC, IRAM + 0x100, 8) == tile.peek(B, 0x40000, 8)
    tile.images.clear()
    tile.load(NC, image([*li(5, IRAM + 0x100), asm("jalr", rs1=5)], 0x12000))
    stop = tile.run(1000)
    assert stop is not None
    assert (stop.kind, stop.hart) == (StopKind.EBREAK, NC), stop.text
    assert tile.read_pc(NC) == IRAM + 0x100 + 4 * 5
    assert (tile.read_x(NC, 10), tile.read_x(NC, 11)) == (77, 78)
    for hart, at in ((B, IRAM), (NC, IRAM + wormhole.IRAM_BYTES)):
        tile.load(hart, image([*li(5, at), asm("jalr", rs1=5)], 0x20000 + 0x1000 * hart))
        stop = tile.run(1000)
        assert stop is not None
        assert Fault(stop.code) is Fault.FETCH_OUTSIDE_L1


def test_the_mover_stays_in_the_instruction_ram() -> None:
    machine = machine_on("reference", arch=Arch.WORMHOLE)
    assert fault_of(machine, NC, *mover(0x40000, 0x43FF0, 32))[0] is Fault.MOVER_RANGE
    assert fault_of(machine, NC, *mover(L1_END - 16, 0x40000, 32))[0] is Fault.MOVER_RANGE
    machine.close()


SOFT_RESET, CONFIG = 0xFFB121B0, 0xFFEF0000
NAMED = {T0: (158, 1), T1: (159, 2), T2: (160, 4)}


def test_where_harts_start(tile: Machine) -> None:
    """SoftReset.md: words of the configuration say so; else it is as on Blackhole."""
    for hart in (T0, T1, T2):
        tile.load_bytes(blackhole.RESET_PC[hart], EBREAK.to_bytes(4, "little"))
    for addr in (0x50000, 0x51000):
        tile.load_bytes(addr, EBREAK.to_bytes(4, "little"))
    steps = [Store(CONFIG + 4 * 159, 0x50000), Store(CONFIG + 4 * 161, 2)]
    steps += [Store(CONFIG + 4 * 162, 0x51000), Store(CONFIG + 4 * 163, 1)]
    run(tile, B, *steps, Store(SOFT_RESET, 0))
    starts = [tile.read_pc(hart) for hart in (T0, T1, T2, NC)]
    assert starts == [0x6000, 0x50000, 0xE000, 0x51000]


def test_local_ram_outlives_a_reset() -> None:
    """SoftReset.md has nothing that clears it; Blackhole's has."""
    for arch, kept in ((Arch.BLACKHOLE, 0), (Arch.WORMHOLE, 9)):
        machine = machine_on("reference", arch=arch)
        machine.load_bytes(blackhole.RESET_PC[T0], EBREAK.to_bytes(4, "little"))
        machine.poke(T0, LOCAL + 8, (9).to_bytes(4, "little"))
        held = blackhole.SOFT_RESET_HARTS & ~(1 << 11)
        run(machine, B, Store(SOFT_RESET, held), Store(SOFT_RESET, held & ~(1 << 12)))
        assert int.from_bytes(machine.peek(T0, LOCAL + 8, 4), "little") == kept
        machine.close()


@pytest.mark.parametrize(
    ("word", "says"),
    [
        (asm("sh2add", rd=5, rs1=6, rs2=7), "it is Blackhole's sh2add: build it for Wormhole"),
        (asm("csrrs", rd=5, imm=0x7C0), "it is Blackhole's csrrs: build it for Wormhole"),
        (0xFFFFFFFF, "a jump into data, or code built for another core?"),
    ],
)
def test_a_program_of_blackhole_is_told_so(word: int, says: str) -> None:
    machine = machine_on("reference", arch=Arch.WORMHOLE)
    machine.load(T1, image([word, EBREAK], 0xA000))
    stop = machine.run(10)
    assert stop is not None
    assert says in stop.text
    machine.close()


def test_a_stack_of_blackhole_is_told_so() -> None:
    machine = machine_on("reference", arch=Arch.WORMHOLE)
    machine.load(T1, image([*li(2, LOCAL + 0x1000), asm("sw", rs1=2, imm=-4), EBREAK], 0xA000))
    stop = machine.run(10)
    assert stop is not None
    assert (
        "was the program linked for Blackhole? The local RAM of T1 ends at 0xffb01000 there, and "
        "at 0xffb00800 here" in stop.text
    )
    assert "`tensix-gdb build --arch wormhole`" in stop.text
    machine.close()

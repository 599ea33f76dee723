# SPDX-License-Identifier: Apache-2.0
"""Vector programs on T2: on both engines, in schedules with and without time."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T2
from tensix_gdb.core.assembly.rv32_read import assemble
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import image
from tests.machines import ENGINES, machine_on

START = 0x4000
RUNS = [(e, s) for e in ENGINES for s in (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)]


@pytest.fixture(params=RUNS, ids=str)
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    machine = machine_on(*request.param)
    yield machine
    machine.close()


def ends(machine: Machine, source: str) -> int:
    """Run a program of T2 to its ebreak; the cycles that it took."""
    words = [placed.word for placed in assemble(source + "\nebreak", START)]
    machine.load(T2, image(words, START))
    stop = machine.run(20000)
    assert stop is not None
    assert stop.kind is StopKind.EBREAK, stop.text
    return int(machine.S.tile.cycle)


def floats(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


def test_saxpy_in_strips(tile: Machine) -> None:
    """y = 2x + y over 21 numbers, as many at a time as vsetvli says."""
    xs, ys = [float(i) for i in range(21)], [100.0 - i for i in range(21)]
    tile.poke(T2, 0x8000, floats(*xs))
    tile.poke(T2, 0x9000, floats(*ys))
    ends(
        tile,
        """
        li a0,21
        lui a1,0x8
        lui a2,0x9
        lui a3,0x40000
        fmv.w.x fa0,a3
    again:
        vsetvli t0,a0,e32,m2,ta,ma
        vle32.v v8,(a1)
        vle32.v v12,(a2)
        vfmacc.vf v12,fa0,v8
        vse32.v v12,(a2)
        sub a0,a0,t0
        slli t0,t0,2
        add a1,a1,t0
        add a2,a2,t0
        bnez a0,again
        lw a4,-4(a2)                # the last store, seen by a scalar load
        """,
    )
    assert tile.peek(T2, 0x9000, 84) == floats(*(2 * x + y for x, y in zip(xs, ys, strict=True)))
    assert tile.read_x(T2, 14) == int.from_bytes(floats(2 * 20.0 + 80.0), "little")


def test_scalars_into_vectors_and_out(tile: Machine) -> None:
    """A chain through both register files: each step waits for the one before."""
    ends(
        tile,
        """
        lui a1,0x8
        li a0,7
        sw a0,0(a1)
        lw a2,0(a1)                 # a load that the next instruction waits for
        vsetivli t0,8,e16,m1,ta,ma
        vmv.v.x v1,a2
        vid.v v2
        vadd.vv v3,v1,v2            # 7 to 14
        vredsum.vs v4,v3,v2         # their sum, and element 0 of v2: 84
        vmv.x.s a3,v4
        addi a3,a3,1
        vmsgtu.vi v0,v3,10
        vcpop.m a4,v0
        vfirst.m a5,v0
        vsetvli t0,zero,e8,m1,ta,ma
        vadd.vi v5,v5,-1,v0.t
        vmv.x.s a6,v5
        """,
    )
    assert [tile.read_x(T2, n) for n in (13, 14, 15, 16)] == [85, 4, 4, 0]
    assert [int(tile.S.rvv.byte[5 * 16 + i]) for i in range(8)] == [0, 0, 0, 0, 255, 255, 255, 255]


def test_segments_strides_and_indices_in_local_ram(tile: Machine) -> None:
    tile.poke(T2, 0x8000, bytes(range(64)))
    ends(
        tile,
        """
        lui a1,0x8
        lui a2,0xffb00
        vsetivli t0,4,e8,mf4,ta,ma
        vlseg3e8.v v1,(a1)          # 0 3 6 9, 1 4 7 10, 2 5 8 11
        li a3,5
        vlse8.v v4,(a1),a3          # 0 5 10 15
        vloxei8.v v5,(a1),v4        # what stands there
        vsse8.v v2,(a2),a3
        vsetivli t0,4,e32,m1,ta,ma
        vle32.v v6,(a2)
        """,
    )
    v = [[int(tile.S.rvv.byte[16 * r + i]) for i in range(4)] for r in range(6)]
    assert v[1:] == [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11], [0, 5, 10, 15], [0, 5, 10, 15]]
    assert [int(tile.S.rvv.byte[16 * 6 + i]) for i in range(16)] == [
        1, 0, 0, 0, 0, 4, 0, 0, 0, 0, 7, 0, 0, 0, 0, 10,
    ]  # fmt: skip


def test_settings_as_csrs(tile: Machine) -> None:
    """CSRs.md: vl, vtype and vlenb are registers like others, vstart is always 0."""
    ends(
        tile,
        """
        vsetivli a0,9,e16,m2,tu,mu
        csrr a1,vl
        csrr a2,vtype
        csrr a3,vlenb
        csrwi vstart,3
        csrr a4,vstart
        li a5,33
        csrw vlenb,a5
        vsetvli a6,zero,e32,m4,ta,ma
        csrr a7,vlenb
        """,
    )
    assert [tile.read_x(T2, n) for n in range(10, 18)] == [9, 9, 0x09, 16, 0, 33, 16, 33]


def test_a_group_takes_as_many_cycles_as_it_has_registers() -> None:
    """And what reads the result waits until it has retired: nothing is forwarded to vectors."""
    cycles = {}
    for lmul in ("m1", "m4"):
        for second in ("vadd.vv v16,v8,v8", "vadd.vv v16,v24,v24"):
            machine = machine_on("reference", Schedule.LATENCY)
            body = f"vadd.vv v8,v24,v24\n{second}\n" * 4
            cycles[lmul, second] = ends(machine, f"vsetvli t0,zero,e32,{lmul},ta,ma\n{body}")
            machine.close()
    waits, free = "vadd.vv v16,v8,v8", "vadd.vv v16,v24,v24"
    assert cycles["m1", waits] > cycles["m1", free]
    assert cycles["m4", free] > cycles["m1", free]


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
@pytest.mark.parametrize("engine", ENGINES[:2])
def test_watch_sees_one_element(engine: str, schedule: Schedule) -> None:
    machine = machine_on(engine, schedule)
    source = "vsetivli t0,4,e32,m1,ta,ma\nvid.v v1\nlui a1,0x8\nvse32.v v1,(a1)\nebreak"
    machine.load(T2, image([placed.word for placed in assemble(source, START)], START))
    machine.add_watch(T2, 0x8008, 4, "write")
    stop = machine.run(2000)
    assert stop is not None
    assert stop.kind is StopKind.WATCH
    assert stop.pc == START + 12
    assert machine.peek(T2, 0x8000, 16) == bytes(16)
    machine.resume_from(T2)
    stop = machine.run(2000)
    assert stop is not None
    assert stop.kind is StopKind.EBREAK
    assert machine.peek(T2, 0x8000, 16) == bytes((0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0))
    machine.close()

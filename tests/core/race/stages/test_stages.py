# SPDX-License-Identifier: Apache-2.0
"""F1 to F9: two faces are added and packed, with stages that agree, and with one that does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, T2
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.race.state.table import BY_NAME
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.core.race.state.test_checks import push, store
from tests.core.tensix.drive import run
from tests.core.tensix.packer.packer import BF16, BFP8, FIELDS, FP16, INT16, configure, formats
from tests.core.tensix.programs import push_all
from tests.core.tensix.unpacker.unpack_model import Unpack, arrange
from tests.machines import machine_on

A, B_TILE, OUT, FACE = 0x10000, 0x14000, 0x20000, 256
CONFIG = 0xFFEF0000
ONE = 0x3F80
ADD = ["ZEROACC clear_mode=ALL_OF_DST", "ELWADD", "ELWADD"]
MOVE = ["MOVA2D src_row=0, dst_row=0, move_8_rows=1", "MOVA2D src_row=8, dst_row=8, move_8_rows=1"]
FULL, WAIT_FULL = "SEMPOST sem=S1", "SEMWAIT block=B0|B2, wait=C0, sem=S1"
MATH_DONE = "STALLWAIT block=B1, wait=C4"
PACKED = ["STALLWAIT block=B1, wait=C3", "SEMGET sem=S1"]
Change = Callable[[Machine], None]


def unpacker(tile: Machine, which: int, given: str = "BF16") -> str:
    """UNPACR of a face, which the Matrix Unit has then; the text."""
    addr, dest = (B_TILE, 0) if which else (A, 64)
    unpack = Unpack(
        unpacker=which, base=addr // 16, dims=(FACE, 1, 1, 1), dest=dest, given=given, wanted=given
    )
    arrange(tile.record.S, unpack)
    return unpack.text()


def set_up(tile: Machine, given: Sequence[str] = ("BF16", "BF16"), packed: int = BF16) -> list[str]:
    """Configure all stages alike; the instructions of the unpackers."""
    S = tile.record.S
    for addr in (A, B_TILE):
        for i in range(FACE):
            S.l1.half[(addr + 16) // 2 + i] = ONE
    for name in ("ADDR_MOD_AB_SEC0_SrcAIncr", "ADDR_MOD_AB_SEC0_SrcBIncr"):
        S.config.thread[1, FIELDS[name].word] |= 8 << FIELDS[name].low
    where = FIELDS["ADDR_MOD_DST_SEC0_DestIncr"]
    S.config.thread[1, where.word] |= 8 << where.low
    formats(
        tile,
        packed,
        packed,
        PCK0_ADDR_CTRL_XY_REG_0_Ystride=32,
        ADDR_MOD_PACK_SEC0_YsrcIncr=4,
        ADDR_MOD_PACK_SEC1_YsrcClear=1,
    )
    S.semaphore.max[1] = 1
    return [unpacker(tile, which, one) for which, one in enumerate(given)]


def pack(rows: int) -> list[str]:
    """PACR of rows of Dst, four at a time."""
    return ["PACR"] * (rows // 4 - 1) + ["PACR addr_mod=1, last=1"]


def go(
    change: Change = lambda tile: None,
    *,
    given: Sequence[str] = ("BF16", "BF16"),
    packed: int = BF16,
    math: Sequence[str] = ADD,
    before: Sequence[int] = (),
    ends: Sequence[str] = ("CLEARDVALID flip_src_a=1, flip_src_b=1",),
    rows: int = 16,
    engine: str = "reference",
) -> tuple[Machine, list[Report]]:
    """Run all stages, of which `change` makes one another; the findings."""
    tile = machine_on(engine, Schedule.LATENCY)
    unpack = set_up(tile, given, packed)
    change(tile)
    tile.check_state(("stages",))
    programs = {
        T0: push_all(unpack),
        T1: [
            *before,
            *push_all([*math, *ends, MATH_DONE, FULL]),
        ],
        T2: push_all([WAIT_FULL, *pack(rows), *PACKED]),
    }
    assert run(tile, programs) is not None
    return tile, list(tile.races().reports)


def found(*args: Change, **more: object) -> list[str]:
    tile, reports = go(*args, **more)  # type: ignore[arg-type]
    tile.close()
    return [report.check for report in reports]


def sets(**fields: int) -> Change:
    return lambda tile: configure(tile, **fields)


@pytest.mark.parametrize(
    "right",
    [
        {},
        {"given": ("FP16", "FP16"), "packed": FP16},
        {"given": ("INT16", "BF16"), "packed": INT16, "math": MOVE},
        {"math": ["ZEROACC clear_mode=ALL_OF_DST", "MVMUL", "MVMUL"]},
    ],
    ids=["BF16", "FP16", "integers without a zero byte", "a product"],
)
def test_stages_that_agree(right: dict[str, object]) -> None:
    assert found(**right) == []


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_16_bits_read_as_32(engine: str) -> None:
    """Both lines, both fields, both values, and what has written the one that a program writes."""
    field = FIELDS["ALU_ACC_CTRL_Fp32_enabled"]
    tile, (report, *more) = go(
        sets(PCK_DEST_RD_CTRL_Read_32b_data=1),
        before=store(CONFIG + 4 * field.word, BF16 << 25),
        engine=engine,
    )
    assert more == []
    assert (report.check, report.place.name, report.count) == ("F1", "dst 0", 16)
    assert (report.earlier.instruction, report.later.instruction) == ("ELWADD", "PACR")
    assert "has written the row as 16 bits, and PACR reads it as 32" in report.reason
    math, pack = report.settings
    assert (math.name, math.value) == ("ALU_ACC_CTRL_Fp32_enabled", "0x0")
    assert math.writer is not None
    assert (math.writer.agent, math.writer.instruction) == ("T1", "sw")
    assert (pack.name, pack.value) == ("PCK_DEST_RD_CTRL_Read_32b_data", "0x1")
    assert pack.writer is None
    tile.close()


def test_32_bits_read_as_16() -> None:
    assert found(sets(ALU_ACC_CTRL_Fp32_enabled=1)) == ["F1"]
    both = sets(ALU_ACC_CTRL_Fp32_enabled=1, PCK_DEST_RD_CTRL_Read_32b_data=1)
    assert found(both) == []


def test_one_exponent_read_as_another() -> None:
    assert found(given=("FP16", "FP16")) == ["F2"]
    assert found(packed=FP16) == ["F2"]


def test_integers_read_as_floats() -> None:
    assert found(given=("INT16", "BF16"), math=MOVE) == ["F2"]


def test_a_bank_that_an_instruction_leaves() -> None:
    """The format is that of the bank that it has read, and not of the next one."""

    def next_ones(tile: Machine) -> None:
        for source in range(2):
            tile.record.S.src.format[source, 1] = FP16

    leaves = ["ZEROACC clear_mode=ALL_OF_DST", "ELWADD", "ELWADD flip_src_a=1, flip_src_b=1"]
    tile, reports = go(next_ones, math=leaves, ends=())
    assert reports == []
    tile.close()


def test_what_zeroacc_has_cleared_has_no_format() -> None:
    clears = [*ADD, "ZEROACC clear_mode=ALL_OF_DST"]
    assert found(packed=FP16, math=clears) == []


@pytest.mark.parametrize(("given", "check"), [("FP16", ["F3"]), ("BF16", [])])
def test_a_tile_that_is_packed_and_unpacked(given: str, check: list[str]) -> None:
    tile, _ = go()
    unpack = Unpack(base=OUT // 16 - 1, dims=(FACE, 1, 1, 1), dest=64, given=given, wanted=given)
    arrange(tile.record.S, unpack)
    run(tile, {T0: push_all([unpack.text()])})
    assert [report.check for report in tile.races().reports] == check
    tile.close()


@pytest.mark.parametrize(
    ("given", "check"),
    [("BFP8", []), ("BFP4", ["F3"]), ("BFP8a", ["F3"]), ("BF16", ["F3"])],
    ids=["as it is", "another size", "another exponent", "no exponents"],
)
def test_a_tile_of_block_float(given: str, check: list[str]) -> None:
    """The exponents of its rows come before its datums."""
    tile, _ = go(sets(THCON_SEC0_REG1_Out_data_format=BFP8))
    unpack = Unpack(base=OUT // 16 - 1, dims=(FACE, 1, 1, 1), dest=64, given=given, wanted=given)
    arrange(tile.record.S, unpack)
    stop = run(tile, {T0: push_all([unpack.text()])})
    assert stop is not None
    # Exponents of 8 bits are no exponents of 5: a fault, and the finding says why.
    assert stop.kind is (StopKind.FAULT if given == "BFP8a" else StopKind.ALL_PAUSED)
    reports = tile.races().reports
    assert [report.check for report in reports] == check
    for report in reports:
        packer, descriptor = report.settings
        assert (packer.name, packer.value) == ("THCON_SEC0_REG1_Out_data_format", "BFP8")
        assert descriptor.value == given.upper()
    tile.close()


def test_a_tile_that_a_hart_has_written_over() -> None:
    tile, _ = go()
    unpack = Unpack(base=OUT // 16 - 1, dims=(FACE, 1, 1, 1), dest=64, given="FP16", wanted="FP16")
    arrange(tile.record.S, unpack)
    run(tile, {T0: [*store(OUT, 1), *push("STALLWAIT block=B3, wait=C10", unpack.text())]})
    assert tile.races().reports == ()
    tile.close()


def test_an_edge_mask() -> None:
    masks = sets(PCK_EDGE_OFFSET_SEC0_mask=0xFF)
    tile, (report,) = go(masks)
    assert report.check == "F4"
    assert "Column 8 of the row is not 0, and the mask is 0x00ff" in report.reason
    tile.close()
    product = ["ZEROACC clear_mode=ALL_OF_DST", "MVMUL", "MVMUL"]
    assert found(masks, math=product) == []


def adds(rows: int, first: int = 0) -> list[str]:
    """ELWADD of the first rows of the banks into rows of Dst, eight at a time."""
    return [f"ELWADD addr_mod=1, dst_row={first + row}" for row in range(0, rows, 8)]


CLEAR = "ZEROACC clear_mode=ALL_OF_DST"
REDUCES = ["MVMUL addr_mod=1, dst_row=64", "MVMUL addr_mod=1, dst_row=72"]


@pytest.mark.parametrize(
    ("math", "check"),
    [
        ([*REDUCES, *adds(64)], ["F4"]),  # the tile after the reduction
        ([*REDUCES, *adds(16)], []),  # the others have what was there: they may not matter
        ([*adds(64), "MVMUL addr_mod=1"], []),  # what is reduced has lain there
        ([*REDUCES, *adds(64), "SFPLOAD addr_mod=1", "SFPSTORE addr_mod=1"], []),  # as SFPU reduces
    ],
    ids=["a mask of the reduction before", "a part", "a reduction", "a part by the Vector Unit"],
)
def test_an_edge_mask_of_the_same_kernel(math: list[str], check: list[str]) -> None:
    masks = sets(PCK_EDGE_OFFSET_SEC0_mask=0xFF)
    assert found(masks, math=[CLEAR, *math]) == check


def test_a_mask_and_an_operation_of_the_vector_unit() -> None:
    """Each datum of the tile is written by it, in place: nothing was reduced."""
    vector = [
        f"{name} addr_mod=1, imm10={row + odd}"
        for row in range(0, 64, 4)
        for odd in (0, 2)
        for name in ("SFPLOAD", "SFPSTORE")
    ]
    masks = sets(PCK_EDGE_OFFSET_SEC0_mask=0xFF)
    math = [CLEAR, *REDUCES, *adds(64), "STALLWAIT block=B8, wait=C4", *vector]
    math.append("STALLWAIT block=B1, wait=C11")
    assert found(masks, math=math) == ["F4"]


@pytest.mark.parametrize(
    ("math", "rows", "check"),
    [
        (adds(32), 64, ["F9"]),  # two faces of four
        (adds(32), 32, []),
        (adds(64), 64, []),
        (adds(8), 64, []),  # a part of a face: rows that are not asked for
        ([], 64, []),  # a tile of zeros
        ([*REDUCES, "MVMUL addr_mod=1", "MVMUL addr_mod=1, dst_row=8"], 64, []),
    ],
)
def test_faces_that_nothing_has_written(math: list[str], rows: int, check: list[str]) -> None:
    assert found(math=[CLEAR, *math], rows=rows) == check


def test_both_numbers_of_rows_and_the_instruction() -> None:
    tile, (report,) = go(math=[CLEAR, *adds(32)], rows=64)
    assert (report.place.name, report.count) == ("dst 32", 32)
    assert "ELWADD has written 32 of the 64 rows of the tile, and PACR reads a row that is" in (
        report.reason
    )
    tile.close()


@pytest.mark.parametrize(("stride", "check"), [(512, []), (1024, ["F8"]), (256, ["F8"])])
def test_a_face_at_the_stride_of_another_format(stride: int, check: list[str]) -> None:
    """The second face of SrcB."""
    tile, _ = go()
    unpack = Unpack(
        unpacker=1, base=B_TILE // 16, dims=(FACE, 1, 1, 1), dest=0, given="BF16", wanted="BF16",
        strides=(0, stride, 0), out_counters=(255, 0, 1, 0),
    )  # fmt: skip
    arrange(tile.record.S, unpack)
    run(tile, {T0: push_all([unpack.text()])})
    reports = tile.races().reports
    assert [report.check for report in reports] == check
    for report in reports:
        stride_field, form = report.settings
        assert (stride_field.name, stride_field.value) == (
            "UNP1_ADDR_CTRL_ZW_REG_1_Zstride",
            f"{stride:#x}",
        )
        assert (form.name, form.value) == ("THCON_SEC1_REG2_Out_data_format", "BF16")
    tile.close()


@pytest.mark.parametrize(
    ("given", "stride", "face", "check"),
    [
        ("FP32", 1024, 1, []),
        ("FP32", 512, 1, ["F8"]),
        ("FP32", 512, 0, []),  # the first face: no stride counts
        ("BF16", 512, 1, []),
        ("BF16", 1024, 1, ["F8"]),
    ],
)
def test_a_face_of_dst_at_the_stride_of_another_format(
    given: str, stride: int, face: int, check: list[str]
) -> None:
    tile = machine_on("reference", Schedule.LATENCY)
    tile.check_state(("stages",))
    unpack = Unpack(
        base=A // 16, dims=(FACE, 1, 1, 1), dest=64, given=given, wanted=given, to_dst=True,
        override=False, flip=False, strides=(0, stride, 0), out_counters=(255, 0, face, 0),
    )  # fmt: skip
    arrange(tile.record.S, unpack)
    stop = run(tile, {T0: push_all([unpack.text()])})
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    assert [report.check for report in tile.races().reports] == check
    tile.close()


@pytest.mark.parametrize(
    ("stride", "way", "check"),
    [
        (512, {"add_dest": True}, []),
        (1024, {"add_dest": True}, ["F8"]),
        (256, {"add_dest": True}, ["F8"]),
        (1024, {"add_dest": False}, []),  # to the address of its context: no stride counts
        (1024, {"multi": False, "dest": 0}, ["F8"]),
        (256, {"add_dest": True, "dims": (128, 1, 1, 1), "out_counters": (127, 0, 1, 0)}, []),
    ],
    ids=["right", "32 bits", "8 bits", "no counter", "no context", "LLK's fast tilize"],
)
def test_a_face_of_src_a_at_the_stride_of_another_format(
    stride: int, way: dict[str, Any], check: list[str]
) -> None:
    tile = machine_on("reference", Schedule.LATENCY)
    tile.check_state(("stages",))
    described: dict[str, Any] = {"dims": (FACE, 1, 1, 1), "out_counters": (255, 0, 1, 0)} | way
    unpack = Unpack(base=A // 16, given="BF16", wanted="BF16", strides=(0, stride, 0), **described)
    arrange(tile.record.S, unpack)
    stop = run(tile, {T0: push_all([unpack.text()])})
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    reports = tile.races().reports
    assert [report.check for report in reports] == check
    for report in reports:
        assert report.place.name == "faces of SrcA"
        assert report.settings[0].name == "UNP0_ADDR_CTRL_ZW_REG_1_Zstride"
    tile.close()


def test_sources_of_two_families() -> None:
    tile, (report,) = go(given=("BF16", "FP16"))
    assert (report.check, report.place.name) == ("F5", "src b")
    assert "has filled SrcB as FP16, and ELWADD takes it for BF16" in report.reason
    tile.close()


def test_integers_as_floats() -> None:
    assert found(given=("INT16", "BF16"))[0] == "F5"


def test_integers_that_count_as_0() -> None:
    def even(tile: Machine) -> None:
        tile.record.S.l1.half[(A + 16) // 2] = 0x4000

    integers: dict[str, object] = {"given": ("INT16", "BF16"), "packed": INT16, "math": MOVE}
    tile, (report,) = go(even, **integers)  # type: ignore[arg-type]
    assert report.check == "F6"
    assert "MOVA2D has made 0 of 0x4000" in report.reason
    tile.close()

    def kept(tile: Machine) -> None:
        even(tile)
        configure(tile, ALU_ACC_CTRL_Zero_Flag_disabled_src=1)

    assert found(kept, **integers) == []


def test_a_stride_of_another_format() -> None:
    assert found(sets(PCK0_ADDR_CTRL_XY_REG_0_Ystride=64)) == ["F7"]


def test_a_new_kernel_knows_nothing_of_an_old_one() -> None:
    tile, _ = go()
    tile.kernel_begins()
    configure(tile, PCK_DEST_RD_CTRL_Read_32b_data=1)
    run(tile, {T2: push_all(["PACR"])})
    assert tile.races().reports == ()
    tile.close()


def test_the_table() -> None:
    assert [name for name in BY_NAME if name.startswith("F")] == [f"F{i}" for i in range(1, 10)]

# SPDX-License-Identifier: Apache-2.0
"""Scripted breakpoint tests: what a test of a program can say, on the demo and on own programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.dwarf.scope import NoSuchName
from tensix_gdb.core.dwarf.types import WrongType
from tensix_gdb.gdbstub.testing import Hart, NotStopped, Tile, open_tile
from tensix_gdb.gdbstub.testing.program import NoSuchPlace
from tests.conftest import Build
from tests.programs.build import PROGRAMS

Elfs = dict[str, Path]


def line_of(program: str, marker: str) -> int:
    lines = (PROGRAMS / f"{program}.c").read_text().splitlines()
    (found,) = [number for number, text in enumerate(lines, 1) if marker in text]
    return found


@pytest.fixture
def shapes(program: Build) -> Tile:
    return Tile(b=program("shapes", "B"), engine="reference", sources=[PROGRAMS])


@pytest.fixture
def demo(demo_elfs: Elfs) -> Tile:
    return Tile(engine="reference", **{hart.lower(): path for hart, path in demo_elfs.items()})


def test_stops_in_source(demo: Tile) -> None:
    stop = demo.run_to("filter")
    assert (stop.reason, stop.hart, stop.function) == ("breakpoint", demo.t0, "filter")
    assert (stop.at("filter"), stop.at("weigh")) == (True, False)
    assert stop.at(f"{stop.file}:{stop.line}")
    assert stop.at(stop.pc)
    assert [frame.function for frame in demo.t0.frames()] == ["filter", "main", "_start"]
    assert demo.t0.frame("main").line > 0
    assert demo.t0["pipeline.ring.read"] == 1
    assert demo.t0.value("sample.number", frame="main") == 0


def test_a_condition_in_python(demo: Tile) -> None:
    seventh = demo.break_at("publish", when=lambda hart: hart["me.done"] == 7)
    stop = demo.run()
    assert (demo.t0["me.done"], seventh.hits, seventh.evaluated) == (7, 1, 8)
    assert stop.hart.name == "T0"
    assert demo.t0.locals("main")["window"] == demo.t0.value("window", "main")
    demo.delete(seventh)
    assert demo.run_to_end("t0", "nc").reason == "ebreak"
    assert [demo.t0.state[:6], demo.b.state, demo.t0["me.done"]] == ["paused", "ready", 32]
    demo.b["pipeline.go_home"] = 1
    demo.run_to_end()
    assert demo.machine.idle()


def test_structures_arrays_and_bit_fields(shapes: Tile) -> None:
    shapes.run_to(f"shapes.c:{line_of('shapes', 'everything has its value')}")
    b = shapes.b
    assert b["copy.rows"] == [[1, 2, 3], [4, 5, 59995]]
    assert b["*given"] == {
        "format": 9,
        "shift": -3,
        "unit": 2,
        "enabled": True,
        "rows": [[1, 2, 3], [4, 5, 60000]],
        "name": b"unpack\0\0",
        "word": {"whole": 0x8091A2B3, "half": [0xA2B3, 0x8091], "lowest": 0xB3, "second": -0x5E},
        "mood": -2,
        "scale": -1.5,
        "exact": 0.1,
        "first": b.address("nodes"),
        "big": -0x123456789ABCDEF,
        "anything": b.address("nodes"),
        "handler": b.address("twice"),
    }
    assert str(b["given->unit"]) == "PACK"
    assert str(b["config.mood"]) == "ANGRY"
    assert b["given->first->next->value"] == -20
    assert b["*nodes@3"][2].value == 30
    assert b["nodes[1]"] == {"next": b["&nodes[2]"], "value": -20}
    assert b["grid"] == [[1, 2], [3, 0xFFFFFFFB]]
    assert b["inside"] == 59995 + 200


def test_setting_variables(shapes: Tile) -> None:
    shapes.run_to("mixed")
    b = shapes.b
    b["config.shift"] = -16
    b["config.format"] = 15
    b["config.unit"] = 1
    b["config.rows[1]"] = [7, 8, 9]
    b["config.mood"] = "EAGER"
    b["config.scale"] = 0.25
    b["config.name"] = b"pack"
    assert b["config.shift"] == -16
    assert b["config.format"] == 15
    assert b["config.enabled"] is True
    assert b["config.rows"][1] == [7, 8, 9]
    assert (b["config.mood"], b["config.scale"]) == (4, 0.25)
    assert b["config.name"] == b"pack" + bytes(4)
    b["less"] = 100
    assert b.signed("a2") == 100
    shapes.run_to(f"shapes.c:{line_of('shapes', 'everything has its value')}")
    assert b["copy.rows[1][2]"] == 9 + 100


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("config.shift", 32, "does not fit"),
        ("config.rows[1]", [1], "takes 3 values"),
        ("config.mood", "SAD", "no enumerator SAD"),
        ("config.word", 1, "assign to one of its parts"),
        ("config.name", b"much too long", "13 bytes do not fit"),
        ("turns", 1 << 32, "does not fit int"),
        ("turns", "x", "no enumerator"),
    ],
)
def test_what_cannot_be_set(shapes: Tile, path: str, value: object, sentence: str) -> None:
    shapes.run_to("mixed")
    before = shapes.hash()
    with pytest.raises(WrongType, match=sentence):
        shapes.b[path] = value
    assert shapes.hash() == before


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("nothing", "no variable nothing in mixed"),
        ("config.nothing", "struct|config has no member nothing"),
        ("config.rows[2]", "has 2 elements"),
        ("turns.x", "it has no member x"),
        ("turns[0]", "it has no element"),
        ("*turns", "no pointer"),
        ("config..x", "is not .member"),
        ("1 + 1", "is not a path"),
    ],
)
def test_what_cannot_be_named(shapes: Tile, path: str, sentence: str) -> None:
    shapes.run_to("mixed")
    with pytest.raises(NoSuchName, match=sentence):
        shapes.b[path]


def test_places(shapes: Tile) -> None:
    with pytest.raises(NoSuchPlace, match=r"no function, symbol or line .*; there is sum_of"):
        shapes.break_at("sum_of_all")
    with pytest.raises(NoSuchPlace, match="no function, symbol or line"):
        shapes.break_at("shapes.c:9999")
    with pytest.raises(LookupError, match="there is no hart x"):
        shapes.step("x")
    assert shapes.breakpoints == []
    stop = shapes.run_to("main+4")
    assert stop.pc == shapes.b.address("main") + 4
    with pytest.raises(NotStopped, match=r"(?s)did not get to _start\n.*#0 _start.*paused"):
        shapes.run_to("_start")


def test_steps_by_lines(shapes: Tile) -> None:
    shapes.run_to("main")
    call = line_of("shapes", "result += depth(config.first)")
    assert [shapes.next_line("b").at(f"shapes.c:{call + n}") for n in (-2, 0)] == [True] * 2
    assert shapes.stop is not None
    assert shapes.stop.function == "main"
    shapes.run_to("twice")
    assert shapes.b["calls"] == 0
    back = shapes.finish("b")
    assert (back.reason, back.function, shapes.b["twice::calls"]) == ("step", "mixed", 1)


def test_a_step_goes_into_a_function_and_finish_out_of_it(program: Build) -> None:
    with Tile(b=program("calls", "B", optimize="-O0"), engine="reference") as tile:
        tile.run_to("outer")
        stop = tile.step_line("b")
        assert (stop.function, tile.b["value"]) == ("middle", 2)
        stop = tile.step_line("b")
        assert (stop.function, tile.b["value"]) == ("inner", 12)
        chain = [frame.function for frame in tile.b.frames()]
        assert chain == ["inner", "middle", "outer", "main", "_start"]
        assert tile.b.value("value", frame="outer") == 1
        tile.finish("b")
        assert tile.b.function == "middle"
        assert tile.b.registers["a0"] == 25
        bottom = tile.break_at(f"calls.c:{line_of('calls', 'the bottom of the recursion')}")
        tile.run()
        assert [f.function for f in tile.b.frames()].count("factorial") == 6
        tile.delete(bottom)
        tile.finish("b")
        assert [f.function for f in tile.b.frames()].count("factorial") == 5


def test_registers(shapes: Tile) -> None:
    shapes.run_to("twice")
    registers = shapes.b.registers
    assert registers["pc"] == shapes.b.pc
    assert registers["a0"] == registers["x10"]
    assert registers["s0"] == registers["fp"] == registers["x8"]
    registers["a0"] = 21
    shapes.finish("b")
    assert registers["a0"] == 42
    with pytest.raises(KeyError, match="B has no register b7"):
        registers["b7"]
    with pytest.raises(LookupError, match="0x20000000"):
        shapes.b.read(0x20000000, 4)


def test_watching(shapes: Tile) -> None:
    shapes.run_to("main")
    watch = shapes.watch("config.rows", hart="b")
    turns = shapes.watch("turns", hart="b", when=lambda hart: hart.function == "depth")
    stop = shapes.run()
    assert (stop.reason, stop.function, turns.hits, watch.hits) == ("watchpoint", "depth", 1, 0)
    assert stop.addr == shapes.b.address("turns")


def test_a_false_condition_changes_nothing(demo_elfs: Elfs) -> None:
    hashes = []
    for condition in (None, lambda hart: False):
        with Tile(engine="reference", **{h.lower(): p for h, p in demo_elfs.items()}) as tile:
            if condition is not None:
                tile.break_at("weigh", when=condition)
            tile.run_to_end("t0")
            hashes.append(tile.hash())
    assert hashes[0] == hashes[1]


def test_going_back(shapes: Tile) -> None:
    shapes.run_to("sum_of")
    kept, before = shapes.snapshot(), shapes.hash()
    shapes.run_to("mixed")
    assert shapes.hash() != before
    shapes.restore(kept)
    assert shapes.hash() == before
    assert shapes.b.function == "sum_of"


def test_a_run_that_does_not_end(program: Build) -> None:
    with Tile(b=program("spin", "B"), engine="reference", sources=[PROGRAMS]) as tile:
        with pytest.raises(NotStopped) as caught:
            tile.run(cycles=2000)
        tile.b["stop"] = 1
        assert tile.run_to_end().reason == "ebreak"
    assert "nothing stopped the tile in 2000 cycles" in str(caught.value)


def test_the_report_shows_the_source(shapes: Tile) -> None:
    shapes.run_to(f"shapes.c:{line_of('shapes', 'the deepest')}")
    report = shapes.report()
    assert f"-> {line_of('shapes', 'the deepest'):4}          turns++; /* the deepest */" in report
    assert report.count(" depth (node=") == 3
    assert "here = 30" in report
    assert "T0 in reset" in report


async def test_the_same_with_await(demo_elfs: Elfs) -> None:
    async with open_tile(
        engine="reference", **{hart.lower(): path for hart, path in demo_elfs.items()}
    ) as tile:
        stop = await tile.run_to("filter")
        assert stop.hart["window[0]"] == stop.hart.value("sample.value", "main")
        assert (await tile.step("t0")).reason == "step"
        assert (await tile.finish("t0")).function == "main"
        before = tile.t0["me.done"]
        await tile.run_to("filter")
        assert tile.t0["me.done"] == before + 1
        assert (await tile.run_to_end("t0")).reason == "ebreak"


def test_an_exception_says_where_the_tile_stands(demo: Tile) -> None:
    def ask(hart: Hart) -> bool:
        raise ZeroDivisionError

    def fails() -> None:
        with demo as tile:
            tile.break_at("filter", when=ask)
            tile.run()

    with pytest.raises(ZeroDivisionError) as caught:
        fails()
    assert any("#0 filter" in note for note in caught.value.__notes__)

# SPDX-License-Identifier: Apache-2.0
"""A device is a file and a row of the table: the row is enough for harts, debugger and record."""

from __future__ import annotations

import inspect
import itertools
import subprocess
import sys
from pathlib import Path

import pytest

from tensix_gdb.core.machine.parts import PARTS
from tensix_gdb.core.memory.devices import DEVICES, Device
from tensix_gdb.core.memory.map import PAGE_SHIFT, Region
from tensix_gdb.core.memory.streams import FIRST, NOWHERE
from tests.patience import HANG

ROOT = Path(__file__).resolve().parents[3]
# fmt: off
FUNCTIONS = {
    "read":  ["S", "hart", "addr", "size"],
    "write": ["S", "hart", "addr", "size", "value"],
    "peek":  ["S", "hart", "addr"],
}
# fmt: on
REQUESTED = [device for device in DEVICES if device.module]


@pytest.mark.parametrize("device", REQUESTED, ids=lambda device: device.key)
def test_a_module_has_the_functions_of_a_device(device: Device) -> None:
    module = device.load()
    for name, parameters in FUNCTIONS.items():
        if name != "peek" or hasattr(module, name):
            assert list(inspect.signature(getattr(module, name)).parameters) == parameters


def test_only_memories_of_the_hart_itself_have_no_module() -> None:
    assert [device.key for device in DEVICES if not device.module] == ["NONE", "L1", "LOCAL"]


def test_a_region_has_a_name_and_a_row() -> None:
    assert [region.name for region in Region] == [device.key for device in DEVICES]
    assert len({device.name for device in DEVICES}) == len(DEVICES)


def test_spans_are_whole_pages_and_do_not_overlap() -> None:
    spans = sorted((span.start, span.end) for device in DEVICES for span in device.spans)
    assert all(at % (1 << PAGE_SHIFT) == 0 for span in spans for at in span)
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))


def test_streams_follow_the_rows() -> None:
    assert FIRST[-1] == NOWHERE == sum(len(device.latencies) for device in DEVICES)


def test_parts_of_devices_are_in_the_record_once() -> None:
    names = [part.name for part in PARTS]
    assert len(set(names)) == len(names)
    for device in REQUESTED:
        assert {part.name for part in getattr(device.load(), "PARTS", ())} <= set(names)


TOY = '''
"""A device for a test: a word that reads as one more than was written."""
from tensix_gdb.core.devices.registers import Access, Register
from tensix_gdb.core.record.layout import Part, Tag, View, row

TOY = Part("toy", (row("word", "u32", (), Tag.ARCHITECTURAL, "what was written"),))
PARTS = (TOY,)
WINDOW = (Register(0, "TOY_WORD", Access.READ_WRITE, "the word"),)


def peek(S: View, hart: int, addr: int) -> int:
    return S.toy.word


def read(S: View, hart: int, addr: int, size: int) -> int:
    return S.toy.word + 1


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    S.toy.word = value
    return 0


def power_up(S: View) -> None:
    S.toy.word = 6
'''
# The row stands before anything is made from the table.
RUN = """
import sys
import tensix_gdb.core.devices
from tensix_gdb.core.memory import devices

tensix_gdb.core.devices.__path__.append(sys.argv[1])
span = devices.Span(0xFFF00000, 0xFFF01000, (devices.B,))
devices.DEVICES += (devices.Device("TOY", "the toy", (span,), (20,), "toy"),)

from tensix_gdb.core.arch.blackhole import B, T0
from tensix_gdb.core.devices.blocks import register_name
from tensix_gdb.core.memory.map import describe
from tensix_gdb.core.schedule import Schedule
from tests.core.devices.scripts import Load, Store, until_pause
from tests.machines import machine_on

TOY = 0xFFF00000
for schedule in (Schedule.SC, Schedule.LATENCY):
    tile = machine_on(sys.argv[2], schedule)
    assert describe(B, TOY) == "the toy" and describe(T0, TOY) == "nothing"
    assert register_name(B, TOY) == "TOY_WORD"
    assert until_pause(tile, B, Load(TOY), Store(TOY, 41), Load(TOY)) == [7, 42]
    assert tile.S.toy.word == 41
    assert tile.peek(B, TOY, 4) == (41).to_bytes(4, "little")
    tile.close()
print("fine")
"""


@pytest.mark.long("each device of tests/core/devices is a file and a row")
@pytest.mark.parametrize("engine", ["reference", "checked"])
def test_a_file_and_a_row_make_a_device(engine: str, tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text(TOY)
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path), engine],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "fine\n"

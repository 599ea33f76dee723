# SPDX-License-Identifier: Apache-2.0
"""Profiles: every cycle has its function, also through tail calls, recursion and interrupts."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from scripts.examples.tensix.threads import THREADS
from tensix_gdb.core.arch.blackhole import NC, SOFT_RESET_BIT, B
from tensix_gdb.core.counting.tree import Call
from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.core.dwarf.leb128 import uleb
from tensix_gdb.core.program.elf import Image, Symbol, read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.tensix.output.profile import Profile
from tests.assembler import EBREAK, asm, image
from tests.gdbstub.tensix.programs import run
from tests.machines import ENGINES, machine_on
from tests.programs.build import PROGRAMS, build
from tests.tools import find_tool

RA = 1
CALL, TAIL, RETURN, NOP = "call", "tail", "return", "nop"


def program(**functions: str) -> Image:
    """Functions of `nop`, `call NAME`, `tail NAME` and `return`, one behind the other; ra is saved
    in a register of each function's own."""
    places, at = {}, 0
    parts = {name: text.split(", ") for name, text in functions.items()}
    for name, lines in parts.items():
        places[name] = at
        at += 4 * (len(lines) + 2)
    code: list[int] = []
    for number, lines in enumerate(parts.values()):
        saved = 16 + number
        code += [asm("addi", rd=saved, rs1=RA), asm("addi")]
        for line in lines:
            word, _, name = line.partition(" ")
            here = 4 * len(code)
            if word == CALL:
                code.append(asm("jal", rd=RA, imm=places[name] - here))
            elif word == TAIL:
                code.append(asm("jal", imm=places[name] - here))
            elif word == RETURN:
                code.append(asm("jalr", rs1=RA))
            elif word == "restore":
                code.append(asm("addi", rd=RA, rs1=saved))
            else:
                code.append(EBREAK if word == "end" else asm("addi"))
    made = image(code)
    made.symbols = {
        name: Symbol(name, place, 4 * (len(parts[name]) + 2), is_function=True)
        for name, place in places.items()
    }
    made.tables.functions = list(made.symbols.values())
    return made


def tree(profile: Profile, call: Call) -> list[object]:
    below = [tree(profile, one) for one in call.below]
    return [profile.function(B, call.pc), call.calls, call.spent, *below]


@pytest.mark.parametrize("engine", ENGINES)
def test_calls_tail_calls_and_their_cycles(engine: str) -> None:
    machine = machine_on(engine)
    machine.load(
        B,
        program(
            main="call f, nop, call f, call g, end",
            f="call g, restore, tail h",
            g="nop, return",
            h="nop, nop, return",
        ),
    )
    profile = Profile(machine, machine.count())
    while not machine.idle():
        machine.run(3)
    # Each function has two instructions in front of those that are named.
    (main,) = profile.counts.calls(B).below
    assert tree(profile, main) == [
        *("main", 1, 6),
        *(["f", 2, 10, ["g", 2, 8]], ["h", 2, 10], ["g", 1, 4]),
    ]
    assert [(one.name, one.own, one.total, one.calls) for one in profile.functions(B)] == [
        ("g", 12, 12, 3),
        ("f", 10, 18, 2),
        ("h", 10, 10, 2),
        ("main", 6, 38, 1),
    ]


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY], ids=lambda s: s.name)
def test_functions_have_the_cycles_that_a_look_at_every_cycle_finds(
    schedule: Schedule, tmp_path: Path
) -> None:
    find_tool("riscv64-unknown-elf-gcc")
    elf = read_elf(build(PROGRAMS / "calls.c", "B", tmp_path / "calls.elf"))
    machine = machine_on("compiled", schedule)
    machine.load(B, elf)
    profile = Profile(machine, machine.count())
    seen: Counter[str] = Counter()
    while not machine.idle() and machine.S.tile.cycle < 3000:
        # Before a cycle the pc is that of the instruction which is executed in it or waits.
        function = elf.function_at(machine.read_pc(B))
        assert function is not None
        seen[function.name] += 1
        machine.run(1)
    found = {one.name: one for one in profile.functions(B)}
    # In the cycle in which a hart pauses it executes nothing.
    seen["_start"] -= seen.total() - profile.counts.time(B)
    assert {name: one.own for name, one in found.items() if one.own} == +seen
    assert found["_start"].total == profile.counts.time(B)
    deepest = found["factorial"]
    assert deepest.calls > 1
    assert deepest.own <= deepest.total < profile.counts.time(B)


@pytest.mark.parametrize("engine", ENGINES[:2])
def test_an_interrupt_is_called_by_nobody(engine: str) -> None:
    machine = machine_on(engine)
    handler = 0x400
    loop = [asm("addi"), asm("addi"), asm("jal", imm=-8)]
    made = image([*loop, *[0] * (handler // 4 - len(loop)), asm("addi"), asm("mret")])
    made.symbols = {
        "loop": Symbol("loop", 0, 12, is_function=True),
        "handler": Symbol("handler", handler, 8, is_function=True),
    }
    machine.load(NC, made)
    profile = Profile(machine, machine.count())
    machine.run(10)
    # As core/devices/pic.py takes one.
    S = machine.S
    S.hart.restore_pc[NC], S.hart.in_handler[NC], S.hart.pc[NC] = S.hart.pc[NC], 1, handler
    machine.run(10)
    (outer,) = profile.counts.calls(NC).below
    (inner,) = outer.below
    assert (outer.pc, outer.calls, outer.spent) == (0, 1, 18)
    assert (inner.pc, inner.calls, inner.spent) == (handler, 1, 2)


@pytest.mark.parametrize("engine", ENGINES)
def test_kernels_at_the_same_addresses_have_their_own_cycles(engine: str) -> None:
    machine = machine_on(engine)
    profile = Profile(machine, machine.count())
    kernels = {
        "reader": program(main="call f, nop, end", f="nop, return"),
        "writer": program(main="call g, call g, end", g="nop, nop, nop, return"),
    }
    for name in ("reader", "writer", "reader"):
        kernel = kernels[name]
        kernel.path, kernel.hart = Path(name), B
        machine.loader.set_hosted("kernels", [])
        machine.loader.set_hosted("kernels", [kernel])
        machine.runner.counts.learn_images()
        machine.loader.place(kernel)
        machine.run(40)
        set_soft_reset(machine.S, machine.S.tile_control.soft_reset | 1 << SOFT_RESET_BIT[B])
    found = profile.functions(B)
    assert Counter({(one.name, one.calls): one.own for one in found if one.name in "fg"}) == {
        ("g", 2): 12,
        ("f", 2): 8,
    }
    mains = [(one.calls, one.own) for one in found if one.name == "main"]
    assert mains == [(2, 8), (1, 4)]  # of the reader, launched twice, and of the writer
    assert sum(one.own for one in found) == profile.counts.time(B)
    assert sum(cycles for _, cycles, _ in profile.lines(B)) == profile.counts.time(B)
    assert profile.counts.calls(B).total == profile.counts.calls_by_program(B).total


def test_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    find_tool("riscv64-unknown-elf-gcc")
    elf, file = THREADS.elfs(tmp_path)["T1"], tmp_path / "profile.txt"
    said = run(capsys, {"T1": elf}, "--profile", str(file))
    assert f"profile {file}: 486 cycles" in said
    text = file.read_text("utf-8")
    for row in (
        r"486 cycles, schedule latency",
        r"T1     486           153       0.31",
        r"main +306  63.0 +458 +1",
        r"tensix.h:36 +258  53.1 +0",
        r"T1 math: 10 instructions issued, something held in 268 cycles",
        r"SEMWAIT sem=S1 wait=C0 +256  WRCFG from mop.c:\d+",
        r"ADDDMAREG of a MOP +6  mop.c:\d+",
        r"Scalar Unit +18  3.7",
    ):
        assert re.search(f"^ *{row}$", text, re.M), row


def test_speedscope(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    find_tool("riscv64-unknown-elf-gcc")
    elf, file = THREADS.elfs(tmp_path)["T1"], tmp_path / "profile.json"
    run(capsys, {"T1": elf}, "--profile", str(file))
    found = json.loads(file.read_text("utf-8"))
    assert found["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = found["shared"]["frames"]
    assert all(set(frame) <= {"name", "file", "line"} for frame in frames)
    hart, gate = found["profiles"]
    assert (hart["name"], hart["endValue"]) == ("T1 (cycles)", 486)
    assert (gate["name"], gate["endValue"]) == ("T1 math (cycles)", 10 + 268)
    for profile in (hart, gate):
        assert profile["type"] == "sampled"
        assert profile["unit"] == "none"
        assert profile["startValue"] == 0
        assert sum(profile["weights"]) == profile["endValue"]
        assert len(profile["weights"]) == len(profile["samples"])
    stacks = {
        "/".join(frames[number]["name"] for number in stack): weight
        for stack, weight in zip(hart["samples"], hart["weights"], strict=True)
    }
    assert stacks == {
        "_start": 28,
        "_start/main": 306,
        "_start/main/set_up_mop": 143,
        "_start/main/compute": 9,
    }


# pprof: the messages of proto/profile.proto, read apart from what writes them.

Message = dict[int, list[int | bytes]]


def message(data: bytes) -> Message:
    """Fields by their numbers: numbers and bytes."""
    found: Message = {}
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = number()
        assert key & 7 in (0, 2), "numbers, and what has a length"
        if key & 7:
            size = number()
            assert at + size <= len(data)
            found.setdefault(key >> 3, []).append(data[at : at + size])
            at += size
        else:
            found.setdefault(key >> 3, []).append(number())
    return found


def packed(data: int | bytes) -> list[int]:
    """A repeated number."""
    assert isinstance(data, bytes)
    found, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            found.append(value)
            value = shift = 0
    return found


def inside(outer: Message, field: int) -> list[Message]:
    return [message(one) for one in outer.get(field, []) if isinstance(one, bytes)]


def one(outer: Message, field: int) -> int:
    (value,) = outer.get(field, [0])
    assert isinstance(value, int)
    return value


def test_pprof_has_the_stacks_of_speedscope(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    find_tool("riscv64-unknown-elf-gcc")
    elf = THREADS.elfs(tmp_path)["T1"]
    plain, file, again = (tmp_path / name for name in ("p.json", "p.pb.gz", "again.pb.gz"))
    for path in (plain, file, again):
        run(capsys, {"T1": elf}, "--profile", str(path))
    assert file.read_bytes() == again.read_bytes()
    data = gzip.decompress(file.read_bytes())
    whole = message(data)
    texts = [text.decode() for text in whole[6] if isinstance(text, bytes)]
    assert texts[0] == "", "as the format wants it"
    (kind,) = inside(whole, 1)
    assert (texts[one(kind, 1)], texts[one(kind, 2)]) == ("cycles", "count")
    functions = {one(f, 1): (texts[one(f, 2)], texts[one(f, 4)], one(f, 5))
                 for f in inside(whole, 5)}  # fmt: skip
    places = {}
    for location in inside(whole, 4):
        (line,) = inside(location, 4)
        places[one(location, 1)] = functions[one(line, 1)]
        assert one(line, 2) == functions[one(line, 1)][2]
    found = []
    for sample in inside(whole, 2):
        (numbers,) = sample[1]
        found.append(([places[number] for number in reversed(packed(numbers))], one(sample, 2)))

    scope = json.loads(plain.read_text("utf-8"))
    shared = [(f["name"], f.get("file", ""), f.get("line", 0)) for f in scope["shared"]["frames"]]
    wanted = [
        ([(profile["name"].removesuffix(" (cycles)"), "", 0), *(shared[n] for n in stack)], weight)
        for profile in scope["profiles"]
        for stack, weight in zip(profile["samples"], profile["weights"], strict=True)
    ]
    assert found == wanted
    assert {stack[0][0] for stack, _ in found} >= {"T1", "T1 math"}
    if shutil.which("protoc"):
        raw = subprocess.run(["protoc", "--decode_raw"], input=data, capture_output=True)
        assert raw.returncode == 0
        assert raw.stdout.count(b"\n2 {") == len(found)


def test_numbers_of_many_bytes() -> None:
    for number in (0, 1, 127, 128, 300, (1 << 63) - 1):
        assert packed(uleb(number)) == [number]

# SPDX-License-Identifier: Apache-2.0
"""Code for arm64, as a wheel brings it: compiled on this machine, and run by QEMU.

python -m tests.core.engine.arm64    run the tile for arm64 and for this machine, and compare the
                                     records: harts in three schedules, data instructions; minutes
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.engine import Entry, jit, shipped
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.engine.plan import Built, plan_for
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import ENTRIES, RUN, RUN_CHECKED, RUN_TIMED, fixed_rows
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule
from tests.assembler import asm, image
from tests.core.engine import small

KIND = "aarch64"
SMALL = tuple(
    Entry(function.__name__, function) for function in (*small.ARITHMETIC, *small.STATEFUL)
)
_CALL_BYTES = 24  # the number of an entry, which its result replaces, and two arguments
# Linux's calls: 63 read, 64 write, 93 exit. Of a record and calls from standard input it makes the
# calls, and writes record and results to standard output.
_HARNESS = """
    .text
    .global _start, memcpy, memmove, memset
_start:
    adrp x19, memory
    add x19, x19, :lo12:memory
    mov x20, x19
1:  mov x0, 0
    mov x1, x20
    mov x2, 0x100000
    mov x8, 63
    svc 0
    cmp x0, 0
    b.le 2f
    add x20, x20, x0
    b 1b
2:  ldr x21, =RECORD
    add x21, x19, x21
3:  cmp x21, x20
    b.ge 5f
    ldr x22, [x21]
    ldp x1, x2, [x21, 8]
    mov x0, x19
    CALLS
4:  str x0, [x21], 24
    b 3b
5:  sub x2, x20, x19
    mov x0, 1
    mov x1, x19
    mov x8, 64
    svc 0
    add x19, x19, x0
    cmp x19, x20
    b.lt 5b
    mov x0, 0
    mov x8, 93
    svc 0
memmove:
    cmp x0, x1
    b.hi 7f
memcpy:
    mov x3, x0
6:  cbz x2, 8f
    ldrb w4, [x1], 1
    strb w4, [x3], 1
    sub x2, x2, 1
    b 6b
7:  cbz x2, 8f
    sub x2, x2, 1
    ldrb w4, [x1, x2]
    strb w4, [x0, x2]
    b 7b
8:  ret
memset:
    mov x3, x0
9:  cbz x2, 8b
    strb w1, [x3], 1
    sub x2, x2, 1
    b 9b
    .bss
    .balign 4096
memory: .space RECORD + 0x200000
"""
_CALL = """
    cmp x22, {number}
    b.ne after{number}
    bl "entry.{name}"
    b 4f
after{number}:"""


@dataclass(frozen=True)
class Tools:
    """Programs of Debian's, by their paths."""

    assembler: str = "aarch64-linux-gnu-as"
    linker: str = "aarch64-linux-gnu-ld"
    qemu: str = "qemu-aarch64"


class Program:
    """Objects of `entries` as a program of Linux on arm64, in `folder`."""

    def __init__(
        self,
        folder: Path,
        objects: Sequence[Path],
        entries: Sequence[Entry],
        size: int,
        tools: Tools,
    ) -> None:
        self._names = [entry.name for entry in entries]
        self._size, self._tools, self._path = size, tools, folder / "program"
        text = "".join(
            _CALL.format(number=number, name=name) for number, name in enumerate(self._names)
        )
        source, harness = folder / "harness.s", folder / "harness.o"
        source.write_text(_HARNESS.replace("CALLS", text).replace("RECORD", str(size)))
        subprocess.run([tools.assembler, "-o", harness, source], check=True)
        subprocess.run([tools.linker, "-o", self._path, harness, *objects], check=True)

    def run(
        self, record: bytes, calls: Sequence[tuple[str, int, int]]
    ) -> tuple[bytes, tuple[int, ...]]:
        """Make these calls one after the other on a record: the record, and what they returned."""
        numbers = [
            number.to_bytes(8, "little", signed=True)
            for name, a, b in calls
            for number in (self._names.index(name), a, b)
        ]
        done = subprocess.run(
            [self._tools.qemu, self._path],
            input=record + b"".join(numbers),
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        results = memoryview(done)[self._size :].cast("q")[:: _CALL_BYTES // 8]
        return done[: self._size], tuple(results)


def compile_small(folder: Path) -> list[Path]:
    """Compile SMALL for arm64, in a process of its own: LLVM's target is one of a process."""
    subprocess.run(
        [sys.executable, "-m", __name__, str(folder)],
        env={**os.environ, jit.KIND: KIND},
        check=True,
    )
    return sorted(folder.glob("*.object"))


def _compile_small(folder: Path) -> None:
    for number, module in enumerate(lower(SMALL, small.LAYOUT).modules):
        (folder / f"{number}.object").write_bytes(jit.compile_object(module))


def content(record: Record) -> bytes:
    """Return all bytes of a record."""
    return ctypes.string_at(record.address, record.layout.size)


def tile(folder: Path) -> Program:
    """The tile as a wheel brings it; made now."""
    command = [sys.executable, "-m", "scripts.package_objects", "--builds", "tile of B", KIND]
    subprocess.run(command, check=True)
    plan = plan_for(ENTRIES, LAYOUT, fixed=fixed_rows(0))
    path = shipped.path_of(plan, jit.BASELINES[KIND][0], KIND)
    magic, _, packed = path.read_bytes().partition(b"\n")
    assert magic.endswith(shipped.key(plan).encode())
    objects = [folder / f"{number}.object" for number in range(99)]
    code = Built.from_bytes(zlib.decompress(packed)).code
    for path, each in zip(objects, code, strict=False):
        path.write_bytes(each)
    return Program(folder, objects[: len(code)], ENTRIES, LAYOUT.size, Tools())


def compare(program: Program, machine: Machine, name: str, cycles: int) -> bool:
    """Run the tile by QEMU and here from the same record: True if both have the same one then."""
    before = content(machine.record)
    after, _ = program.run(before, [(name, cycles, 0)])
    machine.engine.call(name, cycles)
    return after == content(machine.record)


def main() -> int:
    """Compare; 1 if anything differs."""
    from scripts.benchmark import tensix

    loop = [asm("addi", rd=5, rs1=5, imm=3), asm("sw", rs1=6, rs2=5, imm=64)]
    loop += [asm("lw", rd=7, rs1=6, imm=64), asm("mul", rd=8, rs1=7, rs2=5)]
    loop += [asm("fcvt.s.wu", rd=1, rs1=8), asm("fmul.s", rd=2, rs1=1, rs2=1)]
    loop += [asm("jal", imm=-4 * len(loop))]
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        program = tile(Path(folder))
        for schedule in (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM):
            machine = Machine(engine="compiled", schedule=schedule, seed=7)
            machine.runner.translations = None
            for hart in range(5):
                machine.load(hart, image(loop, 0x6000 * (hart + 1)))
            for name in (RUN, RUN_CHECKED) if schedule is Schedule.SC else (RUN_TIMED,):
                same = compare(program, machine, name.name, 100_000)
                print(f"{schedule.name} {name.name}: {'same' if same else 'DIFFERENT'}", flush=True)
                differing += not same
        for measured in tensix.ALL:
            machine = tensix.machine_for(measured, Schedule.LATENCY)
            same = compare(program, machine, RUN_TIMED.name, 2_000)
            print(f"{measured.name}: {'same' if same else 'DIFFERENT'}", flush=True)
            differing += not same
    return 1 if differing else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _compile_small(Path(sys.argv[1]))
        sys.exit(0)
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Run one program on one emulator: instructions per second, and the program's result.

Seconds are those of the processor, for all alike: on a machine that others use too, the time that
they take is not the emulator's.
"""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import unicorn
from unicorn import riscv_const

from scripts.benchmark.programs import Program
from tensix_gdb.core.arch.blackhole import HART_NAMES, L1_BYTES, LOCAL_BASE, LOCAL_STRIDE
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.run import RunLimits
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.translate.translations import Translations

EBREAK = (0x00100073).to_bytes(4, "little")
A0 = 10
FLOATING_POINT_ON = 0x6000  # FS of mstatus
SLICE = 1 << 30
WARM_UPS, WARM_UP = 8, 10_000_000  # runs, of so many cycles
NEVER = 0x100000  # an address in L1 that no program executes


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a run."""

    mips: float
    result: int


def tile(
    elfs: dict[str, Path], engine: str, *, armed: bool, translated: bool = False
) -> tuple[Run, int]:
    """One tile, one program for each hart named; the run, and the instructions of all harts.

    Nothing is translated (core/translate) unless it is `translated`: then the program runs until
    no code of it is waited for any more, which is not measured.
    """
    machine = Machine(engine=engine)
    translations = machine.runner.translations
    machine.runner.translations = None
    try:
        for hart, path in elfs.items():
            machine.load(HART_NAMES.index(hart), read_elf(path))
        if armed:
            machine.add_break(NEVER)
        if translated:
            if translations is None:
                raise RuntimeError("translation is switched off by the environment")
            machine.runner.translations = translations
            _warm_up(machine, translations)
        paused, before = 0, _retired(machine, elfs)
        start = time.process_time()
        while paused < len(elfs):
            # Without words: to read which line an ebreak is in takes a tenth of such a run.
            stop = machine.run_within(RunLimits(SLICE, in_words=False)).stop
            if stop is not None:
                if stop.kind is not StopKind.EBREAK:
                    raise RuntimeError(f"the program did not come to its end: {stop}")
                paused += 1
        seconds = time.process_time() - start
        first = HART_NAMES.index(next(iter(elfs)))
        count = _retired(machine, elfs)
        return Run((count - before) / seconds / 1e6, machine.read_x(first, A0)), count
    finally:
        machine.close()


def _retired(machine: Machine, harts: Iterable[str]) -> int:
    """Instructions that these harts have executed."""
    return sum(int(machine.S.hart.retired[HART_NAMES.index(hart)]) for hart in harts)


def _warm_up(machine: Machine, translations: Translations) -> None:
    """Run on until what a hart executes is translated."""
    for _ in range(WARM_UPS):
        machine.run(WARM_UP)
        translations.wait()


def in_unicorn(program: Program, rounds: int) -> Run:
    """Unicorn without hooks."""
    image = read_elf(program.for_hart("B", rounds))
    emulator = unicorn.Uc(unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV32)
    emulator.mem_map(0, L1_BYTES)
    emulator.mem_map(LOCAL_BASE, LOCAL_STRIDE)
    emulator.reg_write(riscv_const.UC_RISCV_REG_MSTATUS, FLOATING_POINT_ON)
    for segment in image.segments:
        emulator.mem_write(segment.addr, segment.data)
    code = next(s for s in image.segments if s.addr == image.entry)
    end = image.entry + code.data.index(EBREAK)
    start = time.process_time()
    emulator.emu_start(image.entry, end)
    seconds = time.process_time() - start
    result = emulator.reg_read(riscv_const.UC_RISCV_REG_A0)
    return Run(program.instructions(rounds) / seconds / 1e6, int(result) & 0xFFFFFFFF)


def in_qemu(program: Program, rounds: int) -> Run:
    """qemu-riscv32, without the time that it takes for one round; the result's low byte."""
    short, _ = _qemu(program.for_linux(1))
    seconds, status = _qemu(program.for_linux(rounds))
    count = program.instructions(rounds) - program.instructions(1)
    return Run(count / (seconds - short) / 1e6, status)


def _qemu(path: Path) -> tuple[float, int]:
    before = _of_children()
    done = subprocess.run(["qemu-riscv32", str(path)], check=False)
    return _of_children() - before, done.returncode


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime

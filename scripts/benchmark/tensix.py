# SPDX-License-Identifier: Apache-2.0
"""Speed of data instructions: T1 pushes MOPs that expand to one instruction over and over.

scripts/bench tensix        how fast they are
scripts/bench tensix --ttsim DIR/libttsim.so    the same program here and there (ttsim.py), and
                                                exit status 1 when a target is missed
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from scripts.benchmark import cpus, ttsim
from scripts.benchmark.report import NO_TTSIM, OF_TTSIM, Report
from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.regfiles.rwc import DST_WORD
from tests.assembler import asm, image

CYCLES = 200_000
TIMES = 6
THREAD = 1
MOST = 127  # of a MOP's inner and outer loop
MOP = 0x01800000
BF16, TF32, FP16 = 5, 4, 1
FP32_DST, EIGHT_ROWS = 1 << 29, 8


@dataclass(frozen=True)
class Measured:
    """An instruction, how its operands are, and how many times as fast as ttsim it is to be."""

    text: str
    data_format: int = BF16
    fp32: bool = False
    target: float = 0.0  # of ttsim; 0: nothing is wanted

    @property
    def name(self) -> str:
        kind = {BF16: "BF16", TF32: "TF32", FP16: "FP16"}[self.data_format]
        return f"{self.text.split()[0]}, {kind} to {'FP32' if self.fp32 else '16 bits'}"


ALL = (
    Measured("MVMUL", target=3.0),
    Measured("MVMUL", TF32, fp32=True, target=3.0),
    Measured("ELWADD", target=3.0),
    Measured("ELWADD add_dst=1", FP16, fp32=True, target=3.0),
    Measured("ELWMUL", target=3.0),
    Measured("GAPOOL dimension=1"),
    Measured("GMPOOL dimension=1"),
    Measured("MOVA2D move_8_rows=1"),
)


def machine_for(measured: Measured, schedule: Schedule, arch: Arch = Arch.BLACKHOLE) -> Machine:
    """T1 pushes for ever; sources are filled and the Matrix Unit's."""
    machine = Machine(engine="compiled", schedule=schedule, arch=arch)
    S, draw = machine.record.S, random.Random(1)
    word, nop = (parse(text, Dialect(arch)) for text in (measured.text, "NOP"))
    for source in range(2):
        S.src.format[source, 0] = measured.data_format
        S.busy.src_client[source, 0] = 1
    for row in range(64):
        for column in range(16):
            exponent = draw.randrange(120, 135) & (31 if measured.data_format == FP16 else 255)
            for datum in (S.src.a, S.src.b):
                datum[0, row, column] = draw.getrandbits(8) << 11 | exponent
    S.config.word[0, 1] = FP32_DST if measured.fp32 else 0
    for name in ("ALU_FORMAT_SPEC_REG0_SrcA", "ALU_FORMAT_SPEC_REG1_SrcB"):
        field = config_fields(Arch.BLACKHOLE)[name]  # in its place in the record, on both chips
        S.config.word[0, field.word] |= measured.data_format << field.low
    S.config.thread[THREAD, DST_WORD] = EIGHT_ROWS
    for index in range(9):
        S.mop_config.word[THREAD, index] = MOST if index < 2 else nop
    for index in (5, 6, 7, 8):  # what the inner loop does, and its last round
        S.mop_config.word[THREAD, index] = word
    push = (MOP << 2 | MOP >> 30) & 0xFFFFFFFF
    machine.load(T0 + THREAD, image([push, push, asm("jal", imm=-8)], 0x6000))
    return machine


def speed(measured: Measured, schedule: Schedule, arch: Arch = Arch.BLACKHOLE) -> float:
    """Million instructions per second of the processor."""
    machine = machine_for(measured, schedule, arch)
    machine.run(2000)
    best = 0.0
    for _ in range(TIMES):
        before, start = int(machine.S.passed.count[THREAD]), time.process_time()
        stop = machine.run(CYCLES)
        if stop is not None:
            raise RuntimeError(f"the program did not continue: {stop.text}")
        seconds = time.process_time() - start
        best = max(best, (int(machine.S.passed.count[THREAD]) - before) / seconds / 1e6)
    machine.close()
    return best


def add_ttsim(report: Report, library: Path) -> None:
    """Add how fast both run the same programs."""
    for compared in ttsim.ALL:
        found = ttsim.compare(compared, library)
        ratio = found.here / found.there
        report.add(
            compared.name,
            f"{compared.wanted:.1f} of ttsim",
            f"{ratio:.2f} ({found.here:.2f} and {found.there:.2f} M/s)",
            ratio >= compared.wanted,
            OF_TTSIM,
        )


def add_library(options: argparse.ArgumentParser) -> None:
    """Add `--ttsim` to a measurement's options."""
    options.add_argument("--ttsim", type=Path, metavar="LIBRARY", help="your own libttsim.so")


def library_of(options: argparse.ArgumentParser, arguments: argparse.Namespace) -> Path | None:
    """The library that `--ttsim` names; ends the program where there is none."""
    library: Path | None = arguments.ttsim
    if library is not None and not library.is_file():
        options.error(f"{library}: there is no such file")
    return None if library is None else library.resolve()


def add_speed(report: Report, name: str, wanted: float, found: float, more: str = "") -> None:
    """Add a speed in million a second, without ttsim, of which so much is wanted."""
    report.add(
        name, f"{wanted:.1f} of ttsim" if wanted else "-", f"{found:.2f} M/s{more}", None, NO_TTSIM
    )


def main() -> int:
    """Print the table; 1 when a target is missed."""
    options = argparse.ArgumentParser(prog="scripts/bench tensix", description=__doc__)
    add_library(options)
    cpus.add_option(options)
    arguments = options.parse_args()
    library = library_of(options, arguments)
    if (settings := cpus.in_turn("scripts.benchmark.tensix", arguments)) is not None:
        return settings
    report = Report()
    if library is not None:
        add_ttsim(report, library)
    else:
        for measured in ALL:
            add_speed(report, measured.name, measured.target, speed(measured, Schedule.LATENCY))
    Console(width=100).print(report.table)
    return 1 if report.missed else 0


if __name__ == "__main__":
    raise SystemExit(main())

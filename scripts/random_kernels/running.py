# SPDX-License-Identifier: Apache-2.0
"""Run a program of kernels on the emulated tile, and on ttsim: what each leaves in Dst.

ttsim is Tenstorrent's simulator, a library of your own (its repository builds it). It is used
through its documented interface, in a process of its own, because it ends the process when it
refuses something.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np

from scripts.benchmark.ttsim import SOFT_RESET_0, T0_T1_RUN, Library
from scripts.random_kernels.build import DONE, DONE_WORD, INPUT, words
from scripts.random_kernels.draw import LANES
from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tests.core.tensix.vector.dst import unshuffled
from tests.core.tensix.vector.pages import Words

T1 = T0 + 1
CYCLES, TURNS = 50_000, 100
VECTORS = 256  # rows of 32 lanes in Dst32b
T0_STAYS = 1 << 12  # in SOFT_RESET_0, for it has no program
# Debug registers through which ttsim gives Dst away, and what is to be in the upper half of the
# command.
ARRAY_ENABLE, ARRAY_COMMAND, ARRAY_DATA, OF_DST = 0xFFB12060, 0xFFB12064, 0xFFB1206C, 2 << 16


class Stopped(RuntimeError):
    """The program did not come to its end; the text says why."""


def input_bytes(pool: Words) -> bytes:
    pushed = words(pool)
    return struct.pack(f"<{len(pushed) + 1}I", len(pushed), *pushed)


def on_tile(machine: Machine, elf: Path, pool: Words) -> Words:
    """Return dst_reg after the program, on the emulated tile."""
    machine.images.clear()
    machine.reset()
    machine.load(T1, read_elf(elf))
    machine.poke(B, INPUT, input_bytes(pool))
    for _ in range(TURNS):
        stop = machine.run(CYCLES)
        if machine.peek(B, DONE, 4) == struct.pack("<I", DONE_WORD):
            return vectors(dst_bits(machine))
        if stop is not None:
            raise Stopped(stop.text)
    raise Stopped(f"not at its end after {CYCLES * TURNS} cycles")


def dst_bits(machine: Machine) -> Words:
    """Return DstBits of the tile."""
    row = machine.record.row(machine.record.layout.slot("dst", "bits"))
    out: Words = np.frombuffer(bytes(row), np.uint16).astype(np.uint32).reshape(1024, 16)
    return out


def vectors(bits: Words) -> Words:
    """Return Dst32b as dst_reg has it. Dst.md: a row has its high halves in one row of DstBits, its
    low halves eight rows on; SFPLOAD.md: which datum a lane has."""
    place, lane = np.meshgrid(np.arange(VECTORS), np.arange(LANES), indexing="ij")
    row = (2 * place & ~3) + lane // 8
    high = (row & 0x1F8) << 1 | row & 0x207
    column = 2 * (lane & 7) + (place & 1)
    out: Words = unshuffled(bits[high, column]) << np.uint32(16) | bits[high + 8, column]
    return out.astype(np.uint32)


def on_ttsim(library: Path, elf: Path, pool: Words) -> Words:
    """Likewise on ttsim."""
    image = read_elf(elf)
    given = {
        "segments": [[segment.addr, segment.data.hex()] for segment in image.segments],
        "input": input_bytes(pool).hex(),
    }
    done = subprocess.run(
        [sys.executable, "-m", "scripts.random_kernels.running", str(library)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Stopped(f"ttsim: {(done.stdout + done.stderr).strip()[-300:]}")
    return vectors(np.array(json.loads(done.stdout.splitlines()[-1]), np.uint32).reshape(1024, 16))


def child(path: str, given: dict[str, object]) -> list[int]:
    """Run it in this process; return DstBits."""
    library = Library(path)
    segments = given["segments"]
    assert isinstance(segments, list)
    for addr, data in segments:
        library.poke(addr, bytes.fromhex(data))
    library.poke(INPUT, bytes.fromhex(str(given["input"])))
    library.poke(SOFT_RESET_0, struct.pack("<I", T0_T1_RUN | T0_STAYS))
    for _ in range(TURNS * CYCLES):
        library.calls.libttsim_clock(1)
        if library.word(DONE) == DONE_WORD:
            break
    else:
        raise SystemExit("not at its end")
    library.poke(ARRAY_ENABLE, struct.pack("<I", 1))
    out = []
    for row in range(1024):
        for pair in range(8):
            library.poke(ARRAY_COMMAND, struct.pack("<I", OF_DST | pair << 12 | row))
            both = library.word(ARRAY_DATA)
            out += [both & 0xFFFF, both >> 16]
    return out


if __name__ == "__main__":
    print(json.dumps(child(sys.argv[1], json.load(sys.stdin))))

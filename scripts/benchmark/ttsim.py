# SPDX-License-Identifier: Apache-2.0
"""Data instructions here and on Tenstorrent's simulator: the same program on both.

    scripts/bench tensix --ttsim DIR/libttsim.so      the library is your own, for Blackhole

The library is used through its documented interface (docs/libttsim_api.md of its repository), in
a process of its own, because it ends the process when it refuses something. T0 configures both
unpackers and unpacks a tile to SrcA and one to SrcB. T1 pushes instructions over and over, a number
of times, and then stores a word to L1. Seconds are those of the processor, and the time of few
rounds is taken off that of many.
"""

from __future__ import annotations

import ctypes
import json
import struct
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.assembler import SPIN, asm, image, li
from tests.core.tensix.programs import push_all
from tests.programs import data_path

CONFIG = 0xFFEF0000
DONE, DONE_WORD = 0x20000, 0x600D
ENTRY = {"T0": 0x6000, "T1": 0xA000}
ROUND = 64  # instructions
FEW, MANY = 100, 1100  # rounds
LAST = 1  # of UNPACR: ttsim wants it
CYCLES = 2_000
TIMES = 3
# Of the interface to the host: where BAR0 is, windows of 2 MiB, and what maps them.
BAR0, WINDOW, WINDOW_CONFIG = 0x100000000, 0x200000, 0x1FC00000
SOFT_RESET_0, T0_T1_RUN = 0xFFB121B0, 0x47800 & ~0x3000
TILE = 1 | 2 << 6  # x, y
# Words of Config that are not needed here, and that ttsim refuses: W of tile descriptors, limits of
# the input buffer, the X dimension of SrcB's unpacker.
REFUSED = {66, 114, 74, 122, 134}

Words = dict[str, list[int]]  # programs of T0 and T1


@dataclass(frozen=True)
class Compared:
    """The instructions that T1 pushes, and how many times as fast as ttsim it is to be here."""

    name: str
    texts: tuple[str, ...]
    wanted: float = 1.0
    before: tuple[str, ...] = ()
    ones: bool = False  # SrcB is to be 1: the only scale that ttsim has for GMPOOL


def _in_eight_blocks(text: str, wanted: float, *, ones: bool = False) -> Compared:
    """One that does not wait for the one before it, because it has other rows of Dst."""
    comma = "," if "=" in text else ""
    rows = tuple(f"{text}{comma} dst_row={8 * i}" for i in range(8))
    return Compared(text.replace(" dimension=1", ""), rows, wanted, ones=ones)


_STORES = tuple(f"SFPSTORE vd=L{i}, mod0=FP32, imm10={4 * i}" for i in range(4))
ALL = (
    _in_eight_blocks("MVMUL", 3.0),
    _in_eight_blocks("ELWADD", 3.0),
    _in_eight_blocks("ELWADD add_dst=1", 3.0),
    _in_eight_blocks("ELWMUL", 3.0),
    _in_eight_blocks("GAPOOL dimension=1", 1.0),
    _in_eight_blocks("GMPOOL dimension=1", 1.0, ones=True),
    _in_eight_blocks("MOVA2D move_8_rows=1", 1.0),
    Compared("SFPMAD", tuple(f"SFPMAD va=L{i}, vb=L1, vc=L2, vd=L{4 + i}" for i in range(4)), 1.5),
    Compared("SFPLOAD", tuple(one.replace("STORE", "LOAD") for one in _STORES), 1.5, _STORES),
    Compared("SFPSTORE", _STORES, 1.5),
)


@dataclass(frozen=True)
class Speeds:
    """Million instructions per second of the processor."""

    here: float
    there: float


def compare(compared: Compared, library: Path) -> Speeds:
    """Run both, in turn."""
    few, many = (program(compared, rounds) for rounds in (FEW, MANY))
    ones = compared.ones
    here_taken, there_taken = [], []
    for _ in range(TIMES):
        here_taken.append(here(many, ones=ones) - here(few, ones=ones))
        there_taken.append(there(library, many, ones=ones) - there(library, few, ones=ones))
    millions = (MANY - FEW) * ROUND / 1e6
    return Speeds(millions / min(here_taken), millions / min(there_taken))


def program(compared: Compared, rounds: int) -> Words:
    """Of T0 and T1."""
    found: list[list[int]] = []

    def keep(_: int, _addr: int, data: bytes) -> None:
        found.append(list(struct.unpack(f"<{len(data) // 4}I", data)))

    data_path.prepare(keep, data_path.BF16, fp32=False)
    unpack, alu, _ = ({one[i]: one[i + 1] for i in range(1, 2 * one[0], 2)} for one in found)
    names = data_path.INSTRUCTIONS
    written = push_all([names["CONFIG_IS_WRITTEN"]])
    unpacked = (parse(names[one]) | LAST for one in ("UNPACK_A", "UNPACK_B"))
    zero = [*li(5, CONFIG), *configured(unpack), *written]
    zero += push_all([*data_path.UNPACKING, *unpacked])
    one = [*li(5, CONFIG), *configured(alu), *written]
    one += push_all([*data_path.address_modes(), names["CLEAR_DST"], *compared.before])
    body = push_all(compared.texts * (ROUND // len(compared.texts)))
    one += [*li(7, rounds), *body, asm("addi", rd=7, rs1=7, imm=-1)]
    one += [asm("bne", rs1=7, imm=-4 * (len(body) + 1))]
    one += [*li(5, DONE), *li(6, DONE_WORD), asm("sw", rs1=5, rs2=6)]
    return {"T0": [*zero, SPIN], "T1": [*one, SPIN]}


def configured(words: dict[int, int]) -> list[int]:
    """Stores to Config, of which x5 has the address."""
    code = []
    for index, value in words.items():
        if index not in REFUSED:
            code += [*li(6, value), asm("sw", rs1=5, rs2=6, imm=4 * index)]
    return code


def tiles(*, ones: bool) -> dict[int, bytes]:
    """Two tiles of BF16 numbers, by address in L1."""
    numbers = [(0x3F80 + 0x11 * i & 0x3FFF) | (i & 1) << 15 for i in range(1024)]
    left = [0x3F80] * 1024 if ones else numbers
    both = ((data_path.LEFT, left), (data_path.RIGHT, numbers))
    return {addr: struct.pack("<1024H", *tile) for addr, tile in both}


def here(words: Words, *, ones: bool) -> float:
    """Seconds on the tile, in the schedule `latency`."""
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY)
    for addr, data in tiles(ones=ones).items():
        machine.poke(B, addr, data)
    for name, code in words.items():
        machine.load(T0 + int(name[1]), image(code, ENTRY[name]))
    start = time.process_time()
    while machine.peek(B, DONE, 4) != struct.pack("<I", DONE_WORD):
        stop = machine.run(CYCLES)
        if stop is not None:
            raise RuntimeError(f"the program did not continue: {stop.text}")
    seconds = time.process_time() - start
    machine.close()
    return seconds


def there(library: Path, words: Words, *, ones: bool) -> float:
    """Seconds on ttsim."""
    done = subprocess.run(
        [sys.executable, "-m", "scripts.benchmark.ttsim", str(library), str(int(ones))],
        input=json.dumps(words),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"ttsim said\n{done.stdout}{done.stderr}")
    return float(done.stdout.split()[-1])


class Library:
    """A ttsim in this process: one tile of it."""

    def __init__(self, path: str) -> None:
        self.calls = ctypes.CDLL(path)
        self.write_bytes = self.calls.libttsim_pci_mem_wr_bytes
        self.read_bytes = self.calls.libttsim_pci_mem_rd_bytes
        for function in (self.write_bytes, self.read_bytes):
            function.argtypes = (ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint32)
        self.calls.libttsim_init()

    def put(self, paddr: int, data: bytes) -> None:
        """Write to physical memory."""
        self.write_bytes(paddr, ctypes.c_char_p(data), len(data))

    def open(self, addr: int) -> int:
        """Map window 0 so that it has this address of the tile; where it is then."""
        base = addr // WINDOW
        for index, word in enumerate((base & 0xFFFFFFFF, TILE << 11 | base >> 32, 0)):
            self.put(BAR0 + WINDOW_CONFIG + 4 * index, struct.pack("<I", word))
        return BAR0 + addr % WINDOW

    def poke(self, addr: int, data: bytes) -> None:
        """Write to the tile."""
        self.put(self.open(addr), data)

    def word(self, addr: int) -> int:
        """A word of the tile."""
        place, data = self.open(addr), ctypes.create_string_buffer(4)
        self.read_bytes(place, data, 4)
        return int(struct.unpack("<I", data.raw)[0])


def child(path: str, words: Words, *, ones: bool) -> None:
    """Run it on the library; print the seconds."""
    library = Library(path)
    for addr, data in tiles(ones=ones).items():
        library.poke(addr, data)
    for name, code in words.items():
        library.poke(ENTRY[name], struct.pack(f"<{len(code)}I", *code))
    library.poke(SOFT_RESET_0, struct.pack("<I", T0_T1_RUN))
    start = time.process_time()
    while library.word(DONE) != DONE_WORD:
        library.calls.libttsim_clock(1)
    print(time.process_time() - start)


if __name__ == "__main__":
    child(sys.argv[1], json.load(sys.stdin), ones=sys.argv[2] == "1")

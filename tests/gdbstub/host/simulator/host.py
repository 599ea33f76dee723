# SPDX-License-Identifier: Apache-2.0
"""A host in a process of its own, which does what the pipe of its driver (driver.py) says:
`python host.py LIBRARY COMMANDS ANSWERS`, the last two file descriptors.

It imports nothing of the project, so it starts at once.
"""

import ctypes
import os
import signal
import struct
import sys
from pathlib import Path

HEADER = struct.Struct("<cxHHxxQI")  # kind, core, address, size; the data of `w` and `m` follow
SIZE = struct.Struct("<I")  # of an answer, which follows
READ = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint32)
CLOSED = 77  # exit status when the driver has gone


class Host:
    """The library, and memory of this process that tiles reach: bytes by their addresses."""

    def __init__(self, library: str, commands: int, answers: int) -> None:
        self.code = ctypes.CDLL(library)
        for name in ("tile_rd_bytes", "tile_wr_bytes"):
            types = (ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p)
            getattr(self.code, f"libttsim_{name}").argtypes = (*types, ctypes.c_uint32)
        self.commands = os.fdopen(commands, "rb")
        self.answers = answers
        self.memory: dict[int, bytes] = {}
        self.has_written = False
        self.callbacks = READ(self.give), READ(self.take)

    def give(self, addr: int, place: int, size: int) -> None:
        """Let a tile read; of memory that is empty for ever."""
        if self.memory.get(addr) == b"":
            self.answer(b"reads")
            signal.pause()
        ctypes.memmove(place, self.memory.get(addr, b"").ljust(size, b"\0"), size)

    def take(self, addr: int, place: int, size: int) -> None:
        """Let a tile write."""
        self.memory[addr] = ctypes.string_at(place, size)

    def answer(self, data: bytes) -> None:
        os.write(self.answers, SIZE.pack(len(data)) + data)

    def run(self) -> int:
        """Do what is said, to the end; return the exit status, which is the server's."""
        self.code.libttsim_set_pci_dma_mem_callbacks(*self.callbacks)
        self.code.libttsim_init()
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
        server = int(children.split()[0])
        self.answer(str(server).encode())
        while True:
            header = self.commands.read(HEADER.size)
            if len(header) < HEADER.size:
                os._exit(CLOSED)
            kind, x, y, addr, size = HEADER.unpack(header)
            if kind in (b"e", b"g"):  # the end, or that of the server, which somebody ends
                if kind == b"e":
                    self.code.libttsim_exit()
                    if not self.has_written:  # it keeps the server, for the next opening
                        return 0
                os.close(self.answers)
                _, status = os.waitpid(server, 0)
                return os.waitstatus_to_exitcode(status)
            self.do(kind, x, y, addr, size)

    def do(self, kind: bytes, x: int, y: int, addr: int, size: int) -> None:
        if kind == b"r":
            # As tt-umd: time passes after each read.
            data = ctypes.create_string_buffer(size)
            self.code.libttsim_tile_rd_bytes(x, y, addr, data, size)
            self.code.libttsim_clock(1)
            self.answer(data.raw)
        elif kind == b"c":
            self.code.libttsim_clock(size)
            self.answer(b"")
        elif kind == b"h":
            self.answer(self.memory.get(addr, b""))
        elif kind == b"m":
            self.memory[addr] = self.commands.read(size)
        else:
            self.has_written = True
            self.code.libttsim_tile_wr_bytes(x, y, addr, self.commands.read(size), size)


if __name__ == "__main__":
    sys.exit(Host(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])).run())

# SPDX-License-Identifier: Apache-2.0
"""Times of a chip of tiles under ttnn, beside Tenstorrent's simulator in the same run.

python -m scripts.examples.ttnn.times [--ttsim DIR/libttsim.so] [--tiles 14x10] [--dispatch fast]

Each runs timed.py twice, so that the second one has all kernels compiled. Then the time in which a
client attaches to a chip, and cycles a second by the number of tiles that are busy.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from scripts.ttnntools.prepare import prepare
from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.simulator.grid import places_of
from tensix_gdb.gdbstub.host.ttnn.command import free_port
from tensix_gdb.gdbstub.host.ttnn.compiler import root_with_compiler
from tensix_gdb.gdbstub.host.ttnn.environment import (
    FAST,
    SLOW,
    cache_folder,
    environment,
    find_ttnn,
)
from tests.assembler import asm, image

TIMED = Path(__file__).resolve().with_name("timed.py")
SECONDS = 900
CYCLES = 20_000
BUSY = (1, 4, 16, 64, 140)


def main(words: list[str]) -> int:
    """Print a table; 0 if all ran."""
    parser = argparse.ArgumentParser(prog="scripts.examples.ttnn.times")
    parser.add_argument("--ttsim", type=Path, help="libttsim.so for Blackhole")
    parser.add_argument("--tiles", default="14x10", metavar="WxH")
    parser.add_argument("--dispatch", choices=(SLOW, FAST), default=SLOW)
    arguments = parser.parse_args(words)
    # As where it is installed: compiled modules are kept, and the second run has them.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    tiles, dispatch = arguments.tiles, arguments.dispatch
    python = str(prepare())
    here = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--python", python]
    here += ["--tiles", tiles, "--dispatch", dispatch, "--port", "0", "--"]
    columns = {"here": _timed([*here, str(TIMED)], None)}
    if arguments.ttsim is not None:
        library = arguments.ttsim.resolve()
        root = root_with_compiler(find_ttnn(python).folder)
        variables = environment(library, cache_folder(), tiles, dispatch, root)
        columns["ttsim"] = _timed([python, str(TIMED)], variables)
    names = list(columns["here"]["seconds"])
    print(f"{tiles} tiles, {dispatch} dispatch; seconds by the clock, and of processor")
    print(f"  {'':30}  " + "  ".join(f"{c:>16}" for c in columns))
    for name in names:
        values = (column["seconds"][name] for column in columns.values())
        print(f"  {name:30}  " + "  ".join(f"{a:9.3f} {b:6.2f}" for a, b in values))
    mine = columns["here"]
    print(f"  memory of the simulator: {mine['simulator']} MB")
    for what, milliseconds in _attach([*here, str(TIMED), "wait"], "--port"):
        print(f"  {what:40}  {milliseconds:6.1f} ms")
    for busy in BUSY:
        per_second = _cycles_per_second(busy)
        print(
            f"  {busy:3} of 140 tiles busy: {per_second:10,.0f} cycles/s of the chip, "
            f"{busy * per_second / 1e6:.1f} M tile-cycles/s",
            flush=True,
        )
    return 0


def _timed(command: list[str], variables: dict[str, str] | None) -> dict[str, Any]:
    for _ in range(2):
        done = subprocess.run(
            command,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=SECONDS,
            check=True,
        )
    # ttsim says more after it.
    line = next(line for line in done.stdout.splitlines() if line.startswith("{"))
    result: dict[str, Any] = json.loads(line)
    return result


# What GDB 13 says when it attaches to one tile, and at `info threads` and an interrupt after it.
OPENING = (
    "qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+;QThreadEvents+;no-resumed+",
    *("vMustReplyEmpty", "!", "Hg0", "qTStatus", "?"),
)
ATTACH = (
    *("qXfer:features:read:target.xml:0,ffb", "vAttach;1", "qC", "qXfer:threads:read::0,1000"),
    *("qXfer:libraries:read::0,1000", "qXfer:exec-file:read:1:0,1000", "Hgp1.1", "g", "qSymbol::"),
)
THREADS = ("qXfer:threads:read::0,1000",)


def _attach(command: list[str], option: str) -> Iterator[tuple[str, float]]:
    """Yield how long a client waits for answers, of a chip under a program."""
    port = free_port()
    command[command.index(option) + 1] = str(port)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as it:
        assert it.stdout is not None
        while it.stdout.readline().strip() != "open":
            pass
        for _ in range(2):  # the second one is that of a server that has been looked at
            with socket.create_connection(("127.0.0.1", port)) as link:
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                link.sendall(b"+")
                first = _asked(link, (*OPENING, *ATTACH))
                threads = _asked(link, THREADS)
                link.sendall(_framed("vCont;c"))
                sleep(0.5)
                start = perf_counter()
                link.sendall(b"\3")
                _answer(link)
                stop = 1e3 * (perf_counter() - start)
        yield "attach to one tile", first
        yield "`info threads` asks", threads
        yield "stop all tiles", stop
        it.communicate("")


def _asked(link: socket.socket, packets: Sequence[str]) -> float:
    start = perf_counter()
    for packet in packets:
        link.sendall(_framed(packet))
        _answer(link)
    return 1e3 * (perf_counter() - start)


def _framed(packet: str) -> bytes:
    return f"${packet}#{sum(packet.encode()) & 0xFF:02x}".encode()


def _answer(link: socket.socket) -> None:
    """Read one packet that is no output, and acknowledge it."""
    data = b""
    while not (found := re.search(rb"\$(?!O[0-9a-f])[^#]*#..", data, re.S)):
        more = link.recv(65536)
        if not more:
            raise SystemExit("the server has gone")
        data += more
    assert found
    link.sendall(b"+")


def _cycles_per_second(busy: int) -> float:
    """Of 140 tiles, so many with a hart that loads, adds and stores for ever."""
    loop = [
        asm("lw", rd=11, rs1=10),
        asm("addi", rd=11, rs1=11, imm=1),
        asm("sw", rs1=10, rs2=11),
    ]
    program = [asm("addi", rd=10, imm=0x700), *loop, asm("jal", imm=-12)]
    chip = Chip(places_of("14x10"), engine="compiled", schedule=Schedule.LATENCY)
    for machine in list(chip.tiles.values())[:busy]:
        machine.load(B, image(program, 0))
    chip.run(CYCLES, lazy=True)
    start = perf_counter()
    chip.run(CYCLES, lazy=True)
    taken = perf_counter() - start
    chip.close()
    return CYCLES / taken


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

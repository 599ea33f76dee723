# SPDX-License-Identifier: Apache-2.0
"""Hang a tile in ten ways, and of each keep a snapshot through tt-exalens and its own core file.

A process of its own, because the driver's libraries stay in the process that loads them. Arguments:
the simulator, its port, programs in JSON, a folder for the files, and three lists of numbers of
hangs: those to read, of which Dst is read, and of which local RAM is read by loads of halted cores.
Both take long.
"""

import json
import sys
import time
from pathlib import Path

from ttexalens import tt_exalens_init, tt_exalens_lib

from tensix_gdb.core.arch.blackhole import RESET_PC, SOFT_RESET_BIT
from tensix_gdb.gdbstub.cli.core import server_core
from tensix_gdb.gdbstub.cli.rsp_client import RspClient
from tensix_gdb.gdbstub.host.exalens.card import ExalensCard
from tensix_gdb.gdbstub.host.exalens.found import Local, Snapshot
from tensix_gdb.gdbstub.host.exalens.snapshot import take_snapshot
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of
from tests.gdbstub.host.exalens.hangs import DONE

PLACE = "0,0"
SOFT_RESET_0 = 0xFFB121B0
EVERYTHING = 0x7FFFF
LOOKS = 2000  # at DONE
UNDISTURBED = 0  # the hang of which there is a second snapshot, that halts no core


def main(
    simulator: str, port: str, programs: str, folder: str, hangs: str, dst: str, loads: str
) -> None:
    context = tt_exalens_init.init_ttexalens(simulation_directory=simulator)
    card = ExalensCard(PLACE, 0, None, context)
    all_programs = json.loads(Path(programs).read_text("utf-8"))
    for number in map(int, hangs.split(",")):
        harts = all_programs[number]
        with RspClient("127.0.0.1", int(port)) as server:
            server.monitor("reset halt")
        hang(card, harts)
        begun = time.perf_counter()
        if number == UNDISTURBED:
            keep(
                take_snapshot(card, undisturbed=True, local=Local.NOC),
                Path(folder, "undisturbed.card"),
            )
        local = Local.DEBUG if str(number) in loads.split(",") else Local.NOC
        found = take_snapshot(card, with_dst=str(number) in dst.split(","), local=local)
        keep(found, Path(folder, f"{number}.card"))
        seconds = time.perf_counter() - begun
        card.read(0, 4)  # writes have no answer: now the last one has arrived
        Path(folder, f"{number}.own").write_bytes(server_core("127.0.0.1", int(port)))
        print(f"DONE {number} {seconds:.2f}", flush=True)


def hang(card: ExalensCard, harts: dict[str, list[int]]) -> None:
    """Load programs, let the cores go, and wait until the company has filled everything."""
    card.write(SOFT_RESET_0, EVERYTHING)
    release = EVERYTHING & sum(1 << bit for bit in SOFT_RESET_BIT)
    for name, words in harts.items():
        tt_exalens_lib.write_words_to_device(PLACE, RESET_PC[int(name)], words)
        release &= ~(1 << SOFT_RESET_BIT[int(name)])
    card.write(DONE, 0)
    card.write(SOFT_RESET_0, release)
    assert any(card.read(DONE, 4)[0] for _ in range(LOOKS))
    for _ in range(20):
        card.read(0, 4)  # each message gives the tile some cycles


def keep(found: Snapshot, file: Path) -> None:
    found.machine.unknown.update(found.unknown)
    file.write_bytes(core_of(found.machine, "read from a card"))


if __name__ == "__main__":
    main(*sys.argv[1:])

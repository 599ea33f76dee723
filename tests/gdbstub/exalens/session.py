# SPDX-License-Identifier: Apache-2.0
"""Hang a tile in ten ways, and of each keep a snapshot through tt-exalens and its own core file.

A process of its own, because the driver's libraries stay in the process that loads them. Arguments:
the simulator, its port, programs in JSON, a folder for the files.
"""

import json
import sys
from pathlib import Path

from ttexalens import tt_exalens_init, tt_exalens_lib

from tensix_gdb.core.arch.blackhole import RESET_PC, SOFT_RESET_BIT
from tensix_gdb.gdbstub.cli.core import server_core
from tensix_gdb.gdbstub.cli.rsp_client import RspClient
from tensix_gdb.gdbstub.exalens.card import ExalensCard
from tensix_gdb.gdbstub.exalens.snapshot import take
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of

PLACE = "0,0"
SOFT_RESET_0, TRISC_RESET_PC, OVERRIDES = 0xFFB121B0, 0xFFB12228, 0xFFB12234
EVERYTHING = 0x7FFFF


def main(simulator: str, port: str, programs: str, folder: str) -> None:
    context = tt_exalens_init.init_ttexalens(simulation_directory=simulator)
    card = ExalensCard(PLACE, 0, None, context)
    for number, harts in enumerate(json.loads(Path(programs).read_text("utf-8"))):
        with RspClient("127.0.0.1", int(port)) as server:
            server.monitor("reset halt")
        card.write(SOFT_RESET_0, EVERYTHING)
        release = EVERYTHING
        release &= sum(1 << bit for bit in SOFT_RESET_BIT)
        for name, words in harts.items():
            tt_exalens_lib.write_words_to_device(PLACE, RESET_PC[int(name)], words)
            release &= ~(1 << SOFT_RESET_BIT[int(name)])
        card.write(SOFT_RESET_0, release)
        for _ in range(20):
            card.read(0, 4)  # each message gives the tile some cycles
        # Local RAM and configuration word by word take the longest; test_snapshot.py reads all.
        kind = {"with_local": number == 3, "with_config": number in (0, 4)}
        found = take(card, undisturbed=number == 8, **kind)
        card.read(0, 4)  # writes have no answer: now the last one has arrived
        found.machine.unknown.update(found.unknown)
        Path(folder, f"{number}.card").write_bytes(core_of(found.machine, "read from a card"))
        Path(folder, f"{number}.own").write_bytes(server_core("127.0.0.1", int(port)))
        print(f"DONE {number} halted {found.halted}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

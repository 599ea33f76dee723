# SPDX-License-Identifier: Apache-2.0
"""Ten hangs through tt-exalens, whole: `python -m tests.gdbstub.host.exalens.ten`.

Reads everything of each, Dst too, and prints what was compared. Exit status 1 if a field differs,
or if `why` says something else than on the tile.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tensix_gdb.gdbstub.host.library.build import LIBRARY
from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, read_core
from tests.gdbstub.host.exalens.compare import differences, fields, said_alike, said_otherwise
from tests.gdbstub.host.exalens.hangs import HANGS, company
from tests.patience import HANG

SESSION = Path(__file__).resolve().parent / "session.py"
ROOT = Path(__file__).resolve().parents[4]
NAMES = list(HANGS)
FAST = ("--engine", "compiled", "--cycles", "100")
SECONDS = HANG


def read_all(
    folder: Path, hangs: Sequence[int], dst: Sequence[int], loads: Sequence[int]
) -> list[float]:
    """Write NUMBER.card and NUMBER.own of each of `hangs`, and undisturbed.card with hang 0. Return
    the seconds that each snapshot has taken. Dst is read of the hangs `dst`, local RAM as of a card
    of the hangs `loads`. AssertionError with what was printed if one is missing."""
    programs = [
        {str(hart): list(words) for hart, words in (company(number) | harts).items()}
        for number, harts in enumerate(HANGS.values())
    ]
    (folder / "programs.json").write_text(json.dumps(programs), "utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert (
        tensix_gdb(
            ["simulator", str(folder / "simulator"), "--port", str(port), "--tiles", "1x1", *FAST]
        )
        == 0
    )
    arguments = [folder / "simulator" / LIBRARY, port, folder / "programs.json", folder]
    arguments += [",".join(map(str, numbers)) for numbers in (hangs, dst, loads)]
    done = subprocess.run(
        [sys.executable, str(SESSION), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("DONE")]
    assert len(lines) == len(hangs), done.stdout[-2000:] + done.stderr[-3000:]
    return [float(line[2]) for line in lines]


def of(folder: Path, name: str, kind: str) -> Machine:
    """The machine of a core file that `read_all` has written."""
    return machine_from(read_core(str(folder / f"{NAMES.index(name)}.{kind}")), "reference")


def main() -> int:
    """Compare all of them."""
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder, every = Path(name), range(len(HANGS))
        seconds = read_all(folder, every, every, every)
        print(f"{'':32} fields  differ | why: same  unknown  otherwise | seconds")
        for number, hang in enumerate(NAMES):
            card, own = of(folder, hang, "card"), of(folder, hang, "own")
            differ, otherwise = differences(card, own), said_otherwise(card, own)
            wrong += len(differ) + len(otherwise)
            same, unknown = said_alike(card, own)
            print(
                f"{hang:32} {len(dict(fields(card, card.unknown))):6}  {len(differ):6} |"
                f"      {same:4}  {unknown:7}  {len(otherwise):9} | {seconds[number]:7.1f}"
            )
            for text in (*differ, *otherwise):
                print(f"    {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

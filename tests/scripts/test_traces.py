# SPDX-License-Identifier: Apache-2.0
"""Recordings of mesham/tt-sim, in its form of a line for each message, on one tile."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.examples.host.traces import main
from tensix_gdb.gdbstub.cli.options.tile import AddressOptions
from tensix_gdb.gdbstub.host.library.command import write_library
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions

TRACE = """RESET_ASSERT core=1,1 addr=0x0 size=4 data=00000000
WRITE core=1,1 addr=0x1000 size=4 data=01020304
WRITE core=0,11 addr=0x40000040 size=2 data=aabb
WRITE core=1,0 addr=0x1000 size=4 data=ffffffff
READ core=1,1 addr=0x1000 size=4 data=00000000 reply=01020304
READ core=1,1 addr=0x4a0 size=4 data=00000000 reply=00000080
READ core=1,1 addr=0x4a0 size=4 data=00000000 reply=00000000
READ core=0,11 addr=0x40000040 size=2 data=0000 reply={last}
EXIT core=0,0 addr=0x0 size=4 data=00000000
"""


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("aabb", "mine: 2 reads of 6 bytes, all equal\n"),
        ("aabc", "mine: core (0, 11), 0x40000040: aabb\n"),
    ],
)
def test_reads(last: str, said: str, tmp_path: Path) -> None:
    """The last one is wrong if the recording has another byte."""
    file = tmp_path / "mine.trace"
    file.write_text(TRACE.format(last=last), "utf-8")
    tile = SimulatorOptions(tiles="1x1", address=AddressOptions(port=0), engine="reference")
    library = write_library(tmp_path / "library", tile, "wormhole")
    command = [sys.executable, "-m", "scripts.examples.host.traces", "--library", str(library)]
    done = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == (said, 0 if last == "aabb" else 1), done.stderr


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (
        ([str(tmp_path / "no")], "there is no such file"),
        ([], "name a recording"),
    ):
        with pytest.raises(SystemExit):
            main(words)
        assert said in capsys.readouterr().err

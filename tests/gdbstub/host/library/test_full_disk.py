# SPDX-License-Identifier: Apache-2.0
"""A full disk on the server's side: the host has its results, and one sentence says what is lost.

/dev/full is such a disk; a limit of the size of files is another, which leaves half a file.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.host.simulator.grid import TILE
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tensix_gdb.gdbstub.host.simulator.runs import capture, log
from tests.gdbstub.host.library.host import ROOT, folder, library, run
from tests.patience import HANG

__all__ = ["library"]

# B runs `jal x0, 0` for some cycles.
RUNS = """
    lib.init()
    lib.poke(0, (0x6F).to_bytes(4, "little"))
    lib.poke(SOFT_RESET, (0x47000).to_bytes(4, "little"))
    lib.clock(1000)
    print(lib.peek(0).hex(), flush=True)
"""
ENDS = "    lib.exit()\n"
SAYS = "6f000000\n"


def with_option(path: Path, option: str, *, blocks: int | None = None) -> Path:
    """Write a folder with an option of its server, and a limit of its files in 512 bytes."""
    made = folder(path)
    script = path / "serve.sh"
    text = script.read_text().replace(" --serve", f" {option} --serve")
    limit = "" if blocks is None else f"ulimit -f {blocks}\n"
    script.write_text(text.replace("exec ", f"{limit}exec "))
    return made


def test_the_log(library: Path) -> None:
    """Its lines are lost, and nothing else."""
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tests.gdbstub.host.library.host", str(library),
             textwrap.dedent(RUNS + ENDS)],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=full, text=True, timeout=HANG, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, SAYS)


@pytest.mark.parametrize("blocks", [None, 8])
def test_a_recording(blocks: int | None, tmp_path: Path) -> None:
    path = Path("/dev/full") if blocks is None else tmp_path / "recording"
    made = with_option(tmp_path / "tile", f"--record-to {path}", blocks=blocks)
    why = "No space left on device" if blocks is None else "File too large"
    assert run(made, RUNS + ENDS) == (0, SAYS, [f"tensix-gdb: {path} cannot be written: {why}"])


def test_a_core_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a host that has crashed: half a file is not left."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "tensix-gdb").mkdir()
    made = with_option(tmp_path / "tile", "", blocks=8)
    path = tmp_path / "tensix-gdb" / "host-gone.core"
    assert run(made, RUNS + "    os._exit(3)\n") == (
        3,
        SAYS,
        [
            "tensix-gdb: the host has ended without closing its device, while tiles ran; no core "
            f"file, {path} cannot be written: File too large"
        ],
    )
    assert not path.exists()


def test_lines_of_runs(caplog: pytest.LogCaptureFixture) -> None:
    """They end with a sentence, said once."""
    with open("/dev/full", "w") as full:
        runs = log.RunLog(Machine(engine="reference"), full)
        for _ in range(2):
            runs.on_launch(["kernel"])
            runs.end()
        assert not runs.is_wanted
        with pytest.raises(OSError, match="No space"):
            full.close()
    assert caplog.messages == [
        "--runs: no more lines, /dev/full cannot be written: No space left on device"
    ]


def test_a_kept_run(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """No more runs are kept."""
    (tmp_path / "run-1.core").symlink_to("/dev/full")
    kept = capture.RunCapture(Machine(engine="reference"), tmp_path)
    kept.before_message(Message(Command.WRITE, TILE, 0, 4, bytes(4)))
    kept.on_reset_change(log.T_CORES, 0)
    kept.on_reset_change(0, log.T_CORES)
    assert not kept.is_wanted
    assert not list(tmp_path.iterdir())
    path = tmp_path / "run-1.core"
    assert caplog.messages == [
        f"--keep: no more runs, {path} cannot be written: No space left on device"
    ]

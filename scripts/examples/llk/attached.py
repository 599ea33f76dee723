# SPDX-License-Identifier: Apache-2.0
"""GDB attached to one of Tenstorrent's own LLK tests while it runs, unmodified, on our tile.

`python -m scripts.examples.llk.attached` runs the test, types commands into a real GDB as soon as
the T cores are let go, and puts what it shows between the marks in the manual. The test must pass.
With `wormhole` after it, the test is built for Wormhole and runs on a Wormhole tile.
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.llk.running import ALL, Outcome, joined, started
from tensix_gdb.gdbstub.llk.suite import Suite, prepare

TEST = (
    "test_eltwise_unary_datacopy.py::test_eltwise_unary_datacopy[formats:Float16_b->Float16_b-"
    "dest_acc:No-num_faces:4-tilize:No-input_dimensions:[64, 64]]"
)
SECONDS = 120
SETTINGS = (
    "pagination off",
    "confirm off",
    "width 0",
    "style enabled off",
    "print thread-events off",
)
# What is typed, and a pattern of what comes of it.
COMMANDS = (
    ("break run_kernel thread 3", "Breakpoint 1"),
    ("continue", r'Thread 3 "T1" hit Breakpoint 1.*run_kernel'),
    ("monitor break gate UNPACR thread T0", "Gate breakpoint"),
    ("continue", "T0 unpack has UNPACR"),
    ("backtrace 2", "#1 "),
    ("x/8xh 0x21000", r"0x[0-9a-f]*[1-9a-f]"),
    ("monitor delete all", ""),
    ("monitor break gate MOVA2D", "Gate breakpoint"),
    ("continue", "T1 math has MOVA2D"),
    ("monitor src a 0-1", r"\d"),
    ("thread 7", "thread 7"),
    ("stepi", ""),
    ("stepi", ""),
    ("monitor dst 0-1", r"\d"),
    ("monitor delete all", ""),
    ("monitor break gate PACR", "Gate breakpoint"),
    ("continue", "T2 pack has PACR"),
    ("monitor dst tile 0 --format bf16", r"\n  31 "),
    ("monitor delete all", ""),
    ("delete", ""),
    ("detach", "detached"),
)


# What is Wormhole's own: the numbers of conditions, four packers, configuration in other words.
ON_WORMHOLE = (
    ("break run_kernel thread 3", "Breakpoint 1"),
    ("continue", r'Thread 3 "T1" hit Breakpoint 1.*run_kernel'),
    ("monitor break gate UNPACR thread T0", "Gate breakpoint"),
    ("continue", "T0 unpack has UNPACR"),
    ("backtrace 2", "#1 "),
    ("monitor cfg THCON_SEC0_REG3_Base_address", "THCON_SEC0_REG3_Base_address"),
    ("x/8xh 0x21000", r"0x[0-9a-f]*[1-9a-f]"),
    ("monitor delete all", ""),
    ("monitor break gate MOVA2D", "Gate breakpoint"),
    ("continue", "T1 math has MOVA2D"),
    ("monitor src a 0-1", r"\d"),
    ("thread 7", "thread 7"),
    ("stepi", ""),
    ("stepi", ""),
    ("monitor dst 0-1", r"\d"),
    ("monitor delete all", ""),
    ("monitor break gate PACR", "Gate breakpoint"),
    ("continue", r"T2 pack has PACR .*packer_mask=P0\|P1\|P2\|P3"),
    ("monitor delete all", ""),
    ("monitor break gate STALLWAIT thread T2", "Gate breakpoint"),
    ("continue", r"T2 pack has STALLWAIT .*wait=C3\|C4\|C5\|C6"),
    ("monitor delete all", ""),
    ("delete", ""),
    ("detach", "detached"),
)


@dataclass(frozen=True, slots=True)
class Session:
    """The lines that are typed on a tile of a chip, and where the manual has them."""

    arch: str
    commands: tuple[tuple[str, str], ...]
    block: Generated


_MODULE = "python -m scripts.examples.llk.attached"
BLACKHOLE = Session("blackhole", COMMANDS, Generated("llk", _MODULE, MANUAL / "llk.md"))
WORMHOLE = Session(
    "wormhole",
    ON_WORMHOLE,
    Generated("wormhole", f"{_MODULE} wormhole", MANUAL / "wormhole.md"),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """The transcript, and how the test ended."""

    transcript: str
    outcomes: list[Outcome]


def attached(suite: Suite, session: Session = BLACKHOLE) -> Shown:
    """Run the test with a debugger in the middle."""
    port = _free_port()
    with tempfile.TemporaryDirectory(prefix="llk-") as name:
        folder = Path(name)
        options = ["--port", str(port), "--stop-at-entry", "--arch", session.arch]
        process = started(suite, [TEST], folder, options, replace(ALL, arch=session.arch))
        try:
            _wait_for(folder / "said", "waiting for a debugger")
            transcript = _gdb(suite, folder, port, session)
            process.wait(SECONDS)
        finally:
            process.kill()
            process.wait()
        return Shown(transcript, joined(folder))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(log: Path, text: str) -> None:
    """Until the tile's server has said it: its lines are among those of the suite."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if log.exists() and text in log.read_text(encoding="utf-8", errors="replace"):
            return
        time.sleep(0.1)
    raise TimeoutError(f"the tile's server has not said {text!r}")


def _gdb(suite: Suite, folder: Path, port: int, session: Session) -> str:
    elfs = {path.stem: path for path in folder.rglob("*.elf") if path.parent.name == "elf"}
    command = ["gdb-multiarch", "-nx", "-batch", *(f"-iex=set {one}" for one in SETTINGS)]
    command += [str(elfs["math"]), f"-ex=add-symbol-file {elfs['unpack']}"]
    command += [f"-ex=add-symbol-file {elfs['pack']}", f"-ex=target remote :{port}"]
    for typed, _ in session.commands:
        command += [f"-ex=echo (gdb) {typed}\\n", f"-ex={typed}"]
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    text = done.stdout[done.stdout.find("(gdb) ") :].replace(str(suite.llk), "tt-llk")
    return re.sub(r"/\S*/tt-llk-build/\S*/", "", text)


def check(shown: Shown, session: Session = BLACKHOLE) -> list[str]:
    """Return what is wrong with it: commands that did not show what they have to, a test that
    failed."""
    parts = shown.transcript.split("(gdb) ")[1:]
    wrong = [
        f"{typed}: {part}"
        for (typed, pattern), part in zip(session.commands, parts, strict=True)
        if not re.search(pattern, part.partition("\n")[2], re.DOTALL)
    ]
    return wrong + [one.why() for one in shown.outcomes if not one.passed]


def main() -> int:
    """Write the manual; 1 when something is wrong."""
    session = WORMHOLE if "wormhole" in sys.argv[1:] else BLACKHOLE
    shown = attached(prepare(), session)
    wrong = check(shown, session)
    print(shown.transcript)
    print("\n".join(wrong), file=sys.stderr)
    if wrong or not shown.outcomes:
        return 1
    session.block.write(f"```\n{shown.transcript}```\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

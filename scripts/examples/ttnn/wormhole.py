# SPDX-License-Identifier: Apache-2.0
"""Two tiles of a Wormhole, and a race between them in DRAM: recorded, and shown by a GDB.

`python -m scripts.examples.ttnn.wormhole` runs relay.py without its barrier and puts what was typed
and said between the marks in the manual. It needs what `scripts/ttnn` needs.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from scripts.examples.ttnn.back import COMMAND, session
from scripts.examples.ttnn.session import anywhere
from scripts.ttnntools.prepare import prepare
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tests.patience import HANG

RELAY = Path(__file__).with_name("relay.py")
BLOCK = Generated(
    "wormhole-tiles", "python -m scripts.examples.ttnn.wormhole", MANUAL / "wormhole-chip.md"
)
SHOWN = """$ tensix-gdb ttnn --arch wormhole --tiles 2x1 --races --record-to relay.recording -- \\
    relay.py --without-barrier
{said}
$ tensix-gdb replay relay.recording
{replayed}
$ tensix-gdb replay --serve relay.recording
...
{seen}
"""
TYPED = (
    "target extended-remote 127.0.0.1:{port}",
    *("attach 1", "add-inferior", "inferior 2", "attach 2", "inferior 1"),
    "monitor goto 0",
    "tbreak kernel_includes.hpp:19 thread 1.5",
    "continue",
    "monitor noc",
    "monitor chip",
    "thread 2.5",
    "backtrace 1",
    "tbreak kernel_includes.hpp:24 thread 2.5",
    "continue",
    "backtrace 1",
    "monitor why all",
    "detach inferior 1 2",
)


def recorded(python: str, file: Path) -> tuple[str, str]:
    """Record the program; return its last line and the report, and how the replay went."""
    options = ["--python", python, "--port", "0", "--arch", "wormhole", "--tiles", "2x1", "--races"]
    ran = [*COMMAND, "ttnn", *options, "--record-to", str(file), "--", str(RELAY)]
    done = subprocess.run(
        [*ran, "--without-barrier"], capture_output=True, text=True, timeout=HANG, check=True
    )
    report = re.search(r"^RACE 1 .*?(?=\n\n)", done.stderr, re.MULTILINE | re.DOTALL)
    assert report is not None, done.stderr
    command = [*COMMAND, "replay", str(file)]
    replay = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=True)
    said = f"{done.stdout.splitlines()[-1]}\n{report[0]}"
    return said, re.sub(r"hash \w+", "hash ...", replay.stdout).strip()


def all_of_it(python: str) -> str:
    """The commands and the session, as the manual has them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "relay.recording")
        said, replayed = recorded(python, file)
        return SHOWN.format(said=said, replayed=replayed, seen=anywhere(session(file, TYPED)))


if __name__ == "__main__":
    BLOCK.write(f"```\n{all_of_it(str(prepare()))}```\n")

# SPDX-License-Identifier: Apache-2.0
"""F5 in a script of ttnn on four tiles, by the adapter of the extension for VS Code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.host.ttnn.compiler import root_of
from tensix_gdb.gdbstub.host.ttnn.environment import find_ttnn
from tests.dap.extension import session
from tests.patience import HANG
from tests.ttnn.test_programs import python

pytestmark = pytest.mark.gdb
__all__ = ["python"]  # the fixture
SCRIPT = """\
import numpy as np
import ttnn

device = ttnn.open_device(device_id=0)
left = np.arange(4096, dtype=np.float32).reshape(64, 64) % 64
there = ttnn.Tensor(left, ttnn.bfloat16, device, ttnn.TILE_LAYOUT)
host = ttnn.add(there, there).cpu().to(ttnn.ROW_MAJOR_LAYOUT)
twice = np.asarray(ttnn.to_dtype(host, ttnn.float32).to_numpy())
print("right" if np.array_equal(twice, 2 * left) else "WRONG")
ttnn.close_device(device)
"""
KERNEL = "binary_ng/device/kernels/compute/eltwise_binary_no_bcast.cpp"


@pytest.mark.long("tests/dap/test_extension.py: the same adapter")
def test_a_breakpoint_in_a_kernel(
    python: str,
    tmp_path: Path,
    tool: Callable[[str], str],
) -> None:
    """It is set before the kernel is compiled, and so are one at a gate, with a count and a
    condition, and a log message. All tiles are in the call stack."""
    script = tmp_path / "add.py"
    script.write_text(SCRIPT, "utf-8")
    sources = root_of(find_ttnn(python).folder).resolve().rglob(KERNEL)
    source = next(each for each in sources if "quasar" not in each.parts)
    lines = source.read_text("utf-8").splitlines()
    acquires, commits, adds = (
        1 + next(at for at, text in enumerate(lines) if wanted in text)
        for wanted in ("tile_regs_acquire();", "tile_regs_commit();", "BINARY_OP(")
    )
    wanted = (
        {"line": acquires},
        {"line": adds, "condition": "gate ELWADD thread T1", "hitCondition": "2"},
        {"line": commits, "logMessage": "committed {1 + 1}"},
    )
    more = ("--tiles", "2x2", "--python", python)
    with session(script, tmp_path, tool, *wanted, more=more, source=source) as made:
        stop = made.event("stopped")
        assert stop["reason"] == "breakpoint", made.output()
        frame = made.frames(stop["threadId"])[0]
        # It may have been compiled for another ttnn of the same version.
        assert frame["name"] == "kernel_main"
        assert frame["source"]["path"].endswith(KERNEL)
        names = {thread["name"].split()[0] for thread in made.ask("threads")["threads"]}
        assert names == {"1-2", "2-2", "1-3", "2-3"}
        while stop.get("description") != "Gate breakpoint":
            stop = made.resume("continue", stop["threadId"])
        assert "T1 math has ELWADD, 2nd of a MOP" in stop["text"]
        assert f"eltwise_binary_no_bcast.cpp:{adds}" in stop["text"]
        made.breakpoints(source, wanted[2])
        made.ask("continue", threadId=stop["threadId"])
        made.event("terminated", seconds=HANG)
        assert "right\n" in made.output()
        assert "committed 2" in made.output()

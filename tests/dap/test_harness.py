# SPDX-License-Identifier: Apache-2.0
"""The adapter in the Debug Adapter Protocol's own harness, @vscode/debugadapter-testsupport: its
client, its waits and its comparisons (harness.cjs)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.dap import extension
from tests.dap.test_extension import kernel, line_of
from tests.patience import HANG, HANG_MS
from tests.tools import unavailable

pytestmark = pytest.mark.gdb
__all__ = ["kernel"]  # the fixture
HERE = Path(__file__).resolve().parent
TESTS = 5


@pytest.mark.long("tests/dap/test_extension.py: the same adapter, by a client of ours")
def test_the_protocols_own_harness(
    kernel: Path,
    tmp_path: Path,
    tool: Callable[[str], str],
) -> None:
    node = tool("node")
    if not (HERE / "node_modules" / "@vscode" / "debugadapter-testsupport").exists():
        unavailable("@vscode/debugadapter-testsupport is missing: run 'npm ci' in tests/dap")
    line = line_of(kernel, "PACR_last(1)")
    given = {
        "launch": extension.configuration(extension.plan_for(kernel)),
        **{"source": str(kernel), "line": line, "patience": HANG_MS},
    }
    (tmp_path / "given.json").write_text(json.dumps(given), "utf-8")
    program = extension.adapter_program(tool, tmp_path)
    words = [node, "--test-reporter=tap", str(HERE / "harness.cjs"), str(program)]
    done = subprocess.run(
        [*words, str(tmp_path / "given.json")],
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"# pass {TESTS}" in done.stdout.splitlines(), done.stdout

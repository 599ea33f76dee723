# SPDX-License-Identifier: Apache-2.0
"""A front end attaches to one hart's process, as cppdbg does with `processId`, and a second one to
another; and what both did is played again from the packet log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tests.gdb.test_nonstop import Listening, debugged
from tests.programs.build import DEMO, DEMO_PROGRAMS

pytestmark = pytest.mark.gdb

ELFS: Mapping[str, Path] = {hart: DEMO / f"{name}.elf" for hart, name in DEMO_PROGRAMS.items()}


def attached(mi: Listening, port: int, pid: int) -> str:
    """Attach to a process; return the function where it has stopped."""
    mi.tell(f"-target-select extended-remote 127.0.0.1:{port}")
    mi.tell(f"-target-attach {pid}")
    return str(mi.stopped()["frame"]["func"])


def test_two_front_ends_each_with_a_hart(tool: Callable[[str], str], tmp_path: Path) -> None:
    gdb, log = tool("gdb-multiarch"), tmp_path / "packets.log"
    with debugged(gdb, ELFS, "--processes", "--rsp-log", str(log)) as (one, port):
        assert attached(one, port, 2) == "_start"
        table = one.tell("-info-os processes")["OSDataTable"]["body"]
        assert [row["col6"] for row in table] == ["brisc", "trisc0", "trisc1", "trisc2", "ncrisc"]
        one.tell("-break-insert publish")
        hit = one.resume("-exec-continue")
        assert (hit["frame"]["func"], hit["thread-id"]) == ("publish", "1")
        two = Listening(gdb)
        try:
            two.tell("-gdb-set sysroot")
            assert attached(two, port, 5) in ("put", "main", "next_value")
            two.tell("-break-insert put")
            # T0 is looked at, so it is stopped; NC comes to its next sample.
            assert two.resume("-exec-continue")["frame"]["func"] == "put"
            assert one.resume("-exec-next")["reason"] == "end-stepping-range"
        finally:
            two.close()
    assert "\nprocesses\n" in log.read_text("ascii")
    assert main(["replay", str(log)]) == 0

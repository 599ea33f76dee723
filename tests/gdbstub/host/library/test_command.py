# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb simulator DIR`: what it says of the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main


@pytest.mark.parametrize(
    ("port", "last"),
    [
        ("4711", "gdb-multiarch -ex 'target remote 127.0.0.1:4711'"),
        ("0", "the command of GDB that it prints: its port is a free one"),
    ],
)
def test_how_to_attach(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], port: str, last: str
) -> None:
    """No debugger can attach to port 0, which asks for a free one each time."""
    assert main(["simulator", str(tmp_path), "--tiles", "1x1", "--port", port]) == 0
    assert capsys.readouterr().out.splitlines()[-1].strip() == last

# SPDX-License-Identifier: Apache-2.0
"""Calls give the same execution each time, and what observes the tile sees each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gdbstub.host.library.host import folder, library, run

__all__ = ["library"]


def test_the_same_calls_give_the_same_execution(library: Path) -> None:
    """A program counts while the host polls: what it reads is the same each time."""
    statements = """
        words = (0x00004537, 0x00052583, 0x00158593, 0x00B52023, 0xFF5FF06F)
        lib.init()
        lib.poke(0, b"".join(word.to_bytes(4, "little") for word in words))
        lib.poke(SOFT_RESET, (0x47000).to_bytes(4, "little"))
        for _ in range(20):
            print(int.from_bytes(lib.peek(0x4000), "little"), end=" ")
            lib.clock()
        lib.clock(1000)
        print(int.from_bytes(lib.peek(0x4000), "little"))
        lib.exit()
    """
    first = run(library, statements)
    assert first[0] == 0
    counts = [int(word) for word in first[1].split()]
    assert counts == sorted(counts)
    assert counts[-1] - counts[-2] > 20, "a round takes some 32 cycles"
    assert run(library, statements) == first


@pytest.mark.parametrize("kind", ["--races", "--record"])
def test_what_observes_sees_each_access(tmp_path: Path, kind: str) -> None:
    """With an observer or a history no access is carried out past it."""
    made = folder(tmp_path)
    script = tmp_path / "serve.sh"
    script.write_text(script.read_text().replace(" --serve", f" {kind} --serve"))
    statements = """
        lib.init()
        lib.poke(0x100, b"seen")
        print(lib.peek(0x100))
        lib.exit()
    """
    status, said, _ = run(made, statements)
    assert (status, said) == (0, "b'seen'\n")

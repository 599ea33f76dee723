# SPDX-License-Identifier: Apache-2.0
"""Tracepoints on a chip: each is in all tiles, and a frame is of the tile that came there."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tests.core.chip.programs import DATA
from tests.gdbstub.tensix.chip import test_target
from tests.gdbstub.tensix.chip.test_target import FAR, LOOP, client_of, run, sent

chip = test_target.chip


def test_frames_of_both_tiles(chip: Chip) -> None:
    chip.tiles[FAR].write_x(B, 11, 0x100)  # it counts from here
    client = client_of(chip)
    for packet in (
        "QTinit",
        f"QTDP:1:{LOOP:x}:E:0:0-",
        f"QTDP:-1:{LOOP:x}:R00000fffM-1,{DATA:x},4",
        "QTStart",
    ):
        assert sent(client, packet) == [b"OK"]
    assert run(client, "vCont;c", 100) == [], "nothing stops"
    client.session.interrupt()
    assert sent(client, "QTStop")[-1] == b"OK"
    seen: dict[int, list[int]] = {}
    for frame in client.session.trace.frames:
        count = int.from_bytes(frame.registers[44:48], "little")
        stored = int.from_bytes(frame.memory[0][1], "little")
        assert (count - stored) & 0xFF <= 2, "of this tile; stores take some cycles"
        seen.setdefault(frame.thread, []).append(count)
    assert set(seen) == {1, 9}
    assert seen[1] == list(range(len(seen[1])))
    assert seen[9] == list(range(0x100, 0x100 + len(seen[9])))
    assert run(client, "vCont;c", 100) == []
    assert len(client.session.trace.frames) == sum(map(len, seen.values())), "none is left armed"

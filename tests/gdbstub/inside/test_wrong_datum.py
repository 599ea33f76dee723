# SPDX-License-Identifier: Apache-2.0
"""`tensix-wrong` in a made-up GDB: the thread that makes the datum is selected."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.gdbstub.inside.made_up_gdb import inside

OF_MATH = (
    "Dst from row 0 on is not w.npy, as bf16: 1 of 1024 datums differ; the first: ...\n"
    "dst 21.4: 0x7083 (30 as bf16): written by ELWADD of T1 math, 0x0000a070, add_tile at add.c:78"
    ", in cycle 831\n"
    "The tile is at cycle 831, before that. GDB keeps old registers until the next stop.\n"
)
OF_HART = "0x30000: 7: written by sw of T0, 0x00006070, main at t0.c:5, in cycles 40 to 80\n"
OF_NOTHING = "0x30000: nothing has written it since the reset\n"


@pytest.mark.parametrize(
    ("said", "thread"), [(OF_MATH, 7), (OF_HART, 2), (OF_NOTHING, None)], ids=["T1", "T0", "none"]
)
def test_the_thread_is_selected(
    said: str, thread: int | None, capsys: pytest.CaptureFixture[str]
) -> None:
    executed: list[str] = []
    with inside("wrong_datum") as module:
        gdb = module.gdb
        threads = [SimpleNamespace(num=10 + n, ptid=(1, n, 0)) for n in range(1, 9)]
        gdb.selected_thread = lambda: threads[0]
        gdb.selected_inferior = lambda: SimpleNamespace(threads=lambda: threads)
        gdb.execute, gdb.write = executed.append, lambda text: print(text, end="")
        asked: list[str] = []
        module.ask = lambda text: asked.append(text) or said
        module.flush = lambda: None
        module.Wrong().invoke("dst 0=w.npy:bf16", False)
    assert asked == ["monitor 1 wrong dst 0=w.npy:bf16"]
    assert executed == ([] if thread is None else [f"thread {10 + thread}"])
    assert "GDB keeps" not in capsys.readouterr().out

# SPDX-License-Identifier: Apache-2.0
"""The end of a program by a call: its reply, and a sentence only where GDB cannot say as much."""

from __future__ import annotations

import pytest

from tensix_gdb.core.semihosting.operations import APPLICATION_EXIT, Op
from tests.core.semihosting.program import block, fill, load
from tests.gdbstub.protocol.commands.test_host_calls import Served, shown


@pytest.mark.parametrize(
    ("status", "processes", "told", "explained"),
    [
        # GDB says `exited normally` or `exited with code 07`, and scripts wait for that alone.
        (0, False, b"W00", False),
        (0, True, b"W00;process:1", False),
        (7, True, b"W07;process:1", False),
        # Of a tile that is one process GDB cannot say which hart has failed.
        (7, False, b"W07", True),
        # It knows eight bits of a status.
        (0x107, True, b"W07;process:1", True),
        (0x100, True, b"W00;process:1", True),
    ],
)
def test_the_end_of_a_program_is_told_once(
    *, status: int, processes: bool, told: bytes, explained: bool
) -> None:
    served = Served(by_gdb=False, processes=processes)
    fill(served.machine, 0, APPLICATION_EXIT, status)
    load(served.machine, [(Op.SYS_EXIT_EXTENDED, block(0))])
    if processes:
        served.say("qSupported:multiprocess+")
    *before, last = served.say("vCont;c")
    assert last == told
    sentence = b"the program has ended with exit status %d\n" % status
    assert (sentence in shown(before)) is explained
    assert explained or not before
    served.machine.close()


def test_the_end_of_a_program_is_news_for_a_client_of_another_process() -> None:
    served = Served(by_gdb=False, processes=True)
    fill(served.machine, 0, APPLICATION_EXIT, 0)
    load(served.machine, [(Op.SYS_EXIT_EXTENDED, block(0))])
    for packet in ("qSupported:multiprocess+", "!", "vAttach;4"):
        served.say(packet)
    came = served.say("vCont;c")
    assert shown(came).startswith(b"B has stopped the tile. ")
    assert shown(came).endswith(b"the program has ended with exit status 0\n")
    assert came[-1].startswith(b"T05")
    served.machine.close()

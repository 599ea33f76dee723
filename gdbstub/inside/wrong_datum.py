# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `tensix-wrong`, which stops at the instruction that makes a wrong datum."""

import re

import gdb

from gdbstub.inside.commands import selected_thread
from gdbstub.inside.fresh import flush
from gdbstub.inside.query import ask

# The agent in the answer of `monitor wrong`: a hart, or its Tensix thread.
AGENT = re.compile(r"written by \S+ of (B|T0|T1|T2|NC)\b( \w+)?.*, in cycles? ")
THREADS = {"B": 1, "T0": 2, "T1": 3, "T2": 4, "NC": 5}
TENSIX = 4  # from a T core to its Tensix thread


class Wrong(gdb.Command):
    """Go back to the instruction that makes the first wrong datum.

    `tensix-wrong 0x41000=sum.npy:bf16` is about L1, `tensix-wrong dst 64=sum.npy:bf16` about Dst,
    `tensix-wrong src a 1=left.npy:bf16` about a bank of SrcA.

    The array is compared where the tile is now. Of a run with --expect that `tensix-gdb replay`
    has opened, `tensix-wrong` alone compares with the arrays that it had. The thread that makes the
    datum is selected."""

    def __init__(self) -> None:
        super().__init__("tensix-wrong", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    def invoke(self, argument: str, from_tty: bool) -> None:
        said = ask(f"monitor {selected_thread()} wrong {argument}".rstrip())
        # What GDB has to be told is done here.
        gdb.write(re.sub(r"(before that\.) GDB keeps .*", r"\1", said).rstrip("\n") + "\n")
        flush()
        agent = AGENT.search(said)
        if agent is not None:
            name, is_tensix = agent[1], bool(agent[2])
            go_to(THREADS[name] + (TENSIX if is_tensix else 0))


def go_to(number: int) -> None:
    """Select a thread, as the server counts it, and show where it is."""
    for thread in gdb.selected_inferior().threads():
        if (thread.ptid[1] or thread.ptid[2] or thread.num) == number:
            gdb.execute(f"thread {thread.num}")
            return


def define() -> None:
    """Make GDB know the command."""
    Wrong()

# SPDX-License-Identifier: Apache-2.0
"""Compiled code in threads of one process: it does not hold the GIL, and machines do not meet."""

from __future__ import annotations

import threading
import time

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import RUN_TIMED
from tensix_gdb.core.schedule import Schedule
from tests.assembler import asm, image, li

COUNTS_FOR_EVER = image(
    [
        *li(8, 0x8000),
        asm("lw", rd=11, rs1=8),
        asm("addi", rd=11, rs1=11, imm=1),
        asm("sw", rs1=8, rs2=11),
        asm("jal", rd=0, imm=-12),
    ],
    0,
)


def machine(first: int) -> Machine:
    made = Machine(engine="compiled", schedule=Schedule.LATENCY)
    made.load(B, COUNTS_FOR_EVER)
    made.load_bytes(0x8000, first.to_bytes(4, "little"))
    return made


def test_other_threads_go_on_during_a_call() -> None:
    """One call of compiled code for some tenths of a second: with the GIL, no other thread of
    Python would do anything in that time."""
    made = machine(0)
    spent: list[float] = []

    def call() -> None:
        start = time.perf_counter()
        made.engine.call(RUN_TIMED.name, 20_000_000)
        spent.append(time.perf_counter() - start)

    thread = threading.Thread(target=call)
    thread.start()
    rounds = 0
    while not spent:
        time.sleep(0.001)
        rounds += 1
    thread.join()
    assert rounds >= 20, f"{rounds} rounds in {spent[0]:.3f} s"
    made.close()


def test_machines_in_threads_come_to_the_states_of_machines_one_by_one() -> None:
    one_by_one, in_threads = ([machine(first) for first in range(4)] for _ in range(2))
    for made in one_by_one:
        assert made.run(300_000) is None
    threads = [threading.Thread(target=made.run, args=(300_000,)) for made in in_threads]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [made.hash() for made in in_threads] == [made.hash() for made in one_by_one]
    for made in (*one_by_one, *in_threads):
        made.close()

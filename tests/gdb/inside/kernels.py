# SPDX-License-Identifier: Apache-2.0
"""Kernels that the firmware is about to launch, under GDB: their symbols are where they run."""

from checks import (
    HART_THREADS,
    equal,
    execute,
    function,
    interrupt_after,
    run,
    selected,
    value,
    within,
)

BASE = 0x20000


def main():
    equal(value("mailboxes->go_messages[0].signal"), 0x80, "the go signal is given")
    within("5 locations", execute("break kernel_main"), "five files define the kernel")
    reached = []
    for _ in HART_THREADS:
        within("kernel_main", execute("continue"), "a kernel begins")
        equal(function(), "kernel_main", "it is known by its name")
        equal(value("$pc") >= BASE, True, "where the firmware has called it")
        reached.append(selected())
    equal(sorted(reached), sorted(HART_THREADS), "all five come to theirs")
    execute("delete")
    with interrupt_after(0.5):
        execute("continue")
    equal(value("*(unsigned char *)0x4f3"), 0, "the kernels are done")
    equal(value("*(int *)0x30000"), 1111, "and have left their result")


run(main)

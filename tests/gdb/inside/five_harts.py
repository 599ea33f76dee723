# SPDX-License-Identifier: Apache-2.0
"""All five harts at once: threads, breakpoints, locking, local RAM of each (all: five)."""

import re

import gdb
from checks import (
    HART_THREADS,
    equal,
    execute,
    function,
    report,
    run,
    select,
    selected,
    text,
    value,
    within,
)

LOCAL = 0xFFB00000


def rounds_of_all():
    seen = {}
    for hart in HART_THREADS:
        select(hart)
        seen[hart] = value(f"*(unsigned *){LOCAL:#x}")
    return seen


def pc_of(hart):
    return gdb.execute(f"thread apply {HART_THREADS[hart]} output/x $pc", to_string=True)


def main():
    listing = execute("info threads")
    for hart, thread in HART_THREADS.items():
        report(
            re.search(rf"^[* ] {thread} .*\b{hart}\b", listing, re.MULTILINE) is not None,
            f"info threads names {hart}",
        )
    numbers = {thread.num for thread in gdb.selected_inferior().threads()}
    report(numbers >= {1, 2, 3, 4, 5}, "five threads")

    # The harts take turns, so that a breakpoint for all is met in a known order.
    execute("break work")
    report(int(gdb.breakpoints()[-1].hit_count) == 0, "one breakpoint, in five ELFs")
    order = []
    for _ in range(7):
        execute("continue")
        order.append((selected(), value("round")))
    wanted = [(hart, 0) for hart in HART_THREADS] + [("B", 1), ("T0", 1)]
    equal(order, wanted, "each hart stops in its turn")

    traces = execute("thread apply all backtrace")
    for hart, thread in HART_THREADS.items():
        report(f"Thread {thread} (" in traces, f"thread apply all backtrace shows {hart}")
    equal(len(re.findall(r"\bmain \(\)", traces)), 5, "each of them in its main")

    # The same address, and five values.
    wanted = {"B": 2, "T0": 101, "T1": 201, "T2": 301, "NC": 401}
    equal(rounds_of_all(), wanted, "each hart has its own local RAM at the same address")
    select("T1")
    execute(f"set var *(unsigned *){LOCAL:#x} = 250")
    wanted["T1"] = 250
    equal(rounds_of_all(), wanted, "and writing one changes no other")

    # scheduler-locking: one hart runs, the others do not.
    execute("delete")
    select("T0")
    execute("set scheduler-locking on")
    pcs = {hart: pc_of(hart) for hart in HART_THREADS}
    here = value("$pc")
    for _ in range(4):
        execute("stepi")
    report(value("$pc") != here, "stepi moves the selected hart")
    for hart in HART_THREADS:
        if hart != "T0":
            equal(pc_of(hart), pcs[hart], f"{hart} is stopped")
    execute("set scheduler-locking off")

    # A breakpoint of one thread, and a watchpoint that means one hart's local RAM.
    execute(f"break work thread {HART_THREADS['T2']}")
    execute("continue")
    equal((selected(), function()), ("T2", "work"), "a breakpoint of one thread")
    execute("delete")
    select("NC")
    before = value(f"*(unsigned *){LOCAL:#x}")
    execute(f"watch *(unsigned *){LOCAL:#x}")
    output = execute("continue")
    equal((selected(), function()), ("NC", "work"), "a watchpoint in the local RAM of one hart")
    within(f"Old value = {before}\nNew value = {before + 1}\n", output, "with its values")
    execute("delete")

    # step and next with the others running: they are waiting for this hart's turn to end.
    execute("break work")
    execute("continue")
    hart = selected()
    execute("next")
    execute("finish")
    equal((selected(), function()), (hart, "main"), "finish in one hart while the others run")
    execute("delete")

    execute("monitor reset")
    execute("break work if round == 9")
    last, stops = [], []
    for _ in range(10):
        execute("continue")
        (last if function() == "work" else stops).append(selected())
    equal(last, list(HART_THREADS), "the last round of all five")
    equal(sorted(stops), sorted(HART_THREADS), "and each comes to its end")
    equal(text("total"), str(sum(h * r for h in range(5) for r in range(10))), "the common sum")


run(main)

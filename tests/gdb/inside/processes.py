# SPDX-License-Identifier: Apache-2.0
"""Five inferiors, one for each hart, all resumed together (all: five)."""

import re

import gdb
from checks import (
    ELFS,
    HART_THREADS,
    attach_all,
    equal,
    execute,
    function,
    report,
    run,
    selected,
    text,
    value,
    within,
)

LOCAL = 0xFFB00000
COLUMNS = "pid user cores device core_type core_location risc command vscode_fix"
RISCS = ("brisc", "trisc0", "trisc1", "trisc2", "ncrisc")


def rounds():
    """Each inferior's variable in its own local RAM."""
    seen = {}
    for hart, number in HART_THREADS.items():
        execute(f"inferior {number}")
        seen[hart] = value("rounds")
    return seen


def pcs_of_all():
    """Where the hart of each inferior is."""
    return {
        n: gdb.execute(f"thread apply {n}.1 output/x $pc", to_string=True)
        for n in HART_THREADS.values()
    }


def main():
    table = [line.split() for line in execute("info os processes").splitlines()]
    equal(table[0], COLUMNS.split(), "info os processes has the columns of tt-exalens")
    wanted = [[str(pid), risc] for pid, risc in enumerate(RISCS, 1)]
    equal([[row[0], row[-3]] for row in table[1:]], wanted, "and a row for each hart")
    equal([row[-2] for row in table[1:]], list(ELFS.values()), "with its ELF")

    listing = execute("info inferiors")
    for number, path in enumerate(ELFS.values(), 1):
        row = rf"^[* ] {number} +process {number} .*{re.escape(path)}"
        report(re.search(row, listing, re.MULTILINE) is not None, f"inferior {number} has its ELF")
    threads = {i.num: [t.ptid[:2] for t in i.threads()] for i in gdb.inferiors()}
    wanted = {n: [(n, n)] + [(n, n + 4)] * (2 <= n <= 4) for n in range(1, 6)}
    equal({n: sorted(t) for n, t in threads.items()}, wanted, "Tensix threads are with T0 to T2")

    # One breakpoint in five programs; each hart stops at its own place, with its own variables.
    execute("break work")
    order = []
    for _ in range(7):
        execute("continue")
        order.append((selected(), gdb.selected_inferior().num, value("round")))
    wanted = [(hart, n, 0) for n, hart in enumerate(HART_THREADS, 1)] + [("B", 1, 1), ("T0", 2, 1)]
    equal(order, wanted, "each hart stops in its turn")
    equal(rounds(), {"B": 2, "T0": 101, "T1": 201, "T2": 301, "NC": 401}, "print means the ELF")
    places = {n: text("&rounds") for n in (1, 2) if execute(f"inferior {n}")}
    equal(len(set(places.values())), 1, "though the address is the same")

    # A breakpoint, a watchpoint of one inferior.
    execute("delete")
    execute("inferior 4")
    execute("break *work")
    execute("continue")
    equal((selected(), function()), ("T2", "work"), "a breakpoint of one inferior")
    execute("delete")
    execute("inferior 5")
    before = value("rounds")
    execute("watch rounds")
    output = execute("continue")
    equal((selected(), function()), ("NC", "work"), "a watchpoint of one inferior")
    within(f"Old value = {before}\nNew value = {before + 1}\n", output, "with its values")
    execute("delete")

    # Only the selected inferior runs.
    execute("set schedule-multiple off")
    pcs = pcs_of_all()
    execute("inferior 2")
    for _ in range(4):
        execute("stepi")
    after = pcs_of_all()
    equal({n for n in after if after[n] != pcs[n]}, {2}, "without schedule-multiple one runs")
    execute("set schedule-multiple on")

    # Backwards, in one of them.
    execute("inferior 5")
    here = value("$pc")
    execute("stepi")
    execute("reverse-stepi")
    equal(value("$pc"), here, "reverse-stepi in an inferior")
    execute("watch rounds")
    output = execute("reverse-continue")
    equal((selected(), value("rounds")), ("NC", before), "back to the store that changed it")
    execute("delete")

    # Together to the end.
    execute("monitor reset")
    execute("maintenance flush register-cache")
    ends = []
    for _ in range(5):
        execute("continue")
        ends.append(selected())
    equal(sorted(ends), sorted(HART_THREADS), "each comes to its end")
    equal(text("total"), str(sum(h * r for h in range(5) for r in range(10))), "the common sum")


run(main, attach_all)

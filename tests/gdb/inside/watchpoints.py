# SPDX-License-Identifier: Apache-2.0
"""watch, rwatch and awatch with the right address and values, in local RAM and L1 (T0: watched)."""

import gdb
from checks import equal, execute, function, line_of, run, value, within


def main():
    execute("break main")
    execute("continue")

    # Local RAM: the first three writes.
    within("Hardware watchpoint", execute("watch in_local"), "watch uses the tile's watchpoints")
    old = 10
    for new in (11, 22, 33):
        output = execute("continue")
        within(f"Old value = {old}\n", output, "watch shows the old value")
        within(f"New value = {new}\n", output, "and the new one")
        equal(function(), "write_local", "in the function that wrote")
        old = new
    execute("delete $bpnum")

    # L1, conditional.
    execute("watch in_l1 if in_l1 == 5")
    output = execute("continue")
    within("Old value = 4\nNew value = 5\n", output, "a condition of a watchpoint in L1 holds")
    equal(function(), "write_l1", "in the function that wrote")
    execute("delete $bpnum")

    # What is written unchanged is not reported: only scoped() comes next.
    execute("watch in_local")
    execute("tbreak scoped")
    within("New value = 55", execute("continue"), "the last change")
    execute("continue")
    equal(function(), "scoped", "a write of the same value does not stop")
    execute("delete")

    # On the stack, until the frame is gone. Og keeps volatile locals in memory.
    execute(f"advance {line_of('watched', 'writes local')}")
    execute("watch local")
    start = value("local")
    output = execute("continue")
    within(f"Old value = {start}\nNew value = {start + 5}\n", output, "a local variable changes")
    within(f"New value = {2 * (start + 5)}\n", execute("continue"), "and again")
    within("deleted", execute("continue"), "and its watchpoint ends with its frame")
    equal(function(), "main", "in the caller")
    execute("delete")

    execute("tbreak main")
    execute("monitor reset")
    execute("continue")

    # Reads, in the function that reads.
    execute("rwatch in_local")
    for wanted in (11, 22):
        within(f"Value = {wanted}\n", execute("continue"), "rwatch shows the value that was read")
        equal(function(), "read_local", "in the function that reads")
    execute("delete $bpnum")

    # Both: in the middle of the second round it is read next, then written.
    execute("awatch in_l1")
    for i, wanted in ((2, "read_l1"), (3, "write_l1"), (3, "read_l1"), (4, "write_l1")):
        output = execute("continue")
        equal(function(), wanted, "awatch stops at every access")
        if wanted == "write_l1":
            within(f"Old value = {i - 1}\nNew value = {i}\n", output, "with both values at a write")
        else:
            within(f"Value = {i}\n", output, "with the value at a read")
    execute("delete")

    # One byte among its neighbours.
    execute("watch bytes[5]")
    output = execute("continue")
    within("New value = 5 '\\005'", output, "one byte changes, its neighbours do not stop")
    execute("delete")

    # By address, a location and several at once.
    execute("tbreak main")
    execute("monitor reset")
    execute("continue")
    execute("watch *(int *)&in_l1")
    execute("watch -location in_local")
    execute("rwatch untouched")
    seen = []
    for _ in range(4):
        execute("continue")
        seen.append(function())
    equal(seen, ["write_l1", "write_local"] * 2, "several watchpoints stop in turn")
    equal(gdb.selected_thread().name, "T0", "in the thread that wrote")


run(main)

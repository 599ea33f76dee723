# SPDX-License-Identifier: Apache-2.0
"""Tenstorrent's firmware under GDB: initialised at first, then from before the boot (firmware)."""

from checks import (
    equal,
    execute,
    function,
    interrupt_after,
    report,
    run,
    select,
    selected,
    text,
    value,
    within,
)

IDLE = {"main", "invalidate_l1_cache", "wait_for_brisc_notification"}


def main():
    equal(value("mailboxes->go_messages[0].signal"), 0, "the server stops when it is initialised")
    within("subordinate_sync_msg_t subordinate_sync;", execute("ptype mailboxes"), "its DWARF type")

    execute("monitor reset halt")
    execute("maintenance flush register-cache")
    equal(value("*(int *)0x4f0"), 0x40000000, "a reset goes back to before the boot")
    execute("tbreak brisc.cc:main")
    within("main", execute("continue"), "B comes to its main")
    equal((selected(), function()), ("B", "main"), "which is brisc's")
    for hart in ("T0", "T1", "T2", "NC"):
        within(f'"{hart}" (in reset)', execute("info threads"), f"{hart} is in reset")

    execute("watch mailboxes->subordinate_sync")
    seen = []
    while "subordinate_sync" in execute("continue"):
        sync = bytes(value(f"mailboxes->subordinate_sync.map[{i}]") for i in range(4))
        seen.append((selected(), sync))
        if not any(sync):
            break
    execute("delete")
    equal(seen[0], ("B", b"@@@@"), "B asks four harts to start")
    equal(sorted(hart for hart, _ in seen[1:]), ["NC", "T0", "T1", "T2"], "each says that it has")
    zeros = [sync.count(0) for _, sync in seen]
    # A hart sees its own store before those of others that are still under way.
    equal(
        (zeros[0], zeros[-1], zeros), (0, 4, sorted(zeros)), "the bytes go to 0 one after another"
    )

    select("B")
    execute("watch mailboxes->go_messages[0].signal")
    within("New value = 0", execute("continue"), "the go signal says that all are initialised")
    execute("delete")
    with interrupt_after(0.5):
        within("SIGINT", execute("continue"), "Ctrl-C stops the idle loop")
    for hart in ("B", "T1", "T2", "NC"):
        select(hart)
        report(function() in IDLE, f"{hart} waits in its loop, in {function()}")
    select("B")
    equal(text("mailboxes->launch_msg_rd_ptr"), "0", "nothing was launched")
    within("kernel_config", text("mailboxes->launch[0]"), "the launch message by its type")


run(main)

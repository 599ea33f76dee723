# SPDX-License-Identifier: Apache-2.0
"""The helper of `tensix-gdb gdb`: names mean the selected hart's ELF, `tensix` commands,
convenience functions, completion (all: names)."""

import re
import subprocess
from pathlib import Path

import gdb
from checks import (
    ELFS,
    HART_THREADS,
    equal,
    execute,
    function,
    refused,
    report,
    run,
    select,
    value,
    within,
)

HELPER = Path(__file__).resolve().parents[3] / "gdbstub" / "inside" / "tensix.py"


def symbols(hart):
    """Where the hart's own file has its names."""
    done = subprocess.run(
        ["riscv64-unknown-elf-nm", ELFS[hart]], capture_output=True, text=True, check=True
    )
    rows = [row.split() for row in done.stdout.splitlines()]
    return {name: int(addr, 16) for addr, _, name in rows}


def shown(command):
    return gdb.execute(command, to_string=True)


def complete(text):
    return shown(f"complete {text}").splitlines()


def names():
    of = {hart: symbols(hart) for hart in HART_THREADS}
    equal(len({of[hart]["counter"] for hart in of}), 5, "five variables of one name")
    for hart in reversed(HART_THREADS):
        select(hart)
        # In crt0.S, whose unit has none of them: GDB alone takes the first file's.
        place = of[hart]
        within(f"{place['counter']:#x}", shown("print &counter"), f"{hart}: its own")
        within(f"{place['main']:#x} <main>", shown("p main"), f"{hart}: functions too")
        within(f"{place['main']:#x} <main>", shown("info line main"), f"{hart}: info line")
        equal(shown("info line main").count("Line "), 1, f"{hart}: and of no other")
        equal(int(gdb.parse_and_eval('&$_tensix_own("counter")')), place["counter"], "by function")
        within(f"{place['limits'] + 4:#x}", shown("print/x &limits.high"), f"{hart}: a member")
    for thread, hart in ((6, "T0"), (7, "T1"), (8, "T2")):
        execute(f"thread {thread}")
        place = of[hart]
        within(f"{place['counter']:#x}", shown("print &counter"), f"a Tensix thread has {hart}'s")
        within(f"{place['main']:#x} <main>", shown("info line main"), "and its lines")
    select("B")
    for hart, thread in HART_THREADS.items():
        execute(f"tbreak *{of[hart]['main']:#x} thread {thread}")
    for _ in HART_THREADS:
        execute("continue")
        while function() != "main":
            execute("continue")  # somebody else has ended
        number = gdb.selected_thread().ptid[1] - 1
        hart = list(HART_THREADS)[number]
        within(f"= {100 * number}\n", shown("print counter"), f"{hart}: the value")
        within(f"low = {number}, high = {10 * number}", shown("p limits"), f"{hart}: a structure")
        within('= "counter"\n', shown('print "counter"'), "texts are left alone")
        within(f"= {100 * number + 1}\n", shown("p 1 + counter"), "in an expression")
        within(f"{100 * number:#x}", shown("p/x counter"), "in a format")
        within(f"= {100 * number}\n", shown("print -pretty -- counter"), "behind options")
        within(f"= {100 * number}\n", shown("inspect counter"), "inspect is print")
        execute(f"print counter = {7 + number}")
        equal(value('$_tensix_own("counter")'), 7 + number, f"{hart}: set")
    last = 7 + number
    within(f"= {last}\n", shown("print $"), "the history")
    within(f"= {last}\n", shown("print"), "and its end")
    stopped = value("(unsigned)$pc")
    said = execute("monitor reset")
    report(value("(unsigned)$pc") != stopped, "no register is as before a reset")
    within("#0  _start () at ", said, "and where the thread is now is shown")
    execute("stepi 2")
    execute("up-silently 0")
    equal(execute("tensix sem 3").count("#0"), 0, "a command that looks shows no frame")
    within("#0  _start () at ", execute("tensix reset"), "the same by the other command")
    select("T1")
    there = shown("tensix disasm")
    shown("info threads")
    equal(shown("monitor disasm"), there, "`monitor` is about the selected thread")
    execute(f"tbreak *{of['T2']['count'] + 4:#x} thread {HART_THREADS['T2']}")
    execute("continue")
    while function() != "count":
        execute("continue")
    within("= 3\n", shown("print limits + by - by"), "a local variable hides the global one")
    for command, said in (
        ("print nothing", 'No symbol "nothing" in current context.'),
        ("info line nothing", 'Function "nothing" not defined.'),
    ):
        equal(refused(command), said, "a name that is nowhere, in GDB's words")


def breakpoints():
    """`break main` is the selected hart's; with a thread, that one's; `enable` has all."""
    execute("delete")
    execute("monitor reset")
    for hart, thread in reversed(HART_THREADS.items()):
        select(hart)
        said = shown("break main")
        within("(5 locations)", said, "GDB finds them all")
        within(f"-{hart}-", said, f"{hart}: its own is kept")
        number = gdb.breakpoints()[-1].number
        within(f"`enable {number}.1-5` enables all", said, "and how to have all")
        enabled = [one.enabled for one in gdb.breakpoints()[-1].locations]
        equal(enabled.count(True), 1, "one of five")
        execute("delete")
        # Another hart is selected than the one that is named.
        select("B" if hart != "B" else "T2")
        within(f"-{hart}-", shown(f"tbreak main thread {thread}"), f"{hart}: by thread")
        execute("delete")
    select("T1")
    execute("break main")
    execute("continue")
    while function() != "main":
        execute("continue")
    equal(gdb.selected_thread().num, HART_THREADS["T1"], "only T1 stops")
    execute(f"enable {gdb.breakpoints()[-1].number}.1-5")
    execute("monitor reset")
    execute("continue")
    while function() != "main":
        execute("continue")
    report(gdb.selected_thread().num != HART_THREADS["T1"], "now the first that comes")
    equal(shown("break names.c:main").count("Enabled"), 0, "nor is what names its file")
    execute("delete")
    execute("monitor reset")


def tensix():
    equal(shown("tensix sem 3").splitlines()[1].split(), ["3", "0", "0"], "a command")
    within("monitor why", shown("tensix"), "without words: help")
    within("T2: runs, pc", shown("tensix why T2"), "about a hart")
    within("is no Tensix thread", refused("tensix fifo T9"), "refused in words")
    execute("monitor sem 3=2")
    execute("monitor sem 3.max=5")
    equal((value("$_tensix_sem(3)"), value('$_tensix_sem(3, "max")')), (2, 5), "semaphores")
    execute("monitor gpr T1 9=0x1234")
    equal(value("$_tensix_gpr(1, 9)"), 0x1234, "a GPR by number of the coprocessor's")
    equal(value("$_tensix_gpr(7, 9)"), 0x1234, "and by GDB's")
    execute("monitor cfg THCON_SEC0_REG3_Base_address=0x77 1")
    equal(value('$_tensix_cfg("THCON_SEC0_REG3_Base_address", 1)'), 0x77, "configuration")
    equal(value('$_tensix_cfg("THCON_SEC0_REG3_Base_address")'), 0, "of the bank in use")
    equal(value("$_tensix_mutex(2)"), -1, "a mutex that nobody has")
    equal(value('$_tensix_fifo(0, "A") + $_tensix_fifo(0)'), 0, "empty FIFOs")
    equal(value('$_tensix_adc(0, 2, 1, "X") + $_tensix_rwc(0, "dst")'), 0, "counters")
    within("not held", str(gdb.parse_and_eval("$_tensix_gate(0)")), "the gate")
    report(value("$_tensix_cycle()") > 10, "the cycle")
    within("there is no FIFO", refused('print $_tensix_fifo(0, "Q")'), "wrong arguments")
    within("no question", refused("print $_tensix_gpr(1)"), "too few")
    within("tensix mutex", complete("tensix mu"), "commands are completed")
    within("tensix fifo T1", complete("tensix fifo T"), "threads")
    within("tensix cfg THCON_SEC0_REG3_Base_address", complete("tensix cfg THCON_SEC0_REG3_B"), "")
    within("tensix help sem", complete("tensix help s"), "in help")
    text = shown("help function")
    for name in ("sem", "mutex", "gpr", "cfg", "fifo", "gate", "adc", "rwc", "cycle", "own"):
        report(re.search(rf"_tensix_{name}\b", text) is not None, f"help function has {name}")
    within("TAB", shown("help tensix"), "help tensix")


def without_a_tile():
    execute("disconnect")
    within("= 42\n", shown("print 6 * 7"), "print works without a tile")
    within("Line ", shown("info line count"), "info line too")
    within("not attached", refused("tensix why") + refused("print $_tensix_sem(1)"), "the rest")


def main():
    execute(f"source {HELPER}")
    names()
    tensix()
    breakpoints()
    without_a_tile()


run(main)

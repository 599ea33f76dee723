# SPDX-License-Identifier: Apache-2.0
"""The Tensix threads as threads of GDB: frames, steps, registers, stops at gates (T1: gate)."""

from pathlib import Path

import gdb
from checks import (
    equal,
    execute,
    function,
    line,
    line_of,
    refused,
    report,
    run,
    value,
    within,
)

MATH = 7
HELPER = Path(__file__).resolve().parents[3] / "gdbstub" / "inside" / "tensix.py"


def of(marker):
    return line_of("gate", marker)


def thread():
    return gdb.selected_thread().ptid[1] or gdb.selected_thread().num


def going(command):
    """The T core comes to its end at some time, in `random` early: that stop is passed over."""
    said = execute(command)
    if "ebreak" not in said:
        return said
    if command != "continue":
        execute(f"thread {MATH}")
    return execute(command)


def main():
    execute(f"source {HELPER}")
    mop, wait, behind = of("six additions"), of("wait for a tile"), of("behind the wait")
    before_anything()
    a_break_by_line(mop)
    stepping_through_the_mop(mop, wait, behind)
    registers(behind)
    a_frame_of_one()
    watches()
    deleting()
    to_the_end()


def before_anything():
    listing = execute("info threads")
    for name in ("B", "T0", "T1", "T2", "NC", "T0 unpack", "T1 math", "T2 pack"):
        within(f'"{name}" (', listing, "all eight threads are there")
    within('"T1 math" (nothing was pushed to it)', listing, "what a thread does is said")
    equal(thread(), 3, "a hart with a program is selected")
    equal(listing.count(" in in_reset ()"), 4, "harts in reset say so in the frame column")
    equal(listing.count(" in nothing_pushed ()"), 3, "and so do idle Tensix threads")
    for number in (1, 7):
        execute(f"thread {number}")
        equal(execute("backtrace").count("#"), 1, "these have no caller")
    execute("thread 3")


def a_break_by_line(mop):
    said = execute(f"tensix-break gate.c:{mop} ADDDMAREG nth 5")
    within("Gate breakpoint 1", said, "tensix-break takes a line")
    within("It covers 1 push (0x", said, "and says what it covers")
    within("Gate breakpoint 2", execute("monitor break gate WRCFG if cfg_index=3"), "by a field")
    within("has no field 'mask'", execute("monitor break gate NOP if mask=1"), "which has to exist")
    said = going("continue")
    within("5th of a MOP, at its gate", said, "the fifth of the expansion stops")
    equal((thread(), function(), line()), (MATH, "compute", mop), "in its thread, on its line")
    # Three additions and the DMANOP of the first loop, one of the second.
    equal(value("$gate.is.nth"), 5, "before it passes")
    equal(value("$perf_fpu.is.FPU_COUNTER"), 0, "counters are registers of the thread")
    within("THREAD_STALLS = {0, 0, 0}", execute("print $perf_instrn_thread.is"), "by their names")
    within("1 hit", execute("tensix break"), "hits are counted")


def stepping_through_the_mop(mop, wait, behind):
    passed = value("$gate.is.passed")
    going("stepi")
    equal(value("$gate.is.passed"), passed + 1, "stepi passes one instruction")
    equal(line(), mop, "the thread is in the MOP still")
    going("step")
    equal(line(), wait, "step continues to what was pushed after the MOP")
    equal(value("$gpr[5]"), 6, "the MOP is over")
    going("next")
    equal(line(), behind, "next goes behind the SEMWAIT")
    said = execute("step")
    # The T core ends meanwhile; that stop comes first.
    execute(f"thread {MATH}")
    equal(line(), behind, "what waits for a semaphore does not pass")
    within("SEMWAIT block=ALL sem=S1 wait=C0", execute("info threads"), "info threads says why")
    report("has ended" in said or "nothing" in said, "the step ended, and said why")


def registers(behind):
    execute("monitor step-limit 20000")
    within("Thread 7", execute("thread"), "the thread is selected")
    shown = execute("info registers tensix")
    for name in ("gpr", "gate", "wait", "fifo", "sem", "mutex", "adc_unp0", "rwc", "cfg_bank"):
        within(f"\n{name} ", f"\n{shown}", "registers are listed")
    equal(value("$wait.is.kind"), 2, "the latched wait is a SEMWAIT")
    equal(value("$sem.is.max[1]"), 1, "semaphores are seen")
    report("gpr" not in execute("info registers"), "a hart's registers are listed without them")
    within("Could not write register", refused("set $pc = 0xa000"), "the pc is where it is")
    within("Could not write register", refused("set $sem.is.value[1] = 16"), "no such value")
    execute("set $gpr[5] = 1000")
    execute("set $sem.is.value[1] = 1")
    equal((value("$gpr[5]"), value("$sem.is.value[1]")), (1000, 1), "written")
    execute("stepi")
    equal(value("$gpr[7]"), 0x77 if line() != behind else 0, "the semaphore lets it pass")
    report(line() > behind, "and the next one is at the gate")


def a_frame_of_one():
    within("#0  compute", execute("bt"), "a frame")
    within("outermost frame", refused("finish"), "and no caller")


def watches():
    execute("monitor watch cfg 3")
    said = execute("continue")
    within("Gate breakpoint 2", said, "the field's breakpoint stops first")
    said = execute("continue")
    within("Watch ", said, "the watched word stops")
    within("from 0x0 to 0x3e8 by WRCFG", said, "with both values and the instruction")
    within(f"compute at gate.c:{of('configure')}", said, "and its line")
    execute(f"watch *(unsigned *){0xFFE00014:#x}")
    execute("set $sem.is.value[1] = 1")
    said = execute("continue")
    within("Old value = 1000", said, "a plain watch of a GPR sees it change")
    within("New value = 1001", said, "to the next value")
    within("by ADDDMAREG.Imm", said, "and names the instruction")
    equal((thread(), line()), (MATH, of("six additions")), "in the thread that has changed it")


def deleting():
    execute("delete")
    within("so it stops nothing", execute("tensix-break 0xa000"), "where nothing is pushed")
    within("Nothing is left", execute("tensix delete all"), "all are taken away")
    within("There is no gate breakpoint", execute("tensix break"), "none is left")


def to_the_end():
    execute("watch *(unsigned *)0xffe80024")
    execute("set $sem.is.value[1] = 1")
    said = execute("continue")
    within("from 0x1 to 0x0 by SEMGET sem=S1", said, "a plain watch of a semaphore")
    equal(line(), of("configure"), "the next instruction is at the gate")
    execute("delete")
    execute("set scheduler-locking on")
    passed = value("$gate.is.passed")
    execute("stepi")
    equal(value("$gate.is.passed"), passed + 1, "a thread steps while all others are held")
    execute("set scheduler-locking off")
    execute("monitor break gate WRCFG")
    for total in (1012,):
        execute("set $sem.is.value[1] = 1")
        execute("continue")
        equal((thread(), line()), (MATH, of("configure")), "the end of a round")
        equal(value("$gpr[5]"), total, "nothing was lost or done twice")
    execute("stepi")
    equal(value("$gate.is.passed"), 37, "all of it has passed")
    within("its queues are empty; WRCFG", execute("info threads"), "and nothing is left")


run(main)

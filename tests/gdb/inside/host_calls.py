# SPDX-License-Identifier: Apache-2.0
"""Semihosting by GDB's File-I/O: files of two harts, whose names are in their own local RAM."""

import os
import tempfile
from pathlib import Path

import gdb
from checks import equal, execute, run, within


def main():
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        execute("break end")
        execute("thread 5")
        execute("continue")
        first = gdb.selected_thread().num
        # Whoever was first stays where it is: T0's status ends the program.
        execute("set scheduler-locking on")
        execute(f"thread {3 - first}")
        execute("continue")
        execute("set scheduler-locking off")
        second = gdb.selected_thread().num
        equal(sorted((first, second)), [1, 2], "both have come to their end")
        equal(Path("asked0").read_text(), "hart 0", "what B has written")
        equal(Path("asked1").read_text(), "hart 1", "what T0 has written")
        within('"hart ', execute("print got"), "what was read again")
        execute("delete")
        output = execute("continue")
        within("the program has ended with exit status 1", output, "T0 ends with another status")
        within("exited with code 01", output, "and GDB is told")
        os.chdir(here)


run(main)

# SPDX-License-Identifier: Apache-2.0
"""A tile through the coprocessor, with GDB looking at SrcA and SrcB (T0 to T2: data_path)."""

import json
import os

from checks import equal, execute, function, run, select, value, within

RESULT = 0x50000


def main():
    for addr, path in json.loads(os.environ["TENSIX_MEMORY"]):
        execute(f"restore {path} binary {addr:#x}")
    select("T1")
    execute("break calculate")
    execute("continue")
    equal(function(), "calculate", "T1 comes to its work")
    within("SrcB bank 1: the unpackers'", execute("monitor src"), "monitor src lists the banks")

    execute("delete")
    for _ in range(3):
        execute("continue")
        equal(function(), "_start", "a hart is at its end")

    # Row 0 of SrcA is the first row of the right tile: an infinity, a NaN, then numbers.
    shown = execute("monitor src a 0").splitlines()
    within("SrcA bank 0: the unpackers'; unpacked to BF16", shown[0], "whose the bank is")
    equal(shown[1], "not finite: 1 NaN and 1 infinite", "what is no number is counted")
    equal(shown[3].split()[:6], ["0", "inf", "-nan", "2", "3", "4"], "and shown")
    equal(len(shown), 3 + 64, "all rows of a tile are there")
    shown = execute("monitor src b 0 4-7 --format hex").splitlines()
    equal([row.split()[0] for row in shown[2:]], ["4", "5", "6", "7"], "rows of SrcB as asked")
    equal(shown[2].split()[1], "0007f", "1.0 as SrcB keeps it")
    within("type `monitor src a`", execute("monitor src c"), "a mistake is answered")
    # An infinity is a large number to the Matrix Unit: with 31 ones it is the result.
    equal(value(f"*(unsigned short *){RESULT:#x}"), 0x7F80, "and the result is in L1")


run(main)

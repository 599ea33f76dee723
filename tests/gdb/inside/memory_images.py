# SPDX-License-Identifier: Apache-2.0
"""load, compare-sections, dump, restore, find, set var on memory (B: calls)."""

import tempfile
from pathlib import Path

import gdb
from checks import equal, execute, function, report, run, value, within


def main():
    sections = execute("compare-sections")
    within("Section .text", sections, "compare-sections compares the code")
    report("MIS-MATCHED" not in sections, "and finds what the server loaded")

    execute("set var *(int *)add = 0")
    within("MIS-MATCHED", execute("compare-sections .text"), "it finds one changed word")
    loaded = execute("load")
    within("Loading section .text", loaded, "load writes the sections")
    within("Start address 0x00000000", loaded, "and sets the pc")
    equal(value("$pc"), 0, "the pc is the start address")
    report("MIS-MATCHED" not in execute("compare-sections"), "and all is well again")
    execute("break outer")
    execute("continue")
    equal(function(), "outer", "what was loaded runs")

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "l1.bin"
        content = bytes(range(256)) * 1024
        file.write_bytes(content)
        execute(f"restore {file} binary 0x80000")
        equal(value("*(unsigned *)0x80104"), 0x07060504, "restore writes a file into L1")
        copy = Path(folder) / "copy.bin"
        execute(f"dump binary memory {copy} 0x80000 {0x80000 + len(content)}")
        equal(copy.read_bytes() == content, True, "dump writes L1 into a file, all 256 KiB of it")

        execute("set var squares[3] = 1234")
        local = Path(folder) / "local.bin"
        execute(f"dump binary value {local} squares")
        equal(local.read_bytes()[12:16], (1234).to_bytes(4, "little"), "dump of a value")
        execute("set var squares[3] = 0")
        execute(f"restore {local} binary &squares")
        equal(value("squares[3]"), 1234, "restore into local RAM")
        srec = Path(folder) / "l1.srec"
        execute(f"dump srec memory {srec} 0x80000 0x80040")
        execute("set var *(int *)0x80010 = 0")
        execute(f"restore {srec}")
        equal(value("*(int *)0x80010"), 0x13121110, "through an S-record file")

    execute('set var {char[8]}0x90000 = "needle!"')
    within("0x90000", execute("find 0x88000, 0x98000, 'n', 'e', 'e', 'd'"), "find finds bytes")
    within("1 pattern found", execute("find /w 0x20000, 0x170000, 0x6465656e"), "once in all of L1")
    within("Pattern not found", execute("find 0xa0000, +0x1000, 0x12345678"), "or says it is not")

    odd = gdb.selected_inferior()
    odd.write_memory(0xA0001, b"}#$*\x03" * 7)
    equal(bytes(odd.read_memory(0xA0001, 35)), b"}#$*\x03" * 7, "bytes that need escapes")


run(main)

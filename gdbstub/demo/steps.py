# SPDX-License-Identifier: Apache-2.0
"""The script of the demo: chapters, the commands as a person would type them, and what must appear.

A command with the text CTRL_C is the key: it is pressed while the command before it runs.
"""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass

CTRL_C = "Ctrl-C"


@dataclass(frozen=True, slots=True)
class Command:
    """One GDB command, and regular expressions that its output has to match."""

    text: str
    shows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading, what to look out for, and the commands."""

    title: str
    text: str
    commands: tuple[Command, ...]


def show(text: str, *shows: str) -> Command:
    """Return a command and what its output has to match."""
    return Command(text, shows)


CHAPTERS = (
    Chapter(
        "Five harts are five threads",
        "The tile has five RISC-V harts: B, T0, T1, T2 and NC. Four of them have a C program; T2 "
        "has none and stays in reset.",
        (
            show(
                "info threads",
                *(r'1 .*"B"', r'2 .*"T0"', r'3 .*"T1"', r'4 .*"T2" \(in reset\)', r'5 .*"NC"'),
            ),
        ),
    ),
    Chapter(
        "Stop in a function, and look around",
        "NC makes samples and T0 filters them. A breakpoint in the middle of T0's filter, from "
        "the third sample on; then the callers, with source lines, and their variables.",
        (
            show("break weigh if me.done == 2 && tap == 1", r"Breakpoint 1 at 0x[0-9a-f]+: file"),
            show("continue", r'"T0" hit Breakpoint 1, weigh \(window=.*tap=.*1\) at .*t0\.c:\d+'),
            show("backtrace", r"#0 +weigh", r"#1 .* filter \(.*t0\.c:\d+", r"#2 .* main \(\) at"),
            show("print *window@4", r"= \{7, 38, 92, 0\}"),
            show("frame function main", r"#2 .* main \(\)"),
            show("info locals", r"window = \{7, 38, 92, 0\}", r"number = 2, value = 92"),
        ),
    ),
    Chapter(
        "Step",
        "Out of the function, with what it returns, and on line by line. The other harts run on "
        "meanwhile, as they would on the chip.",
        (
            show("delete"),
            show("frame 0", r"#0 +weigh"),
            show("finish", r"Run till exit", r"Value returned is \$\d+ = 76"),
            show("next", r"for \(int tap|sum \+= weigh"),
            show("print sum", r"= 83"),
            show("tbreak publish"),
            show("continue", r"publish \(sum=267\) at .*t0\.c"),
        ),
    ),
    Chapter(
        "Watch memory",
        "`pipeline` is in L1, which all harts see. A hart that changes the sum stops, with "
        "the value before and the value after.",
        (
            show("watch pipeline.sum", r"Hardware watchpoint \d+: pipeline\.sum"),
            show("continue", r'"T0" hit Hardware', r"Old value = 83", r"New value = 267"),
            show("continue", r"Old value = 267", r"New value = \d+", r"publish"),
            show("delete"),
        ),
    ),
    Chapter(
        "One address, two harts",
        "Every hart has a local RAM of its own at 0xffb00000. The same address is another "
        "variable on T0 than on T1, and a watchpoint there means the selected hart's.",
        (
            show("thread 2", r"Thread 2"),
            show("output &me", r"0xffb00000 <me>"),
            show("print me", r'name = "T0\\000", done = 3'),
            show("thread 3", r"Thread 3"),
            show("frame function main"),
            show("output &me", r"0xffb00000 <me>"),
            show("print me", r'name = "T1\\000", done = \d+'),
            show("watch me.done", r"Hardware watchpoint"),
            show("continue", r'"T1" hit Hardware', r"Old value = 3", r"New value = 4"),
            show("delete"),
        ),
    ),
    Chapter(
        "Recursion, and a call from the debugger",
        "T1 mixes each sum into a checksum by a function that calls itself. GDB can call it too.",
        (
            show("tbreak mix if bits == 1"),
            show("continue", r'"T1" hit Temporary breakpoint'),
            show("backtrace", r"#0 +mix \(", r"#5 .* mix \(", r" main \(\) at .*t1\.c"),
            show("print mix(0, 5)", r"= 1"),
            show("info symbol $pc", r"mix"),
        ),
    ),
    Chapter(
        "Instructions for the Tensix coprocessor",
        "T0 pushes two of them with every sum: words in the instruction stream that this GDB does "
        "not know, but the tile does, and it steps over them.",
        (
            show("tbreak publish"),
            show("continue", r"publish"),
            show("next", r"TTINSN\(TT_DMANOP\)"),
            show("x/2xw $pc", r"0x80000001\s+0x08000000"),
            show("stepi", r"TTINSN\(TT_NOP\)"),
            show("next", r"pipeline\.sums\+\+"),
        ),
    ),
    Chapter(
        "To the end of three programs",
        "A program ends with an ebreak, with its result in register a0.",
        (
            show("continue", r'"NC" received signal SIGTRAP'),
            show("continue", r'"T0" received signal SIGTRAP|"T1" received signal SIGTRAP'),
            show("continue", r'"T0" received signal SIGTRAP|"T1" received signal SIGTRAP'),
            show("print pipeline.checked", r"= 32"),
        ),
    ),
    Chapter(
        "Interrupt a running tile",
        "B runs forever. Ctrl-C stops the tile; a variable set by hand sends B home.",
        (
            show("continue", r"SIGINT"),
            show(CTRL_C),
            show("thread 1", r"b\.c"),
            show("backtrace", r"main \(\) at .*b\.c:\d+"),
            show("set var pipeline.go_home = 1"),
            show("continue", r'"B" received signal SIGTRAP'),
            show("print $a0 == pipeline.checksum", r"= 1"),
            show("monitor status", r"cycle \d+", r"64 Tensix instructions pushed"),
            show("detach", r"detached"),
        ),
    ),
)

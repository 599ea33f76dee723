# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: steps through a program and writes down all frames and variables as JSON.

The environment gives the server's port, the ELF, a command to continue before each look, and where
to write: a list of looks, each the frames from the innermost on.
"""

import json
import os

import gdb

INTEGERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL)


def plain(value):
    """A GDB value as JSON has it."""
    kind = value.type.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        fields = {}
        for field in kind.fields():
            inner = plain(value[field])
            fields.update(inner if field.name is None else {field.name: inner})
        return fields
    if kind.code == gdb.TYPE_CODE_ARRAY:
        low, high = kind.range()
        return [plain(value[at]) for at in range(low, high + 1)]
    if kind.code == gdb.TYPE_CODE_FLT:
        return float(value)
    if kind.code == gdb.TYPE_CODE_PTR:
        return int(value) & 0xFFFFFFFF
    assert kind.code in INTEGERS, kind
    return int(value)


def variables(frame):
    """The variables of a frame by name, the innermost of each; None for what is not known."""
    found = {}
    try:
        block = frame.block()
    except RuntimeError:
        return found
    while block is not None:
        for symbol in block:
            if not (symbol.is_variable or symbol.is_argument) or symbol.name in found:
                continue
            try:
                value = symbol.value(frame)
                found[symbol.name] = None if value.is_optimized_out else plain(value)
            except (gdb.error, gdb.MemoryError):
                found[symbol.name] = None
        if block.function is not None:
            break
        block = block.superblock
    return found


def frames():
    """Every frame: function, line, pc, variables."""
    found = []
    frame = gdb.newest_frame()
    while frame is not None:
        found.append((frame.name(), frame.find_sal().line, frame.pc(), variables(frame)))
        frame = frame.older()
    return found


def names(look):
    return {function for function, _, _, _ in look}


def main():
    environment = os.environ
    gdb.execute("set pagination off")
    gdb.execute("set backtrace past-main on")
    gdb.execute(f"file {environment['LOOK_ELF']}")
    gdb.execute(f"target remote 127.0.0.1:{environment['LOOK_PORT']}")
    looks = []
    seen = set()
    for command in json.loads(environment["LOOK_COMMANDS"]):
        gdb.execute(command, to_string=True)
        looks.append(frames())
        if "main" in seen and "main" not in names(looks[-1]):
            break  # behind main there is an ebreak, and stepping on would never end
        seen |= names(looks[-1])
    with open(environment["LOOK_OUT"], "w", encoding="utf-8") as out:
        json.dump(looks, out)
    gdb.execute("quit 0")


main()

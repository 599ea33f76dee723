# SPDX-License-Identifier: Apache-2.0
"""Runs inside LLDB: `tensix-call weigh(window, 2)` calls a function of the program.

    (lldb) command script import .../gdbstub/inside/lldb_calls.py

LLDB 19 cannot do that in `expression`: its interpreter calls functions only for Hexagon, for a
target without an operating system its static loader turns the compiler off, and where that is
forced on, LLVM 19's RuntimeDyld has no RISC-V and takes LLDB down with it. So the call is made here
by hand: arguments go into a0 to a7 as the ABI has it (integers, pointers, floats as their bits, 64
bits in two registers), the return address is the program's entry, where LLDB's own calls return to,
the frame lies below the stack pointer, and every register is as before when it is over. The other
threads are held meanwhile.
"""

import re
from typing import Any

import lldb

ARGUMENTS = 8
ALIGNED = 16
BELOW = 128  # bytes between the frame that is there and that of the call
MASK32 = 0xFFFFFFFF
_CALL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)


def __lldb_init_module(debugger: Any, internal: Any) -> None:
    """LLDB calls this when the file is imported."""
    debugger.HandleCommand(f"command script add -o -f {__name__}.tensix_call tensix-call")


def tensix_call(debugger: Any, command: str, context: Any, result: Any, internal: Any) -> None:
    """Call a function of the program: tensix-call NAME(ARGUMENTS)"""
    try:
        value = call(debugger, context, command)
    except ValueError as problem:
        result.SetError(str(problem))
        return
    if value is not None:
        result.AppendMessage(str(value))


def call(debugger: Any, context: Any, text: str) -> Any:
    """Call the function; return its value, or None for a function without one."""
    thread, frame, target = context.thread, context.frame, context.target
    match = _CALL.fullmatch(text)
    if match is None or not frame.IsValid():
        raise ValueError("type `tensix-call NAME(ARGUMENTS)` where the program has stopped")
    function = _function(target, frame, match[1])
    words = [word for part in split(match[2]) for word in _argument(frame, part)]
    if len(words) > ARGUMENTS:
        raise ValueError(f"arguments of more than {ARGUMENTS} registers cannot be passed")
    entry = frame.module.GetObjectFileEntryPointAddress().GetLoadAddress(target)
    if entry == lldb.LLDB_INVALID_ADDRESS:
        raise ValueError("the program has no entry point to return to")
    saved = _general(thread)
    sp = (saved["sp"] - BELOW) & -ALIGNED
    wanted = {**{f"a{i}": word for i, word in enumerate(words)}, "ra": entry, "sp": sp}
    for name, word in {**wanted, "pc": function.GetStartAddress().GetLoadAddress(target)}.items():
        _set(thread, name, word)
    _run_to(debugger, thread, entry)
    now = _general(thread)
    if now["pc"] != entry or now["sp"] != sp:
        raise ValueError(
            f"stopped in the function that was called: {thread.GetStopDescription(200)}; "
            "its registers are left, `thread return` and the like are yours"
        )
    for name, word in saved.items():
        if now[name] != word and name != "pc":
            _set(thread, name, word)
    _set(thread, "pc", saved["pc"])
    kind = function.GetType().GetFunctionReturnType()
    if not kind.IsValid() or kind.GetBasicType() == lldb.eBasicTypeVoid:
        return None
    if kind.GetByteSize() > 8:
        raise ValueError(f"it has returned; a {kind.GetName()} comes back in memory, not here")
    data = lldb.SBData.CreateDataFromUInt32Array(lldb.eByteOrderLittle, 4, [now["a0"], now["a1"]])
    return target.CreateValueFromData(match[1], data, kind)


def _function(target: Any, frame: Any, name: str) -> Any:
    """Find a function of the program that the frame is in, else of any."""
    for module in (frame.module, *target.modules):
        for candidate in module.FindFunctions(name, lldb.eFunctionNameTypeAny):
            if candidate.function.IsValid():
                return candidate.function
    raise ValueError(f"no program has a function {name} with debug information")


def split(text: str) -> list[str]:
    """Arguments, at commas outside of brackets and quotes."""
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        else:
            depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _argument(frame: Any, text: str) -> list[int]:
    """Return the words that an argument is passed in."""
    value = frame.EvaluateExpression(text)
    if value.GetError().Fail():
        raise ValueError(f"{text}: {value.GetError()}")
    kind = value.GetType().GetCanonicalType()
    if kind.IsArrayType():
        place = frame.EvaluateExpression(f"&({text})")
        if place.GetError().Fail() or text.startswith('"'):
            raise ValueError(f"{text} has no place in the program's memory")
        return [place.GetValueAsUnsigned() & MASK32]
    if kind.IsAggregateType() and not kind.IsPointerType():
        raise ValueError(f"{text}: a {kind.GetName()} cannot be passed here; pass its address")
    size = kind.GetByteSize()
    data = value.GetData()
    error = lldb.SBError()
    if size < 4:
        return [value.GetValueAsSigned() & MASK32]
    return [data.GetUnsignedInt32(error, at) for at in range(0, min(size, 8), 4)]


def _general(thread: Any) -> dict[str, int]:
    frame = thread.GetFrameAtIndex(0)
    group = next(
        register for register in frame.registers if register.GetChildMemberWithName("pc").IsValid()
    )
    return {
        register.GetName(): register.GetValueAsUnsigned()
        for register in group
        if register.GetByteSize() == 4
    }


def _set(thread: Any, name: str, word: int) -> None:
    error = lldb.SBError()
    frame = thread.GetFrameAtIndex(0)
    # Only SetPC makes LLDB forget the frames that it has found.
    if name == "pc":
        frame.SetPC(word)
    elif not frame.FindRegister(name).SetValueFromCString(f"{word:#x}", error):
        raise ValueError(f"{name} cannot be set: {error}")


def _run_to(debugger: Any, thread: Any, addr: int) -> None:
    """Run this thread alone up to an address."""
    others = [
        other for other in thread.GetProcess() if other.id != thread.id and not other.is_suspended
    ]
    was = debugger.GetAsync()
    debugger.SetAsync(False)
    try:
        for other in others:
            other.Suspend()
        error = lldb.SBError()
        thread.RunToAddress(addr, error)
        if error.Fail():
            raise ValueError(f"it does not run: {error}")
    finally:
        for other in others:
            other.Resume()
        debugger.SetAsync(was)

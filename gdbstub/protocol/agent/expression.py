# SPDX-License-Identifier: Apache-2.0
"""Agent expressions: programs that a client compiled, for conditions, `dprintf` and tracepoints.

GDB manual, appendix "The GDB Agent Expression Mechanism". This evaluator is complete; the machine
has a fast one of its own for conditions (core/debug/conditions.py), which leaves to this one what
it cannot decide. Values are 64 bits and wrap; the target is little-endian.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.protocol.agent.budget import MEMORY, REGISTER, AgentError, Budget, Exhausted
from tensix_gdb.gdbstub.protocol.agent.printf import formatted

MAX_VALUES = 1024
MAX_BYTES = 1 << 16  # of a string that is printed, or memory that is collected at once
STRING_CHUNK_BYTES = 64  # that are read at once, where they can be read
MASK64 = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Context:
    """The context of an expression: what it can ask, where its effects go, and the budget that it
    shares with the others of this stop."""

    register: Callable[[int], int]
    memory: Callable[[int, int], bytes]  # exactly so many bytes, or AgentError
    say: Callable[[str], None] = lambda text: None
    collect: Callable[[int, int], None] = lambda addr, length: None
    collect_variable: Callable[[int], None] = lambda number: None
    variables: dict[int, int] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)


# Names and numbers are the manual's.
_NAMES = {
    **{0x02: "add", 0x03: "sub", 0x04: "mul", 0x05: "div_signed", 0x06: "div_unsigned"},
    **{0x07: "rem_signed", 0x08: "rem_unsigned", 0x09: "lsh", 0x0A: "rsh_signed"},
    **{0x0B: "rsh_unsigned", 0x0C: "trace", 0x0D: "trace_quick", 0x0E: "log_not"},
    **{0x0F: "bit_and", 0x10: "bit_or", 0x11: "bit_xor", 0x12: "bit_not", 0x13: "equal"},
    **{0x14: "less_signed", 0x15: "less_unsigned", 0x16: "ext", 0x17: "ref8", 0x18: "ref16"},
    **{0x19: "ref32", 0x1A: "ref64", 0x20: "if_goto", 0x21: "goto", 0x22: "const8"},
    **{0x23: "const16", 0x24: "const32", 0x25: "const64", 0x26: "reg", 0x27: "end"},
    **{0x28: "dup", 0x29: "pop", 0x2A: "zero_ext", 0x2B: "swap", 0x2C: "getv", 0x2D: "setv"},
    **{0x2E: "tracev", 0x2F: "tracenz", 0x30: "trace16", 0x32: "pick", 0x33: "rot"},
    **{0x34: "printf"},
}
_OPERAND_BYTES = {
    **{"trace_quick": 1, "ext": 1, "const8": 1, "zero_ext": 1, "pick": 1, "printf": 1},
    **{"if_goto": 2, "goto": 2, "const16": 2, "reg": 2, "getv": 2, "setv": 2, "tracev": 2},
    **{"trace16": 2, "const32": 4, "const64": 8},
}
_REFERENCES = {"ref8": 1, "ref16": 2, "ref32": 4, "ref64": 8}


def _signed(value: int, bits: int = 64) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _divided(a: int, b: int, *, rest: bool) -> int:
    """Divide as in C: towards zero."""
    if b == 0:
        raise AgentError("it divides by zero")
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return a - quotient * b if rest else quotient


# On unsigned 64-bit values; the results are cut to 64 bits.
_BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div_signed": lambda a, b: _divided(_signed(a), _signed(b), rest=False),
    "div_unsigned": lambda a, b: _divided(a, b, rest=False),
    "rem_signed": lambda a, b: _divided(_signed(a), _signed(b), rest=True),
    "rem_unsigned": lambda a, b: _divided(a, b, rest=True),
    "lsh": lambda a, b: a << b if b < 64 else 0,
    "rsh_signed": lambda a, b: _signed(a) >> min(b, 63),
    "rsh_unsigned": lambda a, b: a >> b if b < 64 else 0,
    "bit_and": lambda a, b: a & b,
    "bit_or": lambda a, b: a | b,
    "bit_xor": lambda a, b: a ^ b,
    "equal": lambda a, b: int(a == b),
    "less_signed": lambda a, b: int(_signed(a) < _signed(b)),
    "less_unsigned": lambda a, b: int(a < b),
}


def evaluate(program: bytes, place: Context) -> int | None:
    """Return what the expression leaves on its stack, signed; None when that is nothing. AgentError
    when it cannot be evaluated."""
    return _Run(program, place).run()


def sets_variables(program: bytes) -> bool:
    """True if the expression has an operation that writes a trace state variable."""
    at = 0
    while at < len(program):
        name = _NAMES.get(program[at])
        if name is None:
            return False  # evaluating it ends there too
        if name == "setv":
            return True
        at += 1 + _OPERAND_BYTES.get(name, 0)
        if name == "printf":
            at += 2 + int.from_bytes(program[at : at + 2], "big")
    return False


class _Run:
    def __init__(self, program: bytes, place: Context) -> None:
        self.program = program
        self.place = place
        self.at = 0
        self.stack: list[int] = []

    def run(self) -> int | None:
        budget = self.place.budget
        while True:
            budget.operations -= 1  # `operate(1)`, without the call
            if budget.operations < 0:
                budget.operate(0)
            name = _NAMES.get(self._operation())
            if name is None:
                raise AgentError(f"byte {self.at - 1} is no operation that is known here")
            if name == "end":
                return _signed(self.stack[-1]) if self.stack else None
            size = _OPERAND_BYTES.get(name)
            self._execute(name, self._read_operand(size) if size else 0)
            if len(self.stack) > MAX_VALUES:
                raise AgentError(f"it needs more than {MAX_VALUES} values on its stack")

    def _operation(self) -> int:
        at = self.at
        if at >= len(self.program):
            raise AgentError("it runs past its end")
        self.at = at + 1
        return self.program[at]

    def _read_operand(self, count: int) -> int:
        data = self.program[self.at : self.at + count]
        if len(data) < count:
            raise AgentError("it runs past its end")
        self.at += count
        return int.from_bytes(data, "big")

    def _pop(self) -> int:
        if not self.stack:
            raise AgentError("it takes a value from an empty stack")
        return self.stack.pop()

    def _push(self, value: int) -> None:
        self.stack.append(value & MASK64)

    def _execute(self, name: str, operand: int) -> None:
        if name in _BINARY:
            right, left = self._pop(), self._pop()
            self._push(_BINARY[name](left, right))
        elif name in _REFERENCES:
            data = self._memory(self._pop(), _REFERENCES[name])
            self._push(int.from_bytes(data, "little"))
        elif name.startswith("const"):
            self._push(operand)
        elif name in _STACK:
            _STACK[name](self, operand)
        else:
            self._other(name, operand)

    def _other(self, name: str, operand: int) -> None:
        variables = self.place.variables
        match name:
            case "ext" | "zero_ext":
                value = self._pop() & ((1 << min(operand, 64)) - 1)
                self._push(_signed(value, operand) if name == "ext" and operand else value)
            case "log_not":
                self._push(int(self._pop() == 0))
            case "bit_not":
                self._push(~self._pop())
            case "goto":
                self.at = operand
            case "if_goto":
                if self._pop():
                    self.at = operand
            case "reg":
                self.place.budget.operate(REGISTER)
                self._push(self.place.register(operand))
            case "getv":
                self._push(variables.get(operand, 0))
            case "setv":
                variables[operand] = _signed(self.stack[-1] if self.stack else self._pop())
            case "tracev":
                self.place.collect_variable(operand)
            case "trace":
                length, addr = self._pop(), self._pop()
                self._collect(addr, length)
            case "trace_quick" | "trace16":
                self._collect(self.stack[-1] if self.stack else self._pop(), operand)
            case "tracenz":
                length, addr = self._pop(), self._pop()
                self._collect(addr, len(self._string(addr, length)) + 1)
            case "printf":
                self._printf(operand)

    def _memory(self, addr: int, length: int) -> bytes:
        self.place.budget.operate(MEMORY)
        return self.place.memory(addr & 0xFFFFFFFF, length)

    def _collect(self, addr: int, length: int) -> None:
        if length > MAX_BYTES:
            raise AgentError(f"it collects {length} bytes at once")
        self.place.budget.operate(MEMORY)
        self.place.budget.collect(length)
        self.place.collect(addr & 0xFFFFFFFF, length)

    def _string(self, addr: int, most: int = MAX_BYTES) -> bytes:
        """Return the bytes in memory up to a zero."""
        text = bytearray()
        most = min(most, MAX_BYTES)
        while len(text) < most:
            chunk, ends, _ = self._chunk(addr + len(text), most - len(text)).partition(b"\0")
            text += chunk
            if ends:
                break
        return bytes(text)

    def _chunk(self, addr: int, most: int) -> bytes:
        """Read some bytes from there on; one at least."""
        try:
            return self._memory(addr, min(most, STRING_CHUNK_BYTES - addr % STRING_CHUNK_BYTES))
        except Exhausted:
            raise
        except AgentError:
            # What can be read ends before the chunk does.
            return self._memory(addr, 1)

    def _printf(self, count: int) -> None:
        length = self._read_operand(2)
        form = self.program[self.at : self.at + length].rstrip(b"\0").decode("utf-8", "replace")
        self.at += length
        self._pop()  # the function to print with and its channel: here it is always the client
        self._pop()
        # The first value lies on top.
        values = [self._pop() for _ in range(count)]
        self.place.say(formatted(form, values, self._string, self.place.budget.write))


_STACK: dict[str, Callable[[_Run, int], None]] = {}


def _stack_operation(name: str, needs: int) -> Callable[[Callable[[list[int], int], None]], None]:
    def declare(function: Callable[[list[int], int], None]) -> None:
        def operation(run: _Run, operand: int) -> None:
            if len(run.stack) < needs:
                raise AgentError("it takes a value from an empty stack")
            function(run.stack, operand)

        _STACK[name] = operation

    return declare


@_stack_operation("dup", 1)
def _dup(stack: list[int], _: int) -> None:
    stack.append(stack[-1])


@_stack_operation("pop", 1)
def _pop(stack: list[int], _: int) -> None:
    stack.pop()


@_stack_operation("swap", 2)
def _swap(stack: list[int], _: int) -> None:
    stack[-1], stack[-2] = stack[-2], stack[-1]


@_stack_operation("pick", 1)
def _pick(stack: list[int], operand: int) -> None:
    if operand >= len(stack):
        raise AgentError("it takes a value from below its stack")
    stack.append(stack[-1 - operand])


@_stack_operation("rot", 3)
def _rot(stack: list[int], _: int) -> None:
    stack[-3:] = [stack[-1], stack[-3], stack[-2]]

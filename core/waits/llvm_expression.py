# SPDX-License-Identifier: Apache-2.0
"""Absolute expressions as LLVM's assembler reads them for ELF targets.

Numbers are 64 bits wide and wrap. `|`, `&`, `^` and `a ! b` (or not) bind tighter than `+` and `-`,
comparisons give -1 or 0, `>>` shifts zeros in, division goes towards zero, and a shift count counts
modulo 64: what LLVM computes on the machines it runs on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.waits.wait import WaitError

MASK64 = (1 << 64) - 1
_TOKEN = re.compile(
    r"\s*(?:(?P<comment>;.*|//.*|\#.*|/\*.*?\*/)"
    r"|(?P<name>[A-Za-z_.$@?][\w.$@?]*)"
    r"|(?P<number>\d\w*(?:\.\w*)?)"
    r"|(?P<char>'(?:\\.|[^'\\])')"
    r"|(?P<mark>&&|\|\||==|!=|<>|<=|>=|<<|>>|[-+*/%|&^~!<>()\[\],=:]))",
    re.S,
)
_ESCAPES = {"t": 9, "n": 10, "b": 8, "f": 12, "r": 13, "\\": 92, "'": 39, '"': 34}


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str


def signed(value: int) -> int:
    """Return the low 64 bits as a signed number."""
    return ((value & MASK64) ^ 1 << 63) - (1 << 63)


def _divide(a: int, b: int) -> int:
    if b == 0:
        raise WaitError("expected absolute expression")
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


_BINARY: dict[str, tuple[int, Callable[[int, int], int]]] = {
    "||": (1, lambda a, b: int(bool(a) or bool(b))),
    "&&": (2, lambda a, b: int(bool(a) and bool(b))),
    "==": (3, lambda a, b: -(a == b)),
    "!=": (3, lambda a, b: -(a != b)),
    "<>": (3, lambda a, b: -(a != b)),
    "<": (3, lambda a, b: -(a < b)),
    "<=": (3, lambda a, b: -(a <= b)),
    ">": (3, lambda a, b: -(a > b)),
    ">=": (3, lambda a, b: -(a >= b)),
    "+": (4, lambda a, b: a + b),
    "-": (4, lambda a, b: a - b),
    "|": (5, lambda a, b: a | b),
    "!": (5, lambda a, b: a | ~b),
    "^": (5, lambda a, b: a ^ b),
    "&": (5, lambda a, b: a & b),
    "*": (6, lambda a, b: a * b),
    "/": (6, _divide),
    "%": (6, lambda a, b: a - b * _divide(a, b)),
    "<<": (6, lambda a, b: a << (b & 63)),
    ">>": (6, lambda a, b: (a & MASK64) >> (b & 63)),
}
_UNARY: dict[str, Callable[[int], int]] = {
    "-": lambda a: -a,
    "+": lambda a: a,
    "~": lambda a: ~a,
    "!": lambda a: int(not a),
}


class Parser:
    """The tokens of one statement, and expressions made of them."""

    def __init__(self, text: str, symbols: Mapping[str, int]) -> None:
        self._symbols = symbols
        self._at = 0
        self._tokens: list[Token] = []
        position = 0
        while text[position:].strip():
            token = _TOKEN.match(text, position)
            if not token:
                raise WaitError(f"unexpected token at {text[position:].strip()!r}")
            position = token.end()
            if token.lastgroup != "comment":
                kind = str(token.lastgroup)
                self._tokens.append(Token(kind, token[kind]))

    def is_done(self) -> bool:
        """True if no token is left."""
        return self._at >= len(self._tokens)

    def peek(self, ahead: int = 0) -> Token:
        """Return a token that comes; an empty one after the last."""
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else Token("end", "")

    def take_token(self) -> Token:
        self._at += 1
        return self.peek(-1)

    def absolute(self) -> int:
        """Return the signed value of an expression that needs no linker."""
        return signed(self._binary(1))

    def _binary(self, lowest: int) -> int:
        left = self._primary()
        while self.peek().kind == "mark" and self.peek().text in _BINARY:
            binding, operation = _BINARY[self.peek().text]
            if binding < lowest:
                break
            self.take_token()
            left = signed(operation(signed(left), signed(self._binary(binding + 1))))
        return left

    def _primary(self) -> int:
        token = self.take_token()
        match token.kind:
            case "number":
                return number(token.text)
            case "char":
                body = token.text[1:-1]
                return _ESCAPES.get(body[1:], 0) if body.startswith("\\") else ord(body)
            case "name":
                if token.text not in self._symbols:
                    raise WaitError("expected absolute expression")
                return self._symbols[token.text]
        if token.text == "(":
            value = self._binary(1)
            if self.take_token().text != ")":
                raise WaitError("expected ')'")
            return value
        if token.kind == "mark" and token.text in _UNARY:
            return signed(_UNARY[token.text](signed(self._primary())))
        raise WaitError("unknown token in expression")


def number(text: str) -> int:
    """Return an integer literal: 0x, 0b, octal with a leading 0, or decimal, at most 64 bits."""
    plain = text.lower()
    for prefix, base in (("0x", 16), ("0b", 2), ("0", 8), ("", 10)):
        if plain.startswith(prefix) and (plain != "0" or not prefix):
            try:
                value = int(plain[len(prefix) :], base)
            except ValueError:
                break
            if value > MASK64:
                raise WaitError("literal value out of range for directive")
            return value
    raise WaitError(f"{text!r} is no number")

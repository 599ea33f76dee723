# SPDX-License-Identifier: Apache-2.0
"""C++ names as their source has them, without the types of parameters.

    readable("_ZN7ckernel4math8run_tileILi2ELb1EEEvm")      ckernel::math::run_tile<2, true>

It reads the Itanium C++ ABI, "Mangling", as far as names of kernels go: templates of types and
literals, lambdas, local names, clones. What it does not read stays as it is: expressions of types,
vectors, thunks. It says what `c++filt -p` says, which a test compares.
"""

from __future__ import annotations

import re
from functools import lru_cache

BUILTIN = {
    "v": "void", "w": "wchar_t", "b": "bool", "c": "char", "a": "signed char",
    "h": "unsigned char", "s": "short", "t": "unsigned short", "i": "int", "j": "unsigned int",
    "l": "long", "m": "unsigned long", "x": "long long", "y": "unsigned long long",
    "f": "float", "d": "double", "e": "long double", "z": "...", "Dn": "decltype(nullptr)",
    "Di": "char32_t", "Ds": "char16_t", "Du": "char8_t", "Da": "auto", "Dh": "_Float16",
}  # fmt: skip
STANDARD = {
    "St": "std", "Sa": "std::allocator", "Sb": "std::basic_string", "Ss": "std::string",
    "Si": "std::istream", "So": "std::ostream", "Sd": "std::iostream",
}  # fmt: skip
OPERATORS = {
    "nw": "new", "na": "new[]", "dl": "delete", "da": "delete[]", "ps": "+", "ng": "-", "ad": "&",
    "de": "*", "co": "~", "pl": "+", "mi": "-", "ml": "*", "dv": "/", "rm": "%", "an": "&",
    "or": "|", "eo": "^", "aS": "=", "pL": "+=", "mI": "-=", "mL": "*=", "dV": "/=", "rM": "%=",
    "aN": "&=", "oR": "|=", "eO": "^=", "ls": "<<", "rs": ">>", "lS": "<<=", "rS": ">>=",
    "eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">=", "ss": "<=>", "nt": "!",
    "aa": "&&", "oo": "||", "pp": "++", "mm": "--", "cm": ",", "pm": "->*", "pt": "->", "cl": "()",
    "ix": "[]",
}  # fmt: skip
SUFFIX = {"i": "", "j": "u", "l": "l", "m": "ul", "x": "ll", "y": "ull"}
QUALIFIERS = {"K": " const", "V": " volatile", "r": " __restrict"}
POINTERS = {"P": "*", "R": "&", "O": "&&"}
SPECIAL = {"TV": "vtable for ", "TT": "VTT for ", "TI": "typeinfo for ", "TS": "typeinfo name for ",
           "GV": "guard variable for "}  # fmt: skip
_CLONE = re.compile(r"(?:\.[A-Za-z_]+\.?\d*|\.\d+)+$")
_DEEPEST = 64


class _Unreadable(ValueError):
    """Something that is not read here."""


@lru_cache(maxsize=4096)
def readable(name: str) -> str:
    """Return the name of a symbol as the source has it; a name that is none of C++ stays as it
    is."""
    if not name.startswith("_Z"):
        return name
    clone = _CLONE.search(name)
    mangled = name[2 : clone.start()] if clone else name[2:]
    try:
        shown = _Reader(mangled).encoding(whole=True)
    except (_Unreadable, IndexError, RecursionError):
        return name
    if not shown:
        return name
    return f"{shown} [clone {clone[0]}]" if clone else shown


class _Reader:
    """Reads one mangled name from its beginning."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.deep = text, 0, 0
        self.known: list[str] = []
        self.arguments: list[str] = []

    # Letters

    def next(self, count: int = 1) -> str:
        return self.text[self.at : self.at + count]

    def takes(self, *wanted: str) -> str:
        """Return one of these, if it comes next."""
        for text in wanted:
            if self.text.startswith(text, self.at):
                self.at += len(text)
                return text
        return ""

    def expect(self, text: str) -> None:
        if not self.takes(text):
            raise _Unreadable(text)

    def number(self) -> int:
        start = self.at
        while self.next().isdecimal():
            self.at += 1
        if start == self.at:
            raise _Unreadable("a number")
        return int(self.text[start : self.at])

    def sequence(self) -> int:
        """`_` is 0, `0_` is 1, in base 36."""
        start = self.at
        while self.next().isdecimal() or self.next().isupper():
            self.at += 1
        digits = self.text[start : self.at]
        self.expect("_")
        return int(digits, 36) + 1 if digits else 0

    # Names

    def encoding(self, *, whole: bool = False) -> str:
        """Return a function or object; the types of its parameters are read and left out."""
        special = self.takes(*SPECIAL)
        if special:
            of = self.type() if special != "GV" else self.name()
            return SPECIAL[special] + of
        name = self.name()
        while self.at < len(self.text) and (whole or self.next() != "E"):
            self.type()
        return name

    def name(self) -> str:
        if self.takes("N"):
            return self.nested()
        if self.takes("Z"):
            return self.local()
        if self.next() == "S" and self.next(2) != "St":
            name = self.substitution()
        else:
            name = "std::" * bool(self.takes("St")) + self.plain("")
            if self.next() == "I":
                self.known.append(name)
        return name + self.template() if self.next() == "I" else name

    def local(self) -> str:
        """Read the name of something local to a function."""
        outer = self.encoding()
        self.expect("E")
        if self.takes("s"):
            self.discriminator()
            return f"{outer}::string literal"
        if self.takes("d"):
            self.sequence()
        inner = self.name()
        self.discriminator()
        return f"{outer}::{inner}"

    def discriminator(self) -> None:
        if self.takes("__"):
            self.number()
            self.expect("_")
        elif self.takes("_"):
            self.at += 1

    def nested(self) -> str:
        while self.takes("r", "V", "K"):
            pass
        self.takes("R", "O")
        name, last = "", ""
        while not self.takes("E"):
            if self.next() == "S" and self.next(2) != "St":
                name = last = self.substitution()
                continue  # it is known already
            if self.takes("St"):
                name = last = "std"
                continue
            if self.next() == "I":
                name += self.template()
            elif self.next() == "T":
                name = last = self.parameter()
            else:
                last = self.plain(last)
                name = f"{name}::{last}" if name else last
            if self.next() != "E":
                self.known.append(name)
        return name

    def plain(self, owner: str) -> str:
        """Return a name without what it is in; a constructor has the name of its `owner`."""
        self.takes("L")  # internal linkage
        if self.next().isdecimal():
            length = self.number()
            name = self.next(length)
            self.at += length
            if len(name) < length:
                raise _Unreadable("a name")
            name = "(anonymous namespace)" if name.startswith("_GLOBAL__N") else name
        elif self.takes("Ut"):
            name = f"{{unnamed type#{self.unnamed()}}}"
        elif self.takes("Ul"):
            name = self.closure()
        elif self.takes("C1", "C2", "C3", "C5"):
            name = owner
        elif self.takes("D0", "D1", "D2", "D4", "D5"):
            name = f"~{owner}"
        elif self.takes("cv"):
            name = f"operator {self.type()}"
        elif sign := self.takes(*OPERATORS):
            symbol = OPERATORS[sign]
            name = f"operator{' ' * symbol[0].isalpha()}{symbol}"
        else:
            raise _Unreadable(self.next(2))
        while self.takes("B"):
            name += f"[abi:{self.plain('')}]"
        return name

    def unnamed(self) -> int:
        count = 1 if self.next() == "_" else self.number() + 2
        self.expect("_")
        return count

    def closure(self) -> str:
        types = []
        while not self.takes("E"):
            types.append(self.type())
        shown = "" if types == ["void"] else ", ".join(types)
        return f"{{lambda({shown})#{self.unnamed()}}}"

    def substitution(self) -> str:
        standard = self.takes(*STANDARD)
        if standard:
            return STANDARD[standard]
        self.expect("S")
        return self.known[self.sequence()]

    def parameter(self) -> str:
        self.expect("T")
        number = self.sequence()
        return self.arguments[number] if number < len(self.arguments) else f"T{number}"

    # Types

    def template(self) -> str:
        self.expect("I")
        arguments = self.pack()
        self.arguments = arguments
        shown = ", ".join(arguments)
        return f"<{shown} >" if shown.endswith(">") else f"<{shown}>"

    def pack(self) -> list[str]:
        arguments: list[str] = []
        while not self.takes("E"):
            if self.takes("J"):
                arguments += self.pack()
            elif self.takes("Xad"):
                self.expect("L")
                arguments.append(self.literal())
                self.expect("E")
            elif self.takes("L"):
                arguments.append(self.literal())
            else:
                arguments.append(self.type())
        return arguments

    def literal(self) -> str:
        if self.takes("_Z"):
            name = self.encoding()
            self.expect("E")
            return f"&{name}"
        builtin = self.next()
        kind = self.type()
        value = "-" * bool(self.takes("n")) + str(self.number())
        self.expect("E")
        if builtin == "b":
            return "false" if value == "0" else "true"
        return value + SUFFIX[builtin] if builtin in SUFFIX else f"({kind}){value}"

    def type(self) -> str:
        self.deep += 1
        if self.deep > _DEEPEST:
            raise _Unreadable("too deep")
        try:
            return self._type()
        finally:
            self.deep -= 1

    def _type(self) -> str:
        builtin = self.takes(*(key for key in BUILTIN if len(key) == 2), *BUILTIN)
        if builtin:
            return BUILTIN[builtin]
        if pointer := self.takes(*POINTERS):
            shown = _pointed(self.type(), POINTERS[pointer])
        elif qualifier := self.takes(*QUALIFIERS):
            shown = _pointed(self.type(), QUALIFIERS[qualifier])
        elif self.takes("U"):
            mark = self.plain("")
            shown = f"{self.type()} {mark}"
        elif self.takes("Dp"):
            shown = self.type()
        elif self.takes("F"):
            shown = self.function()
        elif self.takes("A"):
            size = str(self.number()) if self.next() != "_" else ""
            self.expect("_")
            shown = f"{self.type()} [{size}]"
        elif self.next() == "T":
            shown = self.parameter()
            if self.next() == "I":
                self.known.append(shown)
                shown += self.template()
        elif self.next() == "S" and self.next(2) != "St":
            shown = self.substitution()
            if self.next() != "I":
                return shown
            shown += self.template()
        else:
            shown = self.name()
        self.known.append(shown)
        return shown

    def function(self) -> str:
        self.takes("Y")
        result = self.type()
        types = []
        while not self.takes("E"):
            types.append(self.type())
        return f"{result} ({'' if types == ['void'] else ', '.join(types)})"


def _pointed(shown: str, mark: str) -> str:
    """`int*`, and of functions and arrays `void (*)(int)`."""
    head, bracket, tail = shown.partition(" (") if shown.endswith(")") else (shown, "", "")
    if not bracket:
        head, bracket, tail = shown.partition(" [") if shown.endswith("]") else (shown, "", "")
        return f"{head} ({mark.strip()}) [{tail}" if bracket else shown + mark
    if tail.startswith(("*", "&")):
        return f"{head} ({tail[0]}{mark.strip()}{tail[1:]}"
    return f"{head} ({mark.strip()})({tail}"

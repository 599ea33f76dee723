# SPDX-License-Identifier: Apache-2.0
"""`s_waitcnt` of AMD's gfx9: wait until counters of outstanding operations are low enough.

A wave counts its vector memory operations (vm), exports (exp) and its LDS, GDS, constant and
message operations (lgkm); the operand gives the largest value of each at which it continues. Text
is read as LLVM's assembler reads it, which is the reference here: numbers, absolute expressions, or
counters with `&`, `,` or nothing between them.

One thing is not read so. LLVM's documentation (gfx9_waitcnt.rst) has operands from 0 to 0xFFFF, and
its assembler takes the low 16 bits of any number without a word: `s_waitcnt 0x10000` becomes
`s_waitcnt 0`, the strongest wait. Here such a number is refused, unless LLVM's way is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.schema import Bits, Fixed, Unused, word32
from tensix_gdb.core.waits.llvm_expression import Parser, Token
from tensix_gdb.core.waits.wait import Reason, WaitError

# SOPP with opcode 12 and a 16-bit operand, in which vm_cnt stands in two places.
ENCODING = word32(
    *(Fixed(0x17F, 9), Fixed(0x0C, 7), "vm_cnt[5:4]" / Bits(2), Unused(2)),
    *("lgkm_cnt" / Bits(4), Unused(1), "exp_cnt" / Bits(3), "vm_cnt[3:0]" / Bits(4)),
)
COUNTERS = {"vmcnt": "vm_cnt", "expcnt": "exp_cnt", "lgkmcnt": "lgkm_cnt"}
LARGEST = {name: (1 << ENCODING.fields[of].width) - 1 for name, of in COUNTERS.items()}
MEANINGS = {
    "vmcnt": "vector memory operations",
    "expcnt": "exports",
    "lgkmcnt": "LDS, GDS, constant and message operations",
}
# Operands of which this many bits reach the word.
OPERAND_MASK = 0xFFFF


@dataclass
class Wave:
    """The number of outstanding operations of each kind of a wave."""

    outstanding: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTERS, 0))

    def issue(self, counter: str, count: int = 1) -> None:
        """Start operations; the counter of the hardware saturates at its largest value."""
        self.outstanding[counter] += count

    def complete(self, counter: str, count: int = 1) -> None:
        """Let the oldest operations end."""
        self.outstanding[counter] = max(0, self.outstanding[counter] - count)


@dataclass(frozen=True, slots=True)
class WaitCount:
    """A decoded `s_waitcnt` with its 16-bit operand."""

    operand: int

    def encode(self) -> int:
        return ENCODING.match | self.operand

    def counts(self) -> dict[str, int]:
        """Return the largest value of each counter at which the wave continues."""
        word = self.encode()
        return {name: ENCODING.fields[of].get(word) for name, of in COUNTERS.items()}

    @property
    def unused_bits(self) -> int:
        """Bits of the operand that belong to no counter."""
        return self.operand & ENCODING.unused

    def show(self) -> str:
        """Counters that do not wait are left out, unless none does; unused bits force a number."""
        if self.operand != _join(self.counts()):
            return f"s_waitcnt {self.operand:#06x}"
        counts = self.counts()
        shown = {name: n for name, n in counts.items() if n != LARGEST[name]} or counts
        return "s_waitcnt " + " ".join(f"{name}({count})" for name, count in shown.items())

    def begin(self, state: Wave) -> None:
        """Nothing happens at once."""

    def blocked(self, state: Wave) -> tuple[Reason, ...]:
        return tuple(
            Reason(
                name,
                f"{state.outstanding[name]} {MEANINGS[name]} are outstanding, {count} are allowed",
            )
            for name, count in self.counts().items()
            # A counter at its largest value is not waited for: the hardware cannot count further.
            if count != LARGEST[name] and state.outstanding[name] > count
        )


def _join(counts: Mapping[str, int]) -> int:
    """Return the operand with these counts and its unused bits as LLVM leaves them: 0."""
    word = ENCODING.match
    for name, count in counts.items():
        word |= ENCODING.fields[COUNTERS[name]].put(count)
    return word & OPERAND_MASK


def decode(word: int) -> WaitCount:
    """Return the wait that `word` is; WaitError if it is none."""
    if not ENCODING.matches(word):
        raise WaitError(f"{word:#010x} is no s_waitcnt")
    return WaitCount(word & OPERAND_MASK)


def parse(
    text: str, symbols: Mapping[str, int] | None = None, *, as_llvm: bool = False
) -> WaitCount:
    """Return the wait that `text` is; WaitError with LLVM's sentence if it is none.
    `as_llvm` takes the low 16 bits of an operand outside the documented range."""
    parser = Parser(text, symbols or {})
    mnemonic = parser.take_token()
    if mnemonic.text.lower() != "s_waitcnt":
        raise WaitError(f"{mnemonic.text!r} is not s_waitcnt")
    if parser.is_done():
        raise WaitError("too few operands for instruction")
    if parser.peek().kind == "name" and parser.peek(1).text == "(":
        counts = dict(LARGEST)
        while not parser.is_done():
            _count(parser, counts)
        return WaitCount(_join(counts))
    value = parser.absolute()
    if parser.peek().text == ",":
        parser.take_token()  # the comma that would part it from a next operand
    if not parser.is_done():
        raise WaitError("invalid operand for instruction")
    if not as_llvm and not 0 <= value <= OPERAND_MASK:
        raise WaitError(f"the operand {value:#x} is not in the range from 0 to 0xFFFF")
    return WaitCount(value & OPERAND_MASK)


def assemble(source: str, *, as_llvm: bool = False) -> list[tuple[int, WaitCount]]:
    """Return the waits of a text of several lines, each with its line; `name = value` defines a
    symbol.

    WaitError with the line in front when something is wrong.
    """
    symbols: dict[str, int] = {}
    words = []
    for line, text in enumerate(source.splitlines(), 1):
        try:
            parser = Parser(text, symbols)
            if parser.is_done():
                continue
            if parser.peek(1).text != "=":
                words.append((line, parse(text, symbols, as_llvm=as_llvm)))
                continue
            name = _expect(parser, "name", "expected a symbol")
            parser.take_token()
            symbols[name.text] = parser.absolute()
            if not parser.is_done():
                raise WaitError("expected newline")
        except WaitError as problem:
            raise WaitError(f"{line}: {problem}") from None
    return words


def _count(parser: Parser, counts: dict[str, int]) -> None:
    """One `name(N)` and the separator after it."""
    name = _expect(parser, "name", "expected a counter name")
    _expect(parser, "(", "expected a left parenthesis")
    value = parser.absolute()
    counter = name.text.removesuffix("_sat")
    if counter not in COUNTERS:
        raise WaitError(f"invalid counter name {name.text}; there are {', '.join(COUNTERS)}")
    if not 0 <= value <= LARGEST[counter]:
        if counter == name.text:
            raise WaitError(
                f"too large value for {name.text}: {value} is outside 0..{LARGEST[counter]}"
            )
        value = LARGEST[counter]
    counts[counter] = value
    _expect(parser, ")", "expected a closing parenthesis")
    if not parser.is_done() and parser.peek().text in ("&", ","):
        parser.take_token()
        if parser.is_done():
            raise WaitError("expected a counter name")


def _expect(parser: Parser, what: str, sentence: str) -> Token:
    if parser.is_done() or what not in (parser.peek().kind, parser.peek().text):
        raise WaitError(sentence)
    return parser.take_token()

# SPDX-License-Identifier: Apache-2.0
"""Tools that need no tile: instructions in words, outcomes of small programs, the manual."""

from __future__ import annotations

from tensix_gdb.core.explain.instruction.any_machine import (
    ExplainError,
    explain_forms,
    show_forms,
)
from tensix_gdb.core.litmus.check import describe
from tensix_gdb.core.litmus.explore import Exploration, Interrupted, explore
from tensix_gdb.core.litmus.text import Litmus, LitmusError, parse
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.manual import search
from tensix_gdb.gdbstub.mcp.arguments import Argument, Tool
from tensix_gdb.gdbstub.mcp.session import Call
from tensix_gdb.gdbstub.usage import UsageError

ARCHITECTURES = ("blackhole", "wormhole")
MAX_STATES = 200_000
MAX_TESTS = 8
MAX_HITS = 60


def explain(call: Call) -> str:
    """Explain an instruction in words."""
    try:
        return show_forms(explain_forms(call["instruction"], call["architecture"]))
    except ExplainError as problem:
        raise UsageError(str(problem)) from None


def litmus(call: Call) -> str:
    """Explore every outcome of small programs."""
    try:
        tests = parse(call["text"], "text", needs_rows=False)
        if len(tests) > MAX_TESTS:
            raise UsageError(
                f"{len(tests)} tests are too many for one call; {MAX_TESTS} is the most"
            )
        tile = Tile("compiled")
        try:
            return "\n\n".join(_outcomes(tile, test, call) for test in tests)
        finally:
            tile.close()
    except LitmusError as problem:
        raise UsageError(str(problem)) from None
    except Interrupted:
        raise UsageError("the search was interrupted; a shorter program has fewer orders") from None


def _outcomes(tile: Tile, test: Litmus, call: Call) -> str:
    test.states = min(test.states, MAX_STATES)

    def explored(*, strict: bool) -> Exploration:
        prepared = tile.prepare(test, Schedule.EXHAUSTIVE, strict=strict)
        return explore(prepared, lambda: call.keyboard.interrupted)

    usual = explored(strict=False)
    strict = explored(strict=True)
    count = len(usual.outcomes)
    lines = [f"{test.name}: {count} outcome{'s' * (count != 1)} in {usual.states} states"]
    lines += [f"    {describe(test, outcome)}" for outcome in sorted(usual.outcomes)]
    more = sorted(set(strict.outcomes) - set(usual.outcomes))
    if more:
        lines.append("besides, without orders that no page grants (strict):")
        lines += [f"    {describe(test, outcome)}" for outcome in more]
    return "\n".join(lines)


def manual(call: Call) -> str:
    """Return lines of the manual."""
    hits = search(call["text"]) if call["text"].strip() else []
    if not hits:
        raise UsageError(f"no line of the manual has {call['text']!r}")
    lines = [f"{hit.topic}, {hit.heading}: {hit.line}" for hit in hits[:MAX_HITS]]
    if len(hits) > MAX_HITS:
        lines.append(f"and {len(hits) - MAX_HITS} more")
    return "\n".join(lines)


TOOLS = (
    Tool(
        "explain",
        "A Tensix or RISC-V instruction in words: operands, what it waits for, its page, known "
        "traps. Takes TTI_STALLWAIT(...), an assembler line, a mnemonic or a 32-bit word.",
        explain,
        (
            Argument("instruction", "as TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::THCON)",
                     required=True),
            Argument("architecture", "of the instruction", "blackhole", one_of=ARCHITECTURES),
        ),
    ),
    Tool(
        "litmus",
        "All outcomes that a few instructions on several harts may have, by exhaustive search: "
        "more than one outcome means that nothing orders them. The text is a litmus test, with a "
        "column for the program of each hart; manual://ordering has examples.",
        litmus,
        (Argument("text", "the litmus test", required=True),),
    ),
    Tool(
        "manual",
        "Lines of the manual with a word: a fault, a register, an instruction, a command.",
        manual,
        (Argument("text", "the word", required=True),),
    ),
)  # fmt: skip

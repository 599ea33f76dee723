# SPDX-License-Identifier: Apache-2.0
"""The tables of core/race: lines, edges, and litmus tests that do not agree; that of the
checks in the manual.

`python -m scripts.races` writes them; a test compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tensix_gdb.core.explain.instruction.block import MANUAL, ROOT, Generated
from tensix_gdb.core.race import lines
from tensix_gdb.core.race.checks.table import CHECKS
from tensix_gdb.core.race.edges import EDGES
from tensix_gdb.core.race.state.broken import ADDS_NOTHING
from tensix_gdb.core.race.state.leaked import CONFIGURES, COUNTS, NEUTRAL, PER_TILE
from tensix_gdb.core.race.state.table import CHECKS as STATE_CHECKS
from tensix_gdb.core.race.state.table import WRITTEN, Check, Group
from tests.core.race.exceptions import EXCEPTIONS, MUTANTS, RANDOM

MAKER = "python -m scripts.races"
PAGE = ROOT / "core/race/README.md"
ORDERS = ROOT / "core/race/EDGES.md"


def of_lines() -> str:
    """The lines of harts by region, and those of each thread."""
    rows = ["| line | counts |", "|---|---|"]
    harts: dict[str, dict[str, None]] = {}
    for number in range(1, lines.FIRST_OF_THREADS):
        named = lines.name(number)
        if named.region is not None:
            harts.setdefault(named.region.name, {})[named.agent] = None
    rows += [f"| {', '.join(who)} | stores of {to}; loads of {to} |" for to, who in harts.items()]
    rows += [f"| each thread: {line.name} | {lines.MEANING[line]} |" for line in lines.Line]
    rows += [f"| each NIU: {line.name} | {text} |" for line, text in lines.MEANING_OF_NOC.items()]
    rows.append("| MOVER | copies |")
    rows.append("| COMMANDS | commands of TDMA-RISC that were processed |")
    return "\n".join(rows) + "\n"


def of_edges() -> str:
    """A row for each edge."""
    rows = ["| event | order | page | litmus test | where |", "|---|---|---|---|---|"]
    rows += [f"| {e.what} | {e.rule} | {e.page} | `{e.litmus}` | `{e.where}` |" for e in EDGES]
    return "\n".join(rows) + "\n"


def of_checks() -> str:
    """A row for each check."""
    rows = [
        "| check | is reported | mend it by | a report in the field | |",
        "|---|---|---|---|---|",
    ]
    rows += [
        f"| {c.name} | {c.rule} | {c.fix} | {c.bug} | {'on' if c.is_default else ''} |".replace(
            "MATH | p_stall", "MATH \\| p_stall"
        )
        for c in CHECKS
    ]
    return "\n".join(rows) + "\n"


def is_of_contract(check: Check) -> bool:
    """True for those of the manual's chapter `contract`."""
    return check.name[0] == "C" or check.name == "U3"


def _rows(checks: Iterable[Check]) -> list[str]:
    rows = ["| check | of | is reported | mend it by |", "|---|---|---|---|"]
    return rows + [f"| {c.name} | {c.group.name.lower()} | {c.rule} | {c.fix} |" for c in checks]


def of_contract() -> str:
    """A row for each check of the library's contract."""
    return "\n".join(_rows(c for c in STATE_CHECKS if is_of_contract(c))) + "\n"


def of_neutral_fields() -> str:
    """A row for each kind of field that may stay 0."""
    rows = ["| field | with another value |", "|---|---|"]
    return (
        "\n".join([*rows, *(f"| `{pattern}` | {what} |" for pattern, what in ADDS_NOTHING)]) + "\n"
    )


def of_state_checks() -> str:
    """A row for each check of state and memory; what counts as written; what is no leak."""
    rows = _rows(c for c in STATE_CHECKS if not is_of_contract(c) and c.group is not Group.STAGES)
    rows += ["", "| state | written by | counts when a kernel begins |", "|---|---|---|"]
    rows += [f"| {one.state} | {one.by} | {one.counts} |" for one in WRITTEN]
    rows += ["", "| what these functions leave is no leak | it is |", "|---|---|"]
    rows += [f"| `{pattern}` | {what} |" for pattern, what in CONFIGURES]
    counters = "address counters: the next call sets those that it uses (tt-llk#1036)"
    rows += [f"| `{pattern}` | {counters} |" for pattern in COUNTS]
    rows += ["", "| nor are fields that each tile has anew | they are |", "|---|---|"]
    rows += [f"| `{pattern}` | {what} |" for pattern, what in PER_TILE]
    rows += [f"| `{pattern}` = {value:#x} | {what} |" for pattern, value, what in NEUTRAL]
    return "\n".join(rows) + "\n"


def of_stages() -> str:
    """A row for each check of stages."""
    rows = ["| check | is reported | mend it by |", "|---|---|---|"]
    rows += [f"| {c.name} | {c.rule} | {c.fix} |" for c in STATE_CHECKS if c.group is Group.STAGES]
    return "\n".join(rows) + "\n"


def _table(known: Mapping[str, str]) -> str:
    """A row for each reason, with the tests that have it."""
    tests: dict[str, list[str]] = {}
    for name, why in known.items():
        tests.setdefault(why, []).append(name)
    rows = ["| why | tests |", "|---|---|"]
    rows += [f"| {why} | {'; '.join(names)} |" for why, names in tests.items()]
    return "\n".join(rows) + "\n"


def blocks() -> dict[Generated, str]:
    """Return the contents of each part of the page."""
    return {
        Generated("lines", MAKER, ORDERS): of_lines(),
        Generated("edges", MAKER, ORDERS): of_edges(),
        Generated("checks", MAKER, MANUAL / "checks.md"): of_checks(),
        Generated("state checks", MAKER, MANUAL / "state.md"): of_state_checks(),
        Generated("stages", MAKER, MANUAL / "stages.md"): of_stages(),
        Generated("contract checks", MAKER, MANUAL / "contract.md"): of_contract(),
        Generated("no finding", MAKER, MANUAL / "contract.md"): of_neutral_fields(),
        Generated("exceptions", MAKER, PAGE): _table(
            {**EXCEPTIONS, **MUTANTS, **{f"random {seed}": why for seed, why in RANDOM.items()}}
        ),
    }


if __name__ == "__main__":
    for block, text in blocks().items():
        block.write(text)

# SPDX-License-Identifier: Apache-2.0
"""The tables that count the facts of each document: in tests/README.md and in the manual.

python -m tests.documents.facts.table      write them
"""

from __future__ import annotations

import textwrap

from tensix_gdb.core.explain.instruction.block import MANUAL, ROOT, Generated
from tests.documents.facts.documents import DOCUMENTS, FACTS
from tests.documents.facts.fact import Standing

MAKER = "python -m tests.documents.facts.table"
IN_README = Generated("facts", MAKER, ROOT / "tests/README.md")
IN_MANUAL = Generated("facts", MAKER, MANUAL / "disagree.md")


def counted() -> str:
    """A row for each document: its facts by standing."""
    titles = " | ".join(standing.value for standing in Standing)
    rows = [f"| document | facts | {titles} |", "|---|---|" + "---|" * len(Standing)]
    for one in DOCUMENTS:
        counts = " | ".join(str(one.count(standing)) for standing in Standing)
        rows.append(f"| {one.number} {one.title} | {len(one.facts)} | {counts} |")
    totals = [sum(one.count(standing) for one in DOCUMENTS) for standing in Standing]
    rows.append(f"| all | {len(FACTS)} | {' | '.join(map(str, totals))} |")
    return "\n".join(rows) + "\n"


def overruled() -> str:
    """The facts that the product does not follow, each with the reason."""
    lines = []
    for fact in FACTS.values():
        if fact.standing is Standing.OVERRULED:
            item = f'- {fact.id}: "{fact.sentence.rstrip(".")}". But {fact.reason}.'
            lines += textwrap.wrap(item, 100, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines) + "\n"


TABLES = ((IN_README, counted), (IN_MANUAL, lambda: f"{counted()}\n{overruled()}"))


def main() -> None:
    for generated, make in TABLES:
        generated.write(make())


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Write the table of kinds in the manual's chapter about `diagnose`: each input is built and run.

python -m scripts.examples.kinds            write it
python -m scripts.examples.kinds --check    say what is another cause now; status 1
python -m scripts.examples.kinds --page N   the page of one of them, counted from 1
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from scripts.examples.kinds.inputs import KINDS
from scripts.examples.kinds.kind import Kind, table
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

MAKER = "python -m scripts.examples.kinds"
BLOCK = Generated("kinds", MAKER, MANUAL / "diagnose.md")


def page_of(kind: Kind) -> str:
    """Return the page of an input."""
    with tempfile.TemporaryDirectory() as scratch:
        return kind.page(Path(scratch).resolve())


def main() -> int:
    """Write the table, or compare it."""
    parser = argparse.ArgumentParser(prog=MAKER, description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--page", type=int, choices=range(1, len(KINDS) + 1))
    typed = parser.parse_args()
    if typed.page:
        print(page_of(KINDS[typed.page - 1]), end="")
        return 0
    pages = []
    for kind in KINDS:
        pages.append((kind, page_of(kind)))
        print(kind.row(pages[-1][1]), flush=True)
    wrong = [kind.name for kind, page in pages if not kind.is_named_by(page)]
    rows = table([kind.row(page) for kind, page in pages])
    for name in wrong:
        print(f"another cause is first: {name}")
    if typed.check:
        if rows != BLOCK.read():
            print(f"the manual has another table: run `{MAKER}`")
        return int(bool(wrong) or rows != BLOCK.read())
    BLOCK.write(rows)
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())

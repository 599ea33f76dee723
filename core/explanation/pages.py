# SPDX-License-Identifier: Apache-2.0
"""What README.md and core/isa/README.md show of the instructions, made from the rows.

`python -m core.explanation.pages` puts it between the marks in both, which is done after every
change of a row; a test compares.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.explanation.any_machine import explain
from core.explanation.table import by_unit, markdown
from core.isa.architecture import Arch
from core.tensix.table import rows_of

ROOT = Path(__file__).resolve().parents[2]
# What README.md explains: the text after `tensix-gdb explain`.
EXPLAINED = (
    "STALLWAIT(B3, C10)",
    "SEMWAIT block=B6, sem=S1, wait=C0",
    "MOP template=DOUBLE_LOOP",
    "SFPMAD va=L0, vb=L1, vc=L9, vd=L3, mod1=NEGATE_VB",
    "WRCFG input_reg=G4, cfg_index=THCON_SEC0_REG3_Base_address",
    "s_waitcnt vmcnt(1) lgkmcnt(0)",
    "WAIT 0xf0:ub",
)


def explanations() -> str:
    """Each of EXPLAINED as printed, folded."""
    return "".join(
        f"<details><summary><code>tensix-gdb explain '{text}'</code></summary>\n\n"
        f"```\n{explain(text).show()}```\n\n</details>\n"
        for text in EXPLAINED
    )


def instructions() -> str:
    """Opcodes by unit on Blackhole."""
    return by_unit(rows_of(Arch.BLACKHOLE))


def whole_table(arch: Arch) -> Callable[[], str]:
    return lambda: markdown(rows_of(arch), arch)


# File, mark, what stands behind it.
PARTS: tuple[tuple[str, str, Callable[[], str]], ...] = (
    ("README.md", "instructions", instructions),
    ("README.md", "explanations", explanations),
    ("core/isa/README.md", "blackhole", whole_table(Arch.BLACKHOLE)),
    ("core/isa/README.md", "wormhole", whole_table(Arch.WORMHOLE)),
)


def with_part(text: str, name: str, part: str) -> str:
    """`text` with `part` between the marks of `name`; ValueError when they are not there."""
    begin = f"<!-- begin: {name}, made by `python -m core.explanation.pages` -->\n"
    end = f"<!-- end: {name} -->"
    head, found, rest = text.partition(begin)
    _, closed, tail = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"there is no {begin.strip()} with {end} behind it")
    return f"{head}{begin}{part}{end}{tail}"


def fresh(file: str) -> str:
    """The text of a file with all of its parts made anew."""
    text = (ROOT / file).read_text("utf-8")
    for name, mark, part in PARTS:
        if name == file:
            text = with_part(text, mark, part())
    return text


if __name__ == "__main__":
    for file in dict.fromkeys(name for name, _, _ in PARTS):
        (ROOT / file).write_text(fresh(file), "utf-8")

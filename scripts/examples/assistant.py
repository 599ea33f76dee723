# SPDX-License-Identifier: Apache-2.0
"""An assistant's conversation with `tensix-gdb mcp`, by the client of the package mcp.

`python -m scripts.examples.assistant` holds it and puts what was said between the marks in the
manual.
"""

from __future__ import annotations

import json
from typing import Any

import trio

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tests.gdbstub.mcp.conversation import DEMO, assistant

BLOCK = Generated("assistant", "python -m scripts.examples.assistant", MANUAL / "assistants.md")
FOUR = [f"{hart}={hart}.elf" for hart in ("b", "t0", "t1", "nc")]
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("run", {"elf": FOUR, "until": "publish"}),
    ("hart", {"hart": "T0"}),
    ("source", {"hart": "T0", "around": 2}),
    ("resume", {"max_cycles": 100_000}),
    ("why", {}),
    ("run", {"elf": ["t0=/etc/passwd"]}),
)


async def conversation() -> str:
    """Every call with its answer."""
    lines: list[str] = []
    async with assistant([DEMO]) as one:
        for tool, arguments in CALLS:
            good, text = await one.says(tool, **arguments)
            lines.append(f"> {tool} {json.dumps(arguments)}")
            if not good:
                lines.append("(refused)")
            lines += [text.replace(str(DEMO), "~/programs").rstrip(), ""]
    return "```\n" + "\n".join(lines[:-1]) + "\n```\n"


def main() -> None:
    """Write the manual."""
    BLOCK.write(trio.run(conversation))


if __name__ == "__main__":
    main()

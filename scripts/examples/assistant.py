# SPDX-License-Identifier: Apache-2.0
"""An assistant's conversation with `tensix-gdb mcp`, by the client of the package mcp.

`python -m scripts.examples.assistant` holds it and puts what was said between the marks in the
manual.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import trio

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tests.gdbstub.mcp.conversation import DEMO, Assistant, assistant
from tests.programs.build import build

BLOCK = Generated("assistant", "python -m scripts.examples.assistant", MANUAL / "assistants.md")
KERNEL = Path(__file__).resolve().parent / "c10" / "kernel.c"
# What the kernel does between its store and the end, without and with the fix of the report.
LITMUS = """litmus  as it is
init    CFG[76] = 1
T0
sw 2, CFG[76]
push RDCFG result_reg=4, cfg_index=76
push STALLWAIT block=B5, wait=C12
final   T0:GPR[4]

litmus  with the fix
init    CFG[76] = 1
T0
sw 2, CFG[76]
push STALLWAIT block=B7, wait=C10
push RDCFG result_reg=4, cfg_index=76
push STALLWAIT block=B5, wait=C12
final   T0:GPR[4]
"""
FOUR = [f"{hart}={hart}.elf" for hart in ("b", "t0", "t1", "nc")]
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("run", {"elf": FOUR, "until": "publish"}),
    ("hart", {"hart": "T0"}),
    ("source", {"hart": "T0", "around": 2}),
    ("resume", {"max_cycles": 100_000}),
    ("why", {}),
    ("run", {"elf": ["t0=kernel.elf"], "races": "default"}),
    ("races", {"what": "1"}),
    ("witness", {"report": 1}),
    ("confirm", {"report": 1}),
    ("litmus", {"text": LITMUS}),
    ("run", {"elf": ["t0=/etc/passwd"]}),
)


async def conversation() -> str:
    """Every call with its answer."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(os.path.realpath(name))  # noqa: ASYNC240 - nothing else is going on
        build(KERNEL, "T0", folder / "kernel.elf", defines=("WAIT=0",))
        async with assistant([DEMO, folder]) as one:
            said = "\n".join([line async for line in _asked(one)])
    said = said.replace(str(DEMO), "~/programs").replace(str(folder), "~/kernels")
    return f"```\n{said.rstrip()}\n```\n"


async def _asked(one: Assistant) -> AsyncIterator[str]:
    for tool, arguments in CALLS:
        good, text = await one.says(tool, **arguments)
        yield f"> {tool} {_shown(arguments)}"
        if not good:
            yield "(refused)"
        yield f"{text.rstrip()}\n"


def _shown(arguments: dict[str, Any]) -> str:
    """A long text as it is."""
    if arguments.keys() == {"text"}:
        return f"\n{arguments['text']}"
    return json.dumps(arguments)


def main() -> None:
    """Write the manual."""
    BLOCK.write(trio.run(conversation))


if __name__ == "__main__":
    main()

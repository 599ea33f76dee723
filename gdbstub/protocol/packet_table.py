# SPDX-License-Identifier: Apache-2.0
"""The table of packets in the manual, from the packets and their handlers.

`python -m tensix_gdb.gdbstub.protocol.packet_table` writes it, which is done after every change of
a packet. A test compares.
"""

from __future__ import annotations

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.protocol.commands import HANDLERS
from tensix_gdb.gdbstub.protocol.commands.connection import FEATURES
from tensix_gdb.gdbstub.protocol.rsp.packet import PATTERNS

MAKER = "python -m tensix_gdb.gdbstub.protocol.packet_table"
BLOCK = Generated("packets", MAKER, MANUAL / "packets.md")


def table() -> str:
    """Return one row for each packet, in the order of `gdbstub.protocol.rsp.packets`."""
    offered: dict[type, list[str]] = {}
    for name, cls in FEATURES:
        offered.setdefault(cls, []).append(name)
    rows = ["| packet | what it does | needs | offered as |", "|---|---|---|---|"]
    for cls, pattern in PATTERNS.items():
        handler = HANDLERS[cls]
        meaning = " ".join((cls.__doc__ or "").split())
        names = ", ".join(f"`{name}`" for name in offered.get(cls, ()))
        if pattern.prefix == b"qXfer:":
            names = "`qXfer:OBJECT:read`" if handler.needs else ""
        form = pattern.form.replace("|", "\\|")
        rows.append(f"| `{form}` | {meaning} | {handler.needs} | {names} |".replace("  ", " "))
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    BLOCK.write(table())

# SPDX-License-Identifier: Apache-2.0
"""What follows the address in Z: conditions and commands of a breakpoint.

`Z0,ADDR,KIND;X3,220127;cmds:0,X12,...`: agent expressions in hex, each with its length. Commands
that `persist` are to outlive the connection, where no client would see what they print: they go
with the client, as all that it inserted.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tensix_gdb.gdbstub.rsp.packet import Malformed
from tensix_gdb.gdbstub.target import NOTHING, Attached

_EXPRESSION = re.compile(r"X([0-9a-fA-F]{1,8}),((?:[0-9a-fA-F]{2})*)")
_COMMANDS = re.compile(r"cmds:[0-9a-fA-F]+,(.*)")
MAX_EXPRESSIONS = 256


def attached(rest: str | None, say: Callable[[str], None], variables: dict[int, int]) -> Attached:
    """The expressions in what follows `Z`; Malformed when they are not of that form."""
    conditions: list[bytes] = []
    commands: list[bytes] = []
    for part in (rest or "").split(";"):
        found = _COMMANDS.fullmatch(part)
        if found is not None:
            commands += expressions(found[1])
        else:
            conditions += expressions(part)
    if not conditions and not commands:
        return NOTHING
    return Attached(tuple(conditions), tuple(commands), say, variables=variables)


def expressions(text: str) -> list[bytes]:
    """`X3,220127X3,220027`: each expression's bytes."""
    found: list[bytes] = []
    at = 0
    while at < len(text):
        one = _EXPRESSION.match(text, at)
        if one is None or len(one[2]) < 2 * int(one[1], 16) or len(found) == MAX_EXPRESSIONS:
            raise Malformed("an expression is not of the form X LENGTH,BYTES")
        length = int(one[1], 16)
        found.append(bytes.fromhex(one[2][: 2 * length]))
        at = one.start(2) + 2 * length
    return found

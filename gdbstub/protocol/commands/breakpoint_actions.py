# SPDX-License-Identifier: Apache-2.0
"""The text after the address in Z: conditions and commands of a breakpoint.

`Z0,ADDR,KIND;X3,220127;cmds:0,X12,...`: agent expressions in hex, each with its length. Commands
that `persist` are to outlive the connection, where no client would see what they print: they go
with the client, as all that it inserted.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tensix_gdb.gdbstub.protocol.rsp.packet import Malformed
from tensix_gdb.gdbstub.protocol.target import NOTHING, Attached

_EXPRESSION = re.compile(r"X([0-9a-fA-F]{1,8}),((?:[0-9a-fA-F]{2})*)")
_COMMANDS = re.compile(r"cmds:[0-9a-fA-F]+,(.*)")
MAX_EXPRESSIONS = 256


def attached(rest: str | None, say: Callable[[str], None], variables: dict[int, int]) -> Attached:
    """Return the expressions in what follows `Z`; Malformed when they are not of that form."""
    if not rest:
        return NOTHING
    conditions: list[bytes] = []
    commands: list[bytes] = []
    for part in rest.split(";"):
        match = _COMMANDS.fullmatch(part)
        if match is not None:
            commands += expressions(match[1])
        else:
            conditions += expressions(part)
    if not conditions and not commands:
        return NOTHING
    return Attached(tuple(conditions), tuple(commands), say, variables=variables)


def expressions(text: str) -> list[bytes]:
    """`X3,220127X3,220027`: each expression's bytes."""
    programs: list[bytes] = []
    at = 0
    while at < len(text):
        match = _EXPRESSION.match(text, at)
        if (
            match is None
            or len(match[2]) < 2 * int(match[1], 16)
            or len(programs) == MAX_EXPRESSIONS
        ):
            raise Malformed("an expression is not of the form X LENGTH,BYTES")
        length = int(match[1], 16)
        programs.append(bytes.fromhex(match[2][: 2 * length]))
        at = match.start(2) + 2 * length
    return programs

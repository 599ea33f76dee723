# SPDX-License-Identifier: Apache-2.0
"""F: the client has done what a program on the target asked for (manual, appendix File-I/O).

    F RESULT [, ERRNO [, C]] [; what belongs to the call]

numbers in hex, the result with a sign. `C` means that the user has pressed Ctrl-C meanwhile: then
the target stops, and if ERRNO is EINTR the call was not done at all, and is made again later.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.handler import CALLS
from tensix_gdb.gdbstub.protocol.commands.outcome import FileAnswer
from tensix_gdb.gdbstub.protocol.rsp.packet import Malformed
from tensix_gdb.gdbstub.protocol.rsp.packets import execution as packets

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.capabilities import HostCalls

EINTR = 4
_ANSWER = re.compile(r"(-?[0-9a-fA-F]{1,16})(?:,([0-9a-fA-F]{1,8})(,C)?)?(?:;.*)?")


def file_reply(client: Client, calls: HostCalls, packet: packets.FileReply) -> FileAnswer:
    match = _ANSWER.fullmatch(packet.answer)
    if match is None:
        client.forget_request()
        raise Malformed("an answer is F, a result, and perhaps ,ERRNO and ,C")
    errno = int(match[2] or "0", 16)
    interrupted = match[3] is not None
    result = None if interrupted and errno == EINTR else (int(match[1], 16), errno)
    return FileAnswer(result, interrupted)


HANDLERS = (CALLS.handles(packets.FileReply, file_reply),)

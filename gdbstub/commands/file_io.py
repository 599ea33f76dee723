# SPDX-License-Identifier: Apache-2.0
"""F: the client has done what a program on the target asked for (manual, appendix File-I/O).

    F RESULT [, ERRNO [, C]] [; what belongs to the call]

numbers in hex, the result with a sign. `C` means that the user has pressed Ctrl-C meanwhile: then
the target stops, and if ERRNO is EINTR the call was not done at all, and is made again later.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.commands.handler import Handler
from tensix_gdb.gdbstub.rsp.packet import Malformed
from tensix_gdb.gdbstub.rsp.packets import execution as packets

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.session import Session

EINTR = 4
_ANSWER = re.compile(r"(-?[0-9a-fA-F]{1,16})(?:,([0-9a-fA-F]{1,8})(,C)?)?(?:;.*)?")


def file_reply(session: Session, packet: packets.FileReply) -> None:
    found = _ANSWER.fullmatch(packet.answer)
    if found is None:
        session.forget_request()
        raise Malformed("an answer is F, a result, and perhaps ,ERRNO and ,C")
    if not session.asked_for and not session.owes_answer:
        raise Malformed("nothing was asked for")
    errno = int(found[2] or "0", 16)
    interrupted = found[3] is not None
    if interrupted and errno == EINTR:
        session.forget_request()
    session.answered(int(found[1], 16), errno, interrupted=interrupted)


HANDLERS: dict[type, Handler] = {packets.FileReply: Handler(file_reply, needs="calls")}

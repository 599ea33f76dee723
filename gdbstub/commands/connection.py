# SPDX-License-Identifier: Apache-2.0
"""qSupported and what it promises: features, documents, acks, and leaving.

What is advertised follows from what there is: a feature row names the packet that it stands for and
is left out when nobody handles that packet for this target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdbstub.commands.handler import Handler
from gdbstub.rsp import packets, replies
from gdbstub.rsp.framing import PACKET_SIZE

if TYPE_CHECKING:
    from gdbstub.session import Session


def supported(session: Session, packet: packets.Supported) -> bytes:
    """Take what the client can do, answer with what we can."""
    theirs = set((packet.features or "").split(";"))
    session.error_texts = "error-message+" in theirs
    session.swbreak = "swbreak+" in theirs
    return ";".join(features(session)).encode("ascii")


def features(session: Session) -> list[str]:
    """What this target offers."""
    from gdbstub.commands import HANDLERS

    def handled(cls: type) -> bool:
        return cls in HANDLERS and HANDLERS[cls].available(session.target)

    ours = [f"PacketSize={PACKET_SIZE:x}"]
    for name, cls in FEATURES:
        if handled(cls):
            ours.append(f"{name}+")
    if handled(packets.ReadObject) and session.target.description is not None:
        ours += [f"qXfer:{kind}:read+" for kind in session.target.description.kinds()]
    return ours


FEATURES: tuple[tuple[str, type], ...] = (
    ("QStartNoAckMode", packets.StartNoAckMode),
    ("vContSupported", packets.VCont),
    ("QThreadEvents", packets.ThreadEvents),
    ("swbreak", packets.InsertBreak),
    ("binary-upload", packets.ReadBinary),
    ("error-message", packets.Supported),
)


def start_no_ack_mode(session: Session, packet: packets.StartNoAckMode) -> bytes:
    """The answer is the last packet that the client acknowledges."""
    session.acks = False
    return replies.OK


def read_object(session: Session, packet: packets.ReadObject) -> bytes:
    description = session.target.description
    assert description is not None
    if packet.object not in description.kinds():
        return replies.EMPTY
    document = description.document(packet.object, packet.annex)
    if document is None:
        return b"E00"
    # Every byte may need an escape, and there is one letter in front.
    return replies.part(document, packet.offset, min(packet.length, PACKET_SIZE // 2 - 1))


def attached(session: Session, packet: packets.Attached) -> bytes:
    """1: leaving detaches and does not kill."""
    return b"1"


def detach(session: Session, packet: packets.Detach) -> bytes | None:
    session.send(replies.OK)
    session.end()
    return None


def ok(session: Session, packet: object) -> bytes:
    """Packets that ask for nothing a tile could do."""
    return replies.OK


def empty(session: Session, packet: object) -> bytes:
    return replies.EMPTY


def offsets(session: Session, packet: packets.Offsets) -> bytes:
    return b"Text=0;Data=0;Bss=0"


def extended(session: Session, packet: packets.Extended) -> bytes:
    session.extended = True
    return replies.OK


def kill(session: Session, packet: packets.Kill) -> None:
    """`k` has no reply. In extended mode the client stays; otherwise it leaves."""
    if session.extended:
        if session.target.lifetime is not None:
            session.target.lifetime.reset()
        return
    session.end(reset=True)


def vkill(session: Session, packet: packets.VKill) -> bytes:
    assert session.target.lifetime is not None
    session.target.lifetime.reset()
    return replies.OK


def restart(session: Session, packet: packets.Restart) -> None:
    """`R` has no reply."""
    assert session.target.lifetime is not None
    session.target.lifetime.reset()


def run(session: Session, packet: packets.VRun) -> bytes:
    """The program is the one that is loaded; a name given is not opened."""
    assert session.target.lifetime is not None
    session.target.lifetime.reset()
    return session.stop_reply(session.tile.last_stop())


def attach(session: Session, packet: packets.VAttach) -> bytes:
    return session.stop_reply(session.tile.last_stop())


HANDLERS = {
    packets.Supported: Handler(supported),
    packets.StartNoAckMode: Handler(start_no_ack_mode),
    packets.ReadObject: Handler(read_object, needs="description"),
    packets.Attached: Handler(attached),
    packets.Detach: Handler(detach),
    packets.Symbols: Handler(ok),
    packets.Offsets: Handler(offsets),
    packets.ThreadEvents: Handler(ok),
    packets.VMustReplyEmpty: Handler(empty),
    packets.Extended: Handler(extended),
    packets.Kill: Handler(kill),
    packets.VKill: Handler(vkill, needs="lifetime"),
    packets.Restart: Handler(restart, needs="lifetime"),
    packets.VRun: Handler(run, needs="lifetime"),
    packets.VAttach: Handler(attach),
}

# SPDX-License-Identifier: Apache-2.0
"""Text for the console of one client: shown now, or kept until it can be shown."""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.client.packet_stream import FULL, MAX_TEXT, PacketStream
from tensix_gdb.gdbstub.protocol.rsp import replies

MAX_NEWS = 1 << 16  # characters of text that wait for a chance to be shown
MISSING = "\n({} bytes of text are missing here: they were not read in time)\n"


class Console:
    """Show a client what it did not ask for."""

    def __init__(self, stream: PacketStream) -> None:
        self._stream = stream
        self.news = ""  # what others did meanwhile, for the next chance to show it
        self._missing = 0  # bytes of text that the client was not shown

    def show(self, text: str | bytes) -> None:
        """Show text now. Leave it out when the client has not read megabytes of it, until it has.
        The client that drives does not get there: programs wait for it
        (`SharedTile.has_backlog`)."""
        self._stream.unasked = True
        if len(self._stream.outgoing) > (FULL if self._missing else MAX_TEXT):
            data = text.encode("utf-8", "replace") if isinstance(text, str) else text
            self._missing += len(data)
            return
        self.show_missing()
        self._stream.send(replies.console(text))

    def show_missing(self) -> None:
        """Say how much was left out, if anything was."""
        if self._missing:
            self._stream.send(replies.console(MISSING.format(self._missing)))
            self._missing = 0

    def tell(self, text: str) -> None:
        """Show text at the next chance."""
        self.news = (self.news + text)[-MAX_NEWS:]

    def take_news(self) -> str:
        """Take out the text that was kept."""
        news, self.news = self.news, ""
        return news

# SPDX-License-Identifier: Apache-2.0
"""A client of a debug adapter: what an editor does, over the adapter's standard input and output.

Debug Adapter Protocol 1.x: requests and responses by number, events in between. A response without
success is an error here, unless it is asked for with `refused`.
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.patience import HANG

SECONDS = HANG
PAUSES = 60
Message = dict[str, Any]


class Refused(AssertionError):
    """The adapter did not do what it was asked to."""


class Silent(Refused):
    """The adapter says nothing."""


class Adapter:
    """A running adapter. `events` are all that came, `asked` the requests that succeeded."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._arrived: queue.Queue[Message | None] = queue.Queue()
        self._number = 0
        self.events: list[Message] = []
        self._seen = 0  # of events, by `event`
        self.asked: set[str] = set()
        self._responses: dict[int, Message] = {}
        self.capabilities: Message = {}
        self.rest = 0.0  # seconds between a stop and what follows it, as a person takes
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while header := stream.readline():
            if header.lower().startswith(b"content-length:"):
                length = int(header.split(b":")[1])
                while stream.readline().strip():
                    pass
                self._arrived.put(json.loads(stream.read(length)))
        self._arrived.put(None)

    def _send(self, message: Message) -> None:
        body = json.dumps(message).encode("utf-8")
        stream = self._process.stdin
        assert stream is not None
        stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        stream.flush()

    def _next(self, seconds: float = SECONDS) -> None:
        """Take one message."""
        try:
            message = self._arrived.get(timeout=seconds)
        except queue.Empty:
            raise Silent(f"nothing came for {seconds} s; last {self.events[-3:]}") from None
        if message is None:
            raise Refused(f"the adapter has ended; last {self.events[-5:]}")
        if message["type"] == "event":
            self.events.append(message)
        elif message["type"] == "response":
            self._responses[message["request_seq"]] = message
        else:
            self._answer(message)

    def _answer(self, request: Message) -> None:
        """Decline what an adapter asks of an editor, to run something in a terminal."""
        self._number += 1
        self._send(
            {
                **{"seq": self._number, "type": "response", "request_seq": request["seq"]},
                **{"command": request["command"], "success": False},
            }
        )

    def begin(self, command: str, given: Message | None = None, /, **arguments: Any) -> int:
        """Send a request; its number. An argument that is called `command` is in `given`."""
        self._number += 1
        self._send(
            {
                **{"seq": self._number, "type": "request", "command": command},
                **{"arguments": {**(given or {}), **arguments}},
            }
        )
        return self._number

    def end(self, number: int) -> Message:
        """Wait for the response to a request; its body."""
        while number not in self._responses:
            self._next()
        response = self._responses.pop(number)
        if not response["success"]:
            raise Refused(
                f"{response['command']}: {response.get('message')} {response.get('body')}"
            )
        self.asked.add(response["command"])
        body: Message = response.get("body") or {}
        return body

    def ask(self, command: str, **arguments: Any) -> Message:
        """Send a request and wait for its response; its body."""
        return self.end(self.begin(command, **arguments))

    def event(
        self,
        name: str,
        fits: Callable[[Message], bool] = lambda body: True,
        seconds: float = SECONDS,
    ) -> Message:
        """Wait for an event that has not been waited for; its body. Silent after some seconds."""
        while True:
            while self._seen < len(self.events):
                self._seen += 1
                event = self.events[self._seen - 1]
                if event["event"] == name and fits(event.get("body") or {}):
                    body: Message = event.get("body") or {}
                    return body
            self._next(seconds)

    def output(self) -> str:
        """All text that has come."""
        return "".join(e["body"]["output"] for e in self.events if e["event"] == "output")

    # What editors do in several steps

    def initialize(self, adapter: str) -> None:
        """Begin as an editor does."""
        self.capabilities = self.ask(
            "initialize",
            adapterID=adapter,
            clientID="vscode",
            pathFormat="path",
            linesStartAt1=True,
            columnsStartAt1=True,
            supportsVariableType=True,
            supportsMemoryReferences=True,
            supportsMemoryEvent=True,
        )

    def start(self, request: str, **configuration: Any) -> int:
        """Launch or attach, up to the event that breakpoints may be set; the request's number."""
        number = self.begin(request, **configuration)
        while not any(event["event"] == "initialized" for event in self.events):
            self._next()
            if number in self._responses and not self._responses[number]["success"]:
                self.end(number)
        return number

    def breakpoints(self, source: Path, *wanted: Mapping[str, Any]) -> list[Message]:
        """Set the breakpoints of a file; what was made of them."""
        body = self.ask(
            "setBreakpoints",
            source={"path": str(source), "name": source.name},
            breakpoints=list(wanted),
        )
        found: list[Message] = body["breakpoints"]
        return found

    def resume(self, command: str, thread: int, **more: Any) -> Message:
        """Continue or step, and wait for the stop; its body."""
        time.sleep(self.rest)
        self._seen = len(self.events)
        self.ask(command, threadId=thread, **more)
        return self.event("stopped")

    def pause(self, thread: int) -> Message:
        """Pause until there is a stop; its body. A pause that comes before LLDB has continued is
        lost, and nothing says when that is."""
        for _ in range(PAUSES):
            time.sleep(self.rest)
            self.ask("pause", threadId=thread)
            with suppress(Silent):
                return self.event("stopped", seconds=SECONDS / PAUSES)
        raise Silent(f"no stop after {PAUSES} pauses; last {self.events[-3:]}")

    def leave(self, thread: int) -> None:
        """Disconnect as an editor does: it shows the stop, and a person takes a moment before
        leaving. lldb-dap 19 is silent for ever after a disconnect in the instant of a stop."""
        assert self.ask("threads")["threads"]
        assert self.frames(thread)
        time.sleep(self.rest)
        self.ask("disconnect", terminateDebuggee=False)

    def frames(self, thread: int) -> list[Message]:
        """The frames of a thread."""
        found: list[Message] = self.ask("stackTrace", threadId=thread, levels=20)["stackFrames"]
        return found

    def variables(self, reference: int) -> dict[str, Message]:
        """Return the variables of a reference, by name."""
        found = self.ask("variables", variablesReference=reference)["variables"]
        return {one["name"]: one for one in found}

    def scope(self, frame: int, name: str) -> int:
        """The reference of a frame's variables: Local, Registers, ..."""
        scopes = self.ask("scopes", frameId=frame)["scopes"]
        return next(int(s["variablesReference"]) for s in scopes if s["name"].startswith(name))


@contextmanager
def adapter(command: Sequence[str]) -> Iterator[Adapter]:
    """Start an adapter; end it afterwards."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield Adapter(process)
        finally:
            process.kill()

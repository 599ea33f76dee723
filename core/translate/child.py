# SPDX-License-Identifier: Apache-2.0
"""The child process that translates: `python -m tensix_gdb.core.translate.child`.

It reads requests from its standard input (a length, then JSON), and answers each with what it has
made (a length, then the bytes of a `Built`, none if that could not be done). It ends when its input
does, also in the middle of LLVM.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from queue import SimpleQueue
from typing import IO, Any

from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.cache import open_cache
from tensix_gdb.core.engine.entry import SubsetError
from tensix_gdb.core.engine.plan import Built
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.translate.blocks import Blocks
from tensix_gdb.core.translate.files import KIND, file_name
from tensix_gdb.core.translate.function import FunctionText

LENGTH = 8  # bytes before a request or an answer


def translate(request: dict[str, Any]) -> Built:
    """Make the code of one translation."""
    code = {int(pc): int(d) for pc, d in request["code"]}
    blocks = Blocks(code, frozenset(request["leaders"]), tuple(request["heads"]))
    text = FunctionText(LAYOUT, request["hart"], blocks)
    compiled = jit.compile_object(text.module(), jit.TRANSLATION)
    return Built(request["key"], (compiled,), (), jit.TRANSLATION, text.lowering.uses.globals)


def write_message(file: IO[bytes], content: bytes) -> None:
    """Write a request or an answer."""
    file.write(len(content).to_bytes(LENGTH, "little") + content)
    file.flush()


def _read(requests: SimpleQueue[bytes]) -> None:
    """Read beside LLVM, which does not hold the GIL."""
    with contextlib.suppress(OSError):
        while head := sys.stdin.buffer.read(LENGTH):
            requests.put(sys.stdin.buffer.read(int.from_bytes(head, "little")))
    os._exit(0)


def main() -> None:
    """Answer requests until there are no more."""
    with contextlib.suppress(OSError):
        os.nice(10)
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()
    while True:
        request = requests.get()
        try:
            built = translate(json.loads(request))
            answer = built.to_bytes()
            open_cache().write(file_name(built.key), KIND, answer)
        except (SubsetError, jit.LlvmMissingError, MemoryError, RuntimeError, ValueError):
            answer = b""
        write_message(sys.stdout.buffer, answer)


if __name__ == "__main__":
    main()

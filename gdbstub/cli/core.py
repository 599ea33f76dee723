# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb core`: write a core file of a served tile, or show what is in one.

The client writes the file; the server writes nothing. The file takes its place when it is whole: a
failure before leaves the old file there.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.cli.options.core import CoreOptions
from tensix_gdb.gdbstub.cli.options.tile import DEFAULT_PORT
from tensix_gdb.gdbstub.cli.rsp_client import RspClient
from tensix_gdb.gdbstub.replace_file import replace_file
from tensix_gdb.gdbstub.usage import UsageError

OBJECT = "tensix-core"
BEGINS = b"\x7fELF"
ET_CORE = (4).to_bytes(2, "little")


def core(options: CoreOptions) -> int:
    """Write a core file, or show one."""
    if options.card.from_exalens is not None:
        return _from_card(options)
    if options.file is None:
        raise UsageError("name a core file: `tensix-gdb core FILE`")
    if options.port is None and options.host is None:
        if options.tile is not None:
            raise UsageError("--tile names a tile of a running server: name its --port too")
        print("\n".join(_shown(options.file)))
        return 0
    host, port = options.host or "127.0.0.1", options.port or DEFAULT_PORT
    return _write(host, port, options.file, options.tile or "")


def _from_card(options: CoreOptions) -> int:
    path = options.card.output or options.file
    if path is None:
        raise UsageError("name the file to write: -o hung.core")
    if options.port is not None or options.host is not None:
        raise UsageError("a card has no port: leave out --host and --port, or --from-exalens")
    _check_place(path)
    from tensix_gdb.gdbstub.host.exalens.command import core_from_card

    replace_file(Path(path), core_from_card(options.card))
    print(f"core file {path}; `tensix-gdb core {path}` says what is in it")
    return 0


def _shown(path: str) -> Iterator[str]:
    """Yield the description of a core file, of a tile or of a chip."""
    if _is_of_chip(path):
        from tensix_gdb.gdbstub.tensix.chip.corefile import shown_chip

        return shown_chip(path)
    from tensix_gdb.gdbstub.tensix.corefile.show import shown

    return shown(path)


def _is_of_chip(path: str) -> bool:
    if not zipfile.is_zipfile(path):
        return False
    from tensix_gdb.core.chip.recording import is_recording_of_chip

    return is_recording_of_chip(path)


def server_core(host: str, port: int, tile: str = "") -> bytes:
    """Ask a running server for its tile as a core file, or for all of its tiles, or for one."""
    with RspClient(host, port) as server:
        if f"qXfer:{OBJECT}:read+" not in server.features():
            raise UsageError(
                f"{server.name} gives no core files: it is no tensix-gdb, or an older one"
            )
        return server.read(OBJECT, tile)


def _write(host: str, port: int, path: str, tile: str) -> int:
    _check_place(path)
    content = server_core(host, port, tile)
    header = _header_of(path, content)
    try:
        replace_file(Path(path), content)
    except OSError as problem:
        raise UsageError(f"{path}: cannot be written: {problem.strerror}") from None
    print(f"core file {path}, cycle {header['cycle']}, hash {header['hash']}")
    print(f"    {header['ending']}")
    return 0


def _header_of(path: str, content: bytes) -> dict[str, Any]:
    if content[:2] != b"PK":
        from tensix_gdb.gdbstub.tensix.corefile.elf import header_of

        return header_of(path, content)
    from tensix_gdb.gdbstub.tensix.chip.corefile import header_of_chip

    return header_of_chip(path, content)


def _check_place(path: str) -> None:
    """Refuse to replace anything but a core file: it was hardly meant."""
    try:
        if not Path(path).is_file() or not Path(path).stat().st_size:
            return
        with open(path, "rb") as file:
            begins = file.read(18)
    except OSError as problem:
        raise UsageError(f"{path}: {problem.strerror}") from None
    if (begins[:4] != BEGINS or begins[16:] != ET_CORE) and not _is_of_chip(path):
        raise UsageError(f"{path} is there and is no core file: name another file to write")

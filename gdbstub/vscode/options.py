# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb vscode`."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option


@dataclass(frozen=True)
class VscodeOptions:
    """Install the extension into the editors that are here: VS Code, VSCodium, code-server, Cursor.
    Then F5 in a kernel, a script that uses ttnn, a core file or a recording debugs it on the
    emulated tile, without a launch.json. With -o only the extension's file is written, for
    `Install from VSIX...` of any editor."""

    output: str | None = option(
        *("-o", "--output"), metavar="FILE.vsix", help="write the extension there instead"
    )
    editor: str | None = option(
        "--editor", metavar="COMMAND", help="the editor to install it into (default: all found)"
    )
    plan: str | None = option(
        "--plan",
        metavar="FILE",
        help="say as JSON what debugging FILE would build and start: what the extension asks",
    )
    attach: bool = option(
        "--attach", action="store_true", help="the same for a server that is there already"
    )
    no_record: bool = option(
        "--no-record", action="store_true", help="with --plan: without a history for steps back"
    )
    warm: bool = option(
        "--warm",
        action="store_true",
        help="load what F5 needs, print the socket by which the variable TENSIX_GDB_WARM lets "
        "commands begin at once, and stay until standard input is closed",
    )
    more: tuple[str, ...] = option(
        nargs="*", metavar="-- OPTION", help="with --plan: options for what is started"
    )

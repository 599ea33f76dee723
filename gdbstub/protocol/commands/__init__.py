# SPDX-License-Identifier: Apache-2.0
"""The handlers of the packets, for any target."""

from tensix_gdb.gdbstub.protocol.commands import (
    breakpoints,
    connection,
    file_io,
    files,
    flash,
    lifetime,
    lldb,
    lldb_threads,
    memory,
    monitor,
    nonstop,
    registers,
    resume,
    threads,
    trace_upload,
    tracing,
)
from tensix_gdb.gdbstub.protocol.commands.handler import Handler

HANDLERS: dict[type, Handler] = {
    row.packet: row
    for row in (
        *connection.HANDLERS,
        *lifetime.HANDLERS,
        *resume.HANDLERS,
        *nonstop.HANDLERS,
        *registers.HANDLERS,
        *memory.HANDLERS,
        *breakpoints.HANDLERS,
        *threads.HANDLERS,
        *tracing.HANDLERS,
        *trace_upload.HANDLERS,
        *monitor.HANDLERS,
        *files.HANDLERS,
        *file_io.HANDLERS,
        *flash.HANDLERS,
        *lldb.HANDLERS,
        *lldb_threads.HANDLERS,
    )
}

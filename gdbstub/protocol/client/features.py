# SPDX-License-Identifier: Apache-2.0
"""The features of a client, as far as it named them (GDB manual, qSupported; LLDB's packets)."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.protocol.rsp import replies


@dataclass(slots=True)
class ClientFeatures:
    """Everything is off until the client says otherwise."""

    errors: replies.ErrorStyle = replies.ErrorStyle.NUMBER
    swbreak: bool = False
    hwbreak: bool = False
    extended: bool = False
    thread_suffix: bool = False
    thread_lists: bool = False
    libraries: bool = False  # it has read the list of libraries
    libraries_changed: bool = False  # and the list has changed since

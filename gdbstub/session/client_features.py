# SPDX-License-Identifier: Apache-2.0
"""What a client told us about itself."""

from __future__ import annotations

from dataclasses import dataclass

from tensix_gdb.gdbstub.rsp import replies


@dataclass(slots=True)
class Wishes:
    """What the client told us about itself; everything is off at first."""

    errors: replies.ErrorStyle = replies.ErrorStyle.NUMBER
    swbreak: bool = False
    hwbreak: bool = False
    extended: bool = False
    thread_suffix: bool = False
    thread_lists: bool = False

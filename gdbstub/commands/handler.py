# SPDX-License-Identifier: Apache-2.0
"""What joins a packet to the function that handles it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tensix_gdb.gdbstub.target import Target


@dataclass(frozen=True, slots=True)
class Handler:
    """`function(session, packet)` gives the reply's payload, or None when it comes later.

    `needs` names the capability of the target without which the packet is unknown. What `changes`
    the target is refused while it runs for another client. When it fails, what is `told` may be
    text to a GDB that has not asked for text.
    """

    function: Callable[[Any, Any], bytes | None]
    needs: str = ""
    changes: bool = False
    told: bool = False

    def available(self, target: Target) -> bool:
        """Can this target do it?"""
        return not self.needs or getattr(target, self.needs) is not None

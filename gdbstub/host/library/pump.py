# SPDX-License-Identifier: Apache-2.0
"""The functions of pump.c, by ctypes."""

from __future__ import annotations

import ctypes
from ctypes import c_int64, c_uint32, c_uint64
from pathlib import Path


class Pump:
    """The functions of pump.c."""

    def __init__(self, path: Path) -> None:
        code = ctypes.CDLL(str(path))
        at = ctypes.c_void_p
        self.pump = code.pump
        self.pump.argtypes, self.pump.restype = (at, at, c_uint32, c_int64), c_uint32
        self.done = code.done
        self.done.argtypes, self.done.restype = (at, at), None
        self.keep_current = code.keep_current
        self.keep_current.argtypes, self.keep_current.restype = (at, at), None
        self.ask_host = code.ask_host
        self.ask_host.argtypes = (at, c_uint32, c_uint32, c_uint64, c_uint32)
        self.ask_host.restype = None
        self.is_answered = code.is_answered
        self.is_answered.argtypes, self.is_answered.restype = (at, c_int64), ctypes.c_bool
        self.sleep_at_socket = code.sleep_at_socket
        self.sleep_at_socket.argtypes, self.sleep_at_socket.restype = (at,), ctypes.c_bool
        self.end_host = code.end_host
        self.end_host.argtypes, self.end_host.restype = (at, c_uint32), None
        self.next_reset = code.next_reset
        self.next_reset.argtypes, self.next_reset.restype = (at, c_uint32), c_uint32
        self.layout = code.layout
        self.layout.argtypes, self.layout.restype = (c_uint32,), c_uint64

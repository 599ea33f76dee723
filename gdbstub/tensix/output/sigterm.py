# SPDX-License-Identifier: Apache-2.0
"""Who ends a server wants its files too: SIGTERM ends it as Ctrl-C does."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def as_by_ctrl_c() -> Iterator[None]:
    """SIGTERM is a KeyboardInterrupt while this lasts.

    A script's shell has SIGINT ignored by what it puts into the background: then SIGTERM would be
    nothing, and the server never end.
    """
    at_term = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    at_int = signal.getsignal(signal.SIGINT)
    if at_int == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, at_int)
        signal.signal(signal.SIGTERM, at_term)

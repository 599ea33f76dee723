# SPDX-License-Identifier: Apache-2.0
"""The SFPI that is on this machine."""

from __future__ import annotations

import pytest

from tensix_gdb.gdbstub.kernels.sfpi.find import Place, find_sfpi
from tests.tools import unavailable


def installed_sfpi(monkeypatch: pytest.MonkeyPatch) -> Place:
    """Return it, and let programs be built with it; other tests take Debian's compiler."""
    monkeypatch.delenv("SFPI", raising=False)
    found = find_sfpi()
    if found is None:
        unavailable("no SFPI is here: `tensix-gdb sfpi --install` gets it")
    return found

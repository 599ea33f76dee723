# SPDX-License-Identifier: Apache-2.0
"""Tests of compiled code name the processor that they look at code for, whatever runs them.

LLVM's cost model decides what becomes a vector, and differs by processor. A test that looks for
vectors takes the fixture `processor`: with `--cpu NAME` that is NAME, in the long form each of
NAMES, and otherwise the one that a wheel brings code for. The code is generated and looked at, and
never run: a host without AVX-512 can look at code with it.
"""

from __future__ import annotations

import platform

import pytest

from tensix_gdb.core.engine import jit
from tests import forms

# The processors, and of what their names stand for what core/engine/jit.py asks for by itself.
NAMES = {
    "x86-64-v2": "",
    "x86-64-v3": "",
    "x86-64-v4": "+avx512cd",
    "znver2": "",
    "znver4": "+avx512cd",
    "skylake-avx512": "+avx512cd",
    "sapphirerapids": "+avx512cd",
}
USUAL = "x86-64-v3"


def add_options(parser: pytest.Parser) -> None:
    parser.getgroup("tensix-gdb's own tests").addoption(
        "--cpu",
        choices=list(NAMES),
        default=None,
        help="look at the code for this processor; alone, run those tests only",
    )


def set_up(config: pytest.Config) -> None:
    """`--cpu NAME` without anything else: the tests of generated code."""
    if config.getoption("cpu") and config.args_source.name != "ARGS":
        config.option.markexpr = config.option.markexpr or "processor"


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Give a test with the fixture `processor` its names."""
    if "processor" in metafunc.fixturenames:
        wanted = metafunc.config.getoption("cpu")
        names = (wanted,) if wanted else tuple(NAMES) if forms.is_long() else (USUAL,)
        marked = [pytest.param(name, marks=pytest.mark.processor) for name in names]
        metafunc.parametrize("processor", marked, indirect=True)


@pytest.fixture
def processor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Code is generated for the processor of this name, until the test ends."""
    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("code of x86-64 is generated on x86-64 only")
    name = str(request.param)
    monkeypatch.setattr(jit, "processor", lambda: (name, NAMES[name]))
    monkeypatch.setattr(jit, "_counts_by_float", jit._counts_by_float.__wrapped__)
    return name

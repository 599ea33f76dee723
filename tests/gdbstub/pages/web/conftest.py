# SPDX-License-Identifier: Apache-2.0
"""A server with a page, and programs for it: a kernel on three T cores that unpacks and packs."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.examples.counted import kernel
from tests.gdb.harness import serve
from tests.gdbstub.pages.web.page import Page
from tests.programs.build import PROGRAMS

DEMO = Path(__file__).resolve().parents[4] / "gdbstub" / "demo" / "programs"
Open = Callable[..., contextlib.AbstractContextManager[Page]]


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The arguments that load the kernel."""
    folder = tmp_path_factory.mktemp("kernel")
    shutil.copy(PROGRAMS / "data_path.c", folder)  # sources are looked for beside programs
    return kernel(folder)


@pytest.fixture(scope="session")
def demo() -> list[str]:
    """The arguments that load the demo."""
    return ["--dir", str(DEMO)]


@pytest.fixture(scope="session")
def open_page() -> Open:
    """Start `serve --web` with these arguments."""

    @contextlib.contextmanager
    def opened(*arguments: str) -> Iterator[Page]:
        with serve({}, *arguments, "--web") as server:
            yield Page(server)

    return opened

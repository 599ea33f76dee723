# SPDX-License-Identifier: Apache-2.0
"""Tests of the engines keep their objects to themselves, and can write modules to import."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tensix_gdb.core.engine.cache import VARIABLE


@pytest.fixture(scope="session")
def _objects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("objects")


@pytest.fixture(autouse=True)
def _own_cache(_objects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _objects.chmod(0o700)
    monkeypatch.setenv(VARIABLE, str(_objects))


WriteModule = Callable[[str, str], ModuleType]


@pytest.fixture
def write_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WriteModule]:
    """`write_module("name", text)`: a module from `text`, imported again if it exists."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    written: set[str] = set()

    def write(name: str, text: str) -> ModuleType:
        path = tmp_path / (name.replace(".", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        importlib.invalidate_caches()
        for known in [n for n in sys.modules if n in written]:
            del sys.modules[known]
        written.add(name)
        return importlib.import_module(name)

    yield write
    for name in written:
        sys.modules.pop(name, None)

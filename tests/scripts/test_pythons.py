# SPDX-License-Identifier: Apache-2.0
"""Pythons are found beside pyenv's shims, which find nothing in an empty home."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scripts.ttnntools import prepare
from tests.pythons import pythons

HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.fixture
def pyenv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pyenv with a shim that finds nothing, the only folder on PATH; the home is empty."""
    shims, home = tmp_path / "pyenv" / "shims", tmp_path / "home"
    shims.mkdir(parents=True)
    home.mkdir()
    shim = shims / f"python{HERE}"
    shim.write_text("#!/bin/sh\necho 'pyenv: version is not installed' >&2\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(shims))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("PYENV_ROOT", raising=False)
    return tmp_path / "pyenv"


def test_what_a_shim_stands_for_is_beside_it(pyenv: Path) -> None:
    program = pyenv / "versions" / f"{HERE}.1" / "bin" / "python3"
    program.parent.mkdir(parents=True)
    # Not a link: a Python looks for its library beside itself.
    program.write_text(f'#!/bin/sh\nexec {sys._base_executable} "$@"\n')  # type: ignore[attr-defined]
    program.chmod(0o755)
    assert pythons() == {HERE: str(program)}


def test_without_one_it_is_said_what_to_install(pyenv: Path) -> None:
    assert pythons() == {}
    with pytest.raises(prepare.NoPython, match=r"neither is here: install one .*pyenv install 3"):
        prepare._program()

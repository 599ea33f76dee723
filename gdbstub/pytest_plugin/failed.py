# SPDX-License-Identifier: Apache-2.0
"""The report of a failed test: lines that run it again, a picture, a page, a debugger."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tensix_gdb.gdbstub.pytest_plugin.executions import chosen_executions, many_seeds

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.testing.tile import Tile


def run_again(item: pytest.Item, tile: Tile) -> dict[str, str]:
    """Return the lines that run a failed test again: in pytest; its programs with a diagnosis,
    and under GDB."""
    from shlex import quote

    from tensix_gdb.gdbstub.testing.reproduction import diagnose_command, gdb_command

    is_many = many_seeds(item) is not None
    is_chosen = chosen_executions(item.config) or is_many
    chosen = f" --tile-schedule={tile.machine.execution}" if is_chosen else ""
    node = item.nodeid.partition("[")[0] if is_many else item.nodeid
    lines = {"tile-pytest": f"pytest {quote(node)}{chosen}"}
    folder = _folder(item)
    commands = {
        "tile-diagnose": diagnose_command(tile, folder),
        "tile-gdb": gdb_command(tile, folder),
    }
    return {**lines, **{name: command for name, command in commands.items() if command}}


def kept(tile: Tile) -> list[str]:
    """Keep the run of a failed test; return what there is to say."""
    from tensix_gdb.gdbstub.testing.reproduction import keep_run

    return keep_run(tile)


def draw(item: pytest.Item, tile: Tile) -> str:
    """Draw the tile of a failed test; return the file's name, or why there is none."""
    from tensix_gdb.gdbstub.pages.picture.files import content
    from tensix_gdb.gdbstub.pages.picture.state import take_picture

    path = Path(item.config.getoption("--tile-pictures")) / f"{_file_name(item)}.svg"
    stop = tile.stop
    ending = f"{item.nodeid}: {stop.text if stop is not None else 'the tile has not stopped yet'}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content(take_picture(tile.machine, ending), path.name))
    except OSError as problem:
        return f"{path}: cannot be written: {problem.strerror}"
    item.user_properties.append(("tile-picture", str(path)))
    return str(path)


def share(item: pytest.Item, tile: Tile) -> str:
    """Write the run of a failed test as one file; return its name, or why there is none."""
    from tensix_gdb.gdbstub.testing.reproduction import record_run

    path = Path(item.config.getoption("--tile-share")) / f"{_file_name(item)}.html"
    stop = tile.stop
    ending = stop.text if stop is not None else "the tile has not stopped yet"
    try:
        from tensix_gdb.gdbstub.pages.share.made import of_machine, of_recording, write_page
        from tensix_gdb.gdbstub.pages.share.options import ShareOptions

        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder, path.open("w", encoding="utf-8") as out:
            recording = Path(folder) / "run.rec"
            if record_run(tile, recording):
                data = of_recording(str(recording), item.nodeid, ShareOptions())
            else:
                data = of_machine(tile.machine, item.nodeid, ending)
            said = list(write_page(out, str(path), data))
    except OSError as problem:
        return f"{path}: cannot be written: {problem.strerror}"
    except ImportError as problem:
        return f"--tile-share needs the package {problem.name}: `pip install 'tensix-gdb[web]'`"
    item.user_properties.append(("tile-share", str(path)))
    return "\n".join(said)


def _file_name(item: pytest.Item) -> str:
    return re.sub(r"\W+", "-", item.nodeid).strip("-")[-100:]


def _folder(item: pytest.Item) -> Path:
    """Return where the inputs of a failed test are written, if it has some."""
    cache = getattr(item.config, "cache", None)
    root = Path(tempfile.gettempdir()) if cache is None else Path(cache.mkdir("tensix-gdb"))
    return root / _file_name(item)


def says_where(call: pytest.CallInfo[None]) -> bool:
    """True if the failure is a run that did not stop: its message has it all."""
    from tensix_gdb.gdbstub.testing.stop import NotStopped

    return call.excinfo is not None and call.excinfo.errisinstance(NotStopped)


def serve(item: pytest.Item, tile: Tile) -> None:
    from tensix_gdb.gdbstub.testing.serving import serve_once

    capture = item.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print(f"\n{item.nodeid} failed\n{tile.report()}")
        serve_once(tile)

# SPDX-License-Identifier: Apache-2.0
"""The beginning and the end of each drive: a project's folder in an editor, and a server for it."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tests.dap import code_server
from tests.dap.editor import Editor
from tests.dap.test_code_server import CYCLE
from tests.gdb.harness import ROOT
from tests.gdbstub.pages.web.visit import chromium

TILE_H = ROOT / "gdbstub" / "demo" / "programs" / "tile.h"


def play(
    project: Path,
    shots: Path,
    first: str,
    drive: Callable[[Editor], None],
    extensions: Sequence[str] = (),
) -> None:
    """Open a project's folder, and a file in it, and do something there."""
    shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        for one in extensions:
            program = code_server.command(Path(name), code_server.installed())
            subprocess.run([program, "--install-extension", one], check=True)
        with code_server.serve(Path(name), project) as address, chromium() as browser:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            editor = Editor(page, shots)
            try:
                page.goto(address)
                editor.file(first)
                drive(editor)
            finally:
                page.screenshot(path=shots / "end.png")


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for a project, without a file."""
    with tempfile.TemporaryDirectory() as name:
        made = Path(name) / "mine"
        made.mkdir()
        yield made


def project(path: Path, *launch: dict[str, Any]) -> Path:
    """Make a project of `new`, with these configurations for F5; its kernel."""
    assert tensix_gdb(["new", str(path)]) == 0
    configured(path, *launch)
    return path / "add.c"


def example(path: Path, source: Path, *lines: str) -> Path:
    """Copy a kernel of the examples, with the header that it includes; lines come before it."""
    shutil.copy(TILE_H, path)
    text = source.read_text("utf-8").replace("u32 main", "int main")
    kernel = path / "t0.c"
    kernel.write_text("".join(f"{line}\n" for line in lines) + text, "utf-8")
    return kernel


def configured(path: Path, *launch: dict[str, Any]) -> None:
    common = {"type": "tensix", "request": "launch"}
    written = {"version": "0.2.0", "configurations": [{**common, **one} for one in launch]}
    (path / ".vscode").mkdir(exist_ok=True)
    (path / ".vscode" / "launch.json").write_text(json.dumps(written), "utf-8")


def served(
    kernel: Path, shots: Path, drive: Callable[[Editor], None], port: int, *words: str
) -> None:
    """Do something in the editor while a server is there for a kernel's folder."""
    serve = [str(code_server.COMMAND), "serve", *words, "--port", str(port)]
    with subprocess.Popen(serve, cwd=kernel.parent, stdout=subprocess.DEVNULL) as server:
        try:
            play(kernel.parent, shots, kernel.name, drive)
        finally:
            server.terminate()


def end(editor: Editor) -> None:
    buttons = (f".debug-toolbar .codicon-debug-{icon}" for icon in ("stop", "disconnect"))
    editor.page.locator(", ".join(buttons)).first.click()
    editor.page.locator(".debug-toolbar").wait_for(state="hidden")
    # The next session has its own.
    status = editor.page.locator(".statusbar-item").filter(has_text=CYCLE)
    status.first.wait_for(state="hidden")

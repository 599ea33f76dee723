# SPDX-License-Identifier: Apache-2.0
"""A real VS Code without a window: code-server, which a browser shows, with the extension in it.

npm has all of it, Node too, so that Debian's may be another. Its native modules are left out: of
what they do (passwords, terminals, log files) these tests want nothing, and VS Code goes on
without them. It is got once and kept in the user's cache: `python -m tests.dap.code_server`.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tensix_gdb.gdbstub.host.ttnn.command import free_port
from tensix_gdb.gdbstub.kernels.user_cache import cache, made_at_once
from tensix_gdb.gdbstub.vscode.build import CERTIFICATES
from tests.tools import find_tool, unavailable

VERSION, NODE = "4.100.3", "20.20.2"
PROCESSORS = {"x86_64": "x64", "aarch64": "arm64"}  # as npm calls them
QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--silent")
COMMAND = Path(sys.executable).with_name("tensix-gdb")
# Nothing is looked for outside, and nothing comes between a test and the editor.
SETTINGS = {
    "workbench.colorTheme": "Default Dark Modern",
    "workbench.startupEditor": "none",
    "workbench.enableExperiments": False,
    "workbench.tips.enabled": False,
    # What moves is painted by the processor here, while it builds and starts what F5 asks for.
    "workbench.reduceMotion": "on",
    "chat.commandCenter.enabled": False,
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": False,
    "remote.autoForwardPorts": False,
    "telemetry.telemetryLevel": "off",
    "tensix.command": str(COMMAND),
}
KEYS = [{"key": "ctrl+alt+t", "command": "workbench.action.toggleLightDarkThemes"}]


def installed() -> Path:
    """The folder with code-server; what is missing skips the test, and fails it in CI."""
    if sys.platform != "linux" or platform.machine() not in PROCESSORS:
        pytest.skip(f"npm has no Node for {sys.platform} on {platform.machine()}")
    for name in ("npm", "rg"):
        find_tool(name)
    folder = cache() / "code-server" / VERSION
    try:
        with made_at_once(folder) as new:
            if new is not None:
                _install(new)
    except subprocess.CalledProcessError as problem:
        lines = (problem.stdout + problem.stderr).strip().splitlines() or ["npm says nothing"]
        unavailable(f"code-server is missing: {' '.join(problem.cmd)}: {lines[0]}")
    return folder


def _install(folder: Path) -> None:
    node = f"node-linux-{PROCESSORS[platform.machine()]}@{NODE}"
    _npm(folder, "install", f"code-server@{VERSION}", node)
    code = folder / "node_modules" / "code-server" / "lib" / "vscode"
    _npm(code, "install", "--omit=dev", "--legacy-peer-deps")
    # What its own install script does, with the machine's ripgrep.
    (code / "node_modules.asar").symlink_to("node_modules")
    search = code / "node_modules" / "@vscode" / "ripgrep" / "bin"
    search.mkdir(parents=True, exist_ok=True)
    (search / "rg").symlink_to(find_tool("rg"))
    # It hashes passwords; the server has none.
    (folder / "node_modules" / "argon2" / "argon2.js").write_text("module.exports = {};\n", "utf-8")


def _npm(folder: Path, *words: str) -> None:
    environment = dict(os.environ)
    if CERTIFICATES.exists():
        environment.setdefault("NODE_EXTRA_CA_CERTS", str(CERTIFICATES))
    subprocess.run(
        ["npm", *words, *QUIET],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )


def command(folder: Path, code: Path) -> Path:
    """Write a command `code-server` that keeps all it writes in a folder; its path."""
    modules = code / "node_modules"
    node = modules / f"node-linux-{PROCESSORS[platform.machine()]}" / "bin" / "node"
    entry = modules / "code-server" / "out" / "node" / "entry.js"
    path = folder / "code-server"
    path.write_text(
        "#!/bin/sh\n"
        f"export XDG_CONFIG_HOME={folder}/config XDG_DATA_HOME={folder}/data\n"
        f"exec {node} {entry} --user-data-dir {folder}/user "
        f'--extensions-dir {folder}/extensions "$@"\n',
        "utf-8",
    )
    path.chmod(0o755)
    return path


@contextmanager
def serve(folder: Path, project: Path) -> Iterator[str]:
    """A server that has the extension, by `tensix-gdb vscode`; the address of a project in it."""
    program = command(folder, installed())
    assert tensix_gdb(["vscode", "--editor", str(program)]) == 0
    user = folder / "user" / "User"
    user.mkdir(parents=True, exist_ok=True)
    (user / "settings.json").write_text(json.dumps(SETTINGS), "utf-8")
    (user / "keybindings.json").write_text(json.dumps(KEYS), "utf-8")
    machine = folder / "user" / "Machine"
    machine.mkdir(exist_ok=True)
    shutil.copyfile(user / "settings.json", machine / "settings.json")
    port = free_port()
    options = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-workspace-trust"]
    options += ["--disable-telemetry", "--disable-update-check"]
    with (folder / "log.txt").open("w") as log:
        server = subprocess.Popen(
            [str(program), *options, str(project)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        with server:
            try:
                assert server.stdout is not None
                for line in server.stdout:
                    log.write(line)
                    if "HTTP server listening" in line:
                        break
                yield f"http://127.0.0.1:{port}/?folder={project}"
            finally:
                server.terminate()


if __name__ == "__main__":
    try:
        print(installed())
    except (pytest.skip.Exception, pytest.fail.Exception) as missing:
        sys.exit(str(missing))

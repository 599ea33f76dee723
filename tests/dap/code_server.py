# SPDX-License-Identifier: Apache-2.0
"""The extension in a real VS Code: python -m tests.dap.code_server FOLDER.

FOLDER gets code-server (VS Code in the browser) from npm, a minute and a half the first time, and
`shots`: a picture after each step of a session, in the dark theme and in the light one, for a
person to look at. The steps are checked as well. Debian's packages that its native modules need:
libkrb5-dev libx11-dev libxkbfile-dev libsecret-1-dev pkg-config ripgrep, and Node's headers.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, sync_playwright

from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tensix_gdb.gdbstub.host.ttnn.command import free_port
from tensix_gdb.gdbstub.vscode.build import built

VERSION = "4.100.3"
NATIVE = ("@vscode/spdlog", "@parcel/watcher", "kerberos", "@vscode/native-watchdog")
THEMES = {"dark": "Default Dark Modern", "light": "Default Light Modern"}
SLOW = 40_000  # milliseconds
SETTLE = 2.0  # seconds that a person takes between two keys
WITHOUT = "STALLWAIT_block_B1 | STALLWAIT_wait_C3"  # the line that the planted bug lacks
COMMAND = Path(sys.executable).with_name("tensix-gdb")


def install(folder: Path) -> None:
    """Get code-server, once. Its own install script would download more."""
    code = folder / "node_modules" / "code-server" / "lib" / "vscode"
    if (code / "node_modules.asar").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund"]
    environment = {**os.environ, "npm_config_nodedir": "/usr"}

    def npm(where: Path, *words: str, must: bool = True) -> None:
        subprocess.run(["npm", *words], cwd=where, env=environment, check=must)

    npm(folder, "install", *quiet, f"code-server@{VERSION}")
    npm(code, "install", "--omit=dev", "--legacy-peer-deps", *quiet)
    npm(code / "extensions", "install", "--omit=dev", *quiet)
    for module in NATIVE:
        npm(code, "rebuild", module)
    npm(code, "rebuild", "node-pty", must=False)  # it is built; only the step after it fails
    argon = folder / "node_modules" / "argon2"
    builder = str(folder / "node_modules" / ".bin" / "node-pre-gyp")
    subprocess.run(
        [builder, "install", "--build-from-source"], cwd=argon, env=environment, check=True
    )
    ripgrep = code / "node_modules" / "@vscode" / "ripgrep" / "bin"
    ripgrep.mkdir(parents=True, exist_ok=True)
    (ripgrep / "rg").symlink_to(shutil.which("rg") or "rg")
    (code / "node_modules.asar").symlink_to("node_modules")


@contextmanager
def code_server(folder: Path, project: Path, theme: str) -> Iterator[str]:
    """A server with the extension and settings of its own; the address of the project."""
    user = folder / f"user-{theme}"
    shutil.rmtree(user, ignore_errors=True)
    entry = folder / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    common = ["node", str(entry), "--user-data-dir", str(user)]
    common += ["--extensions-dir", str(folder / "extensions")]
    subprocess.run([*common, "--install-extension", str(built()), "--force"], check=True)
    settings = {
        "workbench.startupEditor": "none",
        "workbench.colorTheme": THEMES[theme],
        "chat.commandCenter.enabled": False,
        "remote.autoForwardPorts": False,
    }
    for kind, content in (("User", settings), ("Machine", {"tensix.command": str(COMMAND)})):
        (user / kind).mkdir(parents=True, exist_ok=True)
        (user / kind / "settings.json").write_text(json.dumps(content), "utf-8")
    port = free_port()
    options = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-workspace-trust"]
    options += ["--disable-telemetry", "--disable-update-check"]
    with subprocess.Popen([*common, *options, str(project)]) as server:
        try:
            yield f"http://127.0.0.1:{port}/?folder={project}"
        finally:
            server.terminate()


class Editor:
    """A person at the keyboard, who has a picture taken after each step."""

    def __init__(self, page: Page, shots: Path) -> None:
        self.page, self._shots, self._count = page, shots, 0

    def shot(self, name: str) -> None:
        self._count += 1
        self.page.screenshot(path=self._shots / f"{self._count:02}-{name}.png")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            time.sleep(SETTLE / 2)

    def command(self, text: str) -> None:
        """Run a command of the palette."""
        self.press("F1")
        self.page.wait_for_selector(".quick-input-widget", timeout=SLOW)
        self.page.keyboard.type(text)
        time.sleep(SETTLE)
        self.press("Enter")

    def open(self, name: str, line: int | None = None) -> None:
        """Open a file of the project, at a line."""
        self.press("Control+P")
        self.page.wait_for_selector(".quick-input-widget", timeout=SLOW)
        self.page.keyboard.type(f"{name}:{line}" if line else name)
        time.sleep(SETTLE)
        self.press("Enter")

    def see(self, text: str) -> Locator:
        """Wait until a text is shown."""
        found = self.page.get_by_text(text).first
        found.wait_for(timeout=SLOW)
        return found

    def button(self, icon: str) -> None:
        """Click in the bar of the session."""
        self.page.locator(f".debug-toolbar .codicon-debug-{icon}").click()


def session(editor: Editor, gate: int) -> None:
    """F5, a stop at a gate, a step over and back, the page; then Races and Diagnose."""
    editor.open("add.c", gate)
    editor.see("Debug on the emulated tile")
    editor.command("Tensix: Break Where This Line")
    began = time.monotonic()
    editor.press("F5")
    editor.see("T1 math has ELWADD at its gate")
    print(f"F5 to the first stop: {time.monotonic() - began:.1f} s")
    editor.shot("gate")
    editor.button("step-over")
    time.sleep(SETTLE)
    editor.button("step-back")
    time.sleep(SETTLE)
    editor.shot("back")
    editor.command("Tensix: Show the Tile")
    frame = editor.page.frame_locator("iframe.webview").frame_locator("iframe")
    inner = frame.frame_locator("iframe")
    inner.get_by_text("in the past").first.wait_for(timeout=SLOW)  # after the step back
    editor.shot("page")
    editor.button("stop")
    editor.open("add.c")
    editor.command("Tensix: Races")
    editor.see("the earlier side: thread 2 pack PACR, a read")
    editor.shot("races")
    editor.command("Tensix: Diagnose")
    editor.see("the program ends as wanted")
    editor.shot("diagnose")


def main(arguments: list[str]) -> int:
    """Take the pictures of both themes."""
    if len(arguments) != 1:
        print("type the folder for code-server and the pictures", file=sys.stderr)
        return 2
    folder = Path(arguments[0]).resolve()
    install(folder)
    project = folder / "mine"
    shutil.rmtree(project, ignore_errors=True)
    assert tensix_gdb(["new", str(project)]) == 0
    kernel = project / "add.c"
    lines = [line for line in kernel.read_text("utf-8").splitlines() if WITHOUT not in line]
    kernel.write_text("\n".join(lines) + "\n", "utf-8")
    gate = next(number for number, line in enumerate(lines, 1) if "TTINSN(ELWADD" in line)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for theme in THEMES:
            shots = folder / "shots" / theme
            shots.mkdir(parents=True, exist_ok=True)
            with code_server(folder, project, theme) as address:
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                time.sleep(3 * SETTLE)  # the server
                page.goto(address, timeout=SLOW)
                page.wait_for_selector(".monaco-workbench", timeout=SLOW)
                editor = Editor(page, shots)
                try:
                    editor.see("test_add.py")  # the folder is shown
                    time.sleep(2 * SETTLE)
                    session(editor, gate)
                finally:
                    editor.shot("end")
                page.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

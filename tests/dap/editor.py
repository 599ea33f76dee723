# SPDX-License-Identifier: Apache-2.0
"""A person at VS Code in a browser: keys, menus, and what is seen.

A workbench that has just begun takes keys before it does anything with them, and moves what is
clicked. So what is done at a box or a list is done again until it has its effect, as a person does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Error, FrameLocator, Locator, Page

from tests.patience import HANG_MS

AGAIN_MS, TIMES = 10_000, HANG_MS // 10_000

HIGH = 1 << 20
SETTLES_MS = 2000
REDRAWN_MS = 500  # a panel takes the other theme after the workbench
THEME = "Control+Alt+t"  # tests/dap/code_server.py

WRITE = """(box, text) => {
  box.value = text;
  box.dispatchEvent(new Event('input', { bubbles: true }));
}"""


class Editor:
    """An editor with a project's folder open. Where there is a folder for them, pictures are taken
    of it in both themes, a second for each."""

    def __init__(self, page: Page, shots: Path | None) -> None:
        self.page, self._shots, self._count = page, shots, 0
        page.set_default_timeout(HANG_MS)

    def open(self, address: str, name: str) -> None:
        """Go to a server, and open a file of the folder."""
        self.page.goto(address)
        item = self.page.get_by_role("treeitem", name=name, exact=True)
        item.wait_for()
        self._tab = self.page.get_by_role("tab", name=name).first
        self._until(self._tab, lambda: item.dblclick(timeout=AGAIN_MS))

    def file(self, name: str) -> None:
        """Open a file of the folder by its name, wherever it is in there."""
        self._tab = self.page.get_by_role("tab", name=name).first
        whole = re.compile(f"^{re.escape(name)}$")

        def go() -> None:
            self._type("Control+p", name)
            rows = self.page.locator(".quick-input-list .monaco-highlighted-label")
            # Rows move while the folder is searched: a click might be at another one.
            rows.first.filter(has_text=whole).wait_for(timeout=AGAIN_MS)
            self.press("Enter")

        self._until(self._tab, go)

    def lens(self, title: str) -> None:
        """Click on the lens of a title that is next above the cursor."""
        lenses = self.page.locator(".codelens-decoration a").filter(has_text=title)
        lenses.first.wait_for()
        cursor = self.page.locator(".cursors-layer .cursor").first.bounding_box() or {"y": HIGH}
        tops = [(box["y"], one) for one in lenses.all() if (box := one.bounding_box())]
        above = [(y, one) for y, one in tops if y < cursor["y"]]
        max(above, key=lambda one: one[0])[1].click()

    def shot(self, name: str) -> None:
        """Take a picture in the dark theme, and one in the light theme."""
        if self._shots is None:
            return
        self._count += 1
        for theme in ("dark", "light"):
            self.page.screenshot(path=self._shots / f"{self._count:02}-{name}-{theme}.png")
            self.page.keyboard.press(THEME)
            kind = "vs" if theme == "dark" else "vs-dark"
            self.page.locator(f".monaco-workbench.{kind}").wait_for()
            self.page.wait_for_timeout(REDRAWN_MS)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def _until(self, seen: Locator, act: Callable[[], None]) -> None:
        """Do something until it has an effect that is seen."""
        for _ in range(TIMES):
            try:
                act()
                seen.wait_for(timeout=AGAIN_MS)
            except Error:
                self.press("Escape")
            else:
                return
        raise AssertionError(f"not seen: {seen}")

    def _type(self, key: str, text: str) -> None:
        """Write into the box that a key opens. What is typed might go to an editor that takes the
        focus at that moment, as a stop of a session lets it do."""
        self.press(key)
        box = self.page.locator(".quick-input-widget input[type=text]").first
        box.wait_for(timeout=AGAIN_MS)
        box.evaluate(WRITE, text, timeout=AGAIN_MS)

    def command(self, title: str) -> None:
        """Run a command of the palette."""
        row = self.page.locator(".quick-input-list .monaco-list-row").filter(has_text=title).first
        # What takes the focus meanwhile closes the palette.
        for _ in range(TIMES):
            try:
                self._type("F1", f">{title}")
                row.click(timeout=AGAIN_MS)
            except Error:
                self.press("Escape")
            else:
                return
        raise AssertionError(f"not seen: {title}")

    def choose(self, title: str, row: str) -> None:
        """Run a command that asks which, and answer."""
        self.command(title)
        rows = self.page.locator(".quick-input-list .monaco-list-row").filter(has_text=row)
        rows.first.click()

    def said(self, text: str) -> list[str]:
        """Type into the debug console; the lines that are seen in it then."""
        self.page.get_by_role("tab", name="Debug Console").click()
        self.page.locator(".repl-input-wrapper .view-lines").click()
        self.page.keyboard.type(text)
        self.press("Enter")
        self.page.wait_for_timeout(SETTLES_MS)
        return self.printed()

    def printed(self) -> list[str]:
        """Return the lines that are seen in the debug console."""
        rows = self.page.locator(".repl .monaco-list-row").all_inner_texts()
        return "\n".join(rows).splitlines()

    def watch(self, text: str) -> None:
        """Watch an expression."""
        self.page.get_by_role("button", name="Watch Section").hover()
        self.page.get_by_role("button", name="Add Expression").click()
        self.page.keyboard.type(text)
        self.press("Enter")

    def line(self, number: int) -> None:
        """Put the cursor into a line of the file that is open."""

        def go() -> None:
            self._tab.click(timeout=AGAIN_MS)
            self._type("Control+g", f":{number}")
            self.press("Enter")

        self._until(self.page.get_by_text(f"Ln {number},").first, go)

    def see(self, text: str | re.Pattern[str]) -> Locator:
        """Wait until a text is shown; where."""
        found = self.page.get_by_text(text).first
        found.wait_for()
        return found

    def button(self, icon: str) -> None:
        """Click in the bar of the session."""
        self.page.locator(f".debug-toolbar .codicon-debug-{icon}").click()

    def fix(self, line: int, title: str) -> None:
        """Apply a quick fix of a line's problem."""
        rows = self.page.locator(".action-widget .monaco-list-row.action")
        self.line(line)
        self._until(rows.first, lambda: self.press("Control+."))
        titles = [title in text for text in rows.all_inner_texts()]
        for _ in range(titles.index(True)):
            self.press("ArrowDown")
        self.press("Enter")

    def section(self, title: str) -> None:
        """Open a section of the side bar."""
        self.page.get_by_role("button", name=f"{title} Section").click()

    def row(self, text: str | re.Pattern[str]) -> Locator:
        """Return the row of a tree or list that has this text."""
        return self.page.locator(".monaco-list-row").filter(has_text=text).first

    def rows(self, title: str) -> list[str]:
        """Return what is seen in the tree of a section."""
        tree = self.page.locator(".pane").filter(has=self.page.get_by_role("button", name=title))
        return tree.locator(".monaco-list-row").all_inner_texts()

    def view(self) -> FrameLocator:
        """Return the content of a panel of the extension: in a frame of VS Code, and its own."""
        return self.page.frame_locator("iframe.webview").frame_locator("iframe")

    def panel(self) -> FrameLocator:
        """Return the tile's page in its panel, in a frame of ours."""
        return self.view().frame_locator("iframe")

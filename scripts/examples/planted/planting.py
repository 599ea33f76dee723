# SPDX-License-Identifier: Apache-2.0
"""Plant a bug in a copy of a kernel that `tensix-gdb new` writes, build it, and type commands."""

from __future__ import annotations

import contextlib
import difflib
import io
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.kernels.places import FOLDER
from tensix_gdb.gdbstub.kernels.project import RUN

SEEDS = f"{RUN} --seeds 20"
# Lines of a difference, of ends that went well, and of what was not looked at.
DULL = re.compile(
    r"( {2,3}\s*\d+( to \d+)?(:|  )|rows \d|T\d paused at |one order |why: `|`--seeds)"
)


@dataclass(frozen=True, slots=True)
class Edit:
    """A piece of a kernel's text, and its replacement."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Bug:
    """One kernel with a bug.

    `right` turns the template into a kernel that goes well, where the bug needs something that the
    template has not. `wrong` plants the bug. `guilty` is in the source line at which the bug is, or
    the one that lacks its wait, and `names` is how the last command's output names it.
    """

    name: str
    title: str
    symptom: str
    wrong: Sequence[Edit]
    commands: Sequence[str]
    guilty: str
    names: str
    right: Sequence[Edit] = ()
    kernel: str = "add.c"

    @property
    def template(self) -> str:
        """The kernel without bug."""
        text = (FOLDER / "template" / self.kernel).read_text("utf-8")
        return edited(self.name, text, self.right)

    @property
    def source(self) -> str:
        """The kernel with the bug."""
        return edited(self.name, self.template, self.wrong)

    @property
    def line(self) -> int:
        """The number of the guilty line."""
        (number,) = (
            number for number, line in enumerate(self.source.splitlines(), 1) if self.guilty in line
        )
        return number

    @property
    def place(self) -> str:
        """`add.c:37`."""
        return f"{self.kernel}:{self.line}"

    def is_named_by(self, output: str) -> bool:
        """True if an output names the guilty line, and as what."""
        return re.search(self.names.replace("PLACE", re.escape(self.place)), output) is not None

    def difference(self) -> Iterator[str]:
        """Yield the change of the bug, as `diff` shows it."""
        before, after = self.template.splitlines(), self.source.splitlines()
        for line in difflib.unified_diff(before, after, n=1, lineterm=""):
            if not line.startswith(("---", "+++", "@@")):
                yield line.rstrip()


def edited(name: str, text: str, edits: Sequence[Edit]) -> str:
    """The text with the edits. ValueError for one that does not fit: the template has changed."""
    for edit in edits:
        if text.count(edit.old) != 1:
            raise ValueError(f"{name}: the kernel has {text.count(edit.old)} times {edit.old!r}")
        text = text.replace(edit.old, edit.new)
    return text


def made(bug: Bug, source: str, folder: Path) -> Path:
    """A project of the bug's kernel with another source, built; return its folder."""
    project = folder / bug.name
    is_llk = bug.kernel.endswith(".cpp")
    typed(f"tensix-gdb new {project}{' --llk' if is_llk else ''}", folder)
    (project / bug.kernel).write_text(source, "utf-8")
    # The one in C is for who has Debian's compiler only.
    typed(f"tensix-gdb build {bug.kernel}{'' if is_llk else ' --sfpi none'}", project)
    return project


def typed(command: str, folder: Path) -> str:
    """Type a command of `tensix-gdb` in a folder; return what it prints."""
    _, *words = shlex.split(command)
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as said:
        main(words)
    return said.getvalue()


def outputs_of(bug: Bug, folder: Path) -> list[str]:
    """Type all commands of a bug; return what each prints."""
    project = made(bug, bug.source, folder)
    return [typed(command, project) for command in bug.commands]


def without_the_dull(output: str) -> str:
    """An output without lines that say nothing about the bug."""
    lines = [line for line in output.splitlines() if not DULL.match(line)]
    return "".join(f"{line}\n" for line in lines)

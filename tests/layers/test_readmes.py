# SPDX-License-Identifier: Apache-2.0
"""The files that the READMEs speak of are there, and the code they show is the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tensix_gdb.gdbstub import manual
from tests.layers.style import ROOT

READMES = [
    path
    for path in [
        ROOT / "README.md",
        ROOT / "gdbstub/README.md",
        *sorted((ROOT / "gdbstub/host").rglob("README.md")),
        ROOT / "tests/README.md",
        *sorted((ROOT / "core").rglob("README.md")),
        ROOT / "core/SILICON.md",
        *(manual.path_of(topic) for topic in manual.TOPICS),
    ]
    if path.is_file()
]
LINKED = re.compile(r"\]\((?:gdbstub/manual/)?([\w-]+)\.md")
QUOTED = re.compile(r"`([\w./-]+)`|\]\(([\w./-]+)\)|^ {4}(\w+\.py) ", re.MULTILINE)
MARKED = re.compile(r"<!-- begin.*?<!-- end", re.DOTALL)
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
ENDINGS = (".py", ".md", ".sh", ".txt", ".litmus")


def spoken_of(text: str) -> list[str]:
    """Names in a page that are those of files and folders of the project."""
    text = MARKED.sub("", text)
    names = [next(filter(None, groups)) for groups in QUOTED.findall(text)]
    tops = ("core/", "gdbstub/", "tests/", "scripts/")
    return [name for name in names if name.endswith(ENDINGS) or name.startswith(tops)]


def is_there(name: str, page: Path) -> bool:
    """Is it below the page's folder, below the root, or in a folder that the page is about?"""
    if any((folder / name).exists() for folder in (page.parent, ROOT)):
        return True
    return any(page.parent.rglob(name))


@pytest.mark.parametrize("page", READMES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_are_there(page: Path) -> None:
    names = spoken_of(page.read_text("utf-8"))
    assert names or page.parent == manual.FOLDER
    assert [name for name in names if not is_there(name, page)] == []


def test_a_file_that_is_gone_is_noticed() -> None:
    names = spoken_of("see `core/gone.py`, [this](other/README.md) and `x = y`\n    far.py   it is")
    assert names == ["core/gone.py", "other/README.md", "far.py"]
    assert not any(is_there(name, ROOT / "README.md") for name in names[:2])


def headings(text: str) -> list[str]:
    """Those of sections."""
    return re.findall(r"^##+ (.+)$", FENCED.sub("", text), re.MULTILINE)


def anchor(heading: str) -> str:
    """Return the name of a link to a heading (GitHub's way)."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 200


def test_a_reader_comes_to_every_chapter() -> None:
    pages = [ROOT / "README.md", *(manual.path_of(topic) for topic in manual.TOPICS)]
    links = {name for page in pages for name in LINKED.findall(page.read_text("utf-8"))}
    assert [topic for topic in manual.TOPICS if topic not in links] == []


@pytest.mark.parametrize("page", READMES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    known = [anchor(one) for one in headings(text)]
    assert [name for name in re.findall(r"\]\(#([^)]+)\)", text) if name not in known] == []


def test_the_rows_that_are_shown_are_those_of_the_code() -> None:
    shown = re.findall(
        r"^ {4}row\(.*\),$", (ROOT / "core/README.md").read_text("utf-8"), re.MULTILINE
    )
    fields = (ROOT / "core/riscv/fields.py").read_text("utf-8")
    assert shown
    assert [row for row in shown if row not in fields] == []

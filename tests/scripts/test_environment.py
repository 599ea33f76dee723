# SPDX-License-Identifier: Apache-2.0
"""scripts/* where something is missing: one sentence that says what to do, and never a skip in CI.

The scripts run in a copy of themselves, with a path that has the everyday commands and nothing
else.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.layers.style import ROOT
from tests.patience import HANG
from tests.tools import PACKAGES, find_tool

EVERYDAY = (
    "bash",
    "basename",
    "cat",
    "cksum",
    "dirname",
    "env",
    "grep",
    "id",
    "mktemp",
    "rm",
    "tail",
)

SOURCED = '. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with scripts, and beside it a folder of commands."""
    copy = tmp_path / "checkout"
    shutil.copytree(ROOT / "scripts", copy / "scripts")
    shutil.copytree(ROOT / ".ci", copy / ".ci")
    shutil.copy(ROOT / "pyproject.toml", copy)
    commands = tmp_path / "commands"
    commands.mkdir()
    for name in EVERYDAY:
        found = shutil.which(name)
        assert found is not None
        (commands / name).symlink_to(found)
    # /usr/bin/python3 is tried at last, whatever the path is: this copy looks for none there.
    script = copy / "scripts" / "environment.sh"
    text = script.read_text()
    assert " /usr/bin/python3;" in text
    script.write_text(text.replace(" /usr/bin/python3;", ";"))
    return copy


def add(checkout: Path, name: str, does: str) -> None:
    """Put a command into the path."""
    path = checkout.parent / "commands" / name
    path.write_text(f"#!/bin/sh\n{does}\n")
    path.chmod(0o755)


def start(
    checkout: Path, script: str, arguments: Sequence[str] = (), **more: str
) -> tuple[int, str]:
    """Run a script without a terminal: exit status, and what it says."""
    environment = {"PATH": str(checkout.parent / "commands"), "HOME": str(checkout.parent), **more}
    done = subprocess.run(
        [shutil.which("bash") or "bash", str(checkout / script), *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=HANG,
        check=False,
        # An ignored signal cannot be trapped, and the tests may run where Ctrl-C is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    return done.returncode, done.stdout


def said_to_install(script: str, packages: Sequence[str]) -> str:
    names = " ".join(packages)
    return (
        f"{script}: cannot install {names}: run 'apt-get install {names}' as root (or your "
        "system's packages for the same tools) and start again.\n"
    )


OWN_HELP = {"demo", "ttnn", "llk", "silicon"}  # of their command
SCRIPTS = sorted(
    path.name
    for path in (ROOT / "scripts").iterdir()
    if path.is_file() and path.read_text("utf-8").startswith("#!")
)


@pytest.mark.parametrize("option", ["--help", "-h"])
@pytest.mark.parametrize("name", [name for name in SCRIPTS if name not in OWN_HELP])
def test_help_is_the_comment_of_the_script(checkout: Path, name: str, option: str) -> None:
    """Nothing is installed, compiled or begun."""
    status, said = start(checkout, f"scripts/{name}", [option])
    lines = (checkout / "scripts" / name).read_text("utf-8").splitlines()
    wanted = [line[1:].removeprefix(" ") for line in lines[2 : lines.index(SOURCED)]]
    assert (status, said.splitlines()) == (0, wanted)
    assert len(said) > 80
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize("name", sorted(OWN_HELP))
def test_help_of_a_command(name: str) -> None:
    text = (ROOT / "scripts" / name).read_text("utf-8")
    assert text.index("own_help=yes") < text.index(SOURCED)
    assert '"$@"' in text


@pytest.mark.parametrize(
    ("name", "argument", "said"),
    [
        ("wheel", "--out", "'--out' is no folder"),
        ("attack", "many", "'many' is no number of packets"),
        ("build-programs", "all", "takes no argument"),
    ],
)
def test_an_argument_that_means_nothing(
    checkout: Path, name: str, argument: str, said: str
) -> None:
    status, text = start(checkout, f"scripts/{name}", [argument])
    assert status == 1
    assert text.startswith(f"{name}: {said}")


def test_the_demo_without_gdb(checkout: Path) -> None:
    assert start(checkout, "scripts/demo") == (1, said_to_install("demo", ["gdb-multiarch"]))


def test_packages_are_asked_for_as_root_or_by_sudo_without_a_password(checkout: Path) -> None:
    log = checkout.parent / "log"
    for name in ("apt-get", "sudo"):
        add(checkout, name, f'echo "{name} $*" >>{log}; exit 1')
    status, said = start(checkout, "scripts/demo")
    assert status == 1
    assert said.endswith(said_to_install("demo", ["gdb-multiarch"]))
    first = log.read_text().splitlines()[0]
    assert first == ("apt-get update -qq" if os.getuid() == 0 else "sudo -n apt-get update -qq")


def test_ci_does_not_go_on_without_a_tool(checkout: Path) -> None:
    status, said = start(checkout, ".ci/run")
    assert status == 1
    # What is known by a file that this machine has is not missing in the checkout either.
    missing = [package for name, package in PACKAGES.items() if not Path(name).exists()]
    assert said == said_to_install("test", list(dict.fromkeys(missing))) + (
        "test: in CI a missing tool is a failure.\n"
    )


def test_elsewhere_the_tests_of_a_missing_tool_are_skipped(checkout: Path) -> None:
    _, said = start(checkout, "scripts/test")
    assert "Going on without: the tests of what is missing are skipped.\n" in said


@pytest.mark.parametrize("python", ["", "exit 1"])
def test_no_python_that_is_new_enough(checkout: Path, python: str) -> None:
    add(checkout, "gdb-multiarch", "exit 0")
    if python:
        add(checkout, "python3", python)
    assert start(checkout, "scripts/demo") == (
        1,
        "demo: no Python 3.11 or newer here: install one and start again.\n",
    )


def test_a_network_that_is_missing(checkout: Path) -> None:
    """An environment in which pip fails, as without a network."""
    add(checkout, "gdb-multiarch", "exit 0")
    add(
        checkout,
        "python3",
        'if [ "$1" = -m ]; then mkdir -p "$3/bin"; '
        'printf "#!/bin/sh\\ncase \\"\\$*\\" in *pip*) exit 1; esac\\n" >"$3/bin/python"; '
        'chmod +x "$3/bin/python"; fi',
    )
    for name in ("mkdir", "chmod"):
        found = shutil.which(name)
        assert found is not None
        (checkout.parent / "commands" / name).symlink_to(found)
    status, said = start(checkout, "scripts/demo")
    assert status == 1
    assert said.endswith(
        "demo: pip could not install the project: is there a network (or a package mirror in pip's "
        "configuration)?\n"
    )


def test_ctrl_c_does_not_cost_the_environment(checkout: Path) -> None:
    """Python that is interrupted while it starts ends as one that does not work."""
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nkill -INT "$PPID"\nexit 1\n')
    python.chmod(0o755)
    add(checkout, "gdb-multiarch", "exit 0")
    assert start(checkout, "scripts/demo") == (-signal.SIGINT, "")
    assert python.exists()


def test_a_missing_tool_fails_a_test_in_ci_and_skips_it_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CI", "1")
    with pytest.raises(pytest.fail.Exception, match="apt-get install gdb-multiarch"):
        find_tool("gdb-multiarch")
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match="apt-get install gdb-multiarch"):
        find_tool("gdb-multiarch")
    with pytest.raises(pytest.fail.Exception, match="has no row in scripts/tools"):
        find_tool("no-such-tool")

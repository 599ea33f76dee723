# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb completion`: what a real bash offers after Tab; the other shells' scripts as text."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.install.completion import script
from tensix_gdb.gdbstub.cli.main import COMMANDS, main
from tensix_gdb.gdbstub.cli.options.completion import SHELLS
from tensix_gdb.gdbstub.manual import TOPICS

# Bash's own machinery: the words, the place of the cursor, the function, what it has found.
ASK = """
source {script}
COMP_WORDS=({words} "{last}")
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
COMP_LINE="${{COMP_WORDS[*]}}"
COMP_POINT=${{#COMP_LINE}}
read -r -a how <<< "$(complete -p tensix-gdb)"
for i in "${{!how[@]}}"; do [ "${{how[$i]}}" = -F ] && function="${{how[$((i + 1))]}}"; done
compopt() {{ :; }}
"$function" tensix-gdb "{last}" "${{COMP_WORDS[$((COMP_CWORD - 1))]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def offered(tmp_path: Path, words: str, last: str) -> set[str]:
    """Return what bash offers for `last` after `words`."""
    (tmp_path / "script").write_text(script("bash"))
    text = ASK.format(script=tmp_path / "script", words=words, last=last)
    done = subprocess.run(
        ["bash", "--norc", "-c", text], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.stderr == ""
    return set(done.stdout.split())


def test_what_bash_offers(tmp_path: Path) -> None:
    (tmp_path / "a.core").touch()
    (tmp_path / "folder").mkdir()
    assert offered(tmp_path, "tensix-gdb", "") >= set(COMMANDS)
    assert offered(tmp_path, "tensix-gdb", "dis") == {"disasm"}
    assert offered(tmp_path, "tensix-gdb run", "--max") == {"--max-cycles"}
    assert offered(tmp_path, "tensix-gdb run --engine", "ref") == {"reference"}
    assert offered(tmp_path, "tensix-gdb manual", "") >= set(TOPICS)
    assert offered(tmp_path, "tensix-gdb explain", "STALLW") == {"STALLWAIT"}
    assert offered(tmp_path, "tensix-gdb isa", "RMWCIB") >= {"RMWCIB", "RMWCIB0"}
    assert "a.core" in offered(tmp_path, "tensix-gdb core", "a")
    assert offered(tmp_path, "tensix-gdb serve --core-dir", "f") == {"folder"}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_each_shell(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert text.endswith("\n")
    assert all(command in text for command in COMMANDS)
    assert "SFPMAD" in text
    assert "time-travel" in text


def test_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion"]) == 2
    assert "type for example `tensix-gdb completion bash`" in capsys.readouterr().err
    assert main(["completion", "ksh"]) == 2
    assert "invalid choice: 'ksh'" in capsys.readouterr().err

# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb vscode`: the extension into the editors that are here, or into a file."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from tensix_gdb.gdbstub.usage import UsageError
from tensix_gdb.gdbstub.vscode.build import built
from tensix_gdb.gdbstub.vscode.options import VscodeOptions
from tensix_gdb.gdbstub.vscode.plan import attached, plan_for

EDITORS = ("code", "code-insiders", "codium", "code-server", "cursor")
SECONDS = 120


def vscode(options: VscodeOptions) -> int:
    """Install the extension, write it, print a plan, or stay; return the exit status."""
    if options.warm:
        from tensix_gdb.gdbstub.warm.copies import keep_warm  # others do without

        return keep_warm()
    if options.attach:
        print(json.dumps(attached(Path.cwd()).as_json()))
        return 0
    if options.plan is not None:
        more = options.more[1:] if options.more[:1] == ("--",) else options.more
        plan = plan_for(Path(options.plan).absolute(), more, record=not options.no_record)
        print(json.dumps(plan.as_json()))
        return 0
    if options.more:
        raise UsageError(f"{options.more[0]}: options for a session come with --plan FILE")
    extension = built()
    if options.output is not None:
        return _write(extension, Path(options.output))
    editors = [options.editor] if options.editor else list(filter(shutil.which, EDITORS))
    if not editors:
        raise UsageError(
            f"no editor found ({', '.join(EDITORS)}): name yours with --editor, or write the file "
            "with -o FILE.vsix and choose `Install from VSIX...` in it"
        )
    for editor in editors:
        _install(editor, extension)
    print("Next: open a kernel and press F5.")
    return 0


def _write(extension: Path, path: Path) -> int:
    try:
        shutil.copyfile(extension, path)
    except OSError as problem:
        with suppress(OSError):
            path.unlink()  # a part of it, where the disk is full
        raise UsageError(f"{path} cannot be written: {problem.strerror}") from None
    print(
        f"{path}: {path.stat().st_size // 1024} KiB; choose `Install from VSIX...` in your editor"
    )
    return 0


def _install(editor: str, extension: Path) -> None:
    """UsageError if the editor does not take it."""
    with tempfile.TemporaryDirectory() as folder:
        # Editors go by the ending.
        file = shutil.copyfile(extension, Path(folder) / "tensix-gdb.vsix")
        command = [editor, "--install-extension", str(file), "--force"]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except (OSError, subprocess.SubprocessError) as problem:
            raise UsageError(f"{editor} cannot be started: {problem}") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["it says nothing"]
        raise UsageError(f"{editor} does not take the extension: {lines[-1]}")
    print(f"{editor}: installed")

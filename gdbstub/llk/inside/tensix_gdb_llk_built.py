# SPDX-License-Identifier: Apache-2.0
"""The ELF files that a test of LLK has built: their hashes, and the files that they are made of.

The suite's own functions are wrapped, whichever version they are of: `build_elfs` says which
kernels a test uses, and `run_shell_command` is told to have the compiler write the names of all
files that it reads beside the ELF file. What a version does not have is said in `unknown`.

LLK_BUILD is a folder of which the kernels are not compiled again, LLK_KNOWN a file of JSON with the
hashes that tests had: a test with the same ones again is not run.
"""

import hashlib
import json
import os
import pathlib
import re
import sys

import pytest

UNCHANGED = "unchanged ELF files"
CONFIG = "helpers/test_config.py"
COMPILER, OUTPUT = re.compile(r"^\S*g\+\+(\s|$)"), re.compile(r"-o (\S+\.(?:elf|o))")
_SPACE = re.compile(r"(?<!\\)\s+")

test = {"id": "", "kernels": [], "elfs": [], "deps": []}
unknown = []  # what this version of the suite lacks
known = {}


def begin(nodeid):
    """Begin with a test."""
    test.update(id=nodeid, kernels=[], elfs=[], deps=[])


def of_test():
    """Say what the test that has ended has built."""
    return {
        "kernels": list(dict.fromkeys(test["kernels"])),
        "elfs": list(dict.fromkeys(test["elfs"])),
        "deps": sorted(set(test["deps"])),
        "unknown": list(unknown),
    }


def watch():
    """Wrap what builds kernels."""
    unknown.clear()
    path = os.environ.get("LLK_KNOWN")
    if path:
        with open(path, encoding="utf-8") as file:
            known.update(json.load(file))
    found = sys.modules.get("helpers.test_config")
    config = getattr(found, "TestConfig", None)
    if config is None or not hasattr(config, "build_elfs"):
        unknown.append(f"{CONFIG} has no TestConfig.build_elfs")
        return
    if hasattr(found, "run_shell_command"):
        watch_compiler(found)
    else:
        unknown.append(f"{CONFIG} has no run_shell_command")
    build, kept = config.build_elfs, os.environ.get("LLK_BUILD")

    def build_elfs(self):
        test["kernels"].append(self.variant_id)
        own = config.ARTEFACTS_DIR / self.test_name / self.variant_id
        if kept and not own.exists():
            keep_built(pathlib.Path(kept, self.test_name, self.variant_id), own)
        done = build(self)
        note_built(config, own)
        if known.get(test["id"]) == test["elfs"]:
            pytest.skip(UNCHANGED)
        return done

    config.build_elfs = build_elfs


def keep_built(folder, own):
    """Build a kernel in a folder that the suite does not remove at each beginning."""
    folder.mkdir(parents=True, exist_ok=True)
    own.parent.mkdir(parents=True, exist_ok=True)
    own.symlink_to(folder)


def watch_compiler(found):
    """Let the compiler write the files that it reads."""
    run = found.run_shell_command

    def run_shell_command(command, *given, **named):
        return run(with_dependencies(command), *given, **named)

    found.run_shell_command = run_shell_command


def with_dependencies(command):
    """Return a command of the compiler that also writes OUTPUT.d; any other as it is."""
    text = command if isinstance(command, str) else " ".join(map(str, command))
    output = OUTPUT.search(text)
    if output is None or not COMPILER.match(text):
        return command
    more = ["-MD", "-MF", f"{output[1]}.d"]
    return f"{command} {' '.join(more)}" if isinstance(command, str) else [*command, *more]


def note_built(config, own):
    """Note the hashes of the ELF files of a kernel and of what all kernels share, and their
    sources."""
    shared = getattr(config, "SHARED_DIR", None)
    folders = [folder for folder in (shared, own) if folder is not None]
    working = str(getattr(config, "TESTS_WORKING_DIR", os.getcwd()))
    for folder in folders:
        # A kernel that is kept elsewhere is a link, into which rglob does not look.
        folder = pathlib.Path(os.path.realpath(folder))
        for path in sorted(folder.rglob("*.elf")):
            test["elfs"].append(hashlib.sha256(path.read_bytes()).hexdigest())
        for path in sorted(folder.rglob("*.d")):
            test["deps"] += dependencies(path.read_text(encoding="utf-8"), working)


def dependencies(text, working):
    """Return the files of a rule for make, as paths from the root."""
    _, _, names = text.replace("\\\n", " ").partition(": ")
    found = (name.replace("\\ ", " ").replace("$$", "$") for name in _SPACE.split(names.strip()))
    return [os.path.realpath(os.path.join(working, name)) for name in found if name]

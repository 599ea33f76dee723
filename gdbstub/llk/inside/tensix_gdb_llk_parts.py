# SPDX-License-Identifier: Apache-2.0
"""Programs of T cores that kernels have in common, compiled once.

A kernel has a program for each T core, compiled of one source and one build.h; most of the suite's
kernels differ in a constant that one of the three reads. Each is preprocessed first, which takes a
tenth of the time, and the constants of build.h that nothing else in the text names are left out:
what is left, with the compiler's options, is the key of the ELF file.

LLK_PARTS is the folder in which the ELF files are kept.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

KEPT = os.environ.get("LLK_PARTS", "")
CONSTANT = re.compile(r"\s*constexpr\s+[\w:<>, ]+?\s(\w+)\s*(?:=|\{)[^;]*;\s*")
MARKER = re.compile(r'# \d+ "(.*?)"')
WORD = re.compile(r"[A-Za-z_]\w*")
HEADER = "build.h"
# Options that name the kernel's own folder, or what it is linked into.
OWN = ("-I", "-T")


def watch():
    """Wrap what runs the compiler."""
    found = sys.modules.get("helpers.test_config")
    if not KEPT or not hasattr(found, "run_shell_command"):
        return
    run = found.run_shell_command

    def run_shell_command(command, cwd=None, stdin_data=None, *given, **named):
        if isinstance(command, str) or not isinstance(stdin_data, str) or "-o" not in command:
            return run(command, cwd, stdin_data, *given, **named)
        words = [str(word) for word in command]
        place = words.index("-o")
        kept = kept_as(words[:place], words[place + 1], cwd, stdin_data)
        if kept is None or not kept.exists():
            done = run(command, cwd, stdin_data, *given, **named)
            if kept is not None:
                keep(Path(words[place + 1]), kept)
            return done
        shutil.copyfile(kept, words[place + 1])
        return subprocess.CompletedProcess(words, 0, None, "")

    found.run_shell_command = run_shell_command


def kept_as(options, output, cwd, source):
    """Return where the ELF file of a command is kept; None if its text cannot be had."""
    preprocess = [*options, "-E", "-o", "-"]
    done = subprocess.run(preprocess, cwd=cwd, input=source, capture_output=True, text=True)
    if done.returncode:
        return None
    own = os.path.dirname(os.path.dirname(output))
    of = [word for word in options if not (word.startswith(OWN) and own in word)]
    digest = hashlib.sha256("\n".join((*of, *needed(done.stdout))).encode())
    return Path(KEPT, f"{digest.hexdigest()[:32]}.elf")


def needed(text):
    """Return the lines of a preprocessed text, without the constants of build.h that none of the
    others names."""
    lines, constants = [], {}
    file = ""
    for line in text.splitlines():
        marker = MARKER.match(line)
        if marker:
            file = os.path.basename(marker[1])
            continue
        constant = CONSTANT.fullmatch(line) if file == HEADER else None
        if constant is not None:
            constants[constant[1]] = line
        elif line and not line.isspace():
            lines.append(line)
    named = set(WORD.findall("\n".join(lines)))
    new = named & set(constants)
    while new:
        lines += [constants.pop(name) for name in sorted(new)]
        named = set(WORD.findall("\n".join(lines[-len(new) :])))
        new = named & set(constants)
    return lines


def keep(elf, kept):
    """Keep an ELF file, at once or not at all."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    new = kept.with_suffix(f".{os.getpid()}")
    shutil.copyfile(elf, new)
    new.rename(kept)

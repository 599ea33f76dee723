# SPDX-License-Identifier: Apache-2.0
"""A plugin of the suite's pytest that compiles nothing and says which kernel each test would have.

With `--compile-producer` the suite leaves out tests that differ in what a kernel is given when it
runs, makes no golden, and ends a test when its kernel is built. Here building is left out, too:
what is written is a digest of all that goes into the compiler: the source, the text of build.h and
the flags. Tests with one digest have the same ELF files.

LLK_KERNELS is the file to append lines of JSON to: [test, [digest, ...]], or [test, null] of a
test that has ended before; LLK_SEED says which of the tests with a kernel stands for it.
"""

import hashlib
import json
import os
import random
import sys

import pytest

test = {"id": "", "kernels": []}


def write(line):
    """Append a line."""
    with open(os.environ["LLK_KERNELS"], "a", encoding="utf-8") as file:
        print(json.dumps(line), file=file)


# The suite chooses after all others, and takes the first test of those that share a kernel.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    watch(sys.modules["helpers.test_config"].TestConfig)
    random.Random(f"{os.environ['LLK_SEED']} kernels").shuffle(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    test.update(id=item.nodeid, kernels=[])


def pytest_runtest_logreport(report):
    if report.when == "call" or (report.when == "setup" and report.outcome != "passed"):
        write([report.nodeid, test["kernels"] or None])


def pytest_sessionfinish(session):
    write(["", [session.testscollected]])


def watch(config):
    """Note what would be built."""

    def build_elfs(self):
        test["kernels"].append(digest_of(self))

    config.build_elfs = build_elfs


def digest_of(built):
    """Return a digest of what goes into the compiler, but for names of folders."""
    header = "" if built.skip_build_header else built.generate_build_header()
    of = [built.test_name, getattr(built, "test_source_path", ""), header]
    of += [built.resolve_compile_options(), built.compile_time_formats, built.boot_mode]
    of += [built.profiler_build, built.coverage_build, built.requires_device_print]
    of += [getattr(built, "include_dirs", ()), getattr(built, "src_include_dirs", ())]
    return hashlib.sha256("\n".join(map(str, of)).encode()).hexdigest()[:24]

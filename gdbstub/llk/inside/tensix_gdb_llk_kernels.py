# SPDX-License-Identifier: Apache-2.0
"""A plugin of the suite's pytest that compiles nothing and says which kernel each test would have.

With `--compile-producer` the suite leaves out tests that differ in what a kernel is given when it
runs, makes no golden, and ends a test when its kernel is built. Here building is left out, too:
what is written is a digest of all that goes into the compiler: the source, the text of build.h and
the flags. Tests with one digest have the same ELF files.

LLK_KERNELS is a file to write rows to, in JSON: [test, [digest, ...]], or [test, null] of a test
that has ended before. LLK_SEED says which of the tests with a kernel stands for it.
"""

import hashlib
import json
import os
import random
import sys

import pytest

MOST_STIMULI = 200
FEW = 16  # numbers that are looked at
test = {"kernels": []}


# The suite chooses after all others, and takes the first test of those that share a kernel.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    watch(sys.modules["helpers.test_config"].TestConfig)
    random.Random(f"{os.environ['LLK_SEED']} kernels").shuffle(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Call the tests without pytest's own work for each, which takes longer; there are 222,680."""
    if session.config.option.collectonly:
        return None
    keep_stimuli()
    rows = []
    for place, item in enumerate(session.items):
        test["kernels"] = []
        if not called(item):
            following = session.items[place + 1] if place + 1 < len(session.items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        rows.append([item.nodeid, test["kernels"] or None])
    with open(os.environ["LLK_KERNELS"], "w", encoding="utf-8") as file:
        json.dump(rows, file)
    return True


def called(item):
    """Call a test that wants nothing but its parameters; False if it wants more, or fails before
    it has a kernel."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    wanted = item._fixtureinfo.argnames
    if item.cls is not None or set(wanted) - set(parameters) or marked_to_skip(item):
        return False
    try:
        item.obj(**{name: parameters[name] for name in wanted})
    except pytest.skip.Exception:
        return True
    except Exception:
        return bool(test["kernels"])
    return True


def marked_to_skip(item):
    """True if a mark may end a test before it begins."""
    return any(item.get_closest_marker(name) for name in ("skip", "skipif", "usefixtures"))


def keep_stimuli():
    """Make data, and pack and unpack it, once for the same arguments: no kernel depends on them."""
    make_once("helpers.stimuli_generator", ["generate_stimuli"], repr)
    for module, beginning in (("helpers.pack", "pack_"), ("helpers.unpack", "unpack_")):
        names = list(vars(sys.modules.get(module, object)))
        make_once(module, [name for name in names if name.startswith(beginning)], form)


def form(value):
    """Return what the length of data that is made of a value depends on: of a tensor its shape, of
    many numbers or of bytes how many they are."""
    if hasattr(value, "shape"):
        return f"{value.shape} {value.dtype}"
    if isinstance(value, (bytes, bytearray)) or (isinstance(value, list) and len(value) > FEW):
        return f"{type(value).__name__} {len(value)}"
    return repr(value)


def make_once(module, names, key_of):
    """Wrap these functions of a module, wherever they have been imported: what one has returned for
    arguments with these keys it returns again."""
    for name in names:
        make = getattr(sys.modules.get(module), name, None)
        if make is not None:
            replace(name, make, remembering(make, key_of))


def replace(name, old, new):
    """Give all modules that have a function of this name the new one."""
    for module in list(sys.modules.values()):
        if getattr(module, name, None) is old:
            setattr(module, name, new)


def remembering(make, key_of):
    """Return a function that calls another once for each key, and keeps some of its results."""
    made = {}

    def remembered(*args, **named):
        key = (*map(key_of, args), *((name, key_of(named[name])) for name in sorted(named)))
        if key not in made:
            if len(made) >= MOST_STIMULI:
                made.clear()
            made[key] = make(*args, **named)
        return made[key]

    return remembered


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

# SPDX-License-Identifier: Apache-2.0
"""A plugin of the suite's pytest: chooses variants, and writes how each test ended.

It is given its orders in the environment: LLK_RESULTS, a file to append lines of JSON to, and
LLK_VARIANTS and LLK_SEED, how many tests of each file to run and which. The suite skips some of
its variants by itself, most of some files: those are passed over until enough have run, or so many
have been asked for in vain. LLK_ONLY, instead, is a file with the names of the tests to run.

LLK_ORDERS, instead of LLK_VARIANTS, is a file for a run that is continued (whole/piece.py): `most`
of the tests that are not in `done`, in the order of the seed, or those in `only`. Beside it,
`.collected` gets how many tests there are in all, and `.begun` the name of the test that has begun.
"""

import collections
import json
import os
import random
import time

import pytest
import tensix_gdb_llk_built as built
import tensix_gdb_llk_drawn as drawn
import tensix_gdb_llk_parts as parts
import tensix_gdb_llk_wanted as wanted

ENOUGH = "enough variants of this file have run"
CANDIDATES = 20  # for each variant that is wanted
# Functions that skip on every simulator because ttsim lacks something, which this tile does.
NOT_FOR_THIS_TILE = {"test_sdpa_custom_mm": "_skip_on_simulator"}
# dbg_thread_unhalt of ckernel_debug.h writes the whole of SOFT_RESET_0 to reset the packer, which
# lets NC go too. NC has no program in the suite: what it would execute is 0, a push of an
# instruction to where NC has nothing mapped. A store there may wait for ever (WormholeB0
# DebugInterface.md). Here NC gets a loop, in its room after T2's.
LETS_NC_GO = {"test_dbg_get_array_row_srca"}
NCS_ROOM, LOOP = 0x15000, 0x0000006F
NCRISC_RESET_PC, NCRISC_RESET_PC_OVERRIDE = 0xFFB12238, 0xFFB1223C
ORDERS = os.environ.get("LLK_ORDERS", "")
ONLY = os.environ.get("LLK_ONLY", "")


def only():
    with open(ONLY, encoding="utf-8") as file:
        return set(json.load(file))


def orders():
    with open(ORDERS, encoding="utf-8") as file:
        return json.load(file)


def wanted_number():
    if ONLY:
        return 0
    return orders()["most"] if ORDERS else int(os.environ["LLK_VARIANTS"])


# Last, so that of what `-k` and `-m` of the command line leave there are enough.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    built.watch()
    wanted.watch()
    parts.watch()
    for module in {item.module for item in items}:
        name = NOT_FOR_THIS_TILE.get(module.__name__.rpartition(".")[2])
        if name is not None:
            setattr(module, name, lambda request: None)
    if ONLY:
        keep(config, items, [item for item in items if item.nodeid in only()])
        return
    most, seed, done = wanted_number(), os.environ["LLK_SEED"], set()
    if ORDERS:
        done, named = set(orders()["done"]), orders().get("only")
        with open(f"{ORDERS}.collected", "w", encoding="ascii") as file:
            file.write(str(len(items)))
        if named is not None:
            found = {item.nodeid: item for item in items}
            keep(config, items, [found[name] for name in named if name in found])
            return
    if not most:
        return
    by_file = {}
    for item in items:
        by_file.setdefault(item.path.name, []).append(item)
    kept = []
    for name, variants in by_file.items():
        random.Random(f"{seed} {name}").shuffle(variants)
        variants = [item for item in variants if item.nodeid not in done]
        # One file: its run ends when enough have run, and what the suite skips is known then, too.
        kept += variants if ORDERS else variants[: most * CANDIDATES]
    keep(config, items, kept)


def keep(config, items, kept):
    """Leave these tests."""
    known = {id(item) for item in kept}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in known])
    items[:] = kept


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    if item.module.__name__.rpartition(".")[2] in LETS_NC_GO:
        from ttexalens.tt_exalens_lib import write_words_to_device

        written = {NCS_ROOM: LOOP, NCRISC_RESET_PC: NCS_ROOM, NCRISC_RESET_PC_OVERRIDE: 1}
        for address, word in written.items():
            write_words_to_device("0,0", address, word)


class Results:
    def __init__(self, path):
        self.path = path
        self.wanted = wanted_number()
        self.begun = {}
        self.processor = 0.0  # seconds of this process and its compilers when the test began
        self.run = collections.Counter()  # tests of each file that were not skipped

    def write(self, **line):
        with open(self.path, "a", encoding="utf-8") as file:
            print(json.dumps(line), file=file)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item):
        if self.wanted and self.run[item.path.name] >= self.wanted:
            item.session.shouldstop = ENOUGH if ORDERS else False
            pytest.skip(ENOUGH)
        if ORDERS:
            with open(f"{ORDERS}.begun", "w", encoding="utf-8") as file:
                json.dump(item.nodeid, file)

    def pytest_runtest_logstart(self, nodeid):
        self.begun[nodeid] = time.time()
        self.processor = sum(os.times()[:4])
        built.begin(nodeid)
        wanted.wanted.clear()
        drawn.outputs.clear()

    def pytest_runtest_logreport(self, report):
        failed_early = report.when == "setup" and report.outcome != "passed"
        if report.when != "call" and not failed_early:
            return
        if report.outcome == "skipped" and ENOUGH in str(report.longrepr):
            return
        outcome = report.outcome
        if outcome == "skipped" and built.UNCHANGED in str(report.longrepr):
            outcome = built.UNCHANGED
        if report.outcome != "skipped":
            self.run[report.nodeid.partition("::")[0].rpartition("/")[2]] += 1
        reason = "" if report.outcome == "passed" else str(report.longrepr)
        self.write(
            test=report.nodeid,
            outcome=outcome,
            reason=reason[-4000:],
            **built.of_test(),
            wanted=dict(wanted.wanted),
            outputs=list(drawn.outputs),
            processor=sum(os.times()[:4]) - self.processor,
            begun=self.begun[report.nodeid],
            ended=time.time(),
        )

    def pytest_sessionfinish(self):
        open(f"{self.path}.ended", "w", encoding="ascii").close()

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(
                test=report.nodeid, outcome="not collected", reason=str(report.longrepr)[-2000:]
            )


def pytest_configure(config):
    # The suite takes a library for ttsim by its name, and compiles kernels for what that lacks.
    # It has opened this one already, and looks at the variable for nothing else.
    os.environ["TT_METAL_SIMULATOR"] = os.path.dirname(os.environ["TT_METAL_SIMULATOR"])
    config.pluginmanager.register(drawn)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Results(os.environ["LLK_RESULTS"]))

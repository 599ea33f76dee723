# SPDX-License-Identifier: Apache-2.0
"""A plugin of the suite's pytest: chooses variants, and writes how each test ended.

It is given its orders in the environment: LLK_RESULTS, a file to append lines of JSON to, and
LLK_VARIANTS and LLK_SEED, how many tests of each file to run and which. The suite skips some of
its variants by itself, most of some files: those are passed over until enough have run, or so many
have been asked for in vain.
"""

import collections
import json
import os
import random
import time

import pytest

ENOUGH = "enough variants of this file have run"
CANDIDATES = 20  # for each variant that is wanted
# Functions that skip on every simulator because ttsim lacks something, which this tile does.
NOT_FOR_THIS_TILE = {"test_sdpa_custom_mm": "_skip_on_simulator"}


def pytest_collection_modifyitems(config, items):
    for module in {item.module for item in items}:
        name = NOT_FOR_THIS_TILE.get(module.__name__.rpartition(".")[2])
        if name is not None:
            setattr(module, name, lambda request: None)
    wanted, seed = int(os.environ["LLK_VARIANTS"]), os.environ["LLK_SEED"]
    if not wanted:
        return
    by_file = {}
    for item in items:
        by_file.setdefault(item.path.name, []).append(item)
    kept = []
    for name, variants in by_file.items():
        random.Random(f"{seed} {name}").shuffle(variants)
        kept += variants[: wanted * CANDIDATES]
    known = {id(item) for item in kept}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in known])
    items[:] = kept


class Results:
    def __init__(self, path):
        self.path = path
        self.wanted = int(os.environ["LLK_VARIANTS"])
        self.begun = {}
        self.run = collections.Counter()  # tests of each file that were not skipped

    def write(self, **line):
        with open(self.path, "a", encoding="utf-8") as file:
            print(json.dumps(line), file=file)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item):
        if self.wanted and self.run[item.path.name] >= self.wanted:
            pytest.skip(ENOUGH)

    def pytest_runtest_logstart(self, nodeid):
        self.begun[nodeid] = time.time()

    def pytest_runtest_logreport(self, report):
        failed_early = report.when == "setup" and report.outcome != "passed"
        if report.when != "call" and not failed_early:
            return
        if report.outcome == "skipped" and ENOUGH in str(report.longrepr):
            return
        if report.outcome != "skipped":
            self.run[report.nodeid.partition("::")[0].rpartition("/")[2]] += 1
        reason = "" if report.outcome == "passed" else str(report.longrepr)
        self.write(
            test=report.nodeid,
            outcome=report.outcome,
            reason=reason[-4000:],
            begun=self.begun[report.nodeid],
            ended=time.time(),
        )

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(
                test=report.nodeid, outcome="not collected", reason=str(report.longrepr)[-2000:]
            )


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Results(os.environ["LLK_RESULTS"]))

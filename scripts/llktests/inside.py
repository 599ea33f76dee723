# SPDX-License-Identifier: Apache-2.0
"""A plugin of the suite's pytest: chooses variants, and writes how each test ended.

It is given its orders in the environment: LLK_RESULTS, a file to append lines of JSON to, and
LLK_VARIANTS and LLK_SEED, how many tests of each file to run and which.
"""

import json
import os
import random
import time


def pytest_collection_modifyitems(config, items):
    wanted, seed = int(os.environ["LLK_VARIANTS"]), os.environ["LLK_SEED"]
    by_file = {}
    for item in items:
        by_file.setdefault(item.path.name, []).append(item)
    kept = set()
    for name, variants in by_file.items():
        chosen = random.Random(f"{seed} {name}").sample(
            variants, min(wanted or len(variants), len(variants))
        )
        kept.update(id(item) for item in chosen)
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in kept])
    items[:] = [item for item in items if id(item) in kept]


class Results:
    def __init__(self, path):
        self.path = path
        self.begun = {}

    def write(self, **line):
        with open(self.path, "a", encoding="utf-8") as file:
            print(json.dumps(line), file=file)

    def pytest_runtest_logstart(self, nodeid):
        self.begun[nodeid] = time.time()

    def pytest_runtest_logreport(self, report):
        failed_early = report.when == "setup" and report.outcome != "passed"
        if report.when != "call" and not failed_early:
            return
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

# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest: a line of JSON before each test and after it, and a choice of the tests.

pytest -p inside FILE, with a request as JSON in the file that UNITS names: `lines` gets
`{"begins": id}` and the result, so that the test at which a program ends is known; `done` has tests
that have run; of each function `most` are taken by `seed`, or with `small` the smallest;
`selectors` are the beginnings of the identifiers that are wanted, as in --deselect, or none for
all.
"""

import json
import math
import os
import pathlib
import random
import re
from collections import Counter

REQUEST = {}
REASON = 300  # characters of why a test has not passed


def pytest_configure(config):
    """Read the request."""
    REQUEST.update(json.loads(pathlib.Path(os.environ["UNITS"]).read_text("utf-8")))


def _say(**line):
    with open(REQUEST["lines"], "a", encoding="utf-8") as out:
        out.write(json.dumps(line) + "\n")


def size(name):
    """Return the product of the numbers in a variant's name, most of which are shapes."""
    return math.prod(max(int(number), 1) for number in re.findall(r"(?<![\w.])\d+(?![\w.])", name))


def chosen(names, most, seed, selectors, small=False):
    """Return the names that a selector begins with, at most so many of each function."""
    wanted = [name for name in names if not selectors or name.startswith(tuple(selectors))]
    functions = {}
    for name in wanted:
        functions.setdefault(name.partition("[")[0], []).append(name)
    kept = set()
    for function, variants in functions.items():
        few = random.Random(f"{seed} {function}")
        if small:
            kept.update(sorted(variants, key=size)[:most])
        else:
            kept.update(variants if len(variants) <= most else few.sample(variants, most))
    return [name for name in wanted if name in kept]


def pytest_collection_modifyitems(config, items):
    """Keep the tests that are wanted and have not run."""
    names = [item.nodeid for item in items]
    wanted = REQUEST["seed"], REQUEST["selectors"], REQUEST.get("small", False)
    kept = chosen(names, REQUEST["most"], *wanted)
    _say(collected=Counter(name.partition("::")[0] for name in names), chosen=kept)
    left = set(kept) - set(REQUEST["done"])
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in left])
    items[:] = [item for item in items if item.nodeid in left]


def pytest_runtest_logstart(nodeid):
    """Say which test begins."""
    _say(begins=nodeid)


def pytest_runtest_logreport(report):
    """Say what came out: of the test itself, or of what prepares it where that has failed."""
    if report.when != "call" and report.passed:
        return
    if report.when == "teardown" and report.skipped:
        return
    text = report.longrepr
    if isinstance(text, tuple):  # of a skipped test: file, line and reason
        text = text[2]
    else:
        crash = getattr(text, "reprcrash", None)
        text = crash.message if crash else str(text or "")
    reason = " ".join(str(text).split())[:REASON]
    _say(test=report.nodeid, came=report.outcome, why=reason, seconds=round(report.duration, 1))


def pytest_collectreport(report):
    """Say why a file can't be collected."""
    if report.failed:
        last = [line for line in str(report.longrepr).splitlines() if line.strip()][-1]
        _say(refused={report.nodeid: last.removeprefix("E").strip()[:REASON]})

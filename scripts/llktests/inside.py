# SPDX-License-Identifier: Apache-2.0
"""A plugin of the suite's pytest: chooses variants, and writes how each test ended.

It is given its orders in the environment: LLK_RESULTS, a file to append lines of JSON to, and
LLK_VARIANTS and LLK_SEED, how many tests of each file to run and which. The suite skips some of
its variants by itself, most of some files: those are passed over until enough have run, or so many
have been asked for in vain.

LLK_ORDERS, instead of LLK_VARIANTS, is a file for a run that is continued (whole/piece.py): `most`
of the tests that are not in `done`, in the order of the seed. Beside it, `.collected` gets how many
tests there are in all, and `.begun` the name of the test that has begun.

LLK_KEEP is a folder for the array that a test which failed has wanted.
"""

import collections
import json
import os
import pathlib
import random
import sys
import time

import pytest

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


def orders():
    with open(ORDERS, encoding="utf-8") as file:
        return json.load(file)


def wanted_number():
    return orders()["most"] if ORDERS else int(os.environ["LLK_VARIANTS"])


KEEP = os.environ.get("LLK_KEEP", "")
FACES, FACE_ROWS = 4, 16  # of a whole tile
# Formats with datums that are one after the other in L1, whatever the tile's shape.
PLAIN = ("Float16", "Float16_b", "Float32", "Int32", "UInt32", "UInt16", "Int8", "UInt8")
kernels = []  # that the test which is running has used
wanted = {}  # the array that it has wanted


def watch_kernels():
    """Have the suite say which kernels a test uses, by the hash of what they are compiled of, and
    keep them in LLK_BUILD: it removes its own folder at each beginning."""
    found = sys.modules.get("helpers.test_config")
    if found is None:
        return
    build, kept = found.TestConfig.build_elfs, os.environ.get("LLK_BUILD")

    def build_elfs(config):
        kernels.append(config.variant_id)
        own = found.TestConfig.ARTEFACTS_DIR / config.test_name / config.variant_id
        if kept and not own.exists():
            folder = pathlib.Path(kept, config.test_name, config.variant_id)
            folder.mkdir(parents=True, exist_ok=True)
            own.parent.mkdir(parents=True, exist_ok=True)
            own.symlink_to(folder)
        return build(config)

    found.TestConfig.build_elfs = build_elfs


def watch_results():
    """Note where results are in L1, and what a comparison has wanted that failed."""
    stimuli, utils = (sys.modules.get(f"helpers.{name}") for name in ("stimuli_config", "utils"))
    if not KEEP or stimuli is None or utils is None:
        return
    collect, compare = stimuli.StimuliConfig.collect_results, utils.passed_test
    last = {}

    def collect_results(config, *args, **named):
        found = collect(config, *args, **named)
        last.update(config=config, values=found)
        return found

    def passed_test(golden, result, *args, **named):
        passed = compare(golden, result, *args, **named)
        if not passed and last:
            note_wanted(utils, last["config"], last["values"], golden, result)
        return passed

    stimuli.StimuliConfig.collect_results = collect_results
    for module in list(sys.modules.values()):
        if getattr(module, "passed_test", None) is compare:
            module.passed_test = passed_test


def note_wanted(utils, config, values, golden, result):
    """Keep the array that a comparison has wanted: as it is in L1, and with what is near enough as
    it was, so that the first datum which differs is one that was wrong. Of a result that the test
    has put into another order it is not known where its datums were."""
    import numpy as np

    # What was read from L1 is a list, or a tensor: NumPy has no type for one of BF16.
    mine, result, golden = (
        np.asarray(
            array.detach().double() if hasattr(array, "detach") else array, dtype=np.float64
        ).ravel()
        for array in (values, result, golden)
    )
    if mine.shape != result.shape or not np.array_equal(mine, result, equal_nan=True):
        return
    if golden.shape != result.shape:
        return
    tolerance = utils.tolerances[config.stimuli_res_format]
    near = np.isclose(result, golden, tolerance.rtol, tolerance.atol, equal_nan=True)
    array = golden if near.all() else np.where(near, result, golden)
    format = config.stimuli_res_format
    in_l1 = config._operand_tile_stride_bytes("Res", format) * config.tile_count_res
    if config.num_faces == FACES and config.face_r_dim == FACE_ROWS:
        faces = array.reshape(-1, 2, 2, FACE_ROWS, FACE_ROWS).transpose(0, 1, 3, 2, 4)
        array, layout = faces.reshape(-1, 2 * FACE_ROWS), ""
    elif format.name in PLAIN and in_l1 == array.size * format.size:
        array, layout = array.reshape(-1, FACE_ROWS), ",rows"
    else:
        return
    path = os.path.join(KEEP, f"wanted-{time.time_ns()}.npy")
    os.makedirs(KEEP, exist_ok=True)
    np.save(path, array)
    wanted.update(addr=config.buf_res_addr, format=format.name + layout, path=path)


def pytest_collection_modifyitems(config, items):
    watch_kernels()
    watch_results()
    for module in {item.module for item in items}:
        name = NOT_FOR_THIS_TILE.get(module.__name__.rpartition(".")[2])
        if name is not None:
            setattr(module, name, lambda request: None)
    most, seed, done = wanted_number(), os.environ["LLK_SEED"], set()
    if ORDERS:
        done = set(orders()["done"])
        with open(f"{ORDERS}.collected", "w", encoding="ascii") as file:
            file.write(str(len(items)))
    if not most:
        return
    by_file = {}
    for item in items:
        by_file.setdefault(item.path.name, []).append(item)
    kept = []
    for name, variants in by_file.items():
        random.Random(f"{seed} {name}").shuffle(variants)
        variants = [item for item in variants if item.nodeid not in done]
        # One file, whose run ends when enough have run: what the suite skips is known then, too.
        kept += variants if ORDERS else variants[: most * CANDIDATES]
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
        kernels.clear()
        wanted.clear()

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
            kernels=list(dict.fromkeys(kernels)),
            wanted=dict(wanted),
            begun=self.begun[report.nodeid],
            ended=time.time(),
        )

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(
                test=report.nodeid, outcome="not collected", reason=str(report.longrepr)[-2000:]
            )


def pytest_configure(config):
    # The suite takes a library for ttsim by its name, and compiles kernels for what that lacks.
    # It has opened this one already, and looks at the variable for nothing else.
    os.environ["TT_METAL_SIMULATOR"] = os.path.dirname(os.environ["TT_METAL_SIMULATOR"])
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Results(os.environ["LLK_RESULTS"]))

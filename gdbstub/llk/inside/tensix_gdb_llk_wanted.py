# SPDX-License-Identifier: Apache-2.0
"""The array that a test which failed has wanted, kept where the emulator can compare with it.

LLK_KEEP is a folder for it.
"""

import os
import sys
import time

KEEP = os.environ.get("LLK_KEEP", "")
FACES, FACE_ROWS = 4, 16  # of a whole tile
# Formats with datums that are one after the other in L1, whatever the tile's shape.
PLAIN = ("Float16", "Float16_b", "Float32", "Int32", "UInt32", "UInt16", "Int8", "UInt8")
wanted = {}  # the array that it has wanted


def watch():
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

# SPDX-License-Identifier: Apache-2.0
"""Sequences for the suite's fuser from a folder of ours, and how its golden found each output.

LLK_DRAWN is the folder: the fuser takes its files instead of its own.
"""

import os
from pathlib import Path

import pytest

DRAWN = os.environ.get("LLK_DRAWN", "")
MODULES = ("fuser.config_parser", "fuser.golden_check")
outputs = []  # of the test under way: those that were compared


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    """Before test_fused.py is imported, which takes the folder's name."""
    if not DRAWN:
        return
    import fuser.config_parser
    import fuser.golden_check

    fuser.config_parser.FUSER_CONFIG_DIR = Path(DRAWN)
    check = fuser.golden_check.GoldenCheck
    compare = check._check_output

    def _check_output(self, output):
        good = compare(self, output)
        outputs.append(noted(output, good))
        return good

    check._check_output = _check_output


def noted(output, good):
    """Return what is said of an output: how many data are beyond the golden's tolerances, and the
    first of them."""
    import numpy as np

    found, golden = (
        np.asarray([float(datum) for datum in array.flatten()])
        for array in (as_tensor(output.raw_data), as_tensor(output.l1_golden))
    )
    said = {"name": output.name, "good": bool(good), "data": int(found.size)}
    if good or found.shape != golden.shape:
        return said
    rtol, atol = output.rtol or 0.1, output.atol or 0.1
    far = ~np.isclose(found, golden, rtol, atol, equal_nan=True)
    said["far"] = int(far.sum())
    if not far.any():
        return said
    first = int(np.argmax(far))
    said["first"] = first
    return said | {"got": float(found[first]), "golden": float(golden[first])}


def as_tensor(values):
    import torch

    return values if hasattr(values, "flatten") else torch.tensor(values)

# SPDX-License-Identifier: Apache-2.0
"""scripts/constraints.txt names one version of every package that pyproject.toml asks for."""

from __future__ import annotations

import tomllib
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.layers.style import ROOT

CONSTRAINTS = ROOT / "scripts" / "constraints.txt"


def asked_for() -> list[Requirement]:
    """Everything that running and developing need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [
        Requirement(row)
        for row in [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    ]


def exact_versions() -> dict[str, str]:
    """Package and version."""
    rows = [row for row in CONSTRAINTS.read_text().splitlines() if not row.startswith("#")]
    return {canonicalize_name(name): version for name, version in (r.split("==") for r in rows)}


@pytest.mark.parametrize("wanted", asked_for(), ids=lambda wanted: wanted.name)
def test_a_package_has_one_version_that_pyproject_allows(wanted: Requirement) -> None:
    version = exact_versions()[canonicalize_name(wanted.name)]
    assert wanted.specifier.contains(version)


def test_what_the_tools_need_has_one_version_too() -> None:
    exact = exact_versions()
    for name in exact:
        try:
            needs = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue  # needed by another version of Python, or another system
        for need in map(Requirement, needs):
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                assert canonicalize_name(need.name) in exact, f"{name} needs {need.name}"

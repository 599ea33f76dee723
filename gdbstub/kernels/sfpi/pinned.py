# SPDX-License-Identifier: Apache-2.0
"""The wheel that SFPI is taken from. Nothing of it is in this repository or in our package."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Pinned:
    """A wheel with SFPI in it, as `pip download` gets it: its SHA-256, the bytes of the wheel and
    of the unpacked folder, the library in it, and the SFPI that this has."""

    requirement: str
    file: str
    platform: str
    sha256: str
    bytes: int
    unpacked_bytes: int
    library: str
    version: str


# A plugin of JAX. Its library carries what tt-metal needs as it runs.
PINNED = Pinned(
    requirement="jax-tt-plugin==0.1.3",
    file="jax_tt_plugin-0.1.3-py3-none-manylinux_2_34_x86_64.whl",
    platform="manylinux_2_34_x86_64",
    sha256="10f2fe2f77b3f0d25a68a9fbf53dab713b1edd854f1ab50bf973783c9be9da83",
    bytes=83_550_265,
    unpacked_bytes=308_112_442,
    library="jax_plugins/libtt/libtt.so",
    version="7.87.0",
)

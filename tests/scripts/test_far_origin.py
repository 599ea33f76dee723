# SPDX-License-Identifier: Apache-2.0
"""The session of an origin over a cable: what is shortened, and what has to be in an answer."""

from __future__ import annotations

from scripts.examples.ttnn.far_origin import BLOCK, comes_over_the_cable, hashes, shown

ANSWER = [
    "c1.DRAM 0 0x100a80:2: 0x3f42: a request of NoC 1 that c1.e4 NC has made",
    "  c1.e4 L1 0x39500:2: 0x3f42: a packet of c0.e4 TX queue 0",
    "    c0.e4 L1 0x16f00:2: 0x3f42: a request of NoC 0 that c0.1-2 NC has made",
    "      c0.1-2 L1 0x1b480:2: 0x3f42: a request",
    "        c0.DRAM 0 0x100080:2: 0x3f42: put there from outside while the tile was stopped",
]


def test_an_answer_goes_from_chip_to_chip_and_to_the_host() -> None:
    assert comes_over_the_cable(ANSWER)
    assert not comes_over_the_cable(ANSWER[:-1])
    assert not comes_over_the_cable([ANSWER[0], *ANSWER[2:]])


def test_lines_lose_arguments_of_templates() -> None:
    line = "made at send<0, A<1>, B<C<2> > > at router.cpp:693, in cycle 5"
    assert shown(line) == ["made at send at router.cpp:693, in cycle 5"]
    assert shown("x" * 200) == ["x" * 146 + " ..."]


def test_hashes() -> None:
    assert hashes(["equal: 4 tiles, hash a1", "equal: 4 tiles, hash a1"]) == {"a1"}
    assert len(hashes(["hash a1", "hash a2"])) == 2


def test_the_manual_has_the_session() -> None:
    lines = BLOCK.read().splitlines()
    asked = next(i for i, line in enumerate(lines) if "tensix-gdb origin" in line)
    assert comes_over_the_cable(lines[asked + 1 : -1])
    assert len(hashes(lines)) == 1

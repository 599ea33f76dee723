# SPDX-License-Identifier: Apache-2.0
"""`monitor cb`: the buffers of a launch of Tenstorrent's firmware, and pages that are counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.devices.overlay import OVERLAY_BASE, STREAM_STRIDE
from tensix_gdb.core.firmware.host import KERNELS, Host
from tensix_gdb.core.firmware.image import read_firmware
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.core.firmware.builds import KNOWN, unpack
from tests.machines import machine_on

CONFIG = 0x400  # after the start of the kernels' configuration


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A tile with the firmware in it."""
    firmware = read_firmware(unpack(KNOWN, tmp_path_factory.mktemp("firmware")))
    machine = machine_on("reference")
    machine.loader.set_hosted("firmware", firmware.images)
    yield Host(machine, firmware)
    machine.close()


def put(host: Host, buffers: dict[int, tuple[int, int, int, int]]) -> None:
    """Launch kernels with these buffers: address, size, pages, size of a page."""
    message = "launch[0].kernel_config."
    mask = sum(1 << number for number in buffers)
    for name, value in (
        ("kernel_config_base[0]", KERNELS),
        ("local_cb_offset", CONFIG),
        ("local_cb_mask", mask),
    ):
        place = host.firmware.field(message + name)
        host.machine.poke(B, place.offset, value.to_bytes(place.size, "little"))
    for number, words in buffers.items():
        data = b"".join(word.to_bytes(4, "little") for word in words)
        host.machine.poke(B, KERNELS + CONFIG + 16 * number, data)


def count(host: Host, number: int, received: int, acknowledged: int) -> None:
    """Count pages as a kernel's last store does."""
    stream = OVERLAY_BASE + STREAM_STRIDE * number
    for register, value in ((10, received), (8, acknowledged)):
        host.machine.poke(B, stream + 4 * register, value.to_bytes(4, "little"))


def said(host: Host, line: str = "cb") -> str:
    monitor = tensix_target(host.machine).monitor
    assert monitor is not None
    return monitor.command(1, line, running=False)


def test_buffers_and_what_is_in_them(host: Host) -> None:
    put(
        host,
        {0: (0x1E000, 4096, 2, 2048), 1: (0x1F000, 2048, 1, 2048), 16: (0x20000, 8192, 4, 2048)},
    )
    count(host, 0, 7, 5)
    count(host, 1, 3, 3)
    count(host, 16, 1, 65535)
    before = host.machine.hash()
    assert said(host) == (
        "cb 0   0x1e000 to 0x1efff  2 pages of 2048  7 received, 5 acknowledged: full\n"
        "cb 1   0x1f000 to 0x1f7ff  1 page of 2048   3 received, 3 acknowledged: empty\n"
        "cb 16  0x20000 to 0x21fff  4 pages of 2048  1 received, 65535 acknowledged: 2 in it\n"
    )
    assert said(host, "cb 16").startswith("cb 16  0x20000")
    assert host.machine.hash() == before
    with pytest.raises(TargetError, match="launched last have no cb 2"):
        said(host, "cb 2")
    count(host, 1, 5, 3)
    assert said(host, "cb 1").endswith("5 received, 3 acknowledged: 2 in it, more than it has\n")


def test_none(host: Host) -> None:
    put(host, {})
    assert said(host) == "The kernels that were launched last have no circular buffers.\n"


def test_a_configuration_outside_of_l1(host: Host) -> None:
    put(host, {0: (0x1E000, 4096, 2, 2048)})
    place = host.firmware.field("launch[0].kernel_config.kernel_config_base[0]")
    host.machine.poke(B, place.offset, b"\xf0\xff\xff\xff")
    assert said(host).endswith("no circular buffers.\n")


def test_a_tile_without_firmware() -> None:
    machine = machine_on("reference")
    monitor = tensix_target(machine).monitor
    assert monitor is not None
    with pytest.raises(TargetError, match="B has none that says where they are"):
        monitor.command(1, "cb", running=False)
    machine.close()

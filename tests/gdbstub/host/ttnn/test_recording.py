# SPDX-License-Identifier: Apache-2.0
"""The end of a recording, which the driver's process writes, is waited for."""

from __future__ import annotations

import threading
import zipfile
from pathlib import Path
from time import sleep

from tensix_gdb.gdbstub.host.ttnn.command import wait_until_whole


def test_a_recording_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "a.recording"
    wait_until_whole(None)
    wait_until_whole(str(file))  # the simulator has never started
    archive = zipfile.ZipFile(file, "w")
    archive.writestr("pages", bytes(1 << 16))
    archive.fp.flush()  # type: ignore[union-attr]
    assert not zipfile.is_zipfile(file)

    def close() -> None:
        sleep(0.3)
        archive.close()

    closing = threading.Thread(target=close)
    closing.start()
    wait_until_whole(str(file))
    assert zipfile.is_zipfile(file)
    closing.join()

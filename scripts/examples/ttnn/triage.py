# SPDX-License-Identifier: Apache-2.0
"""tt-triage, and a snapshot, of a tile on which a program of ttnn hangs.

`python -m scripts.examples.ttnn.triage [SCRIPT ...]` runs hang.py, and all scripts of the tt-triage
in ttnn's wheel, or these. Then `tensix-gdb core --from-exalens` writes a core file, of which it
prints `why`. It needs what `scripts/ttnn` needs, and installs tt-exalens and pycapnp for the Python
of ttnn. Exit status 1 if a script of tt-triage does not end well.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from scripts.ttnntools.prepare import prepare
from tensix_gdb.gdbstub.host.ttnn.command import free_port
from tensix_gdb.gdbstub.host.ttnn.environment import cache_folder
from tensix_gdb.gdbstub.kernels.user_cache import made_at_once
from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, read_core
from tensix_gdb.gdbstub.tensix.corefile.unknown import answered
from tests.patience import HANG

HERE = Path(__file__).parent
# That of the wheel's requirements, but for the version of tt-umd, which has to be that of ttnn.
REQUIREMENTS = ("tt-exalens==0.4.2", "pycapnp==2.2.4")
SETTLES = 5  # seconds after it says that it hangs


def _python() -> Path:
    """A Python with what tt-triage imports."""
    program, root = prepare(), cache_folder() / f"triage-{'-'.join(REQUIREMENTS)}"
    with made_at_once(root) as new:
        if new:
            base = subprocess.check_output(
                [program, "-c", "import sys; print(sys._base_executable)"], text=True
            )
            subprocess.run([base.strip(), "-m", "venv", str(new)], check=True)
            pip = [new / "bin" / "python", "-m", "pip", "install", "--quiet", *REQUIREMENTS]
            subprocess.run(list(map(str, pip)), check=True)
    return root / "bin" / "python"


def main(scripts: Sequence[str]) -> int:
    """Let it hang, and look."""
    with_ttnn, with_triage = prepare(), _python()
    (triage,) = with_ttnn.parent.parent.glob("lib/python3.*/site-packages/triage")
    inspector = free_port()
    with tempfile.TemporaryDirectory() as name:
        environment = {
            **os.environ,
            "TMPDIR": name,  # the driver's sockets are there
            "TT_METAL_SIMULATOR_SERVE_OVER_SOCKETS": "1",
            "TT_METAL_INSPECTOR_RPC_SERVER_ADDRESS": f"127.0.0.1:{inspector}",
        }
        command = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--port", "0"]
        command += ["--python", str(with_ttnn), "--", str(HERE / "hang.py")]
        said = Path(name, "said")
        with said.open("w", encoding="utf-8") as file:
            hung = subprocess.Popen(
                command, env=environment, stdout=file, stderr=file, start_new_session=True
            )
        try:
            _until_hung(hung, said)
            command = [str(with_triage), "triage.py", "--skip-version-check", "--disable-progress"]
            command += ["--disable-colors", f"--inspector-rpc-port={inspector}"]
            command += [f"--run={script}" for script in scripts]
            begun = time.perf_counter()
            status = subprocess.run(command, env=environment, cwd=triage, check=False).returncode
            print(
                f"tt-triage: {time.perf_counter() - begun:.1f} s, exit status {status}", flush=True
            )
            _snapshot(Path(name))
        finally:
            os.killpg(hung.pid, signal.SIGTERM)
            hung.wait()
    return 1 if status else 0


def _until_hung(process: subprocess.Popen[bytes], said: Path) -> None:
    end = time.monotonic() + HANG
    while "hangs" not in said.read_text(encoding="utf-8").split():
        if process.poll() is not None or time.monotonic() > end:
            sys.exit(said.read_text(encoding="utf-8"))
        time.sleep(0.2)
    time.sleep(SETTLES)


def _snapshot(folder: Path) -> None:
    """Write what the core file of the tile says."""
    core = folder / "hung.core"
    (sockets,) = folder.glob("tt-umd-sim-server-*")
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "core", "--from-exalens", "0,0"]
    command += ["--simulator", str(sockets), "-o", str(core)]
    begun = time.perf_counter()
    subprocess.run(
        command,
        env={**os.environ, "TT_SIMULATOR_LOCALHOST": "1", "TMPDIR": str(folder)},
        check=True,
    )
    print(f"core --from-exalens: {time.perf_counter() - begun:.1f} s", flush=True)
    print(answered(machine_from(read_core(str(core)), "reference"), "why", 0, []))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

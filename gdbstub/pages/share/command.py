# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb share`: a recording, a core file or a run as one file for anyone."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tensix_gdb.core.chip.recording import is_recording_of_chip
from tensix_gdb.gdbstub.pages.share.options import ShareOptions
from tensix_gdb.gdbstub.tensix.output.output_file import text_output
from tensix_gdb.gdbstub.tensix.output.recording import is_recording
from tensix_gdb.gdbstub.tensix.output.wrong_value import copy_wrong
from tensix_gdb.gdbstub.tensix.tiles.expected import keep_expected
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

OF_A_RUN = "the programs of a run, --until and --max-cycles are about a run: leave out {}"
CORES = (b"\x7fELF", b"PK\3\4")  # what a core file begins with: of a tile, of a chip


def share(options: ShareOptions) -> int:
    """Write the file; return 0."""
    try:
        from tensix_gdb.gdbstub.pages.share.made import of_core, of_recording, write_page
        from tensix_gdb.gdbstub.pages.share.of_chip import of_chip
    except ImportError as problem:
        raise UsageError(
            f"share needs the package {problem.name}, which is not installed; type "
            "`pip install 'tensix-gdb[web]'`"
        ) from None
    assert options.output is not None
    try:
        with text_output("-o", options.output) as out, _file(options) as (file, name):
            if is_recording(file):
                made = of_chip if is_recording_of_chip(file) else of_recording
            elif _beginning(file) not in CORES:
                raise UsageError(f"{file}: neither a recording nor a core file")
            else:
                made = of_core
            print("\n".join(write_page(out, options.output, made(file, name, options))))
    except BaseException:
        _remove_if_empty(Path(options.output))
        raise
    return 0


def _beginning(file: str) -> bytes:
    with contextlib.suppress(OSError), open(file, "rb") as opened:
        return opened.read(4)
    return CORES[0]  # the reader of core files says why it cannot be read


def _remove_if_empty(path: Path) -> None:
    """Leave no file of a page that was not made; a device stays."""
    with contextlib.suppress(OSError):
        if path.is_file() and not path.stat().st_size:
            path.unlink()


@contextlib.contextmanager
def _file(options: ShareOptions) -> Iterator[tuple[str, str]]:
    """Give the recording or the core file, and what to call it; of a run that is made first."""
    programs = options.programs
    is_run = options.file is None or (options.file == "run" and not os.path.exists("run"))
    loads = (programs.elf, programs.dir, programs.firmware, programs.bin)
    if not is_run:
        assert options.file is not None
        if any(loads) or options.until is not None:
            raise UsageError(OF_A_RUN.format(options.file))
        core = Path(options.file)
        if core.suffix != ".core" or not core.with_suffix(".json").is_file():
            yield options.file, core.name
            return
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "run.rec")
            print("\n".join(_run_kept(core, path, options)), flush=True)
            copy_wrong(core, Path(path))
            yield path, core.name
        return
    if not any(loads):
        raise UsageError("name a recording, a core file, or the programs of a run: --dir build")
    # Imported here: a recording needs nothing of it.
    from tensix_gdb.gdbstub.cli.options.run import RunOptions
    from tensix_gdb.gdbstub.cli.run import run
    from tensix_gdb.gdbstub.pages.html.wanted import name_of

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "run.rec")
        run(
            RunOptions(
                programs=programs,
                until=options.until,
                max_cycles=options.max_cycles,
                record_to=path,
            )
        )
        yield path, name_of(programs)


def _run_kept(core: Path, path: str, options: ShareOptions) -> list[str]:
    """Run what a simulator has kept (`--keep`) to its end, recorded; return what it says."""
    from tensix_gdb.gdbstub.cli.terminal.keyboard import listening
    from tensix_gdb.gdbstub.cli.to_end import run_to_end
    from tensix_gdb.gdbstub.tensix.corefile.kept_run import KeptRun
    from tensix_gdb.gdbstub.tensix.output.progress import progress
    from tensix_gdb.gdbstub.tensix.output.recording import recorded

    kept = KeptRun(core, core.with_suffix(".json"))
    machine = kept.machine(options.programs.engine, parse_schedule(options.programs.schedule))
    with contextlib.closing(machine), recorded(machine, path) as ending:
        # The host only waits, and then reads: what polls only harts can end.
        machine.host.is_present = False
        most = int(machine.S.tile.cycle) + options.max_cycles
        with listening() as keyboard, progress(most) as tell:
            lines, _ = run_to_end(
                machine, most, keyboard, None, tell, lambda: kept.is_over(machine)
            )
        ending.append(lines[-1])
    keep_expected(Path(path), kept.expected)
    return lines

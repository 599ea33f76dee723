# SPDX-License-Identifier: Apache-2.0
"""The commands: a line of help, where their options and functions are, and what they take to load.

Only what the command needs is imported: `--help` no file of options, and `serve` has to listen
before anything slow is loaded.
"""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """A row: `options` is the dataclass that the arguments become (declare.py), in a file beside
    the command; `run` the function that takes it."""

    help: str
    options: str  # MODULE:CLASS, below gdbstub
    run: str  # MODULE:FUNCTION, below gdbstub
    # MiB that its modules take at least. Without so much the command does not begin: where memory
    # ends in the middle of an import, CPython 3.11 can loop for ever or abort.
    mib: int = 1
    intermixed: bool = False  # True if options may be between the files, as with a compiler


COMMANDS = {
    "serve": Command(
        "load programs and wait for debuggers",
        "cli.options.serve:ServeOptions",
        "cli.serve:serve",
        30,
    ),
    "gdb": Command(
        "the same, with your GDB in this terminal",
        "cli.options.gdb:GdbOptions",
        "cli.gdb:gdb",
        30,
    ),
    "run": Command(
        "run programs without a debugger",
        "cli.options.run:RunOptions",
        "cli.run:run",
        19,
    ),
    "diagnose": Command(
        "say why a program fails: the most likely cause first, on one page",
        "diagnose.options:DiagnoseOptions",
        "diagnose.command:diagnose",
        30,
    ),
    "pollution": Command(
        "say which kernels disturb which others by the state that they leave",
        "pollution.options:PollutionOptions",
        "pollution.command:pollution",
        100,
    ),
    "fuzz": Command(
        "draw sequences of LLK's operations, and cut down those with a wrong result",
        "fuzz.options:FuzzOptions",
        "fuzz.command:fuzz",
        24,
    ),
    "core": Command(
        "write a core file of a tile that runs elsewhere, or say what is in one",
        "cli.options.core:CoreOptions",
        "cli.core:core",
    ),
    "origin": Command(
        "say where a value came from: its last write, and what that was made of",
        "origin.options:OriginOptions",
        "origin.command:origin",
        intermixed=True,
    ),
    "picture": Command(
        "draw a tile: a core file, a recording at a cycle, or a running server",
        "pages.picture.options:PictureOptions",
        "pages.picture.command:picture",
        19,
    ),
    "share": Command(
        "one file of a recording, a core file or a run that anyone opens in a browser",
        "pages.share.options:ShareOptions",
        "pages.share.command:share",
        24,
    ),
    "top": Command(
        "show a running server's tile at a glance, again and again",
        "pages.picture.options:TopOptions",
        "pages.picture.top:top",
        2,
    ),
    "replay": Command(
        "play a recording or a packet log again, and compare",
        "cli.options.replay:ReplayOptions",
        "cli.replay:replay",
        30,
    ),
    "report": Command(
        "what a timeline or a profile says, in words",
        "pages.report.options:ReportOptions",
        "pages.report.command:report_command",
    ),
    "simulator": Command(
        "write a library that ttnn and tt-metal's programs load as their simulator",
        "host.library.options:LibraryOptions",
        "host.library.command:simulator",
    ),
    "ttnn": Command(
        "run a program that uses ttnn or tt-metal on the emulated tile",
        "host.ttnn.options:TtnnOptions",
        "host.ttnn.command:ttnn",
    ),
    "llk": Command(
        "run Tenstorrent's LLK tests on the emulated tile, or all checks of them as one job",
        "llk.options:LlkOptions",
        "llk.command:llk",
        intermixed=True,
    ),
    "mcp": Command(
        "serve an AI assistant by the Model Context Protocol",
        "mcp.options:McpOptions",
        "mcp.command:mcp",
    ),
    "check": Command(
        "is the order of two lines certain?",
        "order.pair.options:CheckOptions",
        "order.pair.command:check",
        19,
    ),
    "build": Command(
        "compile a kernel for the harts",
        "kernels.options:BuildOptions",
        "kernels.command:build",
        6,
        intermixed=True,
    ),
    "new": Command(
        "write a small project with a kernel to begin with",
        "kernels.options:NewOptions",
        "kernels.command:new",
        6,
    ),
    "sfpi": Command(
        "say where Tenstorrent's compiler for kernels is, or get it",
        "kernels.sfpi.options:SfpiOptions",
        "kernels.sfpi.command:sfpi",
    ),
    "doctor": Command(
        "say what is missing here, and the command that mends it",
        "doctor.options:DoctorOptions",
        "doctor.command:doctor",
    ),
    "litmus": Command(
        "run litmus tests: how small programs on several harts may end",
        "cli.options.litmus:LitmusOptions",
        "cli.litmus:litmus",
        19,
    ),
    "seeds": Command(
        "search for the order of events in which a program goes wrong",
        "order.search.options:SeedsOptions",
        "order.search.command:seeds",
    ),
    "asm": Command(
        "instructions as words",
        "cli.options.instructions:AsmOptions",
        "cli.instructions.asm:asm",
        12,
    ),
    "disasm": Command(
        "words or files as instructions",
        "cli.options.instructions:DisasmOptions",
        "cli.instructions.disasm:disasm",
        12,
    ),
    "explain": Command(
        "one instruction, field by field",
        "cli.options.instructions:ExplainOptions",
        "cli.instructions.explain:explain_command",
        12,
    ),
    "isa": Command(
        "the table of Tensix instructions",
        "cli.options.instructions:IsaOptions",
        "cli.instructions.explain:isa_command",
        12,
    ),
    "manual": Command(
        "show or search the manual",
        "cli.options.manual:ManualOptions",
        "cli.manual:manual",
    ),
    "svd": Command(
        "the tile's registers for the peripheral view of an editor",
        "svd.options:SvdOptions",
        "svd.command:svd_command",
        12,
    ),
    "vscode": Command(
        "install the extension for VS Code: F5 in a kernel",
        "vscode.options:VscodeOptions",
        "vscode.command:vscode",
        4,
    ),
    "completion": Command(
        "what makes your shell complete these commands",
        "cli.options.completion:CompletionOptions",
        "cli.install.completion:completion",
    ),
    "demo": Command(
        "a guided session with a real GDB",
        "cli.options.demo:DemoOptions",
        "demo.session:demo",
        30,
    ),
}

# SPDX-License-Identifier: Apache-2.0
"""The imports that each package may have, and which libraries have one door.

    gdbstub   cli, host, testing -> server -> sharing -> session -> commands -> client
              client -> tracepoints, rsp
              gdbstub.tensix -> core
    core      recording, firmware, litmus -> history -> machine -> explain -> hardware -> ground

`MAY` is an allow-list: a package imports itself, its sub-packages' and parents' modules, and what
its row names. FOR_ALL belongs to no subject. HARDWARE is one knot, as the hardware is: a store to a
push window pushes an instruction, the Scalar Unit stores to L1, a NoC request writes a device. No
import shows one of its arrows: the table of devices (core/memory/devices.py) names their modules.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "tensix_gdb"  # what core and gdbstub are imported as
EVERYWHERE = ("core", "gdbstub")
GROUND = (
    *("core.arch", "core.cost", "core.decisions", "core.record", "core.schedule", "core.stop"),
    "core.stall",
)
HARDWARE = (
    *("core.clock", "core.counting", "core.devices", "core.faults", "core.memory", "core.noc"),
    *("core.ordering", "core.perf", "core.race", "core.riscv", "core.tensix", "core.timeline"),
)
HARDWARE_USES = (*GROUND, *HARDWARE, "core.debug", "core.engine", "core.isa", "core.numeric")
FOR_ALL = ("core.dataclass",)
# Besides, three of them know the functions of a program.
BY_FUNCTION = ("core.counting", "core.race", "core.timeline")


def _in(room: str, rows: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Write out the rows of the packages of a room: names of the room are short there."""

    def whole(name: str) -> str:
        return f"{room}.{name}" if name in rows else name

    return {room: (), **{whole(name): tuple(map(whole, may)) for name, may in rows.items()}}


# fmt: off
MAY: dict[str, tuple[str, ...]] = {
    # The machine, from the inside out.
    "core.dataclass":    (),
    "core.arch":         (),
    "core.cost":         (),
    "core.dwarf":        (),
    "core.isa":          (),
    "core.numeric":      ("core.arch",),
    "core.program":      ("core.arch",),
    "core.decisions":    ("core.arch", "core.record"),
    "core.schedule":     ("core.arch", "core.decisions", "core.record"),
    "core.execution":    ("core.arch", "core.decisions", "core.schedule"),
    "core.stop":         ("core.record",),
    "core.stall":        ("core.arch", "core.record", "core.stop"),
    "core.engine":       ("core.record",),
    "core.record":       (),
    "core.debug":        (*GROUND, "core.devices", "core.memory", "core.ordering", "core.riscv",
                          "core.tensix"),
    **dict.fromkeys(HARDWARE, HARDWARE_USES),
    **dict.fromkeys(BY_FUNCTION, (*HARDWARE_USES, "core.program")),
    # What it finds is told in places.
    "core.race":         (*HARDWARE_USES, "core.places", "core.polls", "core.program"),
    "core.assembly":     ("core.arch", "core.isa", "core.program", "core.riscv", "core.tensix"),
    "core.semihosting":  (*GROUND, "core.debug", "core.memory", "core.program", "core.riscv"),
    "core.waits":        ("core.assembly", "core.isa", "core.tensix"),
    "core.explain":      (*GROUND, *HARDWARE, "core.assembly", "core.debug", "core.dwarf",
                          "core.isa", "core.program", "core.semihosting", "core.waits"),
    "core.machine":      (*HARDWARE_USES, "core.execution", "core.explain", "core.polls",
                          "core.program", "core.recording", "core.semihosting",
                          "core.translate", "core.links"),
    "core.translate":    ("core.arch", "core.engine", "core.machine", "core.record", "core.riscv",
                          "core.schedule"),
    "core.links":        ("core.cost", "core.engine", "core.noc", "core.record"),
    "core.chip":         (*GROUND, "core.clock", "core.debug", "core.devices", "core.engine",
                          "core.execution", "core.faults", "core.history", "core.isa",
                          "core.links", "core.machine", "core.memory", "core.noc", "core.program",
                          "core.race", "core.recording", "core.riscv.reset", "core.riscv.table"),
    "core.history":      (*GROUND, *HARDWARE, "core.debug", "core.machine"),
    "core.places":       (*GROUND, *HARDWARE, "core.assembly", "core.debug", "core.isa"),
    "core.origin":       (*GROUND, *HARDWARE, "core.assembly", "core.chip", "core.debug",
                          "core.dwarf", "core.engine", "core.explain", "core.history",
                          "core.isa", "core.machine", "core.numeric", "core.places",
                          "core.program"),
    "core.polls":        ("core.arch", "core.debug", "core.devices", "core.memory", "core.noc",
                          "core.record", "core.riscv", "core.schedule"),
    "core.recording":    (*GROUND, "core.execution", "core.faults", "core.history", "core.isa",
                          "core.machine", "core.memory", "core.noc", "core.program"),
    "core.tiles":        ("core.isa", "core.numeric", "core.record", "core.tensix"),
    "core.device_print": ("core.arch", "core.debug", "core.dwarf", "core.machine",
                          "core.program"),
    "core.firmware":     (*GROUND, "core.device_print", "core.devices", "core.dwarf",
                          "core.machine", "core.program"),
    "core.litmus":       (*GROUND, *HARDWARE, "core.assembly", "core.engine", "core.execution",
                          "core.explain", "core.isa", "core.machine", "core.places",
                          "core.program"),
    # The debugger side, from the inside out. The protocol knows no machine; `core.execution` is
    # the name of a run that ends in a sentence.
    "gdbstub.replace_file": (),
    "gdbstub.usage":        ("core.execution",),
    "gdbstub.signals":      (),
    "gdbstub.spare_memory": (),
    "gdbstub.starter":      (),
    "gdbstub.inside":       ("gdbstub.cli.terminal.quoted",),
    "gdbstub.manual":       (),
    **_in("gdbstub.protocol", {
        "packet_log":   (),
        "rsp":          (),
        "agent":        (),
        "capabilities": (),
        "target":       ("capabilities",),
        "tracepoints":  ("agent", "target"),
        "client":       ("capabilities", "packet_log", "rsp", "target", "tracepoints"),
        "commands":     ("client", "rsp", "target", "tracepoints"),
        "session":      ("client", "commands", "rsp", "target"),
        "sharing":      ("capabilities", "client", "commands", "rsp", "session", "target"),
        "server":       ("packet_log", "rsp", "session", "sharing", "gdbstub.signals",
                         "gdbstub.spare_memory", "gdbstub.usage"),
        "packet_table": ("core.explain", "commands", "rsp"),
    }),
    # The tile as a target,
    "gdbstub.tensix":       ("core", "gdbstub.cli.options", "gdbstub.order.report",
                             "gdbstub.protocol.agent", "gdbstub.protocol.capabilities",
                             "gdbstub.protocol.target", "gdbstub.replace_file",
                             "gdbstub.usage"),
    # and the commands that people start.
    "gdbstub.kernels":      ("core.arch", "core.assembly", "core.firmware", "core.isa",
                             "core.program.elf", "core.tensix", "core.tiles", "gdbstub.cli.options",
                             "gdbstub.usage"),
    "gdbstub.vscode":       ("core.recording", "gdbstub.cli", "gdbstub.host", "gdbstub.kernels",
                             "gdbstub.usage", "gdbstub.warm"),
    "gdbstub.warm":         ("core", "gdbstub.cli", "gdbstub.kernels", "gdbstub.pages.web",
                             "gdbstub.protocol.rsp", "gdbstub.protocol.server",
                             "gdbstub.protocol.sharing", "gdbstub.signals", "gdbstub.tensix",
                             "gdbstub.usage"),
    "gdbstub.svd":          ("core", "gdbstub.cli.options", "gdbstub.usage"),
    "gdbstub.doctor":       ("core", "gdbstub.cli", "gdbstub.host.ttnn", "gdbstub.kernels",
                             "gdbstub.usage"),
    "gdbstub.cli":          ("core", "gdbstub.host.exalens", "gdbstub.kernels", "gdbstub.manual",
                             "gdbstub.order.report", "gdbstub.order.seeds", "gdbstub.order.tried",
                             "gdbstub.origin.blame", "gdbstub.pages", "gdbstub.protocol",
                             "gdbstub.replace_file", "gdbstub.signals", "gdbstub.spare_memory",
                             "gdbstub.starter", "gdbstub.tensix", "gdbstub.usage"),
    **_in("gdbstub.host", {
        "simulator": ("core", "gdbstub.cli.kept", "gdbstub.cli.options", "gdbstub.kernels",
                      "gdbstub.order.report", "gdbstub.pages.web", "gdbstub.protocol.server",
                      "gdbstub.protocol.sharing", "gdbstub.protocol.target", "gdbstub.tensix",
                      "gdbstub.usage"),
        "library": ("core.arch", "core.chip.chip", "core.chip.links", "core.chip.places",
                    "core.debug",
                    "core.isa", "core.machine", "core.memory.segments", "core.noc", "core.race",
                    "simulator", "gdbstub.cli.attach", "gdbstub.cli.options", "gdbstub.kernels",
                    "gdbstub.protocol.target", "gdbstub.tensix", "gdbstub.usage"),
        "exalens": ("core.arch", "core.devices", "core.machine", "core.program", "core.riscv",
                    "core.schedule", "core.stall", "core.tensix", "gdbstub.cli.options",
                    "gdbstub.tensix", "gdbstub.usage"),
        "ttnn":    ("core.arch", "core.isa", "core.noc", "simulator", "library", "gdbstub.cli",
                    "gdbstub.kernels", "gdbstub.pages.report", "gdbstub.pages.share",
                    "gdbstub.signals", "gdbstub.tensix.output", "gdbstub.usage"),
    }),
    **_in("gdbstub.pages", {
        "picture": ("core", "gdbstub.cli", "gdbstub.tensix", "gdbstub.usage"),
        "web":     ("core.arch", "core.assembly", "core.chip", "core.devices", "core.explain",
                    "core.history", "core.isa", "core.machine", "core.noc", "core.origin",
                    "core.places", "core.program", "core.stall", "core.stop", "core.timeline",
                    "picture", "report",
                    "gdbstub.order.report", "gdbstub.protocol", "gdbstub.tensix",
                    "gdbstub.usage"),
        "html":    ("core.machine", "core.recording", "core.timeline", "picture", "web",
                    "gdbstub.cli.options", "gdbstub.tensix", "gdbstub.usage"),
        "share":   ("core.arch", "core.assembly", "core.chip", "core.devices", "core.history",
                    "core.machine", "core.origin", "core.places", "core.program", "core.race",
                    "core.schedule", "core.stop", "html", "picture", "web", "gdbstub.cli",
                    "gdbstub.host.simulator.runs", "gdbstub.protocol.server",
                    "gdbstub.protocol.sharing", "gdbstub.protocol.target", "gdbstub.tensix",
                    "gdbstub.usage"),
        "report":  ("core.arch", "core.isa", "gdbstub.cli.options", "gdbstub.usage"),
    }),
    **_in("gdbstub.order", {
        # What races look like in a report: the target prints them, so it knows no other room.
        "report": ("core", "gdbstub.usage"),
        "seeds":  ("core", "report", "gdbstub.tensix", "gdbstub.usage"),
        "search": ("core", "report", "seeds", "gdbstub.cli", "gdbstub.signals", "gdbstub.tensix",
                   "gdbstub.usage"),
        "pair":   ("core", "report", "gdbstub.cli", "gdbstub.usage"),
        "tried":  ("core", "report", "seeds", "gdbstub.kernels.user_cache", "gdbstub.tensix"),
    }),
    "gdbstub.origin":       ("core", "gdbstub.cli", "gdbstub.tensix", "gdbstub.usage"),
    "gdbstub.origin.blame": ("core", "gdbstub.tensix"),
    "gdbstub.diagnose":     ("core", "gdbstub.cli", "gdbstub.host.simulator", "gdbstub.host.ttnn",
                             "gdbstub.order.report", "gdbstub.order.seeds",
                             "gdbstub.order.tried", "gdbstub.origin.blame", "gdbstub.tensix",
                             "gdbstub.usage"),
    "gdbstub.pollution":    ("core", "gdbstub.cli", "gdbstub.tensix", "gdbstub.usage"),
    "gdbstub.mcp":          ("core", "gdbstub.cli", "gdbstub.manual", "gdbstub.order.pair",
                             "gdbstub.order.report", "gdbstub.protocol.server",
                             "gdbstub.protocol.target", "gdbstub.tensix", "gdbstub.testing",
                             "gdbstub.usage"),
    "gdbstub.llk":          ("core.explain", "core.isa", "gdbstub.cli", "gdbstub.host.library",
                             "gdbstub.kernels", "gdbstub.order.report", "gdbstub.pages.share",
                             "gdbstub.tensix", "gdbstub.replace_file", "gdbstub.usage"),
    "gdbstub.fuzz":         ("gdbstub.cli", "gdbstub.llk", "gdbstub.tensix", "gdbstub.usage"),
    # Run by another Python, beside LLK's tests.
    "gdbstub.llk.inside":   (),
    "gdbstub.__main__":     ("gdbstub.cli", "gdbstub.warm"),
    "gdbstub.demo":         ("core.explain", "gdbstub.cli", "gdbstub.tensix", "gdbstub.usage"),
    "gdbstub.testing":      ("core", "gdbstub.cli", "gdbstub.order.report", "gdbstub.protocol",
                             "gdbstub.tensix", "gdbstub.usage"),
    "gdbstub.pytest_plugin": ("core.engine", "gdbstub.order.search", "gdbstub.pages.picture",
                              "gdbstub.pages.share", "gdbstub.testing", "gdbstub.usage"),
}


@dataclass(frozen=True, slots=True)
class Door:
    """A library, and the only modules that import it: it shapes the code around it."""

    library: str
    modules: tuple[str, ...] = ()


DOORS = (
    Door("construct", ("core.isa.schema", "core.isa.by_construct")),
    # Others take that of `core.dataclass`, which costs less. GDB's Python and LLK's do without.
    Door("dataclasses.dataclass", ("core.dataclass", "core.tiles.npy", "gdbstub.llk.inside",
                                   "gdbstub.cli.terminal.quoted")),
    Door("distributed", ("gdbstub.order.seeds.cluster",)),
    Door("elftools",  ("core.program.elf", "core.program.elf_tables", "core.dwarf")),
    Door("hypercorn", ("gdbstub.pages.web.http",)),
    Door("llvmlite",  ("core.engine",)),
    Door("mcp",       ("gdbstub.mcp.server",)),
    Door("pygments",  ("gdbstub.pages.web.sources",)),
    Door("pytest",    ("gdbstub.pytest_plugin", "gdbstub.order.search.many",
                       "gdbstub.llk.inside")),
    Door("starlette", ("gdbstub.pages.web",)),
    Door("trio",      ("gdbstub.protocol.server", "gdbstub.cli.serve", "gdbstub.cli.gdb",
                       "gdbstub.cli.run_shown", "gdbstub.host.simulator", "gdbstub.host.library",
                       "gdbstub.mcp", "gdbstub.testing.asynchronous", "gdbstub.testing.serving",
                       "gdbstub.pages.web", "gdbstub.warm")),
    Door("unicorn"),
    Door("random",    ("gdbstub.llk.inside", "gdbstub.fuzz.draw")),
    Door("tests"),
)
# fmt: on


def is_under(name: str, place: str) -> bool:
    """True if the dotted `name` is the module `place`, or in it."""
    return name == place or name.startswith(place + ".")


def package_of(module: str) -> str:
    """The key of `MAY` for a module: the innermost package that has a row, or its room."""
    rows = [name for name in MAY if is_under(module, name)]
    return max(rows, key=len, default=".".join(module.split(".")[:2]))


def modules() -> Iterator[tuple[str, Path]]:
    """Every module of the two packages, by dotted name."""
    for package in EVERYWHERE:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(source: str, *, for_types: bool = False) -> Iterator[tuple[int, str, bool]]:
    """(line, what is imported, True if absolutely) for every import, also inside functions.

    What stands under `if TYPE_CHECKING:` is not imported when the program runs, and is left out
    unless `for_types`.
    """
    for line, name, absolute, only_types in _imports(source):
        if for_types or not only_types:
            yield line, name, absolute


@cache
def _imports(source: str) -> list[tuple[int, str, bool, bool]]:
    """The same, with True if it is for types only."""
    nodes, found = list(ast.walk(ast.parse(source))), []
    typed: set[ast.AST] = set()
    for block in nodes:
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
            typed.update(node for statement in block.body for node in ast.walk(statement))
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name, True, node in typed) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            of, absolute = node.module or "", node.level == 0
            names = [f"{of}.{alias.name}" for alias in node.names]
            found += [(node.lineno, name, absolute, node in typed) for name in names]
    return found


def graph(top: str) -> dict[str, set[str]]:
    """Make the graph of the modules of `core` or `gdbstub`: which others each of them imports, for
    types too."""
    paths = {name: path for name, path in modules() if is_under(name, top)}
    arrows = {}
    for module, path in paths.items():
        names = (name for _, name, _ in imports(path.read_text(), for_types=True))
        to = {module_of(name.removeprefix(PACKAGE + "."), paths) for name in names}
        arrows[module] = to & paths.keys() - {module}
    return arrows


def module_of(name: str, known: Collection[str]) -> str:
    """Return the module that is or has what is imported by `name`; empty if it is not known."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


def violations(module: str, source: str) -> list[str]:
    """One sentence for each import of `module`, whose text is `source`, that no row allows."""
    found = []
    package = package_of(module)
    for line, imported, absolute in imports(source):
        if not absolute:
            found.append(f"{module}:{line}: a relative import; write the whole name")
        found += [
            f"{module}:{line}: imports {door.library}; only {', '.join(door.modules)} may"
            for door in DOORS
            if is_under(imported, door.library)
            and not any(is_under(module, place) for place in door.modules)
        ]
        top, _, name = imported.partition(".")
        if top in EVERYWHERE and not is_under(module, "gdbstub.inside"):
            found.append(f"{module}:{line}: imports {imported}; write {PACKAGE}.{imported}")
        elif top == PACKAGE and not may_import(package, name):
            found.append(f"{module}:{line}: imports {name}; the row of {package} does not name it")
    return found


def may_import(package: str, imported: str) -> bool:
    """True if the row of `package` names `imported`, or a package that it is in."""
    places = (package, *FOR_ALL, *MAY.get(package, ()))
    return any(is_under(imported, place) for place in places)

# SPDX-License-Identifier: Apache-2.0
"""LLVM through llvmlite: IR text to object code, object code to callable addresses.

Importing this module is cheap; llvmlite is loaded by the first call (30 ms). LLVM leaves the GIL
alone while it compiles, but building IR does not, so a server compiles in a child process
(background.py).
"""

from __future__ import annotations

import ctypes
import itertools
import mmap
import os
import re
import weakref
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from tensix_gdb.core.dataclass import dataclass

if TYPE_CHECKING:
    from tensix_gdb.core.engine.ir import Module

# Optimisation levels. QUICK takes a tenth of the time and still runs at 150 times the speed of the
# reference engine, because a dispatch is a switch in the IR already (README.md). COLD takes a
# seventh for a third of the speed: cold modules get it, whatever is wanted of the others.
QUICK = 0
COLD = 1
FULL = 2
TRANSLATION = 3  # a function that runs long (core/translate): all passes, no vectors
# Of the passes before machine code is chosen, those of O1: a quarter less time than O2's, and no
# program was slower by more than the noise. Vectors are made all the same.
PASSES = 1
# LLVM's own is 225: two fifths more code to optimise. With 25 a full tile in `latency` took 7 %
# longer, because a cycle is a hundred calls. Functions with `inlinehint` are not meant (lower.py).
INLINING_THRESHOLD = 100


# Bytes of address space. LLVM ends the process where it gets no memory, so it is looked for before.
LIBRARY_BYTES = 192 << 20  # five sixths of it for the library, the rest for what is done then
COMPILING_BYTES = 128 << 20
LOADING_BYTES = 16 << 20


# The environment variable that says what to compile for, and the names that it may have. By
# architecture, as the triple begins: the processors of the last ten years together, with what LLVM
# calls the features that make the difference.
CPU = "TENSIX_GDB_CPU"
# The variable that asks for the common processor of a kind of machine, this one or another: code
# that a wheel brings (scripts/package_objects.py). A process that has it loads none.
KIND = "TENSIX_GDB_KIND"
BASELINES = {
    "x86_64": ("x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")),
    "aarch64": ("generic", ()),
}
GENERIC = "generic"  # what every processor of a kind runs
# Processors before AVX2. No wheel brings code for these alone: they start with what all run.
OLDER = {"x86_64": ("x86-64-v2",)}

# Vectors of AVX2 have no instruction that counts leading zeros; LLVM takes eighteen in its place.
# Conversion to a float finds the highest bit too: without the bit below, nothing rounds up to the
# next power of two. The lowering counts only of numbers from 0 on (`bit_length`).
_CTLZ = re.compile(r"call i32 @llvm\.ctlz\.i32\(i32 (\S+), i1 false\)")
_BY_FLOAT = """
define internal i32 @ctlz_by_float(i32 %x) alwaysinline nounwind {
  %half = lshr i32 %x, 1
  %others = xor i32 %half, -1
  %highest = and i32 %x, %others
  %float = sitofp i32 %highest to float
  %bits = bitcast float %float to i32
  %exponent = lshr i32 %bits, 23
  %zeros = sub i32 158, %exponent
  %few = icmp slt i32 %zeros, 32
  %found = select i1 %few, i32 %zeros, i32 32
  ret i32 %found
}
"""

# How the functions of a threaded loop are called (lowering/threads.py): nearly all registers are
# for arguments, and none is kept, so that an arm needs no stack.
TAIL_CALLED = "preserve_nonecc "

NO_ROOM = "there is not enough memory for it"


class LlvmMissingError(Exception):
    """llvmlite cannot be loaded; the message says why, and what to do."""

    def __init__(self, reason: str) -> None:
        advice = "install it with `pip install llvmlite`"
        if reason == NO_ROOM or "failed to map segment" in reason:
            advice = "allow more memory (`ulimit -v`)"
        super().__init__(f"llvmlite cannot be used ({reason}); {advice}")


def look_for_room(size: int) -> None:
    """MemoryError where this process cannot have `size` bytes of addresses more."""
    try:
        # Of no use, so that the system does not count it as memory in use.
        mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0).close()
    except OSError:
        raise MemoryError from None


@cache
def llvm() -> Any:
    """Return the binding of llvmlite, ready for this machine."""
    try:
        look_for_room(LIBRARY_BYTES)
        import llvmlite.binding as binding

        # The targets of a switch begin at multiples of 32 bytes. Otherwise where they are depends
        # on everything before them: the ALU program ran at 570 to 940 MIPS in the same loop.
        binding.set_option("tensix-gdb", "--align-all-nofallthru-blocks=5")
        binding.set_option("tensix-gdb", "--align-all-functions=6")
        # A processor that runs instructions out of order does not need it: a twentieth of the time.
        binding.set_option("tensix-gdb", "--post-RA-scheduler=false")
        if os.environ.get(KIND):
            binding.initialize_all_targets()
            binding.initialize_all_asmprinters()
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
    except (ImportError, OSError, RuntimeError) as problem:
        raise LlvmMissingError(_reason(problem)) from problem
    except MemoryError as problem:
        raise LlvmMissingError(NO_ROOM) from problem
    return binding


def _reason(problem: BaseException) -> str:
    """Return the system's own message, of which llvmlite makes a sentence of its own."""
    while problem.__context__ is not None:
        problem = problem.__context__
    if isinstance(problem, ModuleNotFoundError):
        return f"{problem.name} is not installed"
    return str(problem)


@dataclass(frozen=True, slots=True)
class Versions:
    """Of the compiler, and the machine that it compiles for."""

    llvmlite: str
    llvm: str
    triple: str
    processor: str


def versions() -> Versions:
    """Return the versions of the compiler; LlvmMissingError if it cannot be loaded."""
    binding = llvm()
    import llvmlite

    return Versions(
        llvmlite=llvmlite.__version__,
        llvm=".".join(map(str, binding.llvm_version_info)),
        triple=triple(),
        processor=processor()[0],
    )


@cache
def triple() -> str:
    """Return LLVM's name for the kind of machine that it compiles for: this one, or what KIND asks
    for."""
    own: str = llvm().get_process_triple()
    kind = os.environ.get(KIND)
    return own if not kind or kind_of(own) == kind else f"{kind}-unknown-linux-gnu"


def kind_of(name: str) -> str:
    """Return the kind of machine that a triple begins with."""
    return name.partition("-")[0]


@cache
def processor() -> tuple[str, str]:
    """Return the name that LLVM has for what it compiles for, and the features beside those that
    the name stands for: this processor, or a common one that CPU (scripts/bench) or KIND asks
    for."""
    if kind := os.environ.get(KIND):
        if kind not in BASELINES:
            raise RuntimeError(
                f"{KIND}={kind} in the environment is none of {', '.join(BASELINES)}"
            )
        return GENERIC if os.environ.get(CPU) == GENERIC else BASELINES[kind][0], ""
    wanted = os.environ.get(CPU, "")
    if wanted in commons() or wanted in OLDER.get(kind_of(llvm().get_process_triple()), ()):
        return wanted, ""
    return llvm().get_host_cpu_name(), llvm().get_host_cpu_features().flatten()


@cache
def baseline() -> str:
    """Return the common processor of this kind of machine, if this one runs code for it, or ""."""
    name, needed = BASELINES.get(kind_of(llvm().get_process_triple()), ("", ()))
    if not needed:
        return name
    features = llvm().get_host_cpu_features()
    return name if all(features.get(one) for one in needed) else ""


def commons() -> tuple[str, ...]:
    """Return the common processors that have code for this one too, the best first; for one that
    CPU asks for, if it is less."""
    asked, older = os.environ.get(CPU), OLDER.get(kind_of(llvm().get_process_triple()), ())
    if asked == GENERIC or asked in older:
        return (GENERIC,)
    return tuple(dict.fromkeys(name for name in (baseline(), GENERIC) if name))


@cache
def target() -> str:
    """Return what object code depends on besides the IR: versions, processor and its features."""
    found = versions()
    return "|".join(
        (
            f"llvmlite {found.llvmlite}",
            f"LLVM {found.llvm}",
            found.triple,
            *processor(),
            *(["leading zeros by floats"] if _counts_by_float() else []),
        )
    )


def level_of(module: Module, wanted: int) -> int:
    """Return how a module is to be compiled."""
    return COLD if module.is_cold else wanted


def _machine(level: int) -> Any:
    name, features = processor()
    return (
        llvm()
        .Target.from_triple(triple())
        .create_target_machine(
            cpu=name,
            features=features,
            opt=FULL if level in (FULL, TRANSLATION) else QUICK,
            reloc="pic",
            codemodel="small",
        )
    )


@cache
def _counts_by_float() -> bool:
    """True if vectors of the processor cannot count leading zeros, but can convert to floats."""
    if kind_of(triple()) != "x86_64":
        return False
    return "+avx512cd" not in processor()[1].split(",")


def optimise(ir: str, level: int) -> Any:
    """Parse, verify and optimise; return the module."""
    binding = llvm()
    if level == FULL and _counts_by_float():
        ir, found = _CTLZ.subn(r"call i32 @ctlz_by_float(i32 \1)", ir)
        ir += _BY_FLOAT if found else ""
    threaded = TAIL_CALLED in ir
    if threaded and llvm().get_process_triple().partition("-")[0] not in BASELINES:
        ir = ir.replace(TAIL_CALLED, "")  # other kinds of processors have no such convention
    module = binding.parse_assembly(ir)
    module.verify()
    if level == QUICK:
        return module
    # Where arms jump to each other, what one of them knows says which way it goes at its end.
    passes_of = FULL if level == TRANSLATION or threaded else PASSES
    tuning = binding.create_pipeline_tuning_options(speed_level=passes_of)
    if level == COLD:
        passes = binding.create_new_module_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
        passes.run(module, binding.create_pass_builder(_machine(level), tuning))
        return module
    tuning.loop_vectorization = level == FULL  # loops over lanes only: the others say no (lower.py)
    tuning.slp_vectorization = False
    tuning.inlining_threshold = INLINING_THRESHOLD
    builder = binding.create_pass_builder(_machine(level), tuning)
    builder.getModulePassManager().run(module, builder)
    return module


def compile_object(module: Module, level: int = FULL) -> bytes:
    """Return the object code of a module."""
    level = level_of(module, level)
    look_for_room(COMPILING_BYTES)
    return bytes(_machine(level).emit_object(optimise(module.text, level)))


_serial = itertools.count()
_loaded: weakref.WeakValueDictionary[str, Loaded] = weakref.WeakValueDictionary()


def load(key: str, code: Sequence[bytes], symbols: Iterable[str]) -> Loaded:
    """Load the objects of `key`, once for all engines that are open at the same time."""
    loaded = _loaded.get(key)
    if loaded is None:
        look_for_room(LOADING_BYTES)
        loaded = _loaded[key] = Loaded(code, symbols)
    return loaded


@cache
def _linker() -> Any:
    # JITLink puts the sections of an object beside each other. LLVM's other linker asks for memory
    # section by section, and where it gets that more than 2 GiB apart it ends the process: with the
    # records of some fifty tiles in between.
    return llvm().create_lljit_compiler(_machine(FULL), use_jit_link=True)


class Loaded:
    """Object code in memory. It stays there as long as this object lives."""

    def __init__(self, code: Sequence[bytes], symbols: Iterable[str]) -> None:
        if kind_of(triple()) != kind_of(llvm().get_process_triple()):
            raise RuntimeError(f"it is for {kind_of(triple())}, as {KIND} in the environment says")
        builder = llvm().JITLibraryBuilder()
        for each in code:
            builder.add_object_img(each)
        names = list(symbols)
        for name in names:
            builder.export_symbol(name)
        self._tracker = builder.link(_linker(), f"engine{next(_serial)}")
        self._addresses = {name: self._tracker[name] for name in names}

    def address(self, symbol: str) -> int:
        """Return where a symbol is, as long as this object lives."""
        return self._addresses[symbol]

    def function(self, symbol: str, arguments: int) -> Callable[..., int]:
        """Return a callable of the record's address and `arguments` ints; without the GIL."""
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *([ctypes.c_int64] * arguments))
        function = kind(self._addresses[symbol])
        function.keep = self  # type: ignore[attr-defined]
        return function

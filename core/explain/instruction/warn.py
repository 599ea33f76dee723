# SPDX-License-Identifier: Apache-2.0
"""Warnings about relying on an instruction: one sentence each."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.chips import CONFIG_WORDS, THREAD_CONFIG_WORDS
from tensix_gdb.core.assembly.tensix_text import ignored, undefined
from tensix_gdb.core.isa import masks
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.config_words import fields_of_word
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.operand import Bits, Choice
from tensix_gdb.core.tensix.instruction import Instruction, Status
from tensix_gdb.core.tensix.sync import has_mutex
from tensix_gdb.core.tensix.vector.operations.approximate import ERRORS, EXP, EXP_END
from tensix_gdb.core.waits.tensix import CONDITIONS, DEFAULT_CONDITIONS, DEFAULT_FLUSH

# STALLWAIT.md, notes on the conditions: block bits of which one should be there, what they hold,
# and what comes of it if none is.
_BUSY = "new ones keep it waiting"
NEEDED: dict[str, tuple[Block, str, str]] = {
    "UNPACK0": (Block.B0 | Block.B3, "UNPACR", _BUSY),
    "UNPACK1": (Block.B0 | Block.B3, "UNPACR", _BUSY),
    "PACK": (Block.B0 | Block.B2, "PACR", _BUSY),
    "PACK0": (Block.B0 | Block.B2, "PACR", _BUSY),
    "PACK1": (Block.B0 | Block.B2, "PACR", _BUSY),
    "PACK2": (Block.B0 | Block.B2, "PACR", _BUSY),
    "PACK3": (Block.B0 | Block.B2, "PACR", _BUSY),
    "MATH": (Block.B6, "Matrix Unit instructions", _BUSY),
    "XMOV": (Block.B0 | Block.B4, "XMOV", _BUSY),
    "TRISC_CFG": (Block.B0 | Block.B3, "UNPACR", "it can still read the old configuration"),
    "WAIT_SFPU": (Block.B8, "Vector Unit instructions", _BUSY),
    "CFGEXU": (Block.B7, "Configuration Unit instructions", _BUSY),
}
OTHERS = {
    "XMOV": "the Mover's work for other threads and for TDMA-RISC keeps it waiting too",
    "CFGEXU": "other threads' instructions in the Configuration Unit keep it waiting too",
    "TRISC_CFG": "it sees requests of the thread's own T core, and none of B, NC or another T core",
}


def warnings_of(row: Instruction, word: int, arch: Arch) -> Iterator[str]:
    """Yield the warnings about `word`, which is an instruction of `row`."""
    if row.undefined_bits(word):
        yield f"{undefined(word, arch)}: undefined behaviour"
    if row.status is Status.UNDOCUMENTED:
        yield "no page documents this instruction; the emulator stops at it"
    fields = row.encoding.decode(word)
    for name, value in fields.items():
        kind = row.operands[name].kind
        # Kinds of bits (a subclass) have a name for every sum.
        if type(kind) is Choice and kind.names and not kind.meaning(value, arch):
            yield f"{name}={value} is none of the values that the page has"
    if ignored(word, arch):
        yield ignored(word, arch)
    yield from _own(row, fields, arch)


def _own(row: Instruction, fields: dict[str, int], arch: Arch) -> Iterator[str]:
    match row.mnemonic:
        case "STALLWAIT":
            yield from _mask_defaults(fields, arch)
            yield from _conditions(fields, arch)
        case "SEMWAIT":
            yield from _semwait(fields, arch)
        case "STREAMWAIT":
            yield from _block_default(fields)
        case "FLUSHDMA":
            if fields["condition_mask"] == 0:
                names = _names(masks.CONDITIONS_FLUSHDMA, DEFAULT_FLUSH)
                yield f"a condition mask of 0 acts as {names}"
            yield (
                "it keeps the Scalar Unit from all threads; FLUSHDMA.md prefers STALLWAIT with the "
                "same conditions and all bits of the block mask"
            )
        case "MOP" if fields["template"] and (fields["count1"] or fields["mask_lo"]):
            yield "template 1 takes its counts from the configuration; other fields have to be 0"
        case "REPLAY" if not 1 <= fields["count"] <= 32:
            yield f"pages disagree on a count of {fields['count']}; 1 to 32 are safe"
        case "SFPARECIP" if fields["mod1"] < EXP:
            yield f"the reciprocal is wrong by at most {ERRORS[0] / 10:g} %"
        case "SFPARECIP":
            yield (
                f"the power is wrong by at most {ERRORS[1] / 10:g} % for |VC| below {EXP_END}, and "
                "about 4 for all that is larger"
            )
        case "ATGETM" | "ATRELM" if not has_mutex(arch.chip, fields["index"]):
            yield f"there is no mutex {fields['index']} on {arch.title}"
        case "SETC16" if fields["cfg_index"] >= THREAD_CONFIG_WORDS[arch.chip]:
            yield f"ThreadConfig has {THREAD_CONFIG_WORDS[arch.chip]} words: undefined behaviour"
        case "WRCFG" | "RDCFG" | "CFGSHIFTMASK" | "STREAMWRCFG":
            yield from _config(row.mnemonic, fields["cfg_index"], arch)
            if fields.get("is_128_bit"):
                yield from _aligned(fields)
        case "RMWCIB0" | "RMWCIB1" | "RMWCIB2" | "RMWCIB3":
            yield from _config(row.mnemonic, fields["index4"], arch)
        case "REG2FLOP" if row.form == "Configuration" and arch is Arch.BLACKHOLE:
            yield (
                "Blackhole's BackendConfiguration.md has no REG2FLOP, and LLK says that it does "
                "not work; write configuration with WRCFG"
            )


def _names(kind: Bits, value: int) -> str:
    return kind.show(value, Dialect())


def _block_default(fields: dict[str, int]) -> Iterator[str]:
    if fields["block_mask"] == 0:
        yield "a block mask of 0 acts as B6"


def _mask_defaults(fields: dict[str, int], arch: Arch) -> Iterator[str]:
    yield from _block_default(fields)
    if fields["condition_mask"] == 0:
        names = _names(CONDITIONS[arch], DEFAULT_CONDITIONS[arch])
        yield f"a condition mask of 0 acts as {names}"


def _conditions(fields: dict[str, int], arch: Arch) -> Iterator[str]:
    """Conditions with instructions that the block mask does not catch, or with more causes."""
    block = fields["block_mask"] or int(masks.DEFAULT_BLOCK_MASK)
    chosen = fields["condition_mask"] or DEFAULT_CONDITIONS[arch]
    uncaught: dict[tuple[Block, str, str], list[str]] = {}
    for condition in CONDITIONS[arch].names:
        if (
            condition.value & chosen
            and condition.llk[0] in NEEDED
            and not block & NEEDED[condition.llk[0]][0]
        ):
            uncaught.setdefault(NEEDED[condition.llk[0]], []).append(condition.text)
    for (needed, held, consequence), names in uncaught.items():
        bits = " or ".join(_names(masks.BLOCK_MASK, int(bit)) for bit in needed)
        yield (
            f"{' and '.join(names)}: this block mask does not catch {held}, which takes {bits}; "
            f"{consequence}"
        )
    for condition in CONDITIONS[arch].names:
        if condition.value & chosen and condition.llk[0] in OTHERS:
            yield f"{condition.text}: {OTHERS[condition.llk[0]]}"


def _semwait(fields: dict[str, int], arch: Arch) -> Iterator[str]:
    yield from _block_default(fields)
    if fields["condition_mask"] == 0:
        names = _names(CONDITIONS[arch], DEFAULT_CONDITIONS[arch])
        yield (
            "a condition mask of 0 is undefined on the newest page, and the emulated tile stops; "
            f"on older ones it makes it STALLWAIT wait={names}"
        )
    elif fields["semaphore_mask"] == 0:
        yield "no semaphore is selected, so there is nothing to wait for"
    if arch is Arch.WORMHOLE and not fields["block_mask"] & Block.B1:
        yield "without B1 a later SEMWAIT passes, and then this wait is forgotten"


def _config(mnemonic: str, index: int, arch: Arch) -> Iterator[str]:
    if index >= CONFIG_WORDS[arch.chip]:
        yield f"a bank of Config has {CONFIG_WORDS[arch.chip]} words: undefined behaviour"
    elif not fields_of_word(arch, index, thread=False):
        yield f"word {index} has no named field"
    if mnemonic == "WRCFG":
        yield "the next instruction must not use what it writes; put a NOP between"


def _aligned(fields: dict[str, int]) -> Iterator[str]:
    if fields["cfg_index"] & 3 or fields["input_reg"] & 3:
        yield "of 128-bit writes the low two bits of both indexes do not count"

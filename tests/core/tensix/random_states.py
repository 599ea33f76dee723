# SPDX-License-Identifier: Apache-2.0
"""Random words of one instruction, and random states on which they mean something.

    arrange(machine, row, draw, arch)       a state: data, counters, formats, banks, templates
    drawn(row, draw, arch)                  a word; the fields that choose modes are often small

Words of configuration that are drawn are those that only keep what is written. Some others act:
PRNG_SEED, STATE_RESET_EN, what invalidates caches (BackendConfiguration.md).
"""

from __future__ import annotations

import random
from array import array

from tensix_gdb.core.devices.overlay import NUMBERS_ON_WORMHOLE, OVERLAY_BASE, STREAM_STRIDE
from tensix_gdb.core.devices.wormhole import config_words
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.isa.schema import EncodingError
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.tensix.instruction import Instruction, Unit
from tensix_gdb.core.tensix.mover.unit import DESTINATION_WORD, SIZE_WORD, SOURCE_WORD
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS
from tensix_gdb.core.tensix.packer.metadata import Source
from tensix_gdb.core.tiles.configuration.packer import pack
from tensix_gdb.core.tiles.configuration.setting import Setup
from tensix_gdb.core.tiles.configuration.unpacker import unpack
from tests.core.tensix.drive import run_thread
from tests.core.tensix.programs import word as encoded
from tests.core.tensix.scalar.test_gpr_uses import FIXED, ROOM, values
from tests.core.tensix.vector.macros import FP32, SIMPLE, STORE, step

THREAD = 1
POINTER = 23  # MSG_INFO_WR_PTR keeps what is written


def stream(chip: int) -> int:
    """Return the address of a register of the overlay, as pushed instructions name it."""
    number = NUMBERS_ON_WORMHOLE[POINTER] if chip else POINTER
    return OVERLAY_BASE + 3 * STREAM_STRIDE + 4 * number & 0xFFFFF


def fill(machine: Machine, path: str, data: bytes, first: int = 0) -> None:
    slot = LAYOUT.slot(*path.split("."))
    machine.record.row(slot)[first : first + len(data)] = data


def some(kind: str, count: int, pool: list[int], draw: random.Random) -> bytes:
    """`count` elements, drawn from few values."""
    return array(kind, draw.choices(pool, k=count)).tobytes()


def fp32(draw: random.Random) -> int:
    return draw.getrandbits(1) << 31 | draw.randrange(120, 134) << 23 | draw.getrandbits(23)


def put(machine: Machine, setup: Setup) -> None:
    """Configuration of a unit, for all threads and in both banks."""
    S = machine.S
    for (is_thread, at), value in setup.words().items():
        for i in range(3 if is_thread else 2):
            if setup.arch is Arch.WORMHOLE and is_thread:
                config_words.set_thread_config(S, i, at, value)
            elif setup.arch is Arch.WORMHOLE:
                old = config_words.word_of(S, i, at)
                config_words.set_config(S, i, at, old | value)
            elif is_thread:
                S.config.thread[i, at] |= value
            else:
                S.config.word[i, at] |= value


def arrange(machine: Machine, row: Instruction, draw: random.Random, arch: Arch) -> None:
    """A random state on which the instruction means something."""
    machine.reset()
    S = machine.S
    for unit, make in ((Unit.PACKER, pack), (Unit.UNPACKER, unpack)):
        if row.unit is unit:
            setup = make("bf16", arch=arch)
            if unit is Unit.UNPACKER:
                setup = make("bf16", to=draw.choice(("srca", "dst")), arch=arch)
                put(machine, make("bf16", to="srcb", arch=arch))
            put(machine, setup)
            run_thread(machine, setup.prepares, THREAD)
    bf16 = [
        draw.getrandbits(1) << 15 | draw.getrandbits(7) << 8 | draw.randrange(120, 134)
        for _ in range(64)
    ]
    fill(machine, "dst.bits", some("H", 1024 * 16, bf16, draw))
    of_sources = [value << 3 for value in bf16]
    fill(machine, "src.a", some("I", 2 * 64 * 16, of_sources, draw))
    fill(machine, "src.b", some("I", 2 * 64 * 16, of_sources, draw))
    lregs = [fp32(draw) for _ in range(60)] + [0, draw.randrange(8)]
    fill(machine, "vector.lreg", some("I", 7 * 32, lregs, draw))
    fill(machine, "vector.lreg", some("I", 32, list(range(8)), draw), 7 * 32 * 4)
    fill(machine, "vector.prng", draw.randbytes(32 * 4))
    fill(machine, "l1.word", draw.randbytes(0x4000), 0x10000)
    fill(machine, "l1.word", draw.randbytes(0x4000), 0x21000)
    gprs = values(row, draw)
    if row.name == "STOREIND.MMIO" and draw.random() < 0.5:
        gprs = [stream(int(S.tile.chip))] * 64
    fill(machine, "gpr.word", array("I", gprs * 3).tobytes())
    S.vector.flags, S.vector.use_flags = draw.getrandbits(32), draw.getrandbits(32)
    for i in range(2):
        S.vector.stack_flags[i], S.vector.stack_use[i] = draw.getrandbits(32), draw.getrandbits(32)
        S.vector.stack_valid[i] = 0xFFFFFFFF
    indexed = draw.choice((0, 0, 0b11))  # of LaneConfig: ENABLE_DEST_INDEX and its capture
    for i in range(8):
        S.semaphore.value[i], S.semaphore.max[i] = draw.randrange(16), draw.randrange(16)
        S.mutex.holder[i] = draw.choice((0, 1 + THREAD))
        S.vector.config[i] = indexed
        schedule(machine, i, draw)
    if row.unit is Unit.MISC:
        fill(machine, "adc.value", some("I", 72, [draw.getrandbits(9) for _ in range(8)], draw))
        fill(machine, "adc.cr", some("I", 72, [draw.getrandbits(9) for _ in range(8)], draw))
        fill(machine, "src.unpack_row", bytes([16] * 6))
    if row.unit is Unit.UNPACKER:
        S.unpack.accumulator[0] = S.unpack.accumulator[1] = 5
        fill(machine, "unpack.context", bytes([1] * 6))
        fill(machine, "src.unpack_row", bytes([16] * 6))
    if row.name == "SETDMAREG.Special":
        fill(machine, "pack.acc_size", array("H", [7, 7, 7]).tobytes())
    if row.mnemonic == "CLREXPHIST":
        fill(machine, "pack.bins", bytes([3] * 32))
    if row.mnemonic == "STREAMWRCFG":
        fill(machine, "overlay.word", draw.randbytes(64 * 76 * 4))
    if row.mnemonic == "ATCAS":  # which waits for a value
        fill(machine, "l1.word", bytes(0x4000), 0x10000)
    if row.mnemonic == "XMOV":
        to_config = draw.random() < 0.5
        for word, value in zip(MOVER_WORDS, MOVES[to_config], strict=True):
            S.config.word[0, word] = value
    if row.mnemonic == "MOP":
        for i in range(9):
            S.mop_config.word[THREAD, i] = NOP if i > 1 else 1
    if row.name == "PACR_SETREG.Write":
        S.pack.prepared = 77
        for word in SETREG_WORDS:
            S.config.word[0, word] = (ROOM & 0xFFF) >> 2 << 12 | (ROOM & 0xFFF) >> 2
    S.rwc.dst[THREAD], S.rwc.dst_cr[THREAD] = 8 * draw.randrange(8), 8 * draw.randrange(8)
    S.rwc.src_a[THREAD], S.rwc.src_b[THREAD] = 16 * draw.randrange(2), 16 * draw.randrange(2)
    S.src.last_a_row = 16 * draw.randrange(4)
    for word in range(12, 41):  # address modifiers
        if row.unit in (Unit.FPU, Unit.SFPU):
            S.config.thread[THREAD, word] |= draw.choice((0, 4, 8))
    for source in range(2):
        for bank in range(2):
            mine = row.unit is Unit.FPU
            S.busy.src_client[source, bank] = MATRIX_OWNS if mine else 0


def drawn(row: Instruction, draw: random.Random, arch: Arch) -> int | None:
    """A word of the instruction; None if these fields make another one."""
    fields = {name: draw.getrandbits(f.width) for name, f in row.encoding.fields.items()}
    for name, field in row.encoding.fields.items():
        if field.signed:
            fields[name] -= fields[name] >> field.width - 1 << field.width
        fields[name] &= field.coverage if not field.signed else -1
    fields |= FIXED.get(row.name, {})
    if "vd" in fields and row.unit is Unit.SFPU:
        fields["vd"] = draw.randrange(8) if draw.random() < 0.7 else draw.randrange(8, 16)
    for name in fields:
        if name in ("mode", "mod1", "mod0", "clear_mode") and draw.random() < 0.5:
            fields[name] &= 3
        elif name in ("cfg_index", "index4"):
            fields[name] = draw.randrange(28, 36) if row.mnemonic == "SETC16" else 12
        elif name in ("stream_select", "reg_index", "thread_override", "override_thread"):
            fields[name] = 0
        elif name == "index" and row.unit is Unit.SYNC:
            fields[name] = draw.choice((0, 2, 3, 4))
        elif name in ("dst_row", "imm10", "src_row", "srca_row", "srcb_row"):
            fields[name] &= 0x38
    if row.name == "SETDMAREG.Special":
        fields["input_source"] = draw.choice((Source.TILE_SIZE, Source.CLEAR_SIZE))
        fields["which_packers"] = fields["input_source"] == Source.CLEAR_SIZE
    if row.name == "STOREREG" and draw.random() < 0.5:
        fields["addr_lo"] = stream(arch.chip) >> 2
    good = GOOD.get(row.name, {})
    fields |= {name: good[name] for name in good if name in fields}
    try:
        return row.encoding.encode(**fields)
    except EncodingError:
        return None


# Fields with which an instruction means something on these states.
GOOD: dict[str, dict[str, int]] = {
    "UNPACR.Regular": {
        **dict.fromkeys(("context_number", "row_search", "srcb_bcast", "rareb_en"), 0),
        **{"multi_context_mode": 1, "context_adc": THREAD},
    },
    "PACR": {"ctxt_ctrl": 0, "cfg_context": 0, "packer_mask": 1, "ovrd_thread_id": 0, "last": 1},
    "UNPACR_NOP.SETREG": {"accumulate": 1, "value11": 0},
    "PACR_SETREG.Write": {"push": 1, "flush": 1, "stream_id": ROOM >> 12},
    "PACR_SETREG": {"addr_mid": ROOM >> 12},
    "ATINCGETPTR": {"no_incr": 0, "int_width": 14},
    "MOP": {"template": 1, "count1": 0, "mask_lo": 0},
    "SFPLOADMACRO": {"macro_index": 0},
    "REPLAY": {"count": 1},
}
NOP = 0x02000000
SETREG_WORDS = [
    config_fields(Arch.BLACKHOLE)[f"THCON_SEC{i}_REG10_Packer_Reg_Wr_Addr"].word for i in range(2)
]
MOVER_WORDS = (SOURCE_WORD, DESTINATION_WORD, SIZE_WORD)
# Source, destination, units and direction: L1 to L1, and L1 to configuration.
MOVES = {False: (0x1000, 0x1100, 0xC0000002), True: (0x1000, 4, 0x40000001)}


def schedule(machine: Machine, column: int, draw: random.Random) -> None:
    """Let sequence 0 of SFPLOADMACRO schedule one of TEMPLATES and a store in a column."""
    S = machine.S
    template = TEMPLATES[S.vector.flags % len(TEMPLATES)]
    for j in range(4):
        S.vector.template[j, column] = template
        S.vector.sequence[j, column] = step(4, 0, by_vb=True) << SIMPLE | step(3, 1) << STORE
    S.vector.misc[column] = FP32


# VD 12 is that of a template; the macro replaces it.
TEMPLATES = tuple(
    encoded(text)
    for text in (
        *("SFPSETCC imm1=1, vc=L1, vd=12, mod1=IMM_BIT0", "SFPPUSHC vd=12, mod1=0"),
        *("SFPMOV vc=9, vd=12, mod1=FROM_SPECIAL", "SFPNOT vc=L1, vd=12"),
    )
)

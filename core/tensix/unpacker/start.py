# SPDX-License-Identifier: Apache-2.0
"""The beginning of UNPACR: from configuration and counters to addresses (UNPACR_Regular.md).

`start` goes through the functional model up to its loop and leaves what the loop needs in the
unpacker's queue, or says which fault it is. What the page leaves undefined is a fault here, before
the instruction passes the gate, as far as it depends on no data.

The halves of that are in source.py and target.py.
"""

from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.regfiles.adc import Y, Z, add_to_counter
from tensix_gdb.core.tensix.unpacker import config as config
from tensix_gdb.core.tensix.unpacker import queue as queue
from tensix_gdb.core.tensix.unpacker.config import value
from tensix_gdb.core.tensix.unpacker.context import count_on
from tensix_gdb.core.tensix.unpacker.formats import (
    E4M3,
    IS_32_BIT,
    IS_BFP,
    NO_CONVERSION,
    conversion_of,
)
from tensix_gdb.core.tensix.unpacker.source import source
from tensix_gdb.core.tensix.unpacker.target import destination

USE_COUNTER = 0x10000  # of `modes`; none of the queue's flags
_PAGE = "UNPACR_Regular.md, Performance"
ADDRESS_CYCLES = cost(
    "unpacker.address", 2, "cycles", "in which UNPACR calculates addresses and its thread starts "
    "nothing",
    source=_PAGE, trust=Trust.PAGE,
)  # fmt: skip
COMPRESSED_ADDRESS_CYCLES = cost(
    "unpacker.compressed_address", 4, "cycles", "the same of compressed data", source=_PAGE,
    trust=Trust.UNKNOWN, note="the page has \"more\" than two",
)  # fmt: skip
# UNSPECIFIED(UNPACR_Regular.md): cycles from there to the first datum; as long as a hart's load.
FETCH_CYCLES = cost(
    "unpacker.fetch", 8, "cycles", "from the addresses to the first datum", source=_PAGE,
    trust=Trust.UNKNOWN, note="no page has it; as long as a hart's load from L1",
)  # fmt: skip
NO_ADC, ONLY_CONTEXTS_OF_1 = 3, 2


def start(
    S: View,
    thread: int,
    unpacker: int,
    increments: int,
    context_number: int,
    context_adc: int,
    multi_context: int,
    modes: int,
    row_search: int,
) -> int:
    """Begin an UNPACR; 0 or a Fault. `modes`: FLIP, ALL_ZERO, USE_COUNTER.

    `increments` are the four fields of the instruction, of channel 1 first.
    """
    bank = bank_of(S, thread)
    j = queue.tail(S, unpacker)
    queue.describe(S, thread, j, queue.MOVE, bank)
    S.unpack.flags[j] = modes & (queue.FLIP | queue.ALL_ZERO)
    use_counter = modes & USE_COUNTER
    context = 0
    adc = thread
    if multi_context:
        context = S.unpack.context[unpacker, thread] if use_counter else context_number
        context = (context + config.context_offset(S, thread, unpacker)) & 7
        adc = context_adc
        if adc == NO_ADC or (unpacker and context >= ONLY_CONTEXTS_OF_1):
            return Fault.UNPACK_CONTEXT
    wrong = formats(S, bank, unpacker, j, context, multi_context)
    if wrong == 0:
        wrong = source(S, thread, unpacker, j, context, multi_context, adc, row_search)
    if wrong == 0:
        wrong = destination(S, thread, unpacker, j, context, multi_context)
    if wrong:
        return wrong
    if multi_context and use_counter:
        count_on(S, bank, thread, unpacker, context)
    increment(S, thread, unpacker, increments)
    if adc != thread:
        increment(S, adc, unpacker, increments)
    compressed = S.unpack.flags[j] & queue.COMPRESSED
    cycles = COMPRESSED_ADDRESS_CYCLES if compressed else ADDRESS_CYCLES
    queue.calculate_addresses(S, thread, cycles)
    return queue.enter(S, unpacker, thread, j, cycles + FETCH_CYCLES)


def increment(S: View, thread: int, unpacker: int, increments: int) -> int:
    """Move the counters of one thread."""
    add_to_counter(S, thread, unpacker, 1, Y, (increments >> 6) & 3)
    add_to_counter(S, thread, unpacker, 1, Z, (increments >> 4) & 3)
    add_to_counter(S, thread, unpacker, 0, Y, (increments >> 2) & 3)
    return add_to_counter(S, thread, unpacker, 0, Z, increments & 3)


def formats(S: View, bank: int, unpacker: int, j: int, context: int, multi_context: int) -> int:
    """Formats, and where the datums go.

    UNSPECIFIED(UNPACR_Regular.md): zeros where there is no conversion, which the page has undefined
    like any datums. LLK has one such UNPACR to SrcA after those of 32 bits to Dst, against erratum
    TEN-3868 (cunpack_common.h of Wormhole, unpack_to_dest_tile_done); they are zeros.
    """
    at = unpacker * config.CONTEXTS + context
    if multi_context and value(S, bank, config.OVERRIDE_FORMAT[unpacker]):
        given = value(S, bank, config.IN_FORMAT_CNTX[at])
        wanted = value(S, bank, config.OUT_FORMAT_CNTX[at])
    else:
        given = value(S, bank, config.IN_FORMAT[unpacker])
        wanted = value(S, bank, config.OUT_FORMAT[unpacker])
    to_dst = 0
    if unpacker == 0:
        how = config.IF_SEL_CNTX[at] if multi_context else config.IF_SEL[unpacker]
        to_dst = value(S, bank, how)
    conversion = conversion_of(given, wanted, to_dst)
    if conversion == NO_CONVERSION and not S.unpack.flags[j] & queue.ALL_ZERO:
        return Fault.UNPACK_FORMAT
    S.unpack.conversion[j] = conversion
    S.unpack.in_format[j] = given
    S.unpack.format[j] = wanted
    S.unpack.modes[j] = E4M3 if value(S, bank, config.FP8_E4M3[unpacker]) else 0
    if to_dst:
        S.unpack.target[j] = queue.DST_32 if IS_32_BIT[wanted] else queue.DST_16
    else:
        S.unpack.target[j] = queue.SRC_B if unpacker else queue.SRC_A
    if multi_context:
        uncompressed = value(S, bank, config.UNCOMPRESSED_CNTX[at])
    else:
        uncompressed = value(S, bank, config.IS_UNCOMPRESSED[unpacker])
    if not uncompressed:
        S.unpack.flags[j] |= queue.COMPRESSED
    if IS_BFP[given]:
        S.unpack.flags[j] |= queue.HAS_EXPONENTS
        if value(S, bank, config.FORCE_EXPONENT[unpacker]):
            S.unpack.flags[j] |= queue.FORCED_EXPONENT
            S.unpack.exponent[j] = value(S, bank, config.FORCED_EXPONENT[unpacker])
    return 0

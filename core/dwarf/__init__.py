# SPDX-License-Identifier: Apache-2.0
"""The debug information of a program: types, variables, lines, frames.

    types        shapes of data, and bytes as Python values and back
    info         an ELF file's functions and variables; lines and callframes are its line rows
                 and its call frame information; typereader and parsing read the entries
    named        code by the name of a function, also where it was inlined
    expression   where a variable is: location expressions, over registers and memory
    frames       the callers: call frame information, unwound over registers and memory
    scope        names in a frame, and paths such as `pipeline.ring.slot[2].value`

Nothing here knows a machine: registers and memory come in as functions. With `core.program.elf` the
only importer of elftools.
"""

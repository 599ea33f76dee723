# SPDX-License-Identifier: Apache-2.0
"""The V extension of T2.

fields.py      the registers; vl and vtype are CSRs (core/riscv/csrs.py)
rows.py        every arithmetic instruction by name: what it reads, what it writes, its operation
integer.py, fixed.py, floating.py   operations on elements
configure.py   vsetvli and its like; which settings there are
legal.py       register groups that an instruction may name
arithmetic.py  what goes element by element; permute.py, mask.py the rest
memory.py      loads and stores
timed.py       the same with time

The page has deviations: vstart is always 0; tail and masked-off elements are undisturbed; no vill
bit; no divisions, roots, reciprocals; floating point as the scalar instructions have it.
"""

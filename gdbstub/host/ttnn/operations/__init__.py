# SPDX-License-Identifier: Apache-2.0
"""The device time of each operation of a ttnn program, as tt-metal's profiler has it in a table.

It is `tensix-gdb ttnn --operations`. `run.py` and `captured.py` run in the Python of the program,
which may be 3.10.
"""

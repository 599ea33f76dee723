# SPDX-License-Identifier: Apache-2.0
"""A tile as one file that anyone opens in a browser: `tensix-gdb share`."""

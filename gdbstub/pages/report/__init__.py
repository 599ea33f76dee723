# SPDX-License-Identifier: Apache-2.0
"""The sentences of a timeline or a profile: `tensix-gdb report`."""

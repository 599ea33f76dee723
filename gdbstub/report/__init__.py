# SPDX-License-Identifier: Apache-2.0
"""What a timeline or a profile says, in sentences: `tensix-gdb report`."""

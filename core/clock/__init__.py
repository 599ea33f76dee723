# SPDX-License-Identifier: Apache-2.0
"""What a cycle is, in `sc` and with time; pending events, and the hang watchdog."""

# SPDX-License-Identifier: Apache-2.0
"""What a cycle is, in `sc` and with time; polling, pending events, the hang watchdog."""

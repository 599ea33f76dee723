# SPDX-License-Identifier: Apache-2.0
"""The cycle, in `sc` and with time; polling, pending events, the hang watchdog."""

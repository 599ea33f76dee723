# SPDX-License-Identifier: Apache-2.0
"""Checks of synchronisation itself: S1 to S12, each on its own switch."""

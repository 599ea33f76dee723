# SPDX-License-Identifier: Apache-2.0
"""Devices that are otherwise on Wormhole; those that are not here are as in the folder above."""

# SPDX-License-Identifier: Apache-2.0
"""Wormhole's four packers, which take turns in the rows of one"""

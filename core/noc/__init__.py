# SPDX-License-Identifier: Apache-2.0
"""Requests over the network on chip."""

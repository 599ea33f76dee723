# SPDX-License-Identifier: Apache-2.0
"""Packet logs of `serve --rsp-log`, played against a fresh tile."""

# SPDX-License-Identifier: Apache-2.0
"""Tiles behind the interface of simulators that drivers load as a library. README.md has how."""

# SPDX-License-Identifier: Apache-2.0
"""The library that drivers load as their simulator, and the tiles' server. README.md says how."""

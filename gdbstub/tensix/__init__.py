# SPDX-License-Identifier: Apache-2.0
"""The tile as a target of the protocol."""

# SPDX-License-Identifier: Apache-2.0
"""The host of programs in a session."""

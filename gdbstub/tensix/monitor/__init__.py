# SPDX-License-Identifier: Apache-2.0
"""The `monitor` commands, one file for each subject."""

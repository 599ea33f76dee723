# SPDX-License-Identifier: Apache-2.0
"""Pictures and pages of a tile and of a run: live, as files, in sentences."""

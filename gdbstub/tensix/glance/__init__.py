# SPDX-License-Identifier: Apache-2.0
"""The tile at a glance: what its units, banks and Dst have, for `monitor status` and pictures."""

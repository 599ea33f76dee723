# SPDX-License-Identifier: Apache-2.0
"""One tile for several clients: who drives, who waits, who is told."""

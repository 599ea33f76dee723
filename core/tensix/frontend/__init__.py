# SPDX-License-Identifier: Apache-2.0
"""FIFOs, MOP Expander and Replay Expander, before the wait gate."""

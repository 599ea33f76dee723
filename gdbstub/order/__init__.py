# SPDX-License-Identifier: Apache-2.0
"""Which orders are certain: races of a run, runs in another order, a question about two lines."""

# SPDX-License-Identifier: Apache-2.0
"""What the page shows of the history: timelines, changes of a word, where a value came from."""

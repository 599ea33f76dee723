# SPDX-License-Identifier: Apache-2.0
"""The history on the page: timelines, changes of a word, where a value came from."""

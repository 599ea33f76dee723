# SPDX-License-Identifier: Apache-2.0
"""Kinds of failures that public reports are about, each as a small input, with the page's cause."""

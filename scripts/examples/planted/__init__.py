# SPDX-License-Identifier: Apache-2.0
"""Kernels with a bug in each, and the commands that find it: manual chapter `bugs`.

`python -m scripts.examples.planted` plants them, types the commands, and writes the chapter.
"""

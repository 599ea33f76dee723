# SPDX-License-Identifier: Apache-2.0
"""Loops in which harts poll: the word, what ends the loop, whether it goes round for ever"""

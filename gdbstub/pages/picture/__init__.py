# SPDX-License-Identifier: Apache-2.0
"""The tile as a picture: what each part of it has and does, for files, pages and terminals"""

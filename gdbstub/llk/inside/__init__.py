# SPDX-License-Identifier: Apache-2.0
"""A plugin of the pytest that runs LLK's tests, in a Python that has nothing of this package."""

# SPDX-License-Identifier: Apache-2.0
"""A whole run as one HTML file: `run --html FILE`, `replay RECORDING --html FILE`."""

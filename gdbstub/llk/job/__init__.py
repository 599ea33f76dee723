# SPDX-License-Identifier: Apache-2.0
"""The job of `tensix-gdb llk --ci`: what changed is run, what is known is kept, and the reports."""

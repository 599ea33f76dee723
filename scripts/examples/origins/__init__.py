# SPDX-License-Identifier: Apache-2.0
"""Four wrong numbers: in each `tensix-gdb origin` names the line. Made for the manual."""

# SPDX-License-Identifier: Apache-2.0
"""The layout of `--help`: no name is broken at a hyphen, and the usage has a few lines."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable
from typing import Any

MOST = 4  # lines of usage; with more, the options are in the list below alone


class HelpText(argparse.HelpFormatter):
    """argparse's own text, but for these two."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(
            " ".join(text.split()), width, break_on_hyphens=False, break_long_words=False
        )

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return textwrap.fill(
            " ".join(text.split()),
            width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_on_hyphens=False,
            break_long_words=False,
        )

    def _format_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Any,
        prefix: str | None,
    ) -> str:
        actions = list(actions)
        whole = super()._format_usage(usage, actions, groups, prefix)
        if usage is not None or len(whole.strip().splitlines()) <= MOST:
            return whole
        needed = [one for one in actions if one.required and one.option_strings]
        others = [one for one in actions if not one.option_strings]
        shown = [argparse.Action([], "", metavar="OPTION", nargs="*"), *needed, *others]
        return super()._format_usage(usage, shown, [], prefix)

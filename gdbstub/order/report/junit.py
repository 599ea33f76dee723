# SPDX-License-Identifier: Apache-2.0
"""Races as JUnit XML, which CI systems show as tests: a report that counts is one that failed."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from tensix_gdb.gdbstub.order.report.known import Judged, Judgement
from tensix_gdb.gdbstub.order.report.text import report_lines, summary, title

# What XML 1.0 has no way to write.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_text(judgement: Judgement) -> str:
    """Return the file. A run without reports is one test that has passed."""
    reports = judgement.reports
    suite = ET.Element(
        "testsuite",
        name="races",
        tests=str(len(reports) or 1),
        failures=str(len(judgement.new)),
        errors="0",
        skipped=str(len(reports) - len(judgement.new)),
    )
    for one in reports:
        _case(suite, one)
    if not reports:
        ET.SubElement(suite, "testcase", classname="races", name=summary(judgement))
    ET.indent(suite)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(suite, encoding="unicode")}\n'


def _case(suite: ET.Element, judged: Judged) -> None:
    one = judged.located
    case = ET.SubElement(
        suite,
        "testcase",
        classname=f"races.{one.report.check or one.report.verdict.value}",
        name=_clean(f"{one.report.place.name}: {', then '.join(s.place for s in one.sides)}"),
    )
    if judged.suppression is not None:
        ET.SubElement(case, "skipped", message=_clean(judged.suppression.reason))
    elif judged.is_known:
        ET.SubElement(case, "skipped", message="in the baseline")
    else:
        failure = ET.SubElement(case, "failure", message=_clean(title(one)))
        failure.text = _clean("\n".join(report_lines(one)))


def _clean(text: str) -> str:
    return _NO_XML.sub("?", text)

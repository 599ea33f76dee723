# SPDX-License-Identifier: Apache-2.0
"""A job as JUnit XML: each test, and each report as a test that fails if it is news."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from tensix_gdb.gdbstub.llk.job.findings import NEW, Finding
from tensix_gdb.gdbstub.llk.job.report import Failure, Job, said_tests, seeds_lines
from tensix_gdb.gdbstub.llk.job.store import Result
from tensix_gdb.gdbstub.llk.tree import file_of

# What XML 1.0 has no way to write.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_text(job: Job) -> str:
    """Return the file."""
    suites = ET.Element("testsuites", name="tensix-gdb llk")
    for chip, results in job.results.items():
        failures = {one.result.test: one for one in job.failures if one.chip == chip}
        by_file: dict[str, list[Result]] = {}
        for result in results:
            by_file.setdefault(file_of(result.test), []).append(result)
        for name, group in by_file.items():
            suite = ET.SubElement(suites, "testsuite", name=f"{chip} {name}")
            for result in group:
                _test(suite, f"{chip}.{_module(name)}", result, failures.get(result.test))
            _count(suite)
        suite = ET.SubElement(suites, "testsuite", name=f"{chip} reports")
        for finding in job.findings:
            if finding.chip == chip:
                _report(suite, finding)
        _count(suite)
    ET.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(suites, encoding="unicode")}\n'


def _module(name: str) -> str:
    return name.removesuffix(".py").replace("/", ".")


def _test(suite: ET.Element, module: str, result: Result, failure: Failure | None) -> None:
    # What was kept has cost nothing.
    seconds = 0.0 if result.kept else result.seconds
    name = result.test.partition("::")[2] or result.test
    case = ET.SubElement(suite, "testcase", classname=module, name=_clean(name))
    case.set("time", f"{seconds:.3f}")
    if result.kept:
        properties = ET.SubElement(case, "properties")
        ET.SubElement(properties, "property", name="kept", value=f"the same {result.kept}")
    if result.outcome == "skipped":
        ET.SubElement(case, "skipped", message=_clean(result.why()))
    elif failure is not None and failure.state != NEW:
        ET.SubElement(case, "skipped", message=_clean(failure.reason or failure.state))
    elif failure is not None:
        said = ET.SubElement(case, "failure", message=_clean(result.why()))
        said.text = _clean("\n".join([result.reason, *result.faults, *seeds_lines(result.seeds)]))


def _report(suite: ET.Element, one: Finding) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=f"{one.chip}.reports.{one.rule}", name=_clean(one.title)
    )
    if one.state != NEW:
        ET.SubElement(case, "skipped", message=_clean(one.reason or one.state))
        return
    said = ET.SubElement(case, "failure", message=_clean(one.title))
    text = [one.text, f"In {said_tests(one.tests)}", *seeds_lines(one.seeds)]
    said.text = _clean("\n".join(text))


def _count(suite: ET.Element) -> None:
    suite.set("tests", str(len(suite)))
    for what in ("failure", "skipped"):
        count = len(suite.findall(f"testcase/{what}"))
        suite.set("failures" if what == "failure" else what, str(count))
    suite.set("errors", "0")
    suite.set("time", f"{sum(float(case.get('time', 0)) for case in suite):.3f}")


def _clean(text: str) -> str:
    return _NO_XML.sub("?", text)

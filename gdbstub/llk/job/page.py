# SPDX-License-Identifier: Apache-2.0
"""A job as one HTML page without scripts or other files: what is news first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from tensix_gdb.gdbstub.llk.job.findings import NEW, Finding
from tensix_gdb.gdbstub.llk.job.report import Failure, Job, seeds_lines
from tensix_gdb.gdbstub.llk.job.store import Result
from tensix_gdb.gdbstub.llk.tree import file_of
from tensix_gdb.gdbstub.order.report.text import plural

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem;
  color: #1c1c1c; background: #fff }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #ddd;
  vertical-align: top }
td.n, th.n { text-align: right }
pre { background: #f5f5f3; padding: .7rem; overflow-x: auto; white-space: pre-wrap }
details { margin: .5rem 0 } summary { cursor: pointer }
.bad { color: #a4161a } .good { color: #1b6e3c } .quiet { color: #5a5a5a }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #16181a } pre { background: #222629 }
  th, td { border-color: #3a3f44 } .bad { color: #ff8a8a } .good { color: #7fd6a0 }
  .quiet { color: #a8adb2 }
}
"""


def page_text(job: Job) -> str:
    """Return the page."""
    verdict = "nothing new" if job.is_good else f"{len(job.news) + len(job.failed)} new"
    body = "\n".join(_body(job))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>LLK: {verdict}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n"
        "</body>\n</html>\n"
    )


def _body(job: Job) -> Iterator[str]:
    kind = "good" if job.is_good else "bad"
    yield f'<h1>LLK on an emulated tile: <span class="{kind}">{_verdict(job)}</span></h1>'
    yield f"<p>{escape(job.summary())}</p>"
    yield f'<p class="quiet">{escape(job.compiler)}</p>'
    yield from (f'<p class="bad">{escape(note)}</p>' for note in job.notes)
    if job.failed:
        yield "<h2>Tests that fail</h2>"
        yield from (_failure(one, is_open=True) for one in job.failed)
    if job.news:
        yield "<h2>New reports</h2>"
        yield from (_finding(one, is_open=True) for one in job.news)
    yield "<h2>Files</h2>"
    yield from _files(job)
    quiet = [one for one in job.findings if one.state != NEW]
    known = [one for one in job.failures if one.state != NEW]
    if quiet or known:
        yield "<h2>No news</h2>"
        yield from (_failure(one, is_open=False) for one in known)
        yield from (_finding(one, is_open=False) for one in quiet)
    if job.unused:
        yield "<h2>Suppressions that nothing has needed</h2>"
        yield from (f"<p>{escape(row)}</p>" for row in job.unused)


def _verdict(job: Job) -> str:
    if job.is_good:
        return "nothing new"
    if not any(job.results.values()):
        return "nothing has run"
    failed, news = plural(len(job.failed), "failure"), plural(len(job.news), "new report")
    return f"{failed}, {news}"


def _details(title: str, text: str, tests: Sequence[str], *, is_open: bool) -> str:
    names = "".join(f"<li><code>{escape(test)}</code></li>" for test in tests)
    return (
        f"<details{' open' if is_open else ''}><summary>{escape(title)}</summary>"
        f"<pre>{escape(text)}</pre><ul>{names}</ul></details>"
    )


def _finding(one: Finding, *, is_open: bool) -> str:
    text = "\n".join([one.text, *seeds_lines(one.seeds)])
    why = f" ({one.reason or one.state})" if one.state != NEW else ""
    return _details(f"{one.chip}: {one.title}{why}", text, one.tests, is_open=is_open)


def _failure(one: Failure, *, is_open: bool) -> str:
    result = one.result
    text = "\n".join([result.why(), *result.faults, *seeds_lines(result.seeds)])
    why = f" ({one.reason or one.state})" if one.state != NEW else ""
    return _details(f"{one.chip}: {result.test}{why}", text, [], is_open=is_open)


def _files(job: Job) -> Iterator[str]:
    heads = ("chip", "file", "tests", "passed", "run", "same ELF files", "kept", "reports", "s")
    yield "<table><thead><tr>"
    yield "".join(f"<th{'' if at < 2 else _RIGHT}>{head}</th>" for at, head in enumerate(heads))
    yield "</tr></thead><tbody>"
    for chip, results in job.results.items():
        by_file: dict[str, list[Result]] = {}
        for result in results:
            by_file.setdefault(file_of(result.test), []).append(result)
        for name, group in by_file.items():
            yield _row(chip, name, group)
    yield "</tbody></table>"


_RIGHT = ' class="n"'


def _row(chip: str, name: str, group: Sequence[Result]) -> str:
    identities = {race["identity"] for one in group for race in one.races}
    cells = (
        len(group),
        sum(one.passed for one in group),
        sum(not one.kept for one in group),
        sum(one.kept == "elfs" for one in group),
        sum(one.kept == "files" for one in group),
        len(identities),
        f"{sum(one.seconds for one in group if not one.kept):.1f}",
    )
    numbers = "".join(f"<td{_RIGHT}>{cell}</td>" for cell in cells)
    return f"<tr><td>{chip}</td><td><code>{escape(name)}</code></td>{numbers}</tr>"

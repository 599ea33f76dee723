# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb llk --ci`: what has changed is run, what is known is kept, and all is reported."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from rich.console import Console

from tensix_gdb.gdbstub.kernels.user_cache import turn
from tensix_gdb.gdbstub.llk.chips import COVERED
from tensix_gdb.gdbstub.llk.failing import keep_failed, why_of
from tensix_gdb.gdbstub.llk.job.findings import findings_of
from tensix_gdb.gdbstub.llk.job.inputs import Tree, repository_of
from tensix_gdb.gdbstub.llk.job.junit import junit_text
from tensix_gdb.gdbstub.llk.job.keys import key_of, options_key
from tensix_gdb.gdbstub.llk.job.known import Known, baseline_of, known_of, write_baseline
from tensix_gdb.gdbstub.llk.job.page import page_text
from tensix_gdb.gdbstub.llk.job.report import Failure, Job
from tensix_gdb.gdbstub.llk.job.sarif import sarif_text
from tensix_gdb.gdbstub.llk.job.store import Record, Result, Store, result_of
from tensix_gdb.gdbstub.llk.job.suspicious import run_seeds, suspicious
from tensix_gdb.gdbstub.llk.options import LlkOptions
from tensix_gdb.gdbstub.llk.running import Again, Choice, Outcome, run
from tensix_gdb.gdbstub.llk.suite import LLK, Suite, cache, compiler_name, prepare
from tensix_gdb.gdbstub.llk.tree import (
    copy_of,
    covered_by,
    file_of,
    find_tree,
    named_in,
    of_chip,
    python_of,
    unknown_files,
)
from tensix_gdb.gdbstub.tensix.output.recording import own_version
from tensix_gdb.gdbstub.usage import UsageError

GOOD, NEWS = 0, 1
OBSERVED = ("--races", "default", "--check", "all")
UNCHANGED = "unchanged ELF files"  # as inside/tensix_gdb_llk_built.py has it
NOT_RUN = ("not run", "not collected", "not ended")


def job(options: LlkOptions) -> int:
    """Run it; return the exit status."""
    begun, console, of = monotonic(), Console(), options.job
    given = find_tree(Path(options.suite.llk)) if options.suite.llk else None
    kept = prepare()
    llk = given or kept.llk
    root = _root(llk, options.suite.llk) if options.suite.llk else kept.root
    console.print(f"compiler: {compiler_name(kept)}", highlight=False, soft_wrap=True)
    with contextlib.ExitStack() as stack:
        place = place_of(llk) if options.suite.llk else None
        if place is not None:
            stack.enter_context(turn(place))  # a job at a time has the copy
        runner = Runner(options, llk, root, place, kept)
        runner.known = known_of(root, of.suppressions, of.baseline)
        found = Job(runner.tree, compiler=compiler_name(kept))
        for arch in options.suite.chips:
            found.results[arch] = runner.chip(arch, console, found)
    _judge(found, runner.known)
    found.seconds = monotonic() - begun
    if of.write_baseline:
        path = baseline_of(root, of.baseline)
        failed = [(one.chip, one.result.test) for one in found.failures]
        write_baseline(path, found.findings, failed)
        found.notes.append(f"{path} has {len(found.findings)} reports, {len(failed)} failures")
    _write(found, Path(of.reports))
    for line in found.lines():
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    console.print(f"{of.reports}: junit.xml, results.sarif, index.html", highlight=False)
    return GOOD if found.is_good or of.write_baseline else NEWS


def _root(llk: Path, given: str) -> Path:
    """Return the root of the repository: without one the folder that is given, unless LLK is
    elsewhere, through a link."""
    root = repository_of(Path(given))
    return root if llk.is_relative_to(root) else repository_of(llk)


def place_of(llk: Path) -> Path:
    """The place of a tree's copy: the same each time, as ELF files have the names of folders."""
    return cache() / f"tree-{hashlib.sha256(str(llk).encode()).hexdigest()[:16]}"


class Runner:
    """Runs what has changed."""

    def __init__(
        self, options: LlkOptions, llk: Path, root: Path, place: Path | None, kept: Suite
    ) -> None:
        self._options, self._llk, self._place, self._kept = options, llk, place, kept
        self._suite = kept if place is None else None
        python = kept.python if place is None else python_of(llk, kept)
        copies = [] if place is None else [place / LLK]
        self.tree = Tree(llk, root, copies)
        self.known = Known()
        self._python = python
        self._store = Store(Path(options.job.results) if options.job.results else _results())

    def chip(self, arch: str, console: Console, found: Job) -> list[Result]:
        """Return the results of all tests on a chip."""
        tests = self._llk / "tests" / "python_tests"
        words = of_chip(named_in(tests, self._options.named), arch)
        if not self._options.named:
            words = covered_by(tests, COVERED[arch])
            found.notes += [
                f"{name} is not known to this version: name it to run it"
                for name in unknown_files(tests, arch)
            ]
        results: dict[str, Result] = {}
        for word in words:
            some = self._file(arch, word)
            results |= some
            if any(not one.kept for one in some.values()):
                good = sum(one.passed for one in some.values())
                console.print(f"{arch} {word}: {good} of {len(some)}", highlight=False)
        return list(results.values())

    def _file(self, arch: str, word: str) -> dict[str, Result]:
        """Return the results of a file of tests, or of one test."""
        options, tree = self._options, self.tree
        key = key_of(
            *(options_key(options, arch, self._kept, self._python), word),
            *(tree.name_of(self._llk), tree.common(file_of(word))),
        )
        record = Record({}) if options.job.fresh else self._store.read(key)
        valid = record.valid(tree)
        changed = [test for test in record.tests if test not in valid]
        if record.tests and not changed:
            return valid
        again = Again(changed, record.elfs(changed)) if record.tests else None
        with tempfile.TemporaryDirectory(prefix="llk-runs-") as name:
            folder = Path(name)
            outcomes = self._run(arch, word, folder, again)
            results = {one.test: self._result(record, one) for one in outcomes}
            for one, core in keep_failed(outcomes, folder):
                results[one.test].diagnose = why_of(core)
            self._run_seeds(arch, results, outcomes, folder)
        for test in changed:
            results.setdefault(test, _lost(test))
        if not any(one.outcome in NOT_RUN for one in results.values()):
            record.add(results, tree)
            self._store.write(key, record)
        return {**valid, **results}

    def _run(self, arch: str, word: str, folder: Path, again: Again | None) -> list[Outcome]:
        of = self._options.suite
        choice = Choice(of.variants, of.seed, of.schedule, of.engine, OBSERVED, arch)
        suite = self._copied()
        words = [word, *self._options.of_pytest]
        built = suite.root / "built"
        return run(suite, words, choice, str(folder), built=built, again=again)

    def _copied(self) -> Suite:
        """Return the suite to run, copied when the first test of it has to."""
        if self._suite is None:
            assert self._place is not None
            self._suite = copy_of(self._llk, self._place, self._kept)
        return self._suite

    def _result(self, record: Record, outcome: Outcome) -> Result:
        if outcome.outcome != UNCHANGED:
            return result_of(outcome, self.tree)
        result = record.last(outcome.test)
        result.deps = self.tree.names_of(outcome.deps)
        return result

    def _run_seeds(
        self,
        arch: str,
        results: dict[str, Result],
        outcomes: Sequence[Outcome],
        folder: Path,
    ) -> None:
        seeds = self._options.job.seeds
        of_test = {one.test: one for one in outcomes}
        for test in suspicious(arch, results, self.known) if seeds else ():
            if not results[test].seeds:
                results[test].seeds = run_seeds(of_test[test], folder, seeds)


def _lost(test: str) -> Result:
    return Result(test, "not ended", "the suite has ended before this test", 0.0, 0, [], [])


def _results() -> Path:
    return cache() / "results"


def _judge(found: Job, known: Known) -> None:
    """Say of each report and failure whether it is news."""
    for chip, results in found.results.items():
        findings = findings_of(chip, results)
        for one in findings:
            known.judge(one)
        found.findings += findings
        for result in results:
            if not result.passed:
                found.failures.append(Failure(chip, result, *known.of_test(chip, result.test)))
    found.unused = [str(row) for row in known.unused]


def _write(found: Job, folder: Path) -> None:
    """Write the three files. UsageError if that cannot be."""
    texts = {
        "junit.xml": junit_text(found),
        "results.sarif": sarif_text(found, own_version()),
        "index.html": page_text(found),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"--reports {folder}: cannot be written: {problem.strerror}") from None

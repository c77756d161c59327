#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Makes tables and figures of what gemm_bench has measured.

For each suite in a folder of results (results/h200/ladder.json, say) this writes

  <suite>.md   a table of all columns, and above it what else there is to say of the suite
  <suite>.svg  a figure, for suites that have one; needs matplotlib
  the pages    what is between <!-- <suite>:begin --> and <!-- <suite>:end -->, where README.md or a page of docs/ has
               these markers and the suite a summary

Four more such markers have what is made of all of them: overview (run() beside cuBLAS), means (the same in short),
random (random products) and verification (which tests and sanitizers ran on which GPU: <gpu>/verification.csv).

All that these say of cuBLAS's best is beside the faster of cublas_default and cublaslt_best.

The roofline is made of the ladder's results: a suite without a page. What peers.py has measured for a suite
(<suite>_peers.json) goes into the suite's tables.

--compact rewrites what gemm_bench has written in the compact form in which results are committed.

--check writes nothing, needs no matplotlib, and exits with 1 where something is not what the results say. --tables
writes all but the figures, without matplotlib: for what is made of the sources.

Markers of what is no suite's: other_gpus (run() beside cuBLAS there), accuracy_cells (of that file), compile_cost (what
compile_cost.sh measured), names (the policies that the headers name), distributed (what gemm_distributed measured), groups
and its like, and experts (what groups.py and experts.py measured: <gpu>/torch/).

A new suite is a new entry of SUITES.
"""

import argparse
import dataclasses
import os
import pathlib
import sys

from reporting import (accuracy, batch_invariant, batches, by_type, epilogues, few_rows, ladder, performance, roofline,
                       scales, sustained, sweep, verification)
from reporting.results import BEST, ReportError, compact, load
from reporting.tables import all_columns
from reporting import accuracy_cells, beside_torch, compile_cost, distributed, named_policies, other_gpus

HERE = pathlib.Path(__file__).resolve().parent
DOCS = HERE.parent / "docs"
PAGES = [HERE.parent / "README.md", *(DOCS / f"{name}.md" for name in (
    "accuracy", "compile-time", "distributed", "groups", "performance", "policies", "python", "verification"))]


@dataclasses.dataclass
class Suite:
    summary: object = None  # (results, folder) -> what the README says, its figure being in that folder
    details: object = None  # (results) -> what only the suite's page says: a table of all its rows
    figure: object = None  # (results, path) writes an SVG
    source: str = ""  # the suite whose results it is made of, where it has none of its own
    keep: str = r"^(automatic|fp32_emulated)$|^cublas"  # the contenders that --compact keeps


SUITES = {
    "ladder": Suite(summary=ladder.summary, figure=ladder.figure, keep=""),
    "roofline": Suite(summary=roofline.summary, figure=roofline.figure, source="ladder"),
    "types": Suite(summary=by_type.summary, figure=by_type.figure, keep=""),
    "sweep": Suite(summary=sweep.summary, details=sweep.details, figure=sweep.figure, keep=""),
    "epilogues": Suite(summary=epilogues.summary, details=epilogues.details, figure=epilogues.figure, keep=""),
    "accuracy": Suite(summary=accuracy.summary, details=accuracy.details, figure=accuracy.figure, keep=""),
    "scales": Suite(summary=scales.summary, details=scales.details, keep=""),
    "batches": Suite(summary=batches.summary, details=batches.details, figure=batches.figure),
    "batch_invariant": Suite(summary=batch_invariant.summary, details=batch_invariant.details, keep=""),
    "few_rows": Suite(summary=few_rows.summary, details=few_rows.details, figure=few_rows.figure, keep=""),
    "sustained": Suite(summary=sustained.summary, keep=""),
    "sweep_bf16": Suite(summary=sweep.sizes_summary("sweep_bf16"), figure=sweep.sizes_figure(["automatic", BEST])),
    "sweep_f16": Suite(summary=sweep.sizes_summary("sweep_f16"), figure=sweep.sizes_figure(["automatic", BEST])),
    "fp32_emulated": Suite(summary=sweep.sizes_summary("fp32_emulated"),
                           figure=sweep.sizes_figure(["fp32_emulated", "automatic", BEST])),
}


def suites_in(folder):
    """Those that have results, and those that are made of others' results."""
    names = sorted(path.stem for path in folder.glob("*.json") if not path.stem.endswith("_peers"))
    return names + [name for name, suite in SUITES.items() if suite.source in names]


def replace_between(text, name, new, where):
    """The text with something else between the markers of that name; as it is where it has none."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if begin not in text and end not in text:
        return text
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ReportError(f"{where}: needs one {begin} and, after it, one {end}")
    head, rest = text.split(begin)
    return head + begin + "\n" + new + "\n" + end + rest.split(end)[1]


class Files:
    """What is written; where `check`, what is out of date instead."""

    def __init__(self, check, tables=False):
        self.check, self.tables, self.stale = check, tables, []

    def put(self, path, text):
        if self.check and (not path.exists() or path.read_text() != text):
            self.stale.append(path)
        elif not self.check:
            path.write_text(text)


def fill(pages, name, text_at, files):
    """Writes what stands between the markers of that name in each page: text_at(page's folder)."""
    for page in pages:
        if not page.exists():
            raise ReportError(f"{page}: there is no such file")
        text = page.read_text()
        if f"<!-- {name}:" in text:
            files.put(page, replace_between(text, name, text_at(page.resolve().parent), page))


def report(name, folder, pages, files):
    """Writes what is made of one suite."""
    suite = SUITES.get(name, Suite())
    results = load(folder / f"{suite.source or name}.json")
    if not suite.source:
        top = [suite.summary(results, ".")] if suite.summary else []
        top += [suite.details(results)] if suite.details else []
        files.put(folder / f"{name}.md", all_columns(results, name, "\n\n".join(top), rows=not suite.details))
    if suite.figure and not files.tables:
        path = folder / f"{name}.svg"
        if not files.check:
            suite.figure(results, path)
        elif not path.exists() or results.source() not in path.read_text():
            files.stale.append(path)
    if suite.summary:
        def text_at(where):
            relative = os.path.relpath(folder.resolve(), where)
            method = os.path.normpath(os.path.join(relative, "..", "..", "README.md"))
            return (f"{suite.summary(results, relative)} [Each figure]({relative}/{suite.source or name}.md), "
                    f"[method]({method}).")
        fill(pages, name, text_at, files)


def report_all(folder, pages, files):
    """Writes what is made of all suites, and of all GPUs: of others than the folder's, tables alone."""
    gpus = {gpu: {path.stem: load(path) for path in sorted(gpu.glob("*.json")) if not path.stem.endswith("_peers")}
            for gpu in [folder, *sorted(path for path in folder.parent.iterdir() if path.is_dir() and
                                        path.resolve() != folder.resolve())]}
    for gpu, results_of in gpus.items():
        for name, results in results_of.items():
            if gpu != folder:
                files.put(gpu / f"{name}.md", all_columns(results, name))
    fill(pages, "other_gpus", lambda _: other_gpus.paragraph(
        {gpu.name.upper(): results_of for gpu, results_of in gpus.items()}), files)
    cells = folder / "accuracy_cells.csv"
    fill(pages, "accuracy_cells", lambda where: accuracy_cells.paragraph(cells, os.path.relpath(cells.resolve(), where)),
         files)
    for name in beside_torch.GROUPS:
        groups = folder / "torch" / f"{name}.json"
        if groups.exists():
            details = groups.with_suffix(".md")
            files.put(details, beside_torch.groups_details(groups))
            fill(pages, name, lambda where: beside_torch.groups_summary(
                groups, os.path.relpath(details.resolve(), where)), files)
    experts = folder / "torch" / "experts.json"
    if experts.exists():
        fill(pages, "experts", lambda _: beside_torch.experts_summary(experts), files)
    transformer = folder / "torch" / "transformer.json"
    if transformer.exists():
        fill(pages, "transformer", lambda where: beside_torch.transformer_summary(
            transformer, os.path.relpath(transformer.resolve(), where)), files)
    ranks = folder / "distributed.csv"
    if ranks.exists():
        fill(pages, "distributed", lambda where: distributed.table(ranks, os.path.relpath(ranks.resolve(), where)), files)
    fill(pages, "compile_cost", lambda _: compile_cost.table(HERE / "results" / "compile_cost.csv"), files)
    fill(pages, "names", lambda _: named_policies.table(HERE.parent / "include" / "gemm"), files)
    shown = {gpu: results_of for gpu, results_of in gpus.items() if performance.SUITES.keys() & results_of.keys()}
    if shown:
        fill(pages, "overview", lambda where: "\n\n".join(
            performance.overview(results_of, os.path.relpath(gpu.resolve(), where))
            for gpu, results_of in shown.items()), files)
    fill(pages, "means", lambda _: performance.means(gpus[folder]), files)
    fill(pages, "random", lambda _: performance.random_products(folder.parent), files)
    fill(pages, "verification", lambda _: verification.verification(folder.parent), files)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", help="which; all that have results, unless given")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results" / "h200",
                        help="the folder of the GPU that figures and pages show (%(default)s)")
    parser.add_argument("--page", type=pathlib.Path, action="append", dest="pages", metavar="FILE",
                        help="a page with markers; may be repeated (README.md and those of docs/ that have any)")
    parser.add_argument("--check", action="store_true", help="write nothing, fail where something is out of date")
    parser.add_argument("--tables", action="store_true", help="leave the figures as they are; needs no matplotlib")
    parser.add_argument("--compact", action="store_true", help="first rewrite the results as the contenders and "
                        "counters that reports use")
    options = parser.parse_args(arguments)
    suites, pages = options.suites or suites_in(options.results), options.pages or PAGES
    files = Files(options.check, options.tables)
    try:
        if not suites:
            raise ReportError(f"{options.results}: has no results")
        if options.compact and not options.check:
            for path in sorted(options.results.parent.glob("*/*.json")):
                suite = path.stem.removesuffix("_peers")
                if not options.suites or suite in options.suites:
                    compact(path, "" if suite != path.stem else SUITES.get(suite, Suite()).keep)
        for name in suites:
            report(name, options.results, pages, files)
        report_all(options.results, pages, files)
    except (ReportError, OSError) as error:
        print(f"report.py: {error}", file=sys.stderr)
        return 1
    for path in dict.fromkeys(files.stale):
        print(f"report.py: {path} is out of date, run {pathlib.Path(__file__).name}", file=sys.stderr)
    return 1 if files.stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

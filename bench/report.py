#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Makes tables and figures of what gemm_bench has measured.

For each suite in a folder of results (results/h200/ladder.json, say) this writes

  <suite>.md   a table of all columns
  <suite>.svg  a figure, for suites that have one; needs matplotlib
  README       what is between <!-- <suite>:begin --> and <!-- <suite>:end -->, for suites that have a summary

--check writes nothing, needs no matplotlib, and exits with 1 where something is not what the results say.
A new suite is a new entry of SUITES.
"""

import argparse
import dataclasses
import os
import pathlib
import sys

from reporting import ladder
from reporting.results import ReportError, load
from reporting.tables import all_columns

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Suite:
    summary: object = None  # (results, folder) -> what the README says
    figure: object = None  # (results, path) writes an SVG


SUITES = {"ladder": Suite(summary=ladder.summary, figure=ladder.figure)}


def replace_between(text, name, new, where):
    """The text with something else between the markers of that name."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ReportError(f"{where}: needs one {begin} and, after it, one {end}")
    head, rest = text.split(begin)
    return head + begin + "\n" + new + "\n" + end + rest.split(end)[1]


def report(name, folder, readme, check):
    """Writes what is made of one suite; where `check`, returns what is out of date instead."""
    results, suite = load(folder / f"{name}.json"), SUITES.get(name, Suite())
    stale = []

    def put(path, text):
        if check and (not path.exists() or path.read_text() != text):
            stale.append(path)
        elif not check:
            path.write_text(text)

    put(folder / f"{name}.md", all_columns(results, name))
    if suite.figure:
        path = folder / f"{name}.svg"
        if not check:
            suite.figure(results, path)
        elif not path.exists() or results.source() not in path.read_text():
            stale.append(path)
    if suite.summary:
        relative = os.path.relpath(folder.resolve(), readme.resolve().parent)
        if not readme.exists():
            raise ReportError(f"{readme}: there is no such file")
        put(readme, replace_between(readme.read_text(), name, suite.summary(results, relative), readme))
    return stale


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", help="which; all that have results, unless given")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results" / "h200",
                        help="the folder (%(default)s)")
    parser.add_argument("--readme", type=pathlib.Path, default=HERE.parent / "README.md", help="the file (%(default)s)")
    parser.add_argument("--check", action="store_true", help="write nothing, fail where something is out of date")
    options = parser.parse_args(arguments)
    suites = options.suites or sorted(path.stem for path in options.results.glob("*.json"))
    try:
        if not suites:
            raise ReportError(f"{options.results}: has no results")
        stale = [path for name in suites for path in report(name, options.results, options.readme, options.check)]
    except (ReportError, OSError) as error:
        print(f"report.py: {error}", file=sys.stderr)
        return 1
    for path in stale:
        print(f"report.py: {path} is out of date, run {pathlib.Path(__file__).name}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

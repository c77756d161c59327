# SPDX-License-Identifier: BSL-1.0
"""Which tests and sanitizers ran on which GPU: the newest complete runs first, all others as a short history."""

import csv
import re

from reporting.results import ReportError
from reporting.tables import markdown_table

COLUMNS = ["date", "version", "commit", "driver", "tool", "over", "cases", "passed", "failed", "errors", "note"]
# The tools that a complete verification has, and what each must have run over.
TOOLS = {"tests": "all", "memcheck": "[sanitizer]", "racecheck": "[sanitizer]", "synccheck": "[sanitizer]",
         "initcheck": "[sanitizer]"}


def runs_of(path):
    """The lines of a verification.csv, the newest last. Refuses those that its columns do not fit."""
    with path.open(newline="") as file:
        reader = csv.DictReader(line for line in file if not line.startswith("#"))
        runs = list(reader)
    if reader.fieldnames != COLUMNS:
        raise ReportError(f"{path}: its columns are {reader.fieldnames}, not {COLUMNS}")
    for run in runs:
        if None in run or None in run.values():
            raise ReportError(f"{path}: a line has too many or too few fields: {','.join(map(str, run.values()))}")
        if not re.fullmatch(r"\d+(\.\d+)*", run["version"]):
            raise ReportError(f"{path}: \"{run['version']}\" is no version")
        if run["cases"] and not all(run[name].isdecimal() for name in ("cases", "passed", "failed")):
            raise ReportError(f"{path}: a line with cases needs numbers of those that passed and failed: "
                              f"{run['date']} {run['tool']} {run['over']}")
    return runs


def is_complete(run):
    """Whether all cases of the whole suite, or all tagged for sanitizers, ran to their end. They may have failed."""
    return (TOOLS.get(run["tool"]) == run["over"] and run["cases"] != ""
            and int(run["passed"]) + int(run["failed"]) == int(run["cases"]))


def version_of(run):
    return tuple(int(part) for part in run["version"].split("."))


def newest_complete(runs):
    """{tool: its newest complete run of the newest version}, of those that have one."""
    newest = max(map(version_of, runs), default=())
    return {run["tool"]: run for run in runs if is_complete(run) and version_of(run) == newest}


def top_table(runs):
    """A line for each tool: its newest complete run. Where the sources are not those of the tests, it says so."""
    complete = newest_complete(runs)
    tests, lines = complete.get("tests"), []
    for tool, over in TOOLS.items():
        run = complete.get(tool)
        if run is None:
            lines.append([tool, over, *[""] * 7, "no complete run of this version"])
            continue
        other = tests is not None and run["commit"] != tests["commit"]
        note = "; ".join(text for text in (run["note"], "of other sources than the tests" if other else "") if text)
        lines.append([tool, over, *(run[name] for name in ("date", "version", "driver", "cases", "passed", "failed",
                                                           "errors")), note])
    return markdown_table(["tool", "over", "date", "version", "driver", "cases", "passed", "failed", "errors", "note"],
                          lines)


def history(runs):
    """A line for each day and tool, the newest first: how many runs, the most cases that passed in one, the notes."""
    def listed(some, name):
        return "; ".join(dict.fromkeys(run[name] for run in some if run[name]))

    lines = []
    for key in dict.fromkeys((run["date"], run["version"], run["tool"]) for run in reversed(runs)):
        some = [run for run in reversed(runs) if (run["date"], run["version"], run["tool"]) == key]
        passed, failed = ([int(run[name]) for run in some if run[name].isdecimal()] for name in ("passed", "failed"))
        lines.append([*key, str(len(some)), str(max(passed, default="")), str(sum(failed)) if failed else "",
                      listed(some, "over"), listed(some, "note")])
    return markdown_table(["date", "version", "tool", "runs", "passed, at most", "failed, in all", "over", "notes"],
                          lines)


def partial(runs):
    """How many runs of a part there are that are newer than the complete tests, whose failures these may not hide."""
    complete = newest_complete(runs)
    after = runs[runs.index(complete["tests"]) + 1:] if "tests" in complete else runs
    later = [run for run in after if run["tool"] in TOOLS and not is_complete(run)]
    failed = sum(int(run["failed"]) for run in later if run["failed"].isdecimal())
    since = " since the complete tests" if "tests" in complete else ""
    return f"Partial runs{since}: {len(later)}; cases that failed in them: {failed}."


def verification(root):
    """A section for each GPU."""
    parts = []
    for path in sorted(root.glob("*/verification.csv")):
        runs = runs_of(path)
        top = list(newest_complete(runs).values())
        others = [run for run in runs if run not in top]
        parts += [f"## {path.parent.name.upper()}", top_table(runs), partial(runs)]
        if others:
            parts += [f"<details>\n<summary>Earlier and partial runs: {len(others)}</summary>", history(others),
                      "</details>"]
    return "\n\n".join(parts)

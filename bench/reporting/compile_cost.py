# SPDX-License-Identifier: BSL-1.0
"""What the library costs a translation unit, as compile_cost.sh has measured it."""

import csv
import re

from reporting.results import ReportError
from reporting.tables import markdown_table, number

FORMS = {"-gencode": "", "-arch": ", by `-arch=sm_90a`"}


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def unit_name(unit):
    """What is code of it as code."""
    return re.sub(r"^(run\S*|#include .*)", r"`\1`", unit)


def size(count):
    return f"{count / 1e6:.2f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"


def table(path):
    rows = rows_of(path)
    lines = [[unit_name(row["unit"]) + FORMS[row["command"]], number(float(row["seconds"])), size(int(row["bytes"])),
              row["kernels"]] for row in rows]
    measured = dict.fromkeys(f"nvcc {row['nvcc']} on one core of a machine with {row['cpu']}, {row['date']}" for row in rows)
    if not rows:
        raise ReportError(f"{path}: has no rows")
    return (markdown_table(["translation unit", "user seconds", "object", "kernels"], lines) +
            f"\n\nOf `-O3 -gencode arch=compute_90a,code=sm_90a` where no other form is named, by {'; '.join(measured)}.")

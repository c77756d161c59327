#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks the README's table of geometric means against bench/results/h200/rebuild.csv.

Where it differs, prints what the table has to be.
"""

import csv
import math
import pathlib
import sys

# Of the README, of the results: suite and contender.
ROWS = [("float, `run`", "f32", "automatic"), ("float, `run<fp32_emulated>`", "fp32_emulated", "fp32_emulated"),
        ("float, strided batches", "batches", "automatic"), ("bf16", "bf16", "automatic"), ("half", "f16", "automatic"),
        ("tf32", "tf32", "automatic"), ("double", "f64", "automatic"), ("int8", "i8", "automatic")]


def table(results):
    with results.open() as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    text = "| suite | shapes | geometric mean | least | greatest |\n|---|---:|---:|---:|---:|\n"
    for title, suite, contender in ROWS:
        ratios = [float(row["after_vs"]) for row in rows
                  if row["suite"] == suite and row["benchmark"].startswith(contender + "/") and row["after_vs"]]
        mean = math.exp(math.fsum(map(math.log, ratios)) / len(ratios))
        text += f"| {title} | {len(ratios)} | {mean:.2f} | {min(ratios):.2f} | {max(ratios):.2f} |\n"
    return text


def main(root):
    want = table(root / "bench" / "results" / "h200" / "rebuild.csv")
    if want in (root / "README.md").read_text():
        return 0
    print(f"README.md: the table of geometric means is to be\n\n{want}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))

# SPDX-License-Identifier: BSL-1.0
"""Grouped products and layers of experts beside PyTorch's: what groups.py and experts.py have measured."""

import json

from reporting.performance import geometric_mean
from reporting.results import ReportError
from reporting.tables import markdown_table, number

# By rows of a group on average.
CLASSES = {"1 to 64": (1, 64), "65 to 512": (65, 512), "more": (513, float("inf"))}


def load(path):
    try:
        measured = json.loads(path.read_text())
        return measured["context"], [row for row in measured["results"] if "error" not in row]
    except (OSError, ValueError, KeyError) as reason:
        raise ReportError(f"{path}: {reason}") from reason


def machine(context):
    return f"{context['gpu']}, PyTorch {context['torch'].partition('+')[0]}, {context['date']}"


def groups_summary(path, where):
    """A line for each routing and class of rows, of products of ragged rows or of the gradients of their weights."""
    context, rows = load(path)
    lines = []
    for routing in dict.fromkeys(row["routing"] for row in rows):
        for words, (least, most) in CLASSES.items():
            found = [row for row in rows if row["routing"] == routing and least <= row["rows"] / row["groups"] <= most]
            if not found:
                continue
            torch, dense, floor = ([row[name] for row in found] for name in ("vs_torch", "of_dense", "over_floor"))
            few = most <= 64
            lines.append([routing, words, str(len(found)), number(geometric_mean(torch)), number(min(torch)),
                          *(("", "") if few else (number(geometric_mean(dense)), number(min(dense)))),
                          *((number(geometric_mean(floor)), number(max(floor))) if few else ("", ""))])
    table = markdown_table(["routing", "rows of a group", "problems", "times torch", "least", "times dense", "least",
                            "over the floor", "most"], lines)
    return (f"{table}\n\nOf bfloat16, on {machine(context)}. *Times torch*: as fast as `torch._grouped_mm`. *Times "
            f"dense*: as the library's own product of as much work without groups. *Over the floor*: the time over that "
            f"of reading or writing the weights, A and C once. Geometric means. [Each problem]({where}).")


def groups_details(path):
    context, rows = load(path)
    lines = [[str(row["groups"]), str(row["rows"]), str(row["n"]), str(row["k"]), row["routing"], f"`{row['policy']}`",
              number(row["us"]["ragged"], 4), number(row["us"]["torch"], 4), number(row["us"]["dense"], 4),
              number(row["tflops"]), number(row["vs_torch"]), number(row["of_dense"]), number(row["over_floor"])]
             for row in rows]
    return (f"# {path.stem.capitalize()}\n\nOf bfloat16, on {machine(context)}, by [groups.py](../../../groups.py).\n\n" +
            markdown_table(["groups", "rows", "n", "k", "routing", "policy", "us", "torch: us", "dense: us", "TFLOP/s",
                            "times torch", "times dense", "over the floor"], lines) + "\n")


def experts_summary(path):
    context, rows = load(path)
    table = markdown_table(["layer", "tokens", "us", "torch: us", "TFLOP/s", "times torch"], [
        [row["layer"], str(row["tokens"]), number(row["us"]["gemm"], 4), number(row["us"]["torch"], 4),
         number(row["tflops"]), number(row["vs_torch"])] for row in rows])
    return f"{table}\n\nOf bfloat16, on {machine(context)}, by [experts.py](../bench/experts.py)."

# SPDX-License-Identifier: BSL-1.0
"""Grouped products, experts and transformers beside PyTorch's: what groups.py, experts.py and layers.py have measured."""

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


# What groups.py measures of each kind: its elements, and what it is beside.
OF_BFLOAT16, OF_E4M3 = "bfloat16", "e4m3 with results in bfloat16"
GROUPS = {"groups": (OF_BFLOAT16, "torch._grouped_mm"), "gradients": (OF_BFLOAT16, "torch._grouped_mm"),
          "along": (OF_BFLOAT16, "torch._grouped_mm"), "views": (OF_BFLOAT16, "torch._grouped_mm"),
          "lines": (OF_E4M3, "torch._scaled_grouped_mm"), "blocks": (OF_E4M3, None), "masked": (OF_E4M3, None)}


def mean_and(extreme, values):
    """Of values that there are: their geometric mean, and the least or the most."""
    found = [value for value in values if value is not None]
    return (number(geometric_mean(found)), number(extreme(found))) if found else ("", "")


def groups_summary(path, where):
    """A line for each routing and class of rows, of what groups.py measured of one kind."""
    context, rows = load(path)
    elements, peer = GROUPS[path.stem]
    lines = []
    for routing in dict.fromkeys(row["routing"] for row in rows):
        for words, (least, most) in CLASSES.items():
            found = [row for row in rows if row["routing"] == routing and least <= row["rows"] / row["groups"] <= most]
            if not found:
                continue
            torch, dense, floor = ([row[name] for row in found] for name in ("vs_torch", "of_dense", "over_floor"))
            few = most <= 64
            lines.append([routing, words, str(len(found)), *(mean_and(min, torch) if peer else ()),
                          *(("", "") if few else mean_and(min, dense)), *(mean_and(max, floor) if few else ("", "")),
                          number(max(row["tflops"] for row in found))])
    table = markdown_table(["routing", "rows of a group", "problems", *(["times torch", "least"] if peer else []),
                            "times dense", "least", "over the floor", "most", "TFLOP/s, most"], lines)
    beside = f"*Times torch*: as fast as `{peer}`. " if peer else ""
    return (f"{table}\n\nOf {elements}, on {machine(context)}. {beside}*Times dense*: as the library's own product of as "
            f"much work without groups. *Over the floor*: the time over that of reading or writing the weights, A and C "
            f"once. Geometric means. [Each problem]({where}).")


def groups_details(path):
    context, rows = load(path)
    elements, peer = GROUPS[path.stem]
    torch = lambda *cells: cells if peer else ()  # noqa: E731
    lines = [[str(row["groups"]), str(row["rows"]), str(row["n"]), str(row["k"]), row["routing"], f"`{row['policy']}`",
              number(row["us"]["ragged"], 4), *torch(number(row["us"]["torch"], 4) if "torch" in row["us"] else ""),
              number(row["us"]["dense"], 4), number(row["tflops"]),
              *torch(number(row["vs_torch"]) if row["vs_torch"] is not None else ""), number(row["of_dense"]),
              number(row["over_floor"])] for row in rows]
    return (f"# {path.stem.capitalize()}\n\nOf {elements}, on {machine(context)}, by [groups.py](../../../groups.py).\n\n"
            + markdown_table(["groups", "rows", "n", "k", "routing", "policy", "us", *torch("torch: us"), "dense: us",
                              "TFLOP/s", *torch("times torch"), "times dense", "over the floor"], lines) + "\n")


def experts_summary(path):
    context, rows = load(path)
    table = markdown_table(["layer", "tokens", "us", "torch: us", "TFLOP/s", "times torch"], [
        [row["layer"], str(row["tokens"]), number(row["us"]["gemm"], 4), number(row["us"]["torch"], 4),
         number(row["tflops"]), number(row["vs_torch"])] for row in rows])
    return f"{table}\n\nOf bfloat16, on {machine(context)}, by [experts.py](../bench/experts.py)."


MODES = ("eager", "compiled", "graph")


def transformer_summary(path, where):
    """A line for each layer, type and pass, of what layers.py measured; without the host's time."""
    context, rows = load(path)
    found = {}
    for row in rows:
        layer = f"{row['width']}, {row['sequences']} x {row['length']}"
        if row["pass"] != "host":
            found.setdefault((layer, row["dtype"], row["pass"]), {})[row["mode"]] = row
    lines = [[*key, *(cell for mode in MODES for cell in (
        (number(modes[mode]["us"]["gemm"], 4), number(modes[mode]["vs_torch"])) if mode in modes else ("", "")))]
        for key, modes in found.items()]
    table = markdown_table(["width, sequences x length", "type", "pass", *(
        title for mode in MODES for title in (f"{mode}: us", "times torch"))], lines)
    return (f"{table}\n\nOn {machine(context)}, by [layers.py](../bench/layers.py). *Times torch*: as fast as PyTorch's "
            f"products in the same mode. [All figures]({where}).")

# SPDX-License-Identifier: BSL-1.0
"""run() beside cuBLAS over all suites: geometric means, and what is slower."""

import csv
import math

from reporting.results import ReportError
from reporting.tables import BEST_IS, markdown_table, number

# The suites in the order of the table: what is multiplied, and by which contender.
SUITES = {
    "f32": ("float", "automatic"), "fp32_emulated": ("float by tensor cores", "fp32_emulated"),
    "tf32": ("float rounded to TF32", "automatic"), "bf16": ("bfloat16", "automatic"), "f16": ("half", "automatic"),
    "i8": ("int8", "automatic"), "e4m3": ("e4m3 to bfloat16", "automatic"),
    "layers": ("bfloat16 and e4m3, linear layers of models, 1 to 8192 rows", "automatic"),
    "few_rows": ("bfloat16, half, e4m3 and int8, 1 to 256 rows, weights from 16 MiB on", "automatic"),
    "storages": ("int8 and e4m3 in all storages, odd sizes", "automatic"), "f64": ("double", "automatic"),
    "batches": ("float, strided batches", "automatic"),
    "neighbours": ("float and bfloat16, sizes that fit badly", "automatic"),
}
SLOWER = 0.97  # what is listed by name: noise is 1 to 3 %


def ratios(results, contender):
    """(problem, times as fast as cuBLAS's best)"""
    found = [(row.problem, row.median("of_cublas")) for row in results.rows if row.contender == contender]
    if not found:
        raise ReportError(f"has no rows of {contender}")
    return found


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def overview(results_of, folder):
    """A line for each suite, and what is slower than cuBLAS by more than the noise, from the slowest on."""
    lines, slower = [], []
    for name in SUITES:
        if name not in results_of:
            continue
        results, (words, contender) = results_of[name], SUITES[name]
        found = ratios(results, contender)
        values = [value for _, value in found]
        lines.append([f"[{name}]({folder}/{name}.md)", words, str(len(values)), number(geometric_mean(values)),
                      number(min(values)), str(sum(value < 1 for value in values)),
                      str(sum(value < SLOWER for value in values)), results.context["date"][:10]])
        listed = sorted((value, problem.text()) for problem, value in found if value < SLOWER)
        if listed:
            slower.append([name, ", ".join(f"{text} {number(value, 2)}" for value, text in listed)])
    table = markdown_table(["suite", "products", "shapes", "geometric mean", "least", "below 1", f"below {SLOWER}",
                            "measured"], lines)
    context = next(iter(results_of.values())).context
    said = (f"Times as fast as cuBLAS's best. {BEST_IS} For fp8 there is only cublasLt. Measured on {context['gpu']}, "
            f"driver {context['driver']}, CUDA {context['cuda_runtime']}, cuBLAS {context['cublas']}.")
    losses = markdown_table(["suite", f"slower than {SLOWER}"], slower) if slower else ""
    return f"### {context['gpu'].removeprefix('NVIDIA ')}\n\n{table}\n\n{said}\n\n{losses}".rstrip()


# The front page's names, in its order.
SHORT = {"f32": "float, `run`", "fp32_emulated": "float, `run<fp32_emulated>`", "batches": "float, strided batches",
         "bf16": "bf16", "f16": "half", "tf32": "tf32", "f64": "double", "i8": "int8",
         "e4m3": "e4m3"}


def means(results_of):
    """The front page's table of geometric means."""
    lines = []
    for name, words in SHORT.items():
        if name in results_of:
            values = [value for _, value in ratios(results_of[name], SUITES[name][1])]
            lines.append([words, str(len(values)), *(f"{value:.2f}" for value in
                                                     (geometric_mean(values), min(values), max(values)))])
    return markdown_table(["suite", "shapes", "geometric mean", "least", "greatest"], lines) + f"\n\n{BEST_IS}"


def csv_rows(path):
    """Of a file whose first lines are comments."""
    with path.open(newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def random_products(root):
    lines = [[path.parent.name.upper(), row["dtype"], row["classes"], row["products"], row["geometric_mean"],
              row["least"], row["slower"], row["date"]]
             for path in sorted(root.glob("*/random.csv")) for row in csv_rows(path)]
    return markdown_table(["GPU", "type", "classes", "products", "geometric mean", "least", "slower by more than 5 %",
                           "measured"], lines)

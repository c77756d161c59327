# SPDX-License-Identifier: BSL-1.0
"""How far products of floats are from the exact ones, beside how fast they are; and of fp8, and over a long k."""

import csv

from reporting import figures
from reporting.tables import machine, markdown_table, number, shape_name

NAMES = {"fp32_emulated": "fp32_emulated", "fp16x3_128x192x64_2x1": "fp16x3",
         "fp16x3_compensated_128x192x64_2x1": "fp16x3, compensated", "fp16x3_wide_128x192x64_2x1": "fp16x3, wide",
         "bf16x6_128x128x64_2x1": "bf16x6", "automatic": "automatic",
         "cublas_sgemm": "cublasSgemm", "cublas_tf32": "cuBLAS, tf32"}
KINDS = {"uniform": "uniform in [-1, 1)", "positive": "uniform in [0, 1)", "wide": "[-1, 1) times 2^-20 to 2^20"}


def name_of(contender):
    return NAMES.get(contender, contender)


def timed(results):
    """The problem whose speed was measured."""
    return next(row.problem for row in results.rows if row.values("tflops"))


def row_of(results, contender, kind, problem):
    for row in results.rows:
        if (row.contender, row.kind, row.problem) == (contender, kind, problem):
            return row
    return None


def kinds(results):
    return list(dict.fromkeys(row.kind for row in results.rows))


def error(row, counter):
    return number(row.median(counter), 2) if row else ""


def summary(results, folder):
    problem = timed(results)
    header = ["", *(text for kind in kinds(results) for text in (f"{kind}: TFLOP/s", "max", "median"))]
    lines = []
    for contender in results.contenders():
        line = [f"`{contender}`" if not contender.startswith("cublas") else f"**{name_of(contender)}**"]
        for kind in kinds(results):
            row = row_of(results, contender, kind, problem)
            line += [number(row.median("tflops")) if row else "", error(row, "error_max"), error(row, "error_median")]
        lines.append(line)
    said = "; ".join(f"*{kind}*: {KINDS.get(kind, kind)}" for kind in kinds(results))
    table = markdown_table(header, lines)
    return (f"![Errors over speed, ours and cuBLAS's]({folder}/accuracy.svg)\n\n{table}\n\n"
            f"Float, {shape_name(problem.shape)}, B column-major, on {machine(results)}. Errors of C's elements are in "
            f"units of 2^-24 |A| |B|; rounding the exact one costs one such unit at most. {said}.")


def csv_rows(path):
    """The rows of gemm_accuracy's CSV, behind lines of # where it has some; errors as numbers, None where a contender
    failed."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    for row in rows:
        row.update({key: float(row[key]) if row[key] else None for key in ("max", "median", "of_bound", "us")
                    if key in row})
        row["shape"] = f"{row['m']}x{row['n']}x{row['k']}"
    return rows


def most(values):
    return max((value for value in values if value is not None), default=None)


FP8 = {"automatic": "cublaslt", "sm90_wgmma_fp8_fast_128x256x128_2x1": "cublaslt_fast"}  # whom each stands beside


def fp8(path):
    """For each kind and type of results the largest error of all products, beside that of cublasLt, and the largest
    ratio of both in one product."""
    rows = csv_rows(path)
    of = {(row["output"], row["inputs"], row["shape"], row["contender"]): row for row in rows}
    header = ["results", "elements", *(text for ours in ("promoted", "fast") for text in (
        f"{ours}: max", "cublasLt's max", "ratio", "ratio in one product, at most", "of medians, at most")),
        "promoted, of the bound"]
    lines = []
    for output, kind in dict.fromkeys((row["output"], row["inputs"]) for row in rows):
        shapes = dict.fromkeys(row["shape"] for row in rows)
        line = [output, kind]
        for ours, theirs in FP8.items():
            pairs = [(of[output, kind, shape, ours], of[output, kind, shape, theirs]) for shape in shapes]
            largest = [most(pair[side]["max"] for pair in pairs) for side in (0, 1)]
            ratios = [most(pair[0][column] / pair[1][column] for pair in pairs if pair[0][column] and pair[1][column])
                      for column in ("max", "median")]
            line += [number(largest[0], 2), number(largest[1], 2),
                     number(largest[0] / largest[1]) if all(largest) else "", *(number(ratio) for ratio in ratios)]
        bound = most(row["of_bound"] for row in rows
                     if (row["output"], row["inputs"], row["contender"]) == (output, kind, "automatic"))
        lines.append([*line, number(bound, 2)])
    return ("## Products of e4m3\n\nErrors in units of 2^-24 |A| |B|, by `automatic`, which promotes every 128 of k, and "
            "`sm90_wgmma_fp8_fast_128x256x128_2x1`, each beside cublasLt's first algorithm: with its default "
            "accumulation, and with its fast one. The largest of all products of "
            f"{path.name}.\n\n{markdown_table(header, lines)}")


def deep(path):
    """Errors of half and bf16 over k, for each kind and size of C, and what automatic chose."""
    rows = csv_rows(path)
    contenders = dict.fromkeys(row["contender"] for row in rows)
    of = {(row["dtype"], row["inputs"], row["shape"], row["contender"]): row for row in rows}
    header = ["type", "elements", "problem",
              *(f"`{name}`: max, median, us" if name != "cublas_default" else "cublasGemmEx: max, median, us"
                for name in contenders), "chosen", "slices"]
    lines = []
    for problem in dict.fromkeys(key[:3] for key in of):
        chosen = of[(*problem, "automatic")]
        lines.append([*problem, *(", ".join(number(of[(*problem, name)][key]) for key in ("max", "median", "us"))
                                  for name in contenders), f"`{chosen['chosen']}`", chosen["slices"]])
    return ("## Long k\n\nHalf and bf16 with float results, errors in units of 2^-24 |A| |B|. Wgmma truncates, so that "
            f"terms of one sign add up too small. Times are of ten launches.\n\n{markdown_table(header, lines)}")


MMA_BOUND = {"bf16x6_mma_128x128x64": lambda k: 104 + k / 2 ** 19,
             "with_fallback<bf16x6_mma_128x128x64>": lambda k: max(k / 64 + 52, k + 4)}


def mma(path):
    """For each kind of elements the largest error of split terms by mma.sync over all k, beside cublasSgemm's, and the
    largest part of the bound that docs/accuracy.md states."""
    rows = csv_rows(path)
    contenders = dict.fromkeys(row["contender"] for row in rows)
    header = ["elements", *(text for name in contenders for text in (
        f"`{name}`: max" if name in MMA_BOUND else f"{name_of(name)}: max", "median, at most",
        *(["of the bound"] if name in MMA_BOUND else [])))]
    lines = []
    for kind in dict.fromkeys(row["inputs"] for row in rows):
        line = [kind]
        for name in contenders:
            here = [row for row in rows if (row["inputs"], row["contender"]) == (kind, name)]
            line += [number(most(row[column] for row in here), 2) for column in ("max", "median")]
            if name in MMA_BOUND:
                bound = MMA_BOUND[name]
                line.append(number(most(row["max"] / bound(int(row["k"])) for row in here if row["max"]), 2))
        lines.append(line)
    depths = sorted({int(row["k"]) for row in rows})
    return ("## Split terms by mma.sync\n\nErrors in units of 2^-24 |A| |B|, the largest of products with a k of "
            f"{depths[0]} to {depths[-1]}, of {path.name}. Without the fallback the bound does not hold where elements "
            f"of one row differ by more than 2^146.\n\n{markdown_table(header, lines)}")


def details(results):
    """Errors over k, for each kind; and of what gemm_accuracy wrote as CSV beside it, where it did."""
    parts = [float_details(results)]
    for name, table in (("accuracy_fp8.csv", fp8), ("accuracy_mma.csv", mma), ("accuracy_deep.csv", deep)):
        path = results.path.with_name(name)
        if path.exists():
            parts.append(table(path))
    return "\n\n".join(parts)


def float_details(results):
    """Errors over k, for each kind."""
    others = [problem for problem in results.problems() if problem != timed(results)]
    header = ["elements", "problem", *(f"`{name_of(name)}`: max, median" for name in results.contenders())]
    lines = []
    for kind in kinds(results):
        for problem in others:
            rows = [row_of(results, name, kind, problem) for name in results.contenders()]
            lines.append([kind, shape_name(problem.shape),
                          *(f"{error(row, 'error_max')}, {error(row, 'error_median')}" for row in rows)])
    return markdown_table(header, lines)


def figure(results, path):
    """A panel for each kind, a row for each contender: its median and its largest error, and beside them TFLOP/s."""
    pyplot = figures.pyplot()
    from matplotlib.lines import Line2D

    problem, of_kinds = timed(results), kinds(results)
    names = sorted(results.contenders(), key=lambda name: name.startswith("cublas"))
    picture, panels = pyplot.subplots(1, len(of_kinds), figsize=(figures.WIDTH, 1.9 + 0.36 * len(names)), sharey=True,
                                      squeeze=False, layout="constrained")
    for axes, kind in zip(panels[0], of_kinds):
        for place, contender in enumerate(names):
            row = row_of(results, contender, kind, problem)
            if row is None:
                continue
            speed, most, middle = (row.median(counter) for counter in ("tflops", "error_max", "error_median"))
            color = (figures.AUTOMATIC if contender == "fp32_emulated" else
                     figures.CUBLAS if contender.startswith("cublas") else
                     figures.GREY if contender == "automatic" else figures.OURS)
            axes.plot([middle, most], [place, place], color=color, linewidth=1.5, zorder=2)
            axes.plot(most, place, marker="o", markersize=6, color=color, zorder=3)
            axes.plot(middle, place, marker="o", markersize=6, color=color, markerfacecolor="white", zorder=3)
            axes.annotate(number(speed), xy=(1, place), xycoords=("axes fraction", "data"), xytext=(5, 0),
                          textcoords="offset points", va="center", annotation_clip=False)
        axes.annotate("TFLOP/s", xy=(1, -0.62), xycoords=("axes fraction", "data"), xytext=(5, 0),
                      textcoords="offset points", va="bottom", fontsize=9, color="#555555", annotation_clip=False)
        axes.set_xscale("log")
        figures.plain(axes.xaxis)
        axes.set_ylim(len(names) - 0.4, -0.6)
        said = KINDS.get(kind, kind).replace("2^-20", "2\u207b\u00b2\u2070").replace("2^20", "2\u00b2\u2070")
        axes.set_title(said, fontsize=10, loc="left", pad=18)
        axes.margins(x=0.12)
        figures.tidy(axes, "x")
    figures.name_rows(panels[0][0], [name_of(name) for name in names], {})
    marks = {"marker": "o", "markersize": 6, "color": "#555555", "linestyle": "none"}
    figures.legend_below(picture, [Line2D([], [], markerfacecolor="white", label="median error", **marks),
                                   Line2D([], [], label="largest error", **marks)], 2)
    panels[0][len(of_kinds) // 2].set_xlabel("units of 2\u207b\u00b2\u2074 |A| |B|")
    shape = figures.shape(problem.shape)
    picture.suptitle(f"Errors and speed of products of floats, {shape}, on one {results.context['gpu']}", fontsize=12)
    figures.save(picture, results, path)

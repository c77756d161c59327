# SPDX-License-Identifier: BSL-1.0
"""Products of few rows beside the floor: the time in which a kernel reads A and B with nothing else to do."""

from reporting import figures
from reporting.performance import geometric_mean
from reporting.results import BEST, ReportError
from reporting.tables import BEST_IS, machine, markdown_table, number, shape_name

OURS, CONSTANT, FLOOR, EARLY = "automatic", "automatic_constant", "floor", "floor_early"
WORDS = {"bf16": "bfloat16", "f16": "half", "e4m3": "e4m3", "i8": "int8", "f32": "float"}
CLASSES = {"1 to 64": (1, 64), "65 to 256": (65, 256)}  # rows


def over_floor(row):
    """Times the floor that a row takes, of neighbouring samples; None where there is no floor."""
    cost = row.median("cost") if row else None
    return None if cost is None else 1 + cost


def measured(results, contender):
    """(row, times its floor)"""
    return [(row, over_floor(row)) for row in results.rows if row.contender == contender and over_floor(row)]


def summary(results, folder):
    lines = []
    for dtype, words in WORDS.items():
        for rows, (least, most) in CLASSES.items():
            def of_class(contender):
                return [(row, over) for row, over in measured(results, contender)
                        if row.problem.dtype == dtype and least <= row.problem.shape[0] <= most]
            ours, constant = of_class(OURS), [over for _, over in of_class(CONSTANT)]
            if not ours:
                continue
            overs = [over for _, over in ours]
            ratios = [value for value in (row.median("of_cublas") for row, _ in ours) if value is not None]
            lines.append([words, rows, str(len(ours)), number(geometric_mean(overs)), number(max(overs)),
                          number(geometric_mean(constant)) if constant else "",
                          number(geometric_mean(ratios)) if ratios else "", number(min(ratios, default=None))])
    if not lines:
        raise ReportError("few_rows has no row beside its floor")
    table = markdown_table(["type", "rows", "products", "over the floor", "most", "constant B, over the early floor",
                            "times cuBLAS's best", "least"], lines)
    return (f"{table}\n\n![Time over the floor for 1 to 256 rows]({folder}/few_rows.svg)\n\n"
            f"Geometric means, on {machine(results)}. *Over the floor*: the time over that of a kernel that reads A and "
            f"B once, in dependent launches. The early floor begins to read while the kernel before runs, as products "
            f"with a constant B do. All are medians over neighbouring samples, in one process. {BEST_IS}")


def details(results):
    lines = []
    for problem in results.problems():
        ours, constant, best = (results.row(name, problem) for name in (OURS, CONSTANT, BEST))
        floor, early = (results.row(name, problem) for name in (FLOOR, EARLY))
        if ours is None:
            continue
        lines.append([WORDS.get(problem.dtype, problem.dtype), problem.storage, shape_name(problem.shape),
                      *(number(row.median("median_us"), 4) if row else "" for row in (ours, floor)),
                      number(over_floor(ours)), number(best.median("median_us"), 4) if best else "",
                      number(ours.median("of_cublas")),
                      *(number(row.median("median_us"), 4) if row else "" for row in (constant, early)),
                      number(over_floor(constant))])
    return markdown_table(["type", "storage", "product", "us", "floor: us", "over the floor", "cuBLAS's best: us",
                           "times cuBLAS's best", "constant B: us", "early floor: us", "over the early floor"], lines)


def figure(results, path):
    """Two panels over the rows: of run(), and of run() with a constant B. A mark for each product, a line through the
    means of each type."""
    pyplot = figures.pyplot()
    from matplotlib.lines import Line2D

    picture, panels = pyplot.subplots(1, 2, figsize=(figures.WIDTH, 4.6), layout="constrained", sharey=True)
    types = [dtype for dtype in WORDS if any(row.problem.dtype == dtype for row, _ in measured(results, OURS))]
    colors = dict(zip(types, figures.OTHERS))
    for axes, contender, title in zip(panels, (OURS, CONSTANT), ("run", "with constant_b, over the early floor")):
        for dtype, color in colors.items():
            by_rows = {}
            for row, over in measured(results, contender):
                if row.problem.dtype == dtype:
                    by_rows.setdefault(row.problem.shape[0], []).append(100 * (over - 1))
            for rows, overs in by_rows.items():
                axes.plot([rows] * len(overs), overs, color=color, linestyle="none", marker="o", markersize=3.5, alpha=0.6)
            axes.plot(sorted(by_rows), [sum(by_rows[rows]) / len(by_rows[rows]) for rows in sorted(by_rows)], color=color,
                      linewidth=1.5)
        axes.set_xscale("log", base=2)
        axes.set_xticks([1, 4, 16, 64, 256], ["1", "4", "16", "64", "256"])
        axes.minorticks_off()
        axes.axhline(0, color=figures.GREY, linewidth=1.5, zorder=1)
        axes.set_xlabel("rows")
        axes.set_title(title, fontsize=10)
        figures.tidy(axes)
    panels[0].set_ylabel("% over the floor")
    figures.legend_below(picture, [Line2D([], [], color=color, marker="o", markersize=3.5, label=WORDS[dtype])
                                   for dtype, color in colors.items()], 5)
    picture.suptitle(f"Time over that of reading A and B, one {results.context['gpu']}", fontsize=12)
    figures.save(picture, results, path)

# SPDX-License-Identifier: BSL-1.0
"""Every rung in every element type."""

from reporting import figures
from reporting.ladder import WORDS, rungs
from reporting.results import BEST, DEFAULT, LT
from reporting.tables import BEST_IS, CUBLAS, machine, markdown_table, number, peer_lines, percent, shape_name

# Those that have a column and a bar; pages have the others, too. int8 has both storages: in the first, cublasLt must
# transpose B before it multiplies on tensor cores.
KINDS = {("f32", "nn"): figures.OTHERS[0], ("f16", "nn"): figures.OTHERS[1], ("bf16", "nn"): figures.OTHERS[2],
         ("i8", "nn"): figures.OTHERS[3], ("i8", "nt"): "#a3cf8a"}


def columns_of(results):
    """The problem of each column: all have rows of ours, and stand beside cuBLAS's of the same storage."""
    found = {(row.problem.dtype, row.problem.storage): row.problem for row in results.rows
             if row.contender not in CUBLAS}
    return [found[kind] for kind in KINDS if kind in found]


def name_of(problem):
    return WORDS[problem.dtype] + (f", {WORDS[problem.storage]}" if problem.storage != "nn" else "")


def summary(results, folder):
    problems = columns_of(results)
    others = "".join(f" {WORDS[problem.dtype]} is there with {WORDS[problem.storage]}, too." for problem in problems
                     if problem.storage != "nn")
    return (f"![TFLOP/s of each rung in each type]({folder}/types.svg)\n\n{table(results)}\n\n"
            f"{shape_name(problems[0].shape)}, row-major, accumulators in float (int8: in int32, TOP/s), on "
            f"{machine(results)}.{others} *Of float* is the rate beside the same rung's in float, in one process. "
            f"cuBLAS, PyTorch and Triton compute half, bfloat16 and int8 on tensor cores; of the rungs `automatic` "
            f"alone may. {BEST_IS}")


def table(results):
    problems = columns_of(results)
    base = next((problem for problem in problems if problem.dtype == "f32"), None)

    def beside_float(problem):
        return base is not None and problem != base and problem.storage == base.storage

    header = ["rung"]
    for problem in problems:
        header += [f"{name_of(problem)}: TFLOP/s"] + (["of float"] if beside_float(problem) else [])

    def columns(row_of, tensor_cores=False):
        line = []
        for problem in problems:
            row, float_row = row_of(problem), row_of(base) if base else None
            line.append(number(row.median("tflops")) if row else "")
            if beside_float(problem):
                comparable = row and float_row and not tensor_cores
                line.append(percent(row.median("tflops") / float_row.median("tflops")) if comparable else "")
        return line

    lines = [[f"`{name}`"] + columns(lambda problem, name=name: results.row(name, problem)) for name in rungs(results)]
    for name in (DEFAULT, LT):
        lines.append([f"**{CUBLAS[name]}**"] + columns(lambda problem, name=name: results.row(name, problem),
                                                       tensor_cores=True))
    for words, note, *rest in peer_lines(results, lambda row_of: columns(row_of, tensor_cores=True)):
        lines.append([f"{words}, {note}", *rest])
    return markdown_table(header, lines)


def figure(results, path):
    """Horizontal bars on a logarithmic axis, a group for each rung and in it a bar for each type; cuBLAS's last."""
    pyplot = figures.pyplot()
    names, problems = [*rungs(results), BEST], columns_of(results)
    speeds = [speed for name in names for problem in problems if (row := results.row(name, problem)) is not None
              for speed in row.values("tflops")]
    low, high = 0.6 * min(speeds), max(speeds)
    height = 0.82 / len(problems)
    picture, axes = pyplot.subplots(figsize=(figures.WIDTH, 1.7 + 0.78 * len(names)), layout="constrained")
    for group, name in enumerate(names):
        rows = [row for row in (results.row(name, problem) for problem in problems) if row is not None]
        for index, row in enumerate(rows):
            place = group + (index - 0.5 * (len(rows) - 1)) * height
            median, values = row.median("tflops"), row.values("tflops")
            axes.barh(place, median - low, left=low, height=height * 0.9,
                      color=KINDS[row.problem.dtype, row.problem.storage],
                      xerr=[[median - min(values)], [max(values) - median]],
                      error_kw=figures.WHISKERS | {"capsize": 1.5}, zorder=2)
            axes.annotate(number(median), xy=(max(values), place), xytext=(4, 0), textcoords="offset points",
                          va="center", ha="left", fontsize=8.5, zorder=4)
    for problem in problems:
        axes.barh(0, 0, left=low, color=KINDS[problem.dtype, problem.storage], label=name_of(problem))
    axes.set_xscale("log")
    axes.set_xlim(low, high * (high / low) ** 0.1)
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.set_xlabel("TFLOP/s (int8: TOP/s), logarithmic")
    figures.plain(axes.xaxis)
    figures.tidy(axes, "x")
    figures.name_rows(axes, [CUBLAS.get(name, name) for name in names],
                      {CUBLAS[BEST]: "tensor cores but for float"})
    figures.legend_below(picture, axes.get_legend_handles_labels()[0], len(problems))
    picture.suptitle(f"Every rung in every element type on one {results.context['gpu']}, "
                     f"{figures.shape(problems[0].shape)}, row-major", fontsize=12)
    figures.save(picture, results, path)

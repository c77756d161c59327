# SPDX-License-Identifier: BSL-1.0
"""Every rung in every element type."""

from reporting import figures
from reporting.ladder import WORDS, rungs
from reporting.results import BEST, DEFAULT
from reporting.tables import machine, markdown_table, number, peer_lines, percent, shape_name

TYPES = ("f32", "f16", "bf16", "i8")  # those that have a column and a bar; pages have the others, too


def columns_of(results):
    """The row-major problem of each type."""
    found = {problem.dtype: problem for problem in results.problems() if problem.storage == "nn"}
    return [found[dtype] for dtype in TYPES if dtype in found]


def cublas_best(results, problem):
    """cuBLAS's best row for a type. For int8, cublasLt has algorithms on tensor cores only where k runs along both
    operands: then that of the other storage, if it was measured."""
    candidates = [problem] if problem.dtype != "i8" else [problem, problem._replace(storage="nt")]
    rows = [row for p in candidates for row in (results.row(BEST, p), results.row(DEFAULT, p)) if row is not None]
    return max(rows, key=lambda row: row.median("tflops"), default=None)


def transposed_note(results):
    """What cuBLAS does for types of which only another storage has its best."""
    rows = [(problem, cublas_best(results, problem)) for problem in columns_of(results)]
    said = [f"{WORDS[problem.dtype]} {number(row.median('tflops'))}" for problem, row in rows
            if row is not None and row.problem.storage != problem.storage]
    return f" cuBLAS with B transposed: {', '.join(said)}." if said else ""


def summary(results, folder):
    problems = columns_of(results)
    return (f"![TFLOP/s of each rung in each type]({folder}/types.svg)\n\n{table(results)}\n\n"
            f"{shape_name(problems[0].shape)}, row-major, accumulators in float (int8: in int32, TOP/s), on "
            f"{machine(results)}. *Of float* is the rate beside the same rung's in float, in one process. cuBLAS, "
            f"PyTorch and Triton compute half, bfloat16 and int8 on tensor cores; of the rungs `automatic` alone may."
            f"{transposed_note(results)}")


def table(results):
    problems = columns_of(results)
    base = next((problem for problem in problems if problem.dtype == "f32"), None)
    header = ["rung"]
    for problem in problems:
        header += [f"{WORDS[problem.dtype]}: TFLOP/s"] + (["of float"] if base and problem != base else [])

    def columns(row_of, tensor_cores=False):
        line = []
        for problem in problems:
            row, float_row = row_of(problem), row_of(base) if base else None
            line.append(number(row.median("tflops")) if row else "")
            if base and problem != base:
                comparable = row and float_row and not tensor_cores
                line.append(percent(row.median("tflops") / float_row.median("tflops")) if comparable else "")
        return line

    lines = [[f"`{name}`"] + columns(lambda problem, name=name: results.row(name, problem)) for name in rungs(results)]
    for name, words in ((DEFAULT, "**cuBLAS, default**"), (BEST, "**cuBLAS, best**")):
        lines.append([words] + columns(lambda problem, name=name: results.row(name, problem), tensor_cores=True))
    for words, note, *rest in peer_lines(results, lambda row_of: columns(row_of, tensor_cores=True)):
        lines.append([f"{words}, {note}", *rest])
    return markdown_table(header, lines)


def figure(results, path):
    """Horizontal bars on a logarithmic axis, a group for each rung and in it a bar for each type; cuBLAS's last."""
    pyplot = figures.pyplot()
    names, problems = [*rungs(results), BEST], columns_of(results)

    def row_of(name, problem):
        return cublas_best(results, problem) if name == BEST else results.row(name, problem)

    rows = {(name, problem): row_of(name, problem) for name in names for problem in problems}
    speeds = [speed for row in rows.values() if row is not None for speed in row.values("tflops")]
    low, high = 0.6 * min(speeds), max(speeds)
    height = 0.82 / len(problems)
    picture, axes = pyplot.subplots(figsize=(figures.WIDTH, 1.7 + 0.72 * len(names)), layout="constrained")
    for index, problem in enumerate(problems):
        places = [place - 0.41 + (index + 0.5) * height for place in range(len(names))]
        for place, name in zip(places, names):
            row = rows[name, problem]
            if row is None:
                continue
            median, values = row.median("tflops"), row.values("tflops")
            axes.barh(place, median - low, left=low, height=height * 0.9, color=figures.OTHERS[index],
                      xerr=[[median - min(values)], [max(values) - median]],
                      error_kw=figures.WHISKERS | {"capsize": 1.5}, zorder=2)
            other = ", B transposed" if row.problem.storage != problem.storage else ""
            axes.annotate(number(median) + other, xy=(max(values), place), xytext=(4, 0), textcoords="offset points",
                          va="center", ha="left", fontsize=8.5, zorder=4)
        axes.barh(0, 0, left=low, color=figures.OTHERS[index], label=WORDS[problem.dtype])
    axes.set_xscale("log")
    axes.set_xlim(low, high * (high / low) ** 0.16)
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.set_xlabel("TFLOP/s (int8: TOP/s), logarithmic")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    figures.tidy(axes, "x")
    figures.name_rows(axes, [{BEST: "cuBLAS, best"}.get(name, name) for name in names],
                      {"cuBLAS, best": "tensor cores but for float"})
    figures.legend_below(picture, axes.get_legend_handles_labels()[0], len(problems))
    picture.suptitle(f"Every rung in every element type on one {results.context['gpu']}, "
                     f"{figures.shape(problems[0].shape)}, row-major", fontsize=12)
    figures.save(picture, results, path)

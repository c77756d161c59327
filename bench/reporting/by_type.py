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


def peer_note(results):
    """What cuBLAS reaches, which on tensor cores is too much for a figure of ours."""
    parts = []
    for problem in columns_of(results):
        # For int8, cublasLt has algorithms only where k runs along both operands.
        candidates = [problem, problem._replace(storage="nt")]
        rows = [row for p in candidates for row in (results.row(BEST, p), results.row(DEFAULT, p)) if row is not None]
        if rows:
            best = max(row.median("tflops") for row in rows)
            parts.append(f"{WORDS[problem.dtype]} {number(best)}")
    return ", ".join(parts)


def summary(results, folder):
    problems = columns_of(results)
    return (f"![TFLOP/s of each rung in each type]({folder}/types.svg)\n\n{table(results)}\n\n"
            f"{shape_name(problems[0].shape)}, row-major, sums in float (int8: in int32, TOP/s), on "
            f"{machine(results)}. *Of float* is the rate beside the same rung's in float, in one process. cuBLAS, "
            f"PyTorch and Triton compute half, bfloat16 and int8 on the tensor cores, "
            f"which of these rows `automatic` alone does, half and bfloat16.")


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
    """Horizontal bars, a group for each rung and in it a bar for each type."""
    pyplot = figures.pyplot()
    names, problems = rungs(results), columns_of(results)
    rows = {(name, problem): results.row(name, problem) for name in names for problem in problems}
    limit = max(max(row.values("tflops")) for row in rows.values() if row is not None)
    height = 0.82 / len(problems)
    picture, axes = pyplot.subplots(figsize=(9.5, 2.1 + 0.82 * len(names)), layout="constrained")
    for index, problem in enumerate(problems):
        places = [place - 0.41 + (index + 0.5) * height for place in range(len(names))]
        for place, name in zip(places, names):
            row = rows[name, problem]
            if row is None:
                continue
            median, values = row.median("tflops"), row.values("tflops")
            axes.barh(place, median, height=height * 0.9, color=figures.OTHERS[index],
                      xerr=[[median - min(values)], [max(values) - median]],
                      error_kw=figures.WHISKERS | {"capsize": 1.5}, zorder=2)
            axes.text(max(values) + 0.01 * limit, place, number(median), va="center", ha="left", fontsize=8, zorder=4)
        axes.barh(0, 0, color=figures.OTHERS[index], label=WORDS[problem.dtype])
    axes.set_xlim(0, 1.12 * limit)
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.set_xlabel("TFLOP/s (int8: TOP/s)")
    figures.tidy(axes, "x")
    figures.name_rows(axes, names, {})
    axes.legend(loc="upper right", frameon=False, fontsize=9.5)
    note = peer_note(results)
    axes.set_title(f"{shape_name(problems[0].shape).replace('^3', '$^3$')}, row-major"
                   + (f"; cuBLAS at best, on tensor cores but for float: {note}" if note else ""), fontsize=9.5)
    picture.suptitle(f"Every rung in every element type on one {results.context['gpu']}", fontsize=12)
    figures.save(picture, results, path)

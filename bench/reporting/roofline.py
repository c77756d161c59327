# SPDX-License-Identifier: BSL-1.0
"""The ladder on a roofline: each rung at the operations that it does for a byte that it requests."""

import math
import re
import statistics

from reporting import figures
from reporting.ladder import WORDS, family, rungs
from reporting.results import BEST
from reporting.tables import machine, number, shape_name

BYTES = {"f64": 8, "f32": 4, "tf32": 4, "f16": 2, "bf16": 2, "i8": 1}
SECTOR = 32  # bytes: what a warp's scattered accesses cost each


def requested_bytes(contender, problem):
    """What the rung's blocks request of global memory, caches or not; None for what has no tile in its name.

    A block with tiles in shared memory requests block_m + block_n elements for each k. The two rungs without request by
    the warp: 32 neighbours along a row and one element of the other operand (coalesced), or 32 sectors, one for each
    row (naive), and the one element."""
    blocks = re.search(r"_(\d+)x(\d+)", contender)
    if blocks is None or contender.startswith("cublas"):
        return None
    size, (m, n, k) = BYTES[problem.dtype], problem.shape
    products = m * n * k * problem.batch
    if family(contender) == "naive":
        inputs = products / 32 * (32 * SECTOR + SECTOR)
    elif family(contender) == "coalesced":
        inputs = products / 32 * (32 * size + SECTOR)
    else:
        inputs = products * size * (1 / int(blocks[1]) + 1 / int(blocks[2]))
    return inputs + m * n * problem.batch * size


def summary(results, folder):
    problem = results.problems()[0]
    return (f"![Roofline of the ladder]({folder}/roofline.svg)\n\n"
            f"{WORDS.get(problem.dtype, problem.dtype).capitalize()}, {shape_name(problem.shape)}, on "
            f"{machine(results)}. To the right: operations for each byte that the rung's blocks request of global "
            f"memory (tiles of A and B, and C; for the first two rungs, which have no tiles, what their warps request "
            f"in sectors of {SECTOR} bytes). What lies above the line of DRAM has been served by caches.")


def spread(values, gap):
    """Places for labels near these values, ascending, at least a gap apart."""
    places = list(values)
    for _ in range(100):
        for i in range(len(places) - 1):
            short = gap - (places[i + 1] - places[i])
            if short > 1e-9:
                places[i] -= short / 2
                places[i + 1] += short / 2
    return places


def figure(results, path):
    """Both axes logarithmic: the roofs of DRAM, L1 and the multiply-adds, and the rungs below them."""
    pyplot = figures.pyplot()
    problem = results.problems()[0]
    points = []
    for name in rungs(results):
        row, requested = results.row(name, problem), requested_bytes(name, problem)
        if row is not None and requested is not None:
            flops = 2.0 * math.prod(problem.shape) * problem.batch
            points.append((flops / requested, row.median("tflops"), name))
    context = results.context
    peak, bandwidth = float(context[f"peak_tflops_{problem.dtype}"]), float(context["bandwidth_tbps"])
    clocks = [clock for row in results.rows for clock in row.values("sm_mhz")]
    roofs = [(bandwidth, f"DRAM, {number(bandwidth)} TB/s")]
    if clocks and "multiprocessors" in context:
        l1 = int(context["multiprocessors"]) * 128 * statistics.median(clocks) * 1e-6
        roofs.append((l1, f"L1, 128 bytes a clock: {number(l1)} TB/s"))

    picture, axes = pyplot.subplots(figsize=(9.5, 5.6), layout="constrained")
    left, right = 0.03, 400
    bottom = 0.5 * min(speed for _, speed, _ in points)
    top = 2.2 * peak
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    for rate, _ in roofs:
        start = max(left, bottom / rate)
        axes.plot([start, peak / rate], [start * rate, peak], color=figures.GREY, linewidth=1.5, zorder=1)
    ridge = peak / max(rate for rate, _ in roofs)
    axes.plot([ridge, right], [peak, peak], color=figures.GREY, linewidth=1.5, zorder=1)
    axes.text(right, peak * 1.05, f"multiply-adds, {number(peak)} TFLOP/s ", color=figures.GREY, fontsize=9, ha="right",
              va="bottom")
    best = results.row(BEST, problem)
    if best is not None:
        axes.axhline(best.median("tflops"), color=figures.CUBLAS, linewidth=1, linestyle="--", zorder=1)
        axes.text(left * 1.1, best.median("tflops") * 0.96, f"cuBLAS {number(best.median('tflops'))}",
                  color=figures.CUBLAS, fontsize=9, ha="left", va="top")

    picture.canvas.draw()  # for the layout, which says how steep the roofs are on paper
    for rate, label in roofs:
        x = 0.5 * peak / rate  # near the upper end, where no point is
        (x0, y0), (x1, y1) = axes.transData.transform([(x, x * rate), (2 * x, 2 * x * rate)])
        axes.annotate(label, xy=(x, x * rate), xytext=(-4, 4), textcoords="offset points", color=figures.GREY,
                      fontsize=9, rotation=math.degrees(math.atan2(y1 - y0, x1 - x0)), rotation_mode="anchor",
                      va="bottom", ha="right")

    points.sort(key=lambda point: point[1])
    # Labels of points above one another share a column at their right.
    for intensity in dict.fromkeys(round(math.log10(x), 2) for x, _, _ in points):
        column = [point for point in points if round(math.log10(point[0]), 2) == intensity]
        places = spread([math.log10(speed) for _, speed, _ in column], 0.033 * math.log10(top / bottom))
        for (x, speed, name), place in zip(column, places):
            axes.plot(x, speed, marker="o", color=figures.OURS, markersize=7, zorder=3)
            axes.annotate(f"{name}  {number(speed)}", xy=(x, speed), xytext=(x * 1.35, 10**place), fontsize=9,
                          va="center", ha="left", zorder=4, bbox={"color": "white", "pad": 1},
                          arrowprops={"arrowstyle": "-", "color": "#999999", "linewidth": 0.7, "shrinkB": 4})
    axes.set_xlabel("operations for each byte that the rung requests of global memory")
    axes.set_ylabel("TFLOP/s")
    axes.grid(which="major", color="#dddddd", zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
    picture.suptitle(f"The ladder below its roofs on one {context['gpu']}, "
                     f"{WORDS.get(problem.dtype, problem.dtype)}, {shape_name(problem.shape).replace('^3', '$^3$')}",
                     fontsize=12)
    figures.save(picture, results, path)

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
# A multiprocessor's operations a clock on tensor cores, on half and bfloat16 without sparsity.
TENSOR_OPERATIONS = {"H100": 4096, "H200": 4096}
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
            f"memory. The first two rungs have no tiles; for them, what their warps request in sectors of {SECTOR} "
            f"bytes. What lies above the line of DRAM has been served by caches.")


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

    tensor = next((rate for name, rate in TENSOR_OPERATIONS.items() if name in context["gpu"]), None)
    ceilings = [(peak, f"multiply-adds, {number(peak)} TFLOP/s")]
    if clocks and tensor and "multiprocessors" in context:
        rate = int(context["multiprocessors"]) * tensor * statistics.median(clocks) * 1e-6
        ceilings.append((rate, f"tensor cores in half, {tensor} operations a clock: {number(rate)} TFLOP/s"))

    picture, axes = pyplot.subplots(figsize=(figures.WIDTH, 6.2), layout="constrained")
    left, right = 0.03, 4000
    bottom = 0.5 * min(speed for _, speed, _ in points)
    top = 2.2 * max(rate for rate, _ in ceilings)
    axes.set_xscale("log")
    axes.set_yscale("log")
    figures.plain(axes.xaxis, axes.yaxis)
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    highest, fastest = max(rate for rate, _ in ceilings), max(rate for rate, _ in roofs)
    for rate, _ in roofs:
        start = max(left, bottom / rate)
        axes.plot([start, highest / rate], [start * rate, highest], color=figures.GREY, linewidth=1.5, zorder=1)
    for ceiling, label in ceilings:
        axes.plot([ceiling / fastest, right], [ceiling, ceiling], color=figures.GREY, linewidth=1.5, zorder=1)
        axes.text(right, ceiling * 1.05, label + " ", color=figures.GREY, fontsize=9, ha="right", va="bottom")
    best = results.row(BEST, problem)
    if best is not None:
        axes.axhline(best.median("tflops"), color=figures.CUBLAS, linewidth=1, linestyle="--", zorder=1)
        axes.text(left * 1.1, best.median("tflops") * 0.96, f"cuBLAS {number(best.median('tflops'))}",
                  color=figures.CUBLAS, fontsize=9, ha="left", va="top")

    picture.canvas.draw()  # for the layout, which says how steep the roofs are on paper
    for rate, label in roofs:
        x = 0.7 * highest / rate  # near the upper end, where no point is
        (x0, y0), (x1, y1) = axes.transData.transform([(x, x * rate), (2 * x, 2 * x * rate)])
        axes.annotate(label, xy=(x, x * rate), xytext=(-4, 4), textcoords="offset points", color=figures.GREY,
                      fontsize=9, rotation=math.degrees(math.atan2(y1 - y0, x1 - x0)), rotation_mode="anchor",
                      va="bottom", ha="right")

    points.sort(key=lambda point: point[1])

    def label_of(name, speed):
        return f"{name}, {number(speed)}"

    # Labels of points above one another share a column, which is free above the roof of the multiply-adds and ends
    # within the panel; other labels are above their points where a roof is near at the right, else beside them. All
    # have a white ground, so that no roof strikes them out.
    panel = axes.get_window_extent()
    widest = max(figures.extents(label_of(name, speed), 9)[0] * picture.dpi / 72 for _, speed, name in points)
    end = axes.transData.inverted().transform((panel.x1 - widest - 4, panel.y0))[0]
    gap = 0.036 * math.log10(top / bottom)
    for intensity in dict.fromkeys(round(math.log10(x), 2) for x, _, _ in points):
        column = [point for point in points if round(math.log10(point[0]), 2) == intensity]
        for place, (x, speed, name) in enumerate(column):
            at = ((min(3.9 * x, end), 10 ** (math.log10(1.75 * peak) + place * gap)) if len(column) > 1 else
                  (0.77 * x, 1.42 * speed) if speed > 0.3 * bandwidth * x else (1.35 * x, speed))
            axes.plot(x, speed, marker="o", color=figures.OURS, markersize=7, zorder=3)
            axes.annotate(label_of(name, speed), xy=(x, speed), xytext=at, fontsize=9, va="center", ha="left",
                          zorder=4, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
                          arrowprops={"arrowstyle": "-", "color": "#999999", "linewidth": 0.7, "shrinkB": 4,
                                      "relpos": (0, 0.5)})
    axes.set_xlabel("operations for each byte that the rung requests of global memory")
    axes.set_ylabel("TFLOP/s")
    axes.grid(which="major", color="#dddddd", zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
    picture.suptitle(f"The ladder below its roofs on one {context['gpu']}, "
                     f"{WORDS.get(problem.dtype, problem.dtype)}, {figures.shape(problem.shape)}",
                     fontsize=12)
    figures.save(picture, results, path)

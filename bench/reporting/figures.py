# SPDX-License-Identifier: BSL-1.0
"""What the figures have in common: the look, and how they are written."""

OURS, AUTOMATIC, CUBLAS, GREY = "#3b75af", "#4c8c2b", "#c8102e", "#777777"
OTHERS = ["#3b75af", "#e08a1e", "#8059a8", "#4c8c2b", "#8c6d4f"]  # of types, sizes and the like
WHISKERS = {"capsize": 3, "linewidth": 1, "ecolor": "#222222"}


def pyplot():
    """matplotlib's, set so that the same results make the same file each time."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "gemm", "font.family": "DejaVu Sans", "font.size": 10})
    from matplotlib import pyplot as plot
    return plot


def save(picture, results, path):
    # The digest lets --check see what the figure was made from. No date and no version: the same file each time.
    picture.savefig(path, format="svg", metadata={"Date": None, "Creator": None, "Source": results.source()})
    pyplot().close(picture)


def tidy(axes, grid="both"):
    axes.grid(axis=grid, color="#dddddd", zorder=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def name_rows(axes, names, notes):
    """Names of horizontal bars at their left, bold, each with a note below it."""
    axes.set_yticks([])
    for place, name in enumerate(names):
        beside = {"xy": (0, place), "xycoords": ("axes fraction", "data"), "textcoords": "offset points", "ha": "right"}
        note = notes.get(name, "")
        axes.annotate(name, xytext=(-8, 1 if note else 0), va="bottom" if note else "center", weight="bold",
                      fontsize=9.5, **beside)
        if note:
            axes.annotate(note, xytext=(-8, -1), va="top", color="#555555", fontsize=8.5, **beside)

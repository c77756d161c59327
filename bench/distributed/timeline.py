#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Draws the time line of an all_gather_product() that gemm_distributed has measured.

    gemm_distributed timeline >times.jsonl
    timeline.py times.jsonl picture.svg

For each rank: how many of its GPU's tiles end in each slice of time, coloured by the rank whose rows they have; when
pieces of the others' shards arrive; when the ranks meet.
"""

import json
import sys

COLOURS = ["#4878a8", "#d8823c", "#5a9e5a", "#b8505a", "#8a6cb0", "#8c6d5a", "#c478b0", "#7a7a7a"]
WIDTH, LEFT, HEIGHT, GAP, SLICES = 960, 90, 70, 54, 160


def read(path):
    found = {}
    for line in open(path):
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and "timeline" in row:
            found[row["rank"]] = row
    if not found:
        raise SystemExit(f"timeline.py: {path} has no time line")
    return [found[rank] for rank in sorted(found)]


def owner_of(tile_row, row):
    each = -(-row["m"] // row["ranks"])
    return min(tile_row * row["rows_of_tile"] // each, row["ranks"] - 1)


def draw_rank(row, top, longest):
    """A rank's part of the picture; waits are where no tile ends before a piece arrives."""
    scale = (WIDTH - LEFT - 10) / longest
    at = lambda time: LEFT + time * scale
    slices = [[0] * row["ranks"] for _ in range(SLICES)]
    for index, time in enumerate(row["tiles"]):
        if 0 < time <= longest:
            slices[min(int(time / longest * SLICES), SLICES - 1)][owner_of(index // row["columns"], row)] += 1
    most = max(sum(counts) for counts in slices) or 1
    out = [f'<text x="4" y="{top + HEIGHT - 4}">rank {row["rank"]}: tiles</text>',
           f'<text x="4" y="{top + HEIGHT + 14}">pieces</text>']
    for number, counts in enumerate(slices):
        bottom = top + HEIGHT
        for owner, count in enumerate(counts):
            height = count / most * HEIGHT
            bottom -= height
            if count:
                out.append(f'<rect x="{at(number * longest / SLICES):.1f}" y="{bottom:.1f}" '
                           f'width="{(WIDTH - LEFT - 10) / SLICES:.2f}" height="{height:.1f}" '
                           f'fill="{COLOURS[owner % len(COLOURS)]}"/>')
    for owner, times in enumerate(row["arrived"]):
        before = max(row["met"])
        for time in times:
            if time > 0:
                out.append(f'<rect x="{at(before):.1f}" y="{top + HEIGHT + 4}" '
                           f'width="{max(at(time) - at(before) - 1, 1):.1f}" height="10" '
                           f'fill="{COLOURS[owner % len(COLOURS)]}"/>')
                before = time
    for time in [max(row["met"]), row["end"]]:
        out.append(f'<line x1="{at(time):.1f}" x2="{at(time):.1f}" y1="{top - 4}" y2="{top + HEIGHT + 16}" '
                   'stroke="black"/>')
    return out


def picture(rows):
    longest = max(row["end"] for row in rows) * 1.02
    height = len(rows) * (HEIGHT + GAP) + 40
    first = rows[0]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
           f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
           'font-size="11">', f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
           f'<text x="{LEFT}" y="14">{first["timeline"]}, {first["ranks"]} GPUs, {first["m"]} x {first["n"]} x '
           f'{first["k"]} a GPU: tiles that end, by the rank of their rows; pieces of shards; meetings</text>']
    for number, row in enumerate(rows):
        out += draw_rank(row, 28 + number * (HEIGHT + GAP), longest)
    step = 10 ** (len(str(int(longest))) - 1)
    step = step if longest / step >= 4 else step / 2
    for tick in range(int(longest / step) + 1):
        x = LEFT + tick * step * (WIDTH - LEFT - 10) / longest
        out.append(f'<text x="{x:.1f}" y="{height - 6}">{tick * step:g} us</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main(arguments):
    if len(arguments) != 2:
        raise SystemExit(__doc__)
    with open(arguments[1], "w") as file:
        file.write(picture(read(arguments[0])))


if __name__ == "__main__":
    main(sys.argv[1:])

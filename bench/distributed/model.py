#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What products of several GPUs should take: tiles, links, latencies, up to 1024 ranks.

    model.py            prints the table of docs/distributed.md
    model.py --write    writes it there
    model.py --check    exits with 1 where the page has another
    model.py --against=times.jsonl    beside what gemm_distributed has measured, with the links of the same run
"""

import argparse
import json
import math
import pathlib
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "distributed.md"
BEGIN, END = "<!-- model:begin -->", "<!-- model:end -->"


class Machine:
    """A host's GPUs and what is between them. Assumptions, but for what the page says was measured."""

    multiprocessors = 132
    flops = 700e12  # of all of them, bf16
    tile_m, tile_n = 128, 256
    memory = 4.0e12  # bytes a second
    link = 360e9  # bytes a second that a GPU takes in from its host's others
    network = 45e9  # the same from other hosts
    host = 8  # GPUs that reach each other's memory
    meeting = 6e-6  # seconds
    collective = 12e-6  # seconds before a collective's first byte, for each level


def seconds_of_product(machine, m, n, k):
    """Whole waves of tiles."""
    tiles = math.ceil(m / machine.tile_m) * math.ceil(n / machine.tile_n)
    of_tile = 2 * machine.tile_m * machine.tile_n * k * machine.multiprocessors / machine.flops
    return math.ceil(tiles / machine.multiprocessors) * of_tile


def seconds_of_exchange(machine, ranks, matrix):
    """Of a collective that moves (ranks - 1) / ranks of a matrix into each GPU: within hosts, and between them."""
    local = min(ranks, machine.host)
    hosts = ranks / local
    within = matrix / hosts * (local - 1) / local / machine.link
    between = matrix * (hosts - 1) / hosts / machine.network
    return within + between + machine.collective * (1 if hosts == 1 else 2)


def seconds_of_gather(machine, ranks, m, n, k, product=None):
    """all_gather_product(), n of one rank: shards arrive one after the other, each multiplied when it is there."""
    product = product or seconds_of_product(machine, m, n, k)
    exchange = seconds_of_exchange(machine, ranks, 2 * m * k)
    if ranks == 1:
        return product, product
    end = 0
    for shard in range(ranks):
        end = max(end, exchange * shard / (ranks - 1)) + product / ranks
    return end + 2 * machine.meeting, product + exchange


def seconds_of_scatter(machine, ranks, m, n, k, product=None):
    """product_reduce_scatter(), k of one rank: stores beside the product, then the sum of the parts."""
    product = product or seconds_of_product(machine, m, n, k)
    exchange = seconds_of_exchange(machine, ranks, 2 * m * n)
    if ranks == 1:
        return product, product
    parts = 2 * m * n * (1 + 1 / ranks) / machine.memory
    return max(product, exchange) + parts + 2 * machine.meeting, product + exchange


def table(machine=Machine()):
    """8192 tokens of a layer of 8192 x 29568, forward and back."""
    m, hidden, inner = 8192, 8192, 29568
    lines = ["| ranks | all-gather, product: ms | one after the other | of linear | product, reduce-scatter: ms | one after the other | of linear |",
             "|---:|---:|---:|---:|---:|---:|---:|"]
    first = None
    for ranks in (1, 2, 4, 8, 16, 64, 256, 1024):
        share = math.ceil(inner / ranks)
        gather, scatter = seconds_of_gather(machine, ranks, m, share, hidden), seconds_of_scatter(machine, ranks, m, hidden, share)
        first = first or (gather[0], scatter[0])
        cells = [str(ranks)]
        for own, whole in zip((gather, scatter), first):
            cells += [f"{own[0] * 1e3:.3f}", f"{own[1] * 1e3:.3f}", f"{100 * whole / ranks / own[0]:.0f} %"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def against(path):
    """A table of measured times, in microseconds, and of the model's with the links and products of the same run."""
    machine, rows = Machine(), []
    for text in pathlib.Path(path).read_text().splitlines():
        try:
            row = json.loads(text)
        except ValueError:
            continue
        if isinstance(row, dict) and "links" in row:
            machine.link, machine.meeting, machine.collective = row["copy"], row["meeting"], row["collective_start"]
        if isinstance(row, dict) and "run_us" in row and row["product"] != "product_all_reduce":
            rows.append(row)
    lines = ["| product | ranks | m | n | k | measured | model | one after the other | model |",
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for row in rows:
        ranks, m, n, k = row["ranks"], row["m"], row["n"], row["k"]
        gathers = row["product"] == "all_gather_product"
        seconds = seconds_of_gather if gathers else seconds_of_scatter
        own = (m, n // ranks, k) if gathers else (m, n, k // ranks)
        ours = seconds(machine, ranks, *own, product=row["run_us"] * 1e-6)[0]
        theirs = seconds(machine, ranks, *own, product=row["cublas_us"] * 1e-6)[1]
        lines.append(f"| {row['product']} | {ranks} | {m} | {n} | {k} | {row['peer_memory_us']:.0f} | {ours * 1e6:.0f} | "
                     f"{row['libraries_us']:.0f} | {theirs * 1e6:.0f} |")
    return "\n".join(lines)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--against")
    options = parser.parse_args(arguments)
    if options.against:
        print(against(options.against))
        return 0
    text = PAGE.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    new = text[:begin] + "\n" + table() + "\n" + text[end:]
    if options.write:
        PAGE.write_text(new)
    elif options.check:
        if new != text:
            print("docs/distributed.md has another table: model.py --write")
            return 1
    else:
        print(table())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

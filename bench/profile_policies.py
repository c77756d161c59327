#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Profiles two policies with Nsight Compute and prints what it found side by side, as a Markdown table:

    python3 bench/profile_policies.py build/bench/bench/gemm_bench vectorized_128x128x8 warp_tile_128x128x16

A policy is a name that gemm_bench knows, or cublas_default or cublaslt_best. gemm_bench launches it twice (--profile),
and ncu sees the second launch alone. Where ncu is absent or the counters are refused, a sentence says so and the exit
code is 0; it is 1 where anything else went wrong.
"""

import argparse
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from reporting.tables import markdown_table, number

TIME = "gpu__time_duration.sum"
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"

# Title, metric of ncu, factor of the base unit.
METRICS = [
    ("time, us", TIME, 1e-3),
    ("cycles", "sm__cycles_elapsed.max", 1),
    ("multiprocessor throughput, %", "sm__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    ("L1 throughput, %", "l1tex__throughput.avg.pct_of_peak_sustained_active", 1),
    ("L2 throughput, %", "lts__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    ("DRAM throughput, %", "dram__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    ("DRAM read, MB", "dram__bytes_read.sum", 1e-6),
    ("DRAM written, MB", "dram__bytes_write.sum", 1e-6),
    ("instructions a cycle", "sm__inst_executed.avg.per_cycle_active", 1),
    ("bank conflicts of shared loads", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 1),
    ("bank conflicts of shared stores", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 1),
    ("achieved occupancy, %", "sm__warps_active.avg.pct_of_peak_sustained_active", 1),
    ("theoretical occupancy, %", "sm__maximum_warps_per_active_cycle_pct", 1),
    ("registers a thread", "launch__registers_per_thread", 1),
    ("dynamic shared memory a block, bytes", "launch__shared_mem_per_block_dynamic", 1),
    ("blocks", "launch__grid_size", 1),
    ("threads a block", "launch__block_size", 1),
]

# Why warps do not issue: warps in that state for each instruction issued. What ncu calls each is its title.
STALLS = ["barrier", "branch_resolve", "dispatch_stall", "drain", "imc_miss", "lg_throttle", "long_scoreboard",
          "math_pipe_throttle", "membar", "mio_throttle", "no_instruction", "not_selected", "selected",
          "short_scoreboard", "sleeping", "wait"]

# What ncu or the driver say where counters are not to be had, and nobody did anything wrong.
REFUSALS = ["ERR_NVGPUCTRPERM", "driver resource was unavailable", "Profiling is not supported",
            "profiling is not supported", "insufficient privileges"]


class ProfileError(Exception):
    """Something is wrong that is neither ncu's absence nor a refusal."""


class Unavailable(Exception):
    """There are no counters here."""


def parse_raw_page(text):
    """The kernels of `ncu --csv --page raw`, each a dictionary from metric to number; what is no number is left out.

    Around the table stands what ncu and the program print. Below its header is a line of units."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise ProfileError("ncu printed no table")
    header, *rows = csv.reader(line for line in lines[start:] if line.startswith('"'))
    kernels = []
    for row in rows:
        if len(row) != len(header) or not row[0]:
            continue  # the units
        kernel = {}
        for name, value in zip(header, row):
            try:
                kernel[name] = float(value.replace(",", ""))
            except ValueError:
                if name == "Kernel Name":
                    kernel[name] = value
        kernels.append(kernel)
    if not kernels:
        raise ProfileError("ncu profiled no kernel")
    return kernels


def longest(kernels):
    """The kernel that matters, where a launch has several, such as one that adds up parts of sums."""
    return max(kernels, key=lambda kernel: kernel.get(TIME, 0))


def table(names, kernels):
    """Side by side: a column for each policy, and how many times the first one's number the second's is."""
    def line(title, values):
        texts = [number(value) if value is not None else "" for value in values]
        ratio = values[1] / values[0] if None not in values and values[0] else None
        return [title, *texts, number(ratio)]

    lines = []
    for title, metric, factor in METRICS:
        values = [kernel[metric] * factor if metric in kernel else None for kernel in kernels]
        if values != [None, None]:
            lines.append(line(title, values))
    stalls = []
    for reason in STALLS:
        values = [kernel.get(STALL.format(reason)) for kernel in kernels]
        if any(value is not None and value >= 0.01 for value in values):
            stalls.append((max(value or 0 for value in values), line(f"stall: {reason.replace('_', ' ')}", values)))
    lines += [text for _, text in sorted(stalls, key=lambda stall: -stall[0])]
    return markdown_table(["", *(f"`{name}`" for name in names), "second over first"], lines)


def profile(ncu, bench, policy, shape):
    """The kernel that the policy launches, as ncu sees it."""
    metrics = [metric for _, metric, _ in METRICS] + [STALL.format(reason) for reason in STALLS]
    cublas = policy.startswith("cublas")
    with tempfile.TemporaryDirectory() as folder:
        shapes = pathlib.Path(folder) / "shape.txt"
        shapes.write_text(shape + "\n")
        command = [ncu, "--csv", "--page", "raw", "--print-units", "base", "--profile-from-start", "off",
                   "--metrics", ",".join(metrics), bench, "--profile", f"--shapes={shapes}",
                   f"--peers={'on' if cublas else 'off'}", f"--policies=^{re.escape(policy)}$"]
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    said = ran.stdout + ran.stderr
    refusal = next((words for words in REFUSALS if words in said), None)
    if refusal:
        raise Unavailable(f"this machine's performance counters are not available ({refusal})")
    if ran.returncode != 0:
        raise ProfileError(f"ncu or gemm_bench failed with exit code {ran.returncode}:\n{said.strip()}")
    return longest(parse_raw_page(ran.stdout))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", help="the executable gemm_bench")
    parser.add_argument("policies", nargs=2, metavar="POLICY")
    parser.add_argument("--shape", default="f32 nn 4096 4096 4096", help="as in a list of shapes (%(default)s)")
    parser.add_argument("--ncu", default=os.environ.get("NCU", "ncu"), help="Nsight Compute's program (%(default)s)")
    options = parser.parse_args(arguments)
    try:
        ncu = shutil.which(options.ncu)
        if ncu is None:
            raise Unavailable("there is no ncu (Nsight Compute) on this machine")
        kernels = [profile(ncu, options.bench, policy, options.shape) for policy in options.policies]
        print(f"{options.shape}\n\n{table(options.policies, kernels)}")
    except Unavailable as reason:
        print(f"profile_policies.py: nothing to compare: {reason}.")
    except (ProfileError, OSError) as error:
        print(f"profile_policies.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

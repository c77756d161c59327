#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Times products of ragged rows beside torch._grouped_mm and beside the dense product of as many rows, in one process.

    python3 bench/groups.py --library=build/bench/bench/libgemm_groups.so --out=build/groups.json [--only=REGEX]
        [--gradient]

Of bfloat16, B with k along memory. Each problem is groups x rows of n and k, with one routing of the rows: equal, drawn
(0.7 to 1.3 of the mean), or skewed (the first group has 8 times the mean, six of 32 groups none). Verified first, then
interleaved: samples of about 2 ms between two events, buffers rotated over 256 MiB. The floor is the time in which memory
gives the weights of groups with rows, A and C once.

With --gradient instead the products that give the gradients of the same problems' weights, k x n for each group, whose
rows are their k.

Exits with 0 and a sentence where there is no PyTorch, or no GPU.
"""

import argparse
import ctypes
import json
import pathlib
import re
import statistics
import sys
import time

BANDWIDTH = {"NVIDIA H200": 4.27e12, "NVIDIA H100 80GB HBM3": 3.05e12}  # bytes a second, as measured
SAMPLE_SECONDS, MOST_LAUNCHES, ROTATED_BYTES = 2e-3, 100, 256 << 20

# groups, rows of all groups, n, k, routing
PROBLEMS = [
    *((256, 256 * rows, 4096, 6144, routing) for rows in (1024, 2048) for routing in ("equal", "drawn")),
    *((groups, groups * rows, n, k, "equal") for groups, rows in ((4, 8192), (8, 2048), (8, 4096))
      for n, k in ((4096, 7168), (7168, 3072))),
    *((groups, groups * rows, n, k, "equal") for groups in (8, 32, 128, 256) for rows in (1, 4, 16, 64)
      for n, k in ((4096, 7168), (1536, 2048), (2048, 768))),
    *((32, 32 * mean, 4096, 4096, routing) for mean in (256, 1024) for routing in ("equal", "skewed")),
    *((128, tokens * 8, n, k, "drawn") for tokens in (4096, 32768) for n, k in ((1536, 2048), (2048, 768))),
]


def rows_of(groups, rows, routing, generator):
    """The rows of each group, which add up to `rows`."""
    mean = rows // groups
    if routing == "equal":
        return [mean] * groups
    if routing == "drawn":
        counts = [int(mean * (0.7 + 0.6 * generator.random())) for _ in range(groups)]
    else:
        empty = set(range(groups - 6 * groups // 32, groups))
        counts = [8 * mean] + [0 if g in empty else mean // 2 for g in range(1, groups)]
    # What is missing or too much goes to the groups in between.
    g = 1
    while sum(counts) != rows:
        step = 1 if sum(counts) < rows else -1
        if counts[g] > 0 and counts[g] + step > 0:
            counts[g] += step
        g = g % (groups - 1) + 1
    return counts


class Session:
    def __init__(self, torch, library):
        self.torch, self.library = torch, library
        self.message = ctypes.create_string_buffer(256)
        self.begin, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.turn = 0

    def _checked(self, code):
        if code != 0:
            raise RuntimeError(self.message.value.decode())

    def ragged(self, a, b, c, ends):
        stream = self.torch.cuda.current_stream().cuda_stream
        self._checked(self.library.groups_ragged(
            *(ctypes.c_void_p(x.data_ptr()) for x in (a, b, c, ends)), *map(ctypes.c_int64, (
                b.shape[0], a.shape[0], b.shape[1], a.shape[1])), ctypes.c_void_p(stream), self.message))

    def dense(self, a, b, c, ends):
        stream = self.torch.cuda.current_stream().cuda_stream
        self._checked(self.library.groups_dense(
            *(ctypes.c_void_p(x.data_ptr()) for x in (a, b, c)), *map(ctypes.c_int64, (
                a.shape[0], b.shape[1], a.shape[1])), ctypes.c_void_p(stream), self.message))

    def peer(self, a, b, c, ends):
        self.torch._grouped_mm(a, b.mT, offs=ends)

    policy = property(lambda self: self.library.groups_policy)

    def tensors(self, groups, rows, n, k):
        a, b = (self.torch.empty(*size, k, device="cuda", dtype=self.torch.bfloat16).uniform_(-1, 1)
                for size in ((rows,), (groups, n)))
        return a, b, self.torch.empty(rows + 1, n, device="cuda", dtype=self.torch.bfloat16)[:rows]

    def sample(self, call, sets, launches):
        self.begin.record()
        for _ in range(launches):
            self.turn = (self.turn + 1) % len(sets)
            call(*sets[self.turn])
        self.end.record()
        self.end.synchronize()
        return self.begin.elapsed_time(self.end) * 1e-3 / launches

    def verify(self, a, b, c, ends, counts):
        """Compares elements of each group's first and last row with products in double."""
        torch = self.torch
        c.fill_(float("nan"))
        self.ragged(a, b, c, ends)
        row, k = 0, a.shape[1]
        for group, count in enumerate(counts):
            for i in {row, row + count - 1} if count else ():
                want = a[i].double() @ b[group].double().mT
                bound = a[i].abs().double() @ b[group].abs().double().mT * (k + 4) * 2.0**-24 + want.abs() * 2.0**-8
                if not bool(((c[i].double() - want).abs() <= bound).all()):
                    raise RuntimeError(f"row {i} of group {group} is wrong")
            row += count
        if bool(torch.isnan(c[:row]).any()) or not bool(torch.isnan(c[row:]).all()):
            raise RuntimeError("rows are missing, or others were touched")

    def measure(self, groups, rows, n, k, routing, options, generator):
        torch = self.torch
        counts = rows_of(groups, rows, routing, generator)
        total = sum(counts)
        ends = torch.tensor(counts, device="cuda").cumsum(0).to(torch.int32)
        bytes_of_set = 2 * (total * k + groups * n * k + total * n)
        sets = []
        for _ in range(max(1, min(16, ROTATED_BYTES // bytes_of_set + 1))):
            sets.append((*self.tensors(groups, total, n, k), ends))
        self.verify(*sets[0], counts)
        calls = {"ragged": self.ragged, "torch": self.peer, "dense": self.dense}
        launches, seconds = {}, {name: [] for name in calls}
        for name, call in calls.items():
            self.sample(call, sets, 2)
            launches[name] = max(1, min(MOST_LAUNCHES, round(SAMPLE_SECONDS / self.sample(call, sets, 2))))
        stop = time.monotonic() + options.budget
        while len(seconds["ragged"]) < 3 or time.monotonic() < stop:
            for name, call in calls.items():
                seconds[name].append(self.sample(call, sets, launches[name]))
        median = {name: statistics.median(values) for name, values in seconds.items()}
        active = sum(count > 0 for count in counts)
        bandwidth = BANDWIDTH.get(torch.cuda.get_device_name(), 0)
        floor = 2 * (active * n * k + total * (n + k)) / bandwidth if bandwidth else 0
        return {
            "groups": groups, "rows": total, "n": n, "k": k, "routing": routing,
            "policy": self.policy(*map(ctypes.c_int64, (groups, total, n, k))).decode(),
            "us": {name: round(value * 1e6, 2) for name, value in median.items()},
            "tflops": round(2e-12 * total * n * k / median["ragged"], 1),
            "vs_torch": round(median["torch"] / median["ragged"], 3),
            "of_dense": round(median["dense"] / median["ragged"], 3),
            "over_floor": round(median["ragged"] / floor, 3) if floor else None,
        }


class Gradient(Session):
    """X (rows x k) and dY (rows x n) give dW (groups x k x n)."""

    policy = property(lambda self: self.library.gradient_policy)

    def tensors(self, groups, rows, n, k):
        x, dy = (self.torch.empty(rows, size, device="cuda", dtype=self.torch.bfloat16).uniform_(-1, 1)
                 for size in (k, n))
        return x, dy, self.torch.empty(groups, k, n, device="cuda", dtype=self.torch.bfloat16)

    def _sizes(self, x, dy):
        return map(ctypes.c_int64, (x.shape[0], dy.shape[1], x.shape[1]))

    def ragged(self, x, dy, dw, ends):
        self._checked(self.library.gradient_ragged(
            *(ctypes.c_void_p(t.data_ptr()) for t in (x, dy, dw, ends)), ctypes.c_int64(dw.shape[0]),
            *self._sizes(x, dy), ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream), self.message))

    def dense(self, x, dy, dw, ends):
        self._checked(self.library.gradient_dense(
            *(ctypes.c_void_p(t.data_ptr()) for t in (x, dy, dw)), *self._sizes(x, dy),
            ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream), self.message))

    def peer(self, x, dy, dw, ends):
        self.torch._grouped_mm(x.mT, dy, offs=ends)

    def verify(self, x, dy, dw, ends, counts):
        """Compares the first and the last row of each group's gradient with products in double."""
        dw.fill_(float("nan"))
        self.ragged(x, dy, dw, ends)
        row = 0
        for group, count in enumerate(counts):
            of_x, of_dy = x[row:row + count].double(), dy[row:row + count].double()
            for i in (0, x.shape[1] - 1):
                want = of_x[:, i] @ of_dy
                bound = of_x[:, i].abs() @ of_dy.abs() * (count + 4) * 2.0**-24 + want.abs() * 2.0**-8
                if not bool(((dw[group, i].double() - want).abs() <= bound).all()):
                    raise RuntimeError(f"row {i} of the gradient of group {group} is wrong")
            row += count
        if bool(self.torch.isnan(dw).any()):
            raise RuntimeError("gradients are missing")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="problems whose 'groups rows n k routing' it matches")
    parser.add_argument("--gradient", action="store_true", help="times the gradients of the weights")
    parser.add_argument("--budget", type=float, default=0.3, help="seconds a problem")
    options = parser.parse_args()
    try:
        import torch
    except ImportError:
        print("groups.py: there is no PyTorch", file=sys.stderr)
        return 0
    if not torch.cuda.is_available():
        print("groups.py: there is no GPU", file=sys.stderr)
        return 0
    import random
    generator = random.Random(7)
    library = ctypes.CDLL(str(options.library.resolve()))
    library.groups_policy.restype = library.gradient_policy.restype = ctypes.c_char_p
    session, results, failed = (Gradient if options.gradient else Session)(torch, library), [], 0
    for problem in PROBLEMS:
        name = " ".join(map(str, problem))
        if not re.search(options.only, name):
            continue
        try:
            row = session.measure(*problem, options, generator)
            print(f"{name}: {row['policy']} {row['us']['ragged']} us, {row['tflops']} TFLOP/s, "
                  f"{row['vs_torch']} of torch, {row['of_dense']} of dense, {row['over_floor']} of the floor")
        except (RuntimeError, torch.cuda.OutOfMemoryError) as reason:
            row, failed = {"problem": name, "error": str(reason)}, failed + 1
            print(f"{name}: {reason}", file=sys.stderr)
        results.append(row)
        torch.cuda.empty_cache()
    context = {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "cuda": torch.version.cuda,
               "date": time.strftime("%Y-%m-%d")}
    options.out.write_text(json.dumps({"context": context, "results": results}, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Times products of ragged rows beside torch._grouped_mm and beside the dense product of as many rows, in one process.

    python3 bench/groups.py --library=build/bench/bench/libgemm_groups.so --out=build/groups.json [--only=REGEX]
        [--kind=rows]

Kinds: of bfloat16 `rows`, and `gradients`, the products that give the gradients of the same problems' weights, k x n
for each group, whose rows are their k; `along`, these gradients with k along memory; and `views`, products of rows by
an array of views. `along` has no TMA. Of e4m3 with results in bfloat16 `lines`, with a scale for each row of A
and column of B, beside torch._scaled_grouped_mm with fast accumulation; `blocks`, with scales of 1 x 128 and 128 x 128,
which PyTorch does not have; and `masked`, likewise of batches of 4096 rows of which some count.

B has k along memory. Each problem is groups x rows of n and k, with one routing of the rows: equal, drawn (0.7 to 1.3
of the mean), or skewed (the first group has 8 times the mean, six of 32 groups none). Verified first, then interleaved:
samples of about 2 ms between two events, buffers rotated over 256 MiB. The floor is the time in which memory gives the
weights of groups with rows, A and C once.

Exits with 0 and a sentence where there is no PyTorch, or no GPU.
"""

import itertools
import random
import sys

import torch_timing

BANDWIDTH = {"NVIDIA H200": 4.27e12, "NVIDIA H100 80GB HBM3": 3.05e12}  # bytes a second, as measured
SAMPLE_SECONDS, MOST_LAUNCHES, ROTATED_BYTES, MASKED_ROWS = 2e-3, 100, 256 << 20, 4096

# groups, rows of all groups, n, k, routing
OF_BFLOAT16 = [
    *((256, 256 * rows, 4096, 6144, routing) for rows in (1024, 2048) for routing in ("equal", "drawn")),
    *((64, 64 * 1024, 4096, 6144, routing) for routing in ("equal", "drawn")),
    *((groups, groups * rows, n, k, "equal") for groups, rows in ((4, 8192), (8, 2048), (8, 4096))
      for n, k in ((4096, 7168), (7168, 3072))),
    *((groups, groups * rows, n, k, "equal") for groups in (8, 32, 128, 256) for rows in (1, 4, 16, 64)
      for n, k in ((4096, 7168), (1536, 2048), (2048, 768))),
    *((32, 32 * mean, 4096, 4096, routing) for mean in (256, 1024) for routing in ("equal", "skewed")),
    *((128, tokens * 8, n, k, "drawn") for tokens in (4096, 32768) for n, k in ((1536, 2048), (2048, 768))),
]
OF_E4M3 = [
    *((groups, groups * rows, n, k, "equal") for groups, rows in ((4, 8192), (8, 4096), (8, 2048))
      for n, k in ((4096, 7168), (7168, 3072))),
    *((32, 32 * rows, 4096, 7168, "drawn") for rows in (256, 1024)),
    *((groups, groups * rows, n, k, "equal") for groups in (8, 256) for rows in (1, 16, 64)
      for n, k in ((4096, 7168), (7168, 2048))),
]
MASKED = [
    *((4, 4 * 256, n, k, "equal") for n, k in ((4096, 7168), (7168, 2048))),
    *((groups, groups * rows, n, k, "drawn") for groups, rows in ((6, 1024), (32, 192), (6, 20), (32, 20))
      for n, k in ((6144, 7168), (7168, 3072), (4096, 4096), (4096, 2048))),
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


class Rows:
    """Ragged rows of bfloat16."""

    element_bytes = 2

    def __init__(self, torch, library, budget):
        self.torch, self.library, self.budget = torch, library, budget
        self.generator = random.Random(7)

    def random(self, *size):
        return self.torch.empty(*size, device="cuda", dtype=self.torch.bfloat16).uniform_(-1, 1)

    def tensors(self, groups, rows, n, k):
        return self.random(rows, k), self.random(groups, n, k), self.results(rows, n)

    def results(self, rows, n):
        """A view of all but one row, in which a store too far shows."""
        return self.torch.empty(rows + 1, n, device="cuda", dtype=self.torch.bfloat16)[:rows]

    def ragged(self, a, b, c, ends):
        self.library("groups_ragged", a, b, c, ends, b.shape[0], a.shape[0], b.shape[1], a.shape[1])

    def dense(self, a, b, c, ends):
        self.library("groups_dense", a, b, c, a.shape[0], b.shape[1], a.shape[1])

    def peer(self, a, b, c, ends):
        self.torch._grouped_mm(a, b.mT, offs=ends)

    def policy(self, groups, rows, n, k):
        return self.library.text("groups_policy", groups, rows, n, k)

    def expected(self, tensors, row, group):
        """A row of a group's product in double, and the most that it may be off, before C's last rounding."""
        a, b = tensors[0][row].double(), tensors[1][group].double()
        return a @ b.mT, a.abs() @ b.abs().mT * (b.shape[1] + 4) * 2.0**-24

    def rows_of_groups(self, counts):
        """The rows of A and C that each group has."""
        first = 0
        for count in counts:
            yield first, count
            first += count

    def verify(self, tensors, ends, counts):
        """Compares elements of each group's first and last row with products in double."""
        torch, c = self.torch, tensors[-1]
        whole = c._base
        whole.fill_(float("nan"))
        self.ragged(*tensors, ends)
        for group, (first, count) in enumerate(self.rows_of_groups(counts)):
            for i in {first, first + count - 1} if count else ():
                want, bound = self.expected(tensors, i, group)
                if not bool(((c[i].double() - want).abs() <= bound + want.abs() * 2.0**-8).all()):
                    raise RuntimeError(f"row {i} of group {group} is wrong")
            if bool(torch.isnan(c[first:first + count]).any()):
                raise RuntimeError(f"rows of group {group} are missing")
        if int(torch.isnan(whole).all(1).sum()) != whole.shape[0] - sum(counts):
            raise RuntimeError("rows that belong to no group were touched")

    def ranges(self, counts):
        return self.torch.tensor(counts, device="cuda").cumsum(0).to(self.torch.int32)

    def calls(self):
        return {"ragged": self.ragged, "torch": self.peer, "dense": self.dense}

    def measure(self, groups, rows, n, k, routing):
        counts = rows_of(groups, rows, routing, self.generator)
        self.counts, total, ends = counts, sum(counts), self.ranges(counts)
        bytes_of_set = self.element_bytes * (total * k + groups * n * k) + 2 * total * n
        sets = [(*self.tensors(groups, total, n, k), ends)
                for _ in range(max(1, min(16, ROTATED_BYTES // bytes_of_set + 1)))]
        self.verify(sets[0][:-1], ends, counts)
        rotation = itertools.cycle(sets)
        calls = {name: lambda call=call: call(*next(rotation)) for name, call in self.calls().items()}
        median = torch_timing.medians(self.torch, calls, self.budget, SAMPLE_SECONDS, MOST_LAUNCHES)
        active = sum(count > 0 for count in counts)
        bandwidth = BANDWIDTH.get(self.torch.cuda.get_device_name(), 0)
        floor = (self.element_bytes * (active * n * k + total * k) + 2 * total * n) / bandwidth if bandwidth else 0
        row = {
            "groups": groups, "rows": total, "n": n, "k": k, "routing": routing,
            "policy": self.policy(groups, total, n, k),
            "us": {name: round(value * 1e6, 2) for name, value in median.items()},
            "tflops": round(2e-12 * total * n * k / median["ragged"], 1),
            "vs_torch": round(median["torch"] / median["ragged"], 3) if "torch" in median else None,
            "of_dense": round(median["dense"] / median["ragged"], 3),
            "over_floor": round(median["ragged"] / floor, 3) if floor else None,
        }
        return row, (f"{row['policy']} {row['us']['ragged']} us, {row['tflops']} TFLOP/s, {row['vs_torch']} of torch, "
                     f"{row['of_dense']} of dense, {row['over_floor']} of the floor")


class Gradients(Rows):
    """X (rows x k) and dY (rows x n) give dW (groups x k x n)."""

    def policy(self, groups, rows, n, k):
        return self.library.text("gradient_policy", groups, rows, n, k)

    def tensors(self, groups, rows, n, k):
        dw = self.torch.empty(groups, k, n, device="cuda", dtype=self.torch.bfloat16)
        return self.random(rows, k), self.random(rows, n), dw

    def ragged(self, x, dy, dw, ends):
        self.library("gradient_ragged", x, dy, dw, ends, dw.shape[0], x.shape[0], dy.shape[1], x.shape[1])

    def dense(self, x, dy, dw, ends):
        self.library("gradient_dense", x, dy, dw, x.shape[0], dy.shape[1], x.shape[1])

    def peer(self, x, dy, dw, ends):
        self.torch._grouped_mm(x.mT, dy, offs=ends)

    def verify(self, tensors, ends, counts):
        """Compares the first and the last row of each group's gradient with products in double."""
        x, dy, dw = tensors
        dw.fill_(float("nan"))
        self.ragged(x, dy, dw, ends)
        for group, (first, count) in enumerate(self.rows_of_groups(counts)):
            of_x, of_dy = x[first:first + count].double(), dy[first:first + count].double()
            for i in (0, x.shape[1] - 1):
                want = of_x[:, i] @ of_dy
                bound = of_x[:, i].abs() @ of_dy.abs() * (count + 4) * 2.0**-24 + want.abs() * 2.0**-8
                if not bool(((dw[group, i].double() - want).abs() <= bound).all()):
                    raise RuntimeError(f"row {i} of the gradient of group {group} is wrong")
        if bool(self.torch.isnan(dw).any()):
            raise RuntimeError("gradients are missing")


class Along(Gradients):
    """X^T (k x rows) and dY^T (n x rows), by rows."""

    def policy(self, groups, rows, n, k):
        return "along"

    def tensors(self, groups, rows, n, k):
        return (*(x.mT.contiguous().mT for x in super().tensors(groups, rows, n, k)[:2]),
                *super().tensors(groups, rows, n, k)[2:])

    def ragged(self, x, dy, dw, ends):
        self.library("gradient_along", x, dy, dw, ends, dw.shape[0], x.shape[0], dy.shape[1], x.shape[1])

    def calls(self):
        """PyTorch wants groups that begin at multiples of 16 bytes, and ends the process for others."""
        aligned = all(count * self.element_bytes % 16 == 0 for count in self.counts)
        return {name: call for name, call in super().calls().items() if aligned or name != "torch"}


class Views(Rows):
    """By arrays of views in device memory, made once."""

    def tensors(self, groups, rows, n, k):
        a, b, c = super().tensors(groups, rows, n, k)
        size = 3 * self.library.number("views_of_groups", 0, 0, 0, 0, 0, groups, n, k)
        views, counts = self.torch.empty(size, dtype=self.torch.uint8), self.torch.tensor(self.counts)
        self.library.number("views_of_groups", *(t.data_ptr() for t in (views, a, b, c, counts)), groups, n, k)
        return a, b, views.to(a.device), c

    def ragged(self, a, b, views, c, ends):
        self.library("groups_views", views, b.shape[0], a.shape[0], b.shape[1], a.shape[1])

    def dense(self, a, b, views, c, ends):
        super().dense(a, b, c, ends)

    def peer(self, a, b, views, c, ends):
        super().peer(a, b, c, ends)

    def policy(self, groups, rows, n, k):
        return self.library.text("views_policy", groups, rows, n, k)


class Lines(Rows):
    """Of e4m3, with a scale for each row of A and column of B."""

    element_bytes = 1

    def quantised(self, *size):
        return self.random(*size).to(self.torch.float8_e4m3fn)

    def scales(self, *size):
        return self.torch.rand(*size, device="cuda") + 0.5

    def tensors(self, groups, rows, n, k):
        return (self.quantised(rows, k), self.quantised(groups, n, k), self.scales(rows), self.scales(groups, n),
                self.results(rows, n))

    def sizes(self, a, b):
        return a.shape[0], b.shape[1], a.shape[1]

    def ragged(self, a, b, of_a, of_b, c, ends):
        self.library("lines_ragged", a, b, c, of_a, of_b, ends, b.shape[0], *self.sizes(a, b))

    def dense(self, a, b, of_a, of_b, c, ends):
        self.library("lines_dense", a, b, c, of_a, of_b, *self.sizes(a, b))

    def peer(self, a, b, of_a, of_b, c, ends):
        self.torch._scaled_grouped_mm(a, b.mT, of_a, of_b, offs=ends, out_dtype=self.torch.bfloat16,
                                      use_fast_accum=True)

    def policy(self, groups, rows, n, k):
        return self.library.text("lines_policy", groups, rows, n, k)

    def expected(self, tensors, row, group):
        a, b, of_a, of_b, _ = tensors
        x, y = a[row].double() * of_a[row], b[group].double() * of_b[group][:, None]
        return x @ y.mT, x.abs() @ y.abs().mT * self.error(x)

    def error(self, x):
        return (x.shape[-1] + 4) * 2.0**-24 + 132 * 2.0**-13


class Blocks(Lines):
    """With scales of 1 x 128 of A and of 128 x 128 of B."""

    def tensors(self, groups, rows, n, k):
        return (self.quantised(rows, k), self.quantised(groups, n, k), self.scales(rows, -(-k // 128)),
                self.scales(groups, -(-n // 128), -(-k // 128)), self.results(rows, n))

    def ragged(self, a, b, of_a, of_b, c, ends):
        self.library("blocks_ragged", a, b, c, of_a, of_b, ends, b.shape[0], *self.sizes(a, b))

    def dense(self, a, b, of_a, of_b, c, ends):
        self.library("blocks_dense", a, b, c, of_a, of_b, *self.sizes(a, b))

    def calls(self):
        return {"ragged": self.ragged, "dense": self.dense}

    def policy(self, groups, rows, n, k):
        return self.library.text("blocks_policy", groups, rows, n, k)

    def expected(self, tensors, row, group):
        a, b, of_a, of_b, _ = tensors
        (n, k), x = b.shape[1:], a[row].double()
        y = b[group].double() * of_b[group].repeat_interleave(128, 0)[:n].repeat_interleave(128, 1)[:, :k]
        x = x * of_a[row].repeat_interleave(128)[:k]
        return x @ y.mT, x.abs() @ y.abs().mT * self.error(x)


class Masked(Blocks):
    """A and C have so many rows for each group; the dense product has as many as count."""

    def tensors(self, groups, rows, n, k):
        self.mean = rows // groups
        return super().tensors(groups, groups * MASKED_ROWS, n, k)

    def ranges(self, counts):
        return self.torch.tensor(counts, device="cuda").to(self.torch.int32)

    def rows_of_groups(self, counts):
        return ((group * MASKED_ROWS, count) for group, count in enumerate(counts))

    def ragged(self, a, b, of_a, of_b, c, counts):
        self.library("masked_blocks", a, b, c, of_a, of_b, counts, b.shape[0], MASKED_ROWS, b.shape[1], b.shape[2],
                     self.mean)

    def dense(self, a, b, of_a, of_b, c, counts):
        self.library("blocks_dense", a, b, c, of_a, of_b, self.mean * b.shape[0], b.shape[1], b.shape[2])

    def policy(self, groups, rows, n, k):
        return self.library.text("masked_policy", groups, MASKED_ROWS, n, k, self.mean)


KINDS = {"rows": (Rows, OF_BFLOAT16), "gradients": (Gradients, OF_BFLOAT16), "along": (Along, OF_BFLOAT16),
         "views": (Views, OF_BFLOAT16), "lines": (Lines, OF_E4M3), "blocks": (Blocks, OF_E4M3),
         "masked": (Masked, MASKED)}


def main():
    parser = torch_timing.arguments(__doc__, 0.3, "problems")
    parser.add_argument("--kind", choices=KINDS, default="rows")
    options = parser.parse_args()
    kind, problems = KINDS[options.kind]
    return torch_timing.run(options, problems,
                            lambda torch, library: kind(torch, library, options.budget).measure)


if __name__ == "__main__":
    sys.exit(main())

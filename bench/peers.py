#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Times PyTorch (torch.matmul, for e4m3 torch._scaled_mm) and Triton (a blocked, autotuned kernel) over a list of
shapes, and writes what gemm_bench would: Google Benchmark's JSON, with the same counters. report.py shows it beside
cuBLAS.

    python3 bench/peers.py --shapes=bench/shapes/ladder.txt --out=build/ladder_peers.json

The method is gemm_bench's as far as Python can (README.md): random data in rotated buffers, a soak, samples of about a
millisecond between two events, verified first, interleaved. The partner of both is PyTorch, so the ratio is
`vs_pytorch`; for e4m3 the partner is PyTorch with one scale each. Ratios to cuBLAS's best would be of two processes.
TF32 is off, float products are IEEE's.

Exits with 0 and a sentence where there is no PyTorch or no GPU, and leaves out Triton where that is absent.
"""

import argparse
import datetime
import importlib.util
import json
import os
import pathlib
import platform
import statistics
import sys
import time

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None

METHOD = ("2, in Python: medians of samples of about 1 ms between CUDA events, interleaved with torch.matmul; uniform "
          "random data, buffers rotated over 256 MiB, verified first")
DTYPES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16", "e4m3": "float8_e4m3fn"}
RESULTS = {"e4m3": "bfloat16"}  # elsewhere C has the type of A and B
SCALED = "pytorch_"  # and a kind of scales, as gemm_bench names it: contenders of e4m3
PEAK, BANDWIDTH = 65.2, 4.27  # TFLOP/s and TB/s, as gemm_bench's bound_fraction has them
SAMPLE_SECONDS, MOST_LAUNCHES = 1e-3, 200


class Failure(Exception):
    """One benchmark has no result; the others go on."""


def read_shapes(path):
    """(dtype, storage, (m, n, k), batch, kind) of each line that has a type measured here."""
    result = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        batch = 1
        if words[-1].startswith("batch="):
            batch = int(words.pop()[len("batch="):])
        if len(words) not in (5, 6) or words[1] not in ("nn", "nt", "tn", "tt"):
            raise SystemExit(f"peers.py: {path}:{number}: must be dtype storage m n k [kind] [batch=N]")
        shape = tuple(int(word) for word in words[2:5])
        problem = (words[0], words[1], shape, batch, words[5] if len(words) > 5 else "")
        if words[0] in DTYPES and problem not in result:
            result.append(problem)
    return result


if triton is not None:

    @triton.jit
    def product_kernel(a, b, c, m, n, k, a_row, a_column, b_row, b_column, c_row, c_column, IEEE: tl.constexpr,
                       BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr):
        # Blocks go down GROUP rows of tiles before they move on to the next column: their operands stay in the L2.
        block = tl.program_id(0)
        tiles_m, tiles_n = tl.cdiv(m, BLOCK_M), tl.cdiv(n, BLOCK_N)
        first = block // (GROUP * tiles_n) * GROUP
        rows = min(tiles_m - first, GROUP)
        tile_m = first + block % (GROUP * tiles_n) % rows
        tile_n = block % (GROUP * tiles_n) // rows
        i = (tile_m * BLOCK_M + tl.arange(0, BLOCK_M)).to(tl.int64)
        j = (tile_n * BLOCK_N + tl.arange(0, BLOCK_N)).to(tl.int64)
        total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for start in range(0, k, BLOCK_K):
            depth = (start + tl.arange(0, BLOCK_K)).to(tl.int64)
            x = tl.load(a + i[:, None] * a_row + depth[None, :] * a_column,
                        mask=(i[:, None] < m) & (depth[None, :] < k), other=0.0)
            y = tl.load(b + depth[:, None] * b_row + j[None, :] * b_column,
                        mask=(depth[:, None] < k) & (j[None, :] < n), other=0.0)
            if IEEE:
                total = tl.dot(x, y, total, input_precision="ieee")
            else:
                total = tl.dot(x, y, total)
        tl.store(c + i[:, None] * c_row + j[None, :] * c_column, total.to(c.dtype.element_ty),
                 mask=(i[:, None] < m) & (j[None, :] < n))

    def tuned(*blocks):
        """The kernel that tries these (m, n, k, warps, stages) at the first call of a shape."""
        configurations = [triton.Config({"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k, "GROUP": 8}, num_warps=warps,
                                        num_stages=stages) for m, n, k, warps, stages in blocks]
        return triton.autotune(configs=configurations, key=["m", "n", "k"])(product_kernel)

    # IEEE products of float are unrolled multiply-adds: larger blocks compile for minutes, and spill.
    SIMT = tuned((128, 128, 16, 8, 3), (128, 64, 16, 8, 3), (64, 64, 16, 4, 3), (64, 64, 32, 4, 3), (32, 64, 32, 4, 3))
    TENSOR_CORES = tuned((128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (128, 128, 64, 8, 3), (128, 128, 64, 4, 4),
                         (128, 64, 64, 4, 4), (64, 128, 64, 4, 4), (64, 64, 64, 4, 4))


def triton_matmul(a, b, c):
    (m, k), n = a.shape, b.shape[1]
    ieee = a.element_size() == 4
    (SIMT if ieee else TENSOR_CORES)[lambda meta: (triton.cdiv(m, meta["BLOCK_M"]) * triton.cdiv(n, meta["BLOCK_N"]),)](
        a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(), IEEE=ieee)


def scaled_matmul(torch, kind):
    """torch._scaled_mm of A, B, C and the scales of all kinds, by those of this kind."""
    def run(a, b, c, scales):
        scale_a, scale_b = scales[kind]
        try:
            torch._scaled_mm(a, b, scale_a=scale_a, scale_b=scale_b, out_dtype=c.dtype, out=c)
        except (RuntimeError, ValueError) as reason:
            raise NotImplementedError(f"torch._scaled_mm: {str(reason).splitlines()[0]}") from reason
    return run


class Bench:
    """Everything that needs PyTorch and a GPU."""

    def __init__(self, torch, options):
        self.torch, self.options = torch, options
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
        torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
        torch.manual_seed(1)
        self.contenders = {"pytorch": lambda a, b, c: torch.matmul(a, b, out=c)}
        if triton is not None:
            self.contenders["triton"] = triton_matmul
        else:
            print("peers.py: Triton is not installed, its rows are left out", file=sys.stderr)
        for kind in ("per_tensor", "per_row", "block_1x128_128x128", "block_1x128"):
            self.contenders[SCALED + kind] = scaled_matmul(torch, kind)
        self.begin, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        if options.soak > 0:
            sets = self.make_sets("f32", "nn", (4096, 4096, 4096), 1)
            stop = time.monotonic() + options.soak
            while time.monotonic() < stop:
                self.sample("pytorch", sets, 1)

    def contenders_of(self, dtype):
        """Their names, the partner first."""
        return [name for name in self.contenders if name.startswith(SCALED) == (dtype == "e4m3")]

    def make_scales(self, shape):
        """Of each kind those of A and of B, with the strides that torch._scaled_mm asks for: 1/8, 1/4 or 1/2."""
        torch, (m, n, k) = self.torch, shape
        kb, nb = (k + 127) // 128, (n + 127) // 128

        def scales(rows, columns):
            return torch.exp2(-torch.randint(1, 4, (rows, columns), device="cuda").float())

        vectors_of_a = scales(kb, m).mT
        return {"per_tensor": (scales(1, 1), scales(1, 1)), "per_row": (scales(m, 1), scales(1, n)),
                "block_1x128_128x128": (vectors_of_a, scales(nb, (kb + 3) // 4 * 4).mT[:kb]),
                "block_1x128": (vectors_of_a, scales(kb, n))}

    def make_sets(self, dtype, storage, shape, batch):
        """As many (A, B, C) as exceed 256 MiB and twice the L2 cache, and at least two. Uniform in [-1, 1). Of e4m3
        with scales."""
        torch, (m, n, k) = self.torch, shape
        kind, result = getattr(torch, DTYPES[dtype]), getattr(torch, RESULTS.get(dtype, DTYPES[dtype]))
        leading = (batch,) if batch > 1 else ()
        bytes_of_set = batch * ((m * k + k * n) * torch.empty(0, dtype=kind).element_size() +
                                m * n * torch.empty(0, dtype=result).element_size())
        scales = (self.make_scales(shape),) if dtype == "e4m3" else ()
        cache = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 0)
        count = max(2, max(256 << 20, 2 * cache) // bytes_of_set + 1)

        def operand(rows, columns, transposed):
            size = (columns, rows) if transposed else (rows, columns)
            x = torch.rand(*leading, *size, device="cuda").mul_(2).sub_(1).to(kind)
            return x.mT if transposed else x

        return [(operand(m, k, storage[0] == "t"), operand(k, n, storage[1] == "t"),
                 torch.empty(*leading, m, n, device="cuda", dtype=result), *scales) for _ in range(min(count, 4096))]

    def sample(self, contender, sets, launches):
        """Seconds a launch. The device first waits until the host has enqueued all, as far as that can be told."""
        run = self.contenders[contender]
        self.turn = getattr(self, "turn", 0)
        if hasattr(self.torch.cuda, "_sleep"):
            self.torch.cuda._sleep(int(2e4 * launches))  # clocks: about 10 us for each launch
        self.begin.record()
        for _ in range(launches):
            self.turn = (self.turn + 1) % len(sets)
            run(*sets[self.turn])
        self.end.record()
        self.end.synchronize()
        return self.begin.elapsed_time(self.end) * 1e-3 / launches

    def pace(self, contender, sets):
        self.sample(contender, sets, 1)
        seconds = self.sample(contender, sets, 10)
        return max(1, min(MOST_LAUNCHES, round(SAMPLE_SECONDS / max(seconds, 1e-7))))

    def times_scales(self, x, scales):
        """A matrix of e4m3 as the floats that it stands for."""
        for axis in range(2):
            if scales.shape[axis] not in (1, x.shape[axis]):
                scales = scales.repeat_interleave(128, axis).narrow(axis, 0, x.shape[axis])
        return x.float() * scales

    def verify(self, contender, operands):
        """The largest error over its bound, at 1024 elements of C that was NaN before; raises where one exceeds 1."""
        torch, (a, b, c) = self.torch, operands[:3]
        c.fill_(float("nan"))
        self.contenders[contender](*operands)
        if bool(torch.isnan(c).any()):
            raise Failure("wrong result: NaN in C")
        if a.dim() == 3:
            a, b, c = a[-1], b[-1], c[-1]
        truncated = 0
        if contender.startswith(SCALED):
            scale_a, scale_b = operands[3][contender.removeprefix(SCALED)]
            a, b, truncated = self.times_scales(a, scale_a), self.times_scales(b, scale_b), 132 * 2.0**-13
        (m, k), n = a.shape, b.shape[1]
        i = torch.cat([torch.tensor([0, 0, m - 1, m - 1]), torch.randint(m, (1020,))]).to("cuda")
        j = torch.cat([torch.tensor([0, n - 1, 0, n - 1]), torch.randint(n, (1020,))]).to("cuda")
        rows, columns = a[i].double(), b[:, j].mT.double()
        want, magnitude = (rows * columns).sum(1), (rows * columns).abs().sum(1)
        rounding = torch.finfo(c.dtype).eps / 2
        # (k + 4) u of float for the sum, what fp8's tensor cores truncate, and the output's own rounding
        # (gemm/reference.hpp).
        bound = ((k + 4) * 2.0**-24 + truncated) * magnitude + rounding * want.abs() + torch.finfo(c.dtype).tiny
        ratio = ((c[i, j].double() - want).abs() / bound).max().item()
        if not ratio <= 1:
            raise Failure(f"wrong result: an error of {ratio:.3g} times the bound")
        return ratio

    def row(self, contender, problem, sets):
        """The entries of one benchmark, one for each repetition."""
        dtype, storage, (m, n, k), batch, kind = problem
        name = f"{contender}/{dtype}/{storage}/{m}x{n}x{k}" + (f"/batch:{batch}" if batch > 1 else "") + "/manual_time"
        entry = {"name": name, "run_name": name, "run_type": "iteration", "repetitions": self.options.repetitions,
                 "threads": 1, "iterations": 1, "time_unit": "us", "label": kind}
        try:
            if contender == "triton" and batch > 1:
                raise NotImplementedError("the Triton kernel has no batches")
            error_ratio = self.verify(contender, sets[0])
            base = self.contenders_of(dtype)[0]
            launches, partner_launches = self.pace(contender, sets), self.pace(base, sets)
        except NotImplementedError as reason:
            return [entry | {"error_occurred": True, "error_message": f"left out: {reason}"}]
        except (Failure, RuntimeError) as reason:
            return [entry | {"error_occurred": True, "error_message": str(reason)}]
        flops = 2.0 * batch * m * n * k
        moved = float(sum(x.numel() * x.element_size() for x in sets[0][:3]))
        result = []
        for repetition in range(self.options.repetitions):
            seconds, partner, stop = [], [], time.monotonic() + self.options.budget
            while not seconds or time.monotonic() < stop:
                seconds.append(self.sample(contender, sets, launches))
                partner.append(self.sample(base, sets, partner_launches))
            median = statistics.median(seconds)
            result.append(entry | {
                "repetition_index": repetition, "real_time": median * 1e6, "cpu_time": median * 1e6,
                "tflops": flops / median * 1e-12, "gbps": moved / median * 1e-9,
                "bound_fraction": max(flops / (PEAK * 1e12), moved / (BANDWIDTH * 1e12)) / median,
                "min_us": min(seconds) * 1e6, "median_us": median * 1e6, "max_us": max(seconds) * 1e6,
                "samples": float(len(seconds)), "launches": float(launches), "error_ratio": error_ratio,
                "vs_pytorch": statistics.median(y / x for x, y in zip(seconds, partner))})
        return result

    def context(self):
        torch = self.torch
        properties = torch.cuda.get_device_properties(0)
        result = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                  "executable": "bench/peers.py", "python": platform.python_version(), "torch": torch.__version__,
                  "gpu": properties.name, "multiprocessors": str(properties.multi_processor_count),
                  "cuda_runtime": str(torch.version.cuda), "cublas": "of PyTorch",
                  "commit": self.options.commit, "method": METHOD, "budget_s": str(self.options.budget),
                  "soak_s": str(self.options.soak), "bandwidth_tbps": str(BANDWIDTH)}
        if "triton" in self.contenders:
            result["triton"] = triton.__version__
        return result | {f"peak_tflops_{dtype}": str(PEAK) for dtype in DTYPES}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", type=pathlib.Path, required=True, help="a list of shapes, as gemm_bench reads it")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the JSON that is written")
    parser.add_argument("--repetitions", type=int, default=3, help="(%(default)s)")
    parser.add_argument("--budget", type=float, default=0.2, help="seconds of a repetition (%(default)s)")
    parser.add_argument("--soak", type=float, default=3, help="seconds of work before anything is timed (%(default)s)")
    parser.add_argument("--commit", default=os.environ.get("GEMM_COMMIT", "unknown"),
                        help="what the results say was measured (the environment's GEMM_COMMIT)")
    options = parser.parse_args(arguments)
    problems = read_shapes(options.shapes)
    if importlib.util.find_spec("torch") is None:
        print("peers.py: PyTorch is not installed, there is nothing to measure", file=sys.stderr)
        return 0
    import torch
    if not torch.cuda.is_available():
        print("peers.py: PyTorch sees no GPU, there is nothing to measure", file=sys.stderr)
        return 0
    bench, entries = Bench(torch, options), []
    for problem in problems:
        try:
            sets = bench.make_sets(*problem[:4])
        except RuntimeError as reason:  # out of memory
            print(f"peers.py: {problem}: {reason}", file=sys.stderr)
            continue
        for contender in bench.contenders_of(problem[0]):
            entries += bench.row(contender, problem, sets)
            last = entries[-1]
            print(last["name"], last.get("error_message") or f"{last['tflops']:.4g} TFLOP/s", file=sys.stderr)
        del sets
        torch.cuda.empty_cache()
    options.out.write_text(json.dumps({"context": bench.context(), "benchmarks": entries}, indent=1) + "\n")
    failed = [e for e in entries if e.get("error_occurred") and not e["error_message"].startswith("left out: ")]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

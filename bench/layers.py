#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Times transformer layers whose linear layers are torch.ops.gemm's beside those of PyTorch, in one process.

    python3 bench/layers.py --out=build/layers.json [--only=REGEX]

needs the package gemm: pip install ./examples/torch, with bf16_bf16 and e4m3_bf16. A layer is normalisation, attention,
and two linear layers with a gelu between them, each half added to its input. In bfloat16, and with linear layers in
e4m3: weights with a scale a row, inputs quantised in the layer with a scale a token, results in bfloat16. PyTorch's are
torch.nn.functional.linear and torch._scaled_mm with fast accumulation, gelu by itself; all else is the same.

Modes: eager, compiled (torch.compile, fullgraph) and graph (the eager one as a CUDA graph). Passes: forward, and of
bfloat16 from 1024 tokens on forward with backward. The outputs are verified first: at most twice as far from the layer
in float as PyTorch's. Then interleaved samples of about 5 ms between two events. `host` is the time in which the CPU
enqueues one linear layer.

Exits with 0 and a sentence where there is no PyTorch, no GPU or no package. With a library for the CPU device it
verifies a small layer of bfloat16 and measures nothing.
"""

import argparse
import json
import pathlib
import re
import statistics
import sys
import time

SAMPLE_SECONDS, MOST_RUNS = 5e-3, 200

# width, heads, hidden width, sequences, their length
PROBLEMS = [
    *((1024, 16, 4096, count, length) for count, length in ((1, 128), (8, 1024))),
    *((4096, 32, 16384, count, length) for count, length in ((1, 16), (1, 1024), (4, 2048))),
]
SMALL_PROBLEMS = [(32, 2, 64, 2, 5)]


def load():
    """PyTorch and the package, or a sentence."""
    try:
        import torch
        import gemm.torch
        from gemm import _library
    except ImportError as error:
        return None, None, str(error)
    if not _library.on_cpu and not torch.cuda.is_available():
        return None, None, "there is no GPU"
    return torch, gemm, None


def quantised(torch, x):
    """Rows in e4m3, and a scale for each."""
    scale = x.abs().amax(-1, keepdim=True).float().clamp(min=1e-12) / 448
    return (x / scale).to(torch.float8_e4m3fn), scale


class Linear:
    """A linear layer's weights in a type, and the ways to compute it."""

    def __init__(self, torch, weight, bias, is_fp8):
        self.torch, self.weight, self.bias = torch, weight, bias
        if is_fp8:
            self.weight8, scale = quantised(torch, weight.detach())
            self.scale = scale.t()

    def float(self, x, activation):
        return self.activated(x @ self.weight.float().t() + self.bias.float(), activation)

    def torch_bf16(self, x, activation):
        return self.activated(self.torch.nn.functional.linear(x, self.weight, self.bias), activation)

    def gemm_bf16(self, x, activation):
        return self.torch.ops.gemm.linear(x, self.weight, self.bias, activation)

    def torch_fp8(self, x, activation):
        x8, scale = quantised(self.torch, x.flatten(0, -2))
        y = self.torch._scaled_mm(x8, self.weight8.t(), scale, self.scale, self.bias, out_dtype=self.torch.bfloat16,
                                  use_fast_accum=True)
        return self.activated(y, activation).unflatten(0, x.shape[:-1])

    def gemm_fp8(self, x, activation):
        x8, scale = quantised(self.torch, x.flatten(0, -2))
        y = self.torch.ops.gemm.scaled_mm(x8, self.weight8.t(), scale, self.scale, self.bias,
                                          out_dtype=self.torch.bfloat16, activation=activation)
        return y.unflatten(0, x.shape[:-1])

    def activated(self, y, activation):
        return self.torch.nn.functional.gelu(y) if activation == "gelu" else y


class Layer:
    def __init__(self, torch, device, width, heads, hidden, is_fp8):
        def weight(*shape):
            values = torch.randn(shape, device=device) * shape[-1] ** -0.5
            return values.to(torch.bfloat16).requires_grad_(not is_fp8)

        self.torch, self.heads, self.width = torch, heads, width
        self.sizes = {"qkv": (3 * width, width), "out": (width, width), "up": (hidden, width), "down": (width, hidden)}
        self.layers = {name: Linear(torch, weight(*size), weight(size[0]), is_fp8) for name, size in self.sizes.items()}
        self.parameters = [t for layer in self.layers.values() for t in (layer.weight, layer.bias)]

    def __call__(self, x, way):
        """The layer with its linear layers computed one way, a method of Linear."""
        functional, linear = self.torch.nn.functional, {name: getattr(y, way) for name, y in self.layers.items()}
        h = linear["qkv"](functional.layer_norm(x, (self.width,)), "none")
        q, k, v = h.unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4).unbind(0)
        h = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + linear["out"](h.transpose(1, 2).flatten(-2), "none")
        h = linear["up"](functional.layer_norm(x, (self.width,)), "gelu")
        return x + linear["down"](h, "none")


class Session:
    def __init__(self, torch, device, budget):
        self.torch, self.device, self.budget = torch, device, budget

    def sample(self, run, runs):
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(runs):
            run()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e-3 / runs

    def medians(self, calls):
        """Microseconds of each call; their samples take turns."""
        runs, seconds, rounds = {}, {name: [] for name in calls}, 0
        for name, run in calls.items():
            self.sample(run, 3)
            runs[name] = max(1, min(MOST_RUNS, round(SAMPLE_SECONDS / self.sample(run, 3))))
        stop = time.monotonic() + self.budget
        while rounds < 3 or time.monotonic() < stop:
            rounds += 1
            for name, run in calls.items():
                seconds[name].append(self.sample(run, runs[name]))
        return {name: round(statistics.median(values) * 1e6, 2) for name, values in seconds.items()}

    def verify(self, layer, x, dtype):
        """Returns the distances from the layer in float, in parts of its size."""
        with self.torch.inference_mode():
            want = layer(x.float(), "float")
            distances = {name: float((layer(x, f"{name}_{dtype}").float() - want).norm() / want.norm())
                         for name in ("torch", "gemm")}
        if not distances["gemm"] <= 2 * distances["torch"] + 1e-3:
            raise RuntimeError(f"the layer is wrong: {distances}")
        return distances

    def graph(self, run):
        """The call as a CUDA graph."""
        stream = self.torch.cuda.Stream()
        stream.wait_stream(self.torch.cuda.current_stream())
        with self.torch.cuda.stream(stream):
            run()
        stream.synchronize()
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph):
            run()
        return graph.replay

    def forward(self, layer, x, way, mode):
        call = self.torch.compile(layer.__call__, fullgraph=True) if mode == "compiled" else layer.__call__

        def run():
            with self.torch.inference_mode():
                return call(x, way)

        return self.graph(run) if mode == "graph" else run

    def train(self, layer, x, way, mode):
        call = self.torch.compile(layer.__call__, fullgraph=True) if mode == "compiled" else layer.__call__
        x, gradient = x.clone().requires_grad_(), self.torch.randn_like(x)
        return lambda: self.torch.autograd.grad(call(x, way), [x, *layer.parameters], gradient)

    def host(self, layer, dtype):
        """Microseconds of the CPU for one linear layer of one token, enqueued by both."""
        x, result = self.torch.randn(1, layer.width, device=self.device, dtype=self.torch.bfloat16), {}
        for name in ("torch", "gemm"):
            call, each = getattr(layer.layers["out"], f"{name}_{dtype}"), []
            with self.torch.inference_mode():
                for _ in range(20):
                    self.torch.cuda.synchronize()
                    begin = time.perf_counter()
                    for _ in range(50):
                        call(x, "none")
                    each.append((time.perf_counter() - begin) / 50)
            result[name] = round(min(each) * 1e6, 2)
        return result


def rows_of(session, problem, dtype, is_timed):
    """The rows of a layer in one type."""
    torch, (width, heads, hidden, count, length) = session.torch, problem
    torch.manual_seed(1)
    layer = Layer(torch, session.device, width, heads, hidden, dtype == "fp8")
    x = torch.randn(count, length, width, device=session.device, dtype=torch.bfloat16)
    row = {"width": width, "heads": heads, "hidden": hidden, "sequences": count, "length": length, "dtype": dtype}
    row["distance"] = {name: round(value, 6) for name, value in session.verify(layer, x, dtype).items()}
    if not is_timed:
        yield row
        return
    tokens = count * length
    if tokens == 16:
        yield row | {"pass": "host", "mode": "eager", "us": session.host(layer, dtype)}
    kinds = [("forward", mode) for mode in ("eager", "compiled", "graph")]
    kinds += [("train", mode) for mode in ("eager", "compiled")] if dtype == "bf16" and tokens >= 1024 else []
    for kind, mode in kinds:
        torch.compiler.reset()
        make = getattr(session, kind)
        calls = {name: make(layer, x, f"{name}_{dtype}", mode) for name in ("torch", "gemm")}
        yield row | {"pass": kind, "mode": mode, "us": session.medians(calls)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="layers whose 'width sequences length dtype' it matches")
    parser.add_argument("--budget", type=float, default=0.4, help="seconds a row")
    options = parser.parse_args()
    torch, gemm, missing = load()
    if missing:
        print(f"layers.py: {missing}, there is nothing to measure", file=sys.stderr)
        return 0
    is_timed = torch.cuda.is_available()
    session, rows, failed = Session(torch, "cuda" if is_timed else "cpu", options.budget), [], 0
    for problem in PROBLEMS if is_timed else SMALL_PROBLEMS:
        for dtype, product in ("bf16", "bfloat16 x bfloat16 -> bfloat16"), ("fp8", "e4m3 x e4m3 -> bfloat16"):
            name = f"{problem[0]} {problem[3]} {problem[4]} {dtype}"
            if not re.search(options.only, name) or (dtype == "fp8" and not is_timed):  # PyTorch has it for GPUs alone
                continue
            if f"{product}, row x column" not in gemm.products():
                print(f"{name}: not compiled")
                continue
            try:
                for row in rows_of(session, problem, dtype, is_timed):
                    rows.append(row)
                    if is_timed:
                        us = row["us"]
                        row["vs_torch"] = round(us["torch"] / us["gemm"], 3)
                        print(f"{name} {row['pass']} {row['mode']}: {us['gemm']} us, torch {us['torch']} us, "
                              f"{row['vs_torch']} of torch", flush=True)
                    else:
                        print(f"{name}: {row['distance']}")
            except (RuntimeError, torch.OutOfMemoryError) as reason:
                print(f"{name}: {reason}", file=sys.stderr)
                failed += 1
    context = {"torch": torch.__version__, "gemm": gemm.version()}
    if is_timed:
        context |= {"gpu": torch.cuda.get_device_name(), "cuda": torch.version.cuda, "date": time.strftime("%Y-%m-%d")}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps({"context": context, "results": rows}, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

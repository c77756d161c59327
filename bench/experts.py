#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Times the forward pass of a layer of experts beside the same by torch._grouped_mm, in one process.

    python3 bench/experts.py --library=build/bench/bench/libgemm_experts.so --out=build/experts.json [--only=REGEX]

Of bfloat16. Both begin with rows that are sorted by expert and end with the sum of each token's rows. The library
gathers, applies SwiGLU, weighs and scatters in its products; PyTorch does so between them. Verified first, against
each other and in two runs, then interleaved.

Exits with 0 and a sentence where there is no PyTorch, or no GPU.
"""

import ctypes
import sys

import torch_timing

# name, experts, top, hidden, inner, tokens
LAYERS = [
    *(("qwen3-30b", 128, 8, 2048, 768, tokens) for tokens in (64, 4096, 32768)),
    *(("mixtral", 8, 2, 4096, 14336, tokens) for tokens in (64, 4096)),
    *(("deepseek-v3", 256, 8, 7168, 2048, tokens) for tokens in (64, 4096)),
]


class Layer(ctypes.Structure):
    POINTERS = ("x", "gate_up", "down", "ends", "token_of_row", "slot_of_row", "weight_of_row", "activated", "slots")
    SIZES = ("tokens", "rows", "experts", "hidden", "inner")
    _fields_ = [*((name, ctypes.c_void_p) for name in POINTERS), *((name, ctypes.c_int64) for name in SIZES)]


class Forward:
    """A layer's memory, and both ways through it."""

    def __init__(self, torch, library, experts, top, hidden, inner, tokens):
        self.torch, self.library, self.shape = torch, library, (tokens, top, hidden)
        rows = tokens * top

        def random(*size, scale):
            return torch.empty(*size, device="cuda", dtype=torch.bfloat16).uniform_(-scale, scale)

        self.x = random(tokens, hidden, scale=1)
        # Rows 2 j and 2 j + 1 of each expert are the weights of a gate and of up.
        self.gate_up = random(experts, 2 * inner, hidden, scale=3 * hidden**-0.5)
        self.halves = torch.cat([self.gate_up[:, 0::2], self.gate_up[:, 1::2]], 1)
        self.down = random(experts, hidden, inner, scale=3 * inner**-0.5)
        chosen = torch.rand(tokens, experts, device="cuda").topk(top).indices.reshape(-1)
        order = chosen.argsort(stable=True)
        self.ends = chosen.bincount(minlength=experts).cumsum(0).to(torch.int32)
        self.slot_of_row = order.to(torch.int32)
        self.token_of_row = (order // top).to(torch.int32)
        weights = torch.rand(tokens, top, device="cuda")
        self.weight_of_row = (weights / weights.sum(1, keepdim=True)).reshape(-1)[order].contiguous()
        self.activated = torch.empty(rows, inner, device="cuda", dtype=torch.bfloat16)
        self.slots = torch.empty(rows, hidden, device="cuda", dtype=torch.bfloat16)
        self.layer = Layer(**{name: getattr(self, name).data_ptr() for name in Layer.POINTERS}, tokens=tokens,
                           rows=rows, experts=experts, hidden=hidden, inner=inner)

    def ours(self):
        self.library("experts_forward", ctypes.byref(self.layer))
        return self.slots.view(self.shape).sum(1)

    def peer(self):
        torch = self.torch
        gate, up = torch._grouped_mm(self.x[self.token_of_row], self.halves.mT, offs=self.ends).chunk(2, 1)
        rows = torch._grouped_mm(torch.nn.functional.silu(gate) * up, self.down.mT, offs=self.ends)
        slots = torch.empty_like(rows)
        slots[self.slot_of_row] = rows * self.weight_of_row[:, None].to(rows.dtype)
        return slots.view(self.shape).sum(1)

    def verify(self):
        first, want = self.ours(), self.peer().double()
        if not bool((self.ours() == first).all()):
            raise RuntimeError("two runs differ")
        error = float((first.double() - want).norm() / want.norm())
        if not error < 0.02:  # both round to bfloat16 at each step
            raise RuntimeError(f"the relative difference from torch is {error:.3f}")


def measure_with(torch, library, budget):
    def measure(name, experts, top, hidden, inner, tokens):
        forward = Forward(torch, library, experts, top, hidden, inner, tokens)
        forward.verify()
        median = torch_timing.medians(torch, {"gemm": forward.ours, "torch": forward.peer}, budget, 5e-3, 50)
        row = {"layer": name, "tokens": tokens, "us": {key: round(value * 1e6, 1) for key, value in median.items()},
               "tflops": round(6e-12 * tokens * top * hidden * inner / median["gemm"], 1),
               "vs_torch": round(median["torch"] / median["gemm"], 3)}
        return row, f"{row['us']['gemm']} us, {row['tflops']} TFLOP/s, {row['vs_torch']} of torch"
    return measure


def main():
    options = torch_timing.arguments(__doc__, 1, "layers").parse_args()
    return torch_timing.run(options, LAYERS, lambda torch, library: measure_with(torch, library, options.budget))


if __name__ == "__main__":
    sys.exit(main())

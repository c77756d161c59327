#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The MLP of tensor_parallel.cu on torch's processes, symmetric memory and streams. Each rank checks its tokens against
the same layers on its GPU alone.

    torchrun --nproc-per-node=2 examples/torchrun/tensor_parallel.py build/examples/libtensor_parallel_layers.so
"""

import argparse
import ctypes
import os
import sys

import torch
import torch.distributed as dist
import torch.distributed._symmetric_memory as symmetric_memory


def load(path):
    library = ctypes.CDLL(os.path.abspath(path))
    library.signals_bytes.restype = library.shared_bytes.restype = ctypes.c_size_t
    library.shared_bytes.argtypes = [ctypes.c_int64, ctypes.c_int64, ctypes.c_int]
    library.mlp.restype = library.waits.restype = ctypes.c_char_p
    library.mlp.argtypes = ([ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_void_p] * 5 +
                            [ctypes.c_int64] * 3 + [ctypes.c_void_p])
    library.waits.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_void_p]
    return library


def part(count, ranks, rank):
    """gemm::rows_of_rank()."""
    each = -(-count // ranks)
    return slice(min(rank * each, count), min((rank + 1) * each, count))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--tokens", type=int, default=2048)
    parser.add_argument("--hidden", type=int, default=4096)
    parser.add_argument("--intermediate", type=int, default=14336)
    options = parser.parse_args()
    rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
    library = load(options.library)

    size = library.shared_bytes(options.tokens, options.hidden, ranks)
    shared = symmetric_memory.empty(size, dtype=torch.uint8, device=device)
    shared[:library.signals_bytes()].zero_()
    handle = symmetric_memory.rendezvous(shared, dist.group.WORLD)
    memory = (ctypes.c_void_p * ranks)(*handle.buffer_ptrs)
    torch.cuda.synchronize()
    dist.barrier()

    generator = torch.Generator(device).manual_seed(1)  # the same in all ranks
    def random(rows, columns, scale):
        values = torch.rand(rows, columns, generator=generator, device=device)
        return ((2 * values - 1) * scale).to(torch.bfloat16)
    scale = options.hidden ** -0.5
    x = random(options.tokens, options.hidden, 1)
    w1, w2 = random(options.hidden, options.intermediate, scale), random(options.intermediate, options.hidden, scale)
    tokens, inner = part(options.tokens, ranks, rank), part(options.intermediate, ranks, rank)
    own_x, own_w1, own_w2 = x[tokens].contiguous(), w1[:, inner].contiguous(), w2[inner].contiguous()
    columns = own_w1.shape[1]
    h = torch.empty(options.tokens, columns, dtype=torch.bfloat16, device=device)
    y = torch.empty_like(own_x)
    failed = library.mlp(rank, ranks, memory, size, own_x.data_ptr(), own_w1.data_ptr(), own_w2.data_ptr(),
                         h.data_ptr(), y.data_ptr(), options.tokens, options.hidden, columns,
                         torch.cuda.current_stream().cuda_stream)
    failed = failed or library.waits(rank, ranks, memory)
    if failed:
        print(f"rank {rank}: {failed.decode()}")
        return 1

    expected = (x + torch.nn.functional.gelu(x @ w1, approximate="tanh") @ w2)[tokens]
    difference = ((y.float() - expected.float()).abs() / (1 + expected.float().abs())).max().item() if y.numel() else 0
    right = difference < 0.05  # parts are rounded to bfloat16, and so is their sum
    print(f"rank {rank} of {ranks}: tokens {tokens.start} to {tokens.stop} {'agree' if right else 'DIFFER'} "
          f"({difference:.4f})")
    dist.barrier()
    dist.destroy_process_group()
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())

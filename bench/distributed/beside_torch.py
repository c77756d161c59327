#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Times torch's asynchronous tensor parallelism, and torch.matmul with NCCL, for the targets of gemm_distributed: a JSON
object a product. Its times are of the slowest rank, medians of rounds, as gemm_distributed's are.

    NCCL_NVLS_ENABLE=0 torchrun --nproc-per-node=2 bench/distributed/beside_torch.py
"""

import json
import os
import sys

try:
    import torch
    import torch.distributed as dist
    import torch.distributed._symmetric_memory as symmetric_memory
except ImportError:
    print("beside_torch.py: there is no PyTorch with symmetric memory", file=sys.stderr)
    sys.exit(0)

# m, n and k of all ranks, as bench.cu has them.
GATHERS = [(8192, 29568, 8192), (1024, 57344, 8192), (4096, 57344, 8192)]
SCATTERS = [(8192, 8192, 29568), (1024, 8192, 28672), (4096, 8192, 28672)]
ROUNDS = 5


def seconds(call):
    """The median of rounds, each of about 8 ms, of the slowest rank."""
    def once(calls):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda.synchronize()
        dist.barrier()
        begin.record()
        for _ in range(calls):
            call()
        end.record()
        end.synchronize()
        slowest = torch.tensor([begin.elapsed_time(end) * 1e-3 / calls], device="cuda")
        dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
        return slowest.item()
    once(2)
    calls = max(2, min(40, int(0.008 / once(2))))
    return sorted(once(calls) for _ in range(ROUNDS))[ROUNDS // 2]


def main():
    rank, ranks, local = (int(os.environ[name]) for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
    torch.cuda.set_device(local)
    dist.init_process_group("nccl", device_id=torch.device("cuda", local))
    group = dist.group.WORLD.group_name
    try:
        symmetric_memory.enable_symm_mem_for_group(group)
    except (AttributeError, RuntimeError):
        pass  # later releases need no such call
    random = lambda *shape: torch.rand(*shape, device="cuda", dtype=torch.bfloat16) - 0.5

    def report(product, shape, asynchronous, plain):
        row = {"beside": "torch", "product": product, "ranks": ranks, "m": shape[0], "n": shape[1], "k": shape[2]}
        try:
            row["async_us"] = round(seconds(asynchronous) * 1e6, 2)
        except RuntimeError as error:
            row["failed"] = str(error).splitlines()[0]
        row["torch_us"] = round(seconds(plain) * 1e6, 2)
        if rank == 0:
            print(json.dumps(row), flush=True)

    for m, n, k in GATHERS:
        shard, weights = random(m // ranks, k), random(n // ranks, k).t()
        gathered = torch.empty(m, k, device="cuda", dtype=torch.bfloat16)
        def plain():
            dist.all_gather_into_tensor(gathered, shard)
            return gathered @ weights
        report("all_gather_product", (m, n, k),
               lambda: torch.ops.symm_mem.fused_all_gather_matmul(shard, [weights], 0, group), plain)
    for m, n, k in SCATTERS:
        operand, weights = random(m, k // ranks), random(n, k // ranks).t()
        rows = torch.empty(m // ranks, n, device="cuda", dtype=torch.bfloat16)
        report("product_reduce_scatter", (m, n, k),
               lambda: torch.ops.symm_mem.fused_matmul_reduce_scatter(operand, weights, "sum", 0, group),
               lambda: dist.reduce_scatter_tensor(rows, operand @ weights))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products that several GPUs compute together, each by the same call: a layer that is cut among them.
//!
//!     all_gather_product(A_shard, B, C, peers)         C = all rows of A times the rank's B; columns of B are cut
//!     product_reduce_scatter(A, B, C_shard, peers)     the rank's rows of the sum of all ranks' A B; k is cut
//!     product_all_reduce(A, B, C, peers)               all rows of that sum
//!
//! Not part of <gemm/gemm.cuh>. The ranks are GPUs that reach each other's memory; <gemm/nccl.hpp> fills `peers`.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <gemm/distributed/all_gather.cuh>
#include <gemm/distributed/options.hpp>
#include <gemm/distributed/sums.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/peers.hpp>
#include <gemm/policies.cuh>
#include <gemm/status.hpp>

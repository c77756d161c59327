// SPDX-License-Identifier: BSL-1.0
//! @file
//! The launches of a product whose k is split, and the workspace for its slices.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include <gemm/block/k_slice.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/host/launch.cuh>
#include <gemm/kernel/split_k.cuh>
#include <gemm/options.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// How k is cut: into `slices` of `depth`, whose sums need `bytes` in rows of `ld` elements unless clusters add them.
struct split_plan {
  addition by = addition::second_kernel;
  int slices = 1;
  int depth = 0;
  int first_longer = 0;           // by so much, the first slice is
  bool tail = false;              // only the last columns of tiles are split,
  int first_tile_n = 0;           // from this one on,
  std::int64_t first_column = 0;  // and from this one of C
  std::int64_t ld = 0;
  std::size_t bytes = 0;
};

/// Cuts k so that the first slices of so many tiles take as long as the others on the places that these leave, each of
/// which takes about as long as another block_k besides. False if k is too short.
template <class Policy>
bool share_out(std::int64_t k, std::int64_t cut_tiles, std::int64_t places, split_plan& plan) {
  std::int64_t const steps = tiles(k, Policy::block_k), others = plan.slices - 1;
  std::int64_t const rounds = tiles(cut_tiles * others, places);  // of the others on those places
  std::int64_t const depth = (steps - rounds) / (rounds + others), first = steps - depth * others;
  if (depth < 1 || first > (1 << 30) / Policy::block_k) {
    return false;
  }
  plan.depth = static_cast<int>(depth * Policy::block_k);
  plan.first_longer = static_cast<int>((first - depth) * Policy::block_k);
  return true;
}

/// The plan for the columns of tiles that do not fill the device's multiprocessors, if there are any.
template <class Policy, class Problem>
split_plan plan_tail(Problem const& p, split_plan plan) {
  int multiprocessors = 0;
  std::int64_t const rows = tiles(p.m, Policy::block_m) * p.batch_count, columns = tiles(p.n, Policy::block_n);
  if (!device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount)) {
    static_cast<void>(cudaGetLastError());  // a launch will say so
    return {};
  }
  if (rows > (std::int64_t{1} << 31) || columns > (std::int64_t{1} << 31)) {
    return {};
  }
  std::int64_t const places = std::int64_t{multiprocessors} * Policy::resident;
  std::int64_t const whole = rows * columns / places * places / rows, left = rows * columns % places;
  plan.tail = true;
  plan.first_tile_n = static_cast<int>(whole);
  plan.first_column = whole * Policy::block_n;
  if (plan.by == addition::cluster) {
    return whole == 0 || whole == columns ? split_plan{} : plan;
  }
  return left == 0 || !share_out<Policy>(p.k, rows * (columns - whole), places - left, plan) ? split_plan{} : plan;
}

/// The plan for at most this many slices of whole block_k (more only where k exceeds 2^30 of each, which a cluster then
/// leaves whole). They depend on k alone, so that a row of C does not depend on how many other rows there are. A batch
/// that needs the third dimension of the grid itself is not split.
template <class Policy, class Problem>
split_plan plan_split(Problem const& p, slicing const& slices) {
  int const most = slices.most;
  constexpr std::int64_t longest = (1 << 30) / Policy::block_k;  // a slice's depth is an int
  std::int64_t const steps = tiles(p.k, Policy::block_k), wanted = most > 1 ? tiles(steps, most) : steps,
                     per_slice = most > 1 && wanted > longest ? longest : wanted;
  if (steps <= per_slice || p.batch_count > most_of_grid_y) {
    return {};
  }
  using accum = typename Problem::accum;
  constexpr int width = widest<accum>;
  split_plan plan{.by = slices.by,
                  .slices = static_cast<int>(tiles(steps, per_slice)),
                  .depth = static_cast<int>(per_slice * Policy::block_k),
                  .ld = tiles(p.n, width) * width};
  if (plan.by == addition::cluster && plan.slices > most) {
    return {};
  }
  if constexpr (uses_tma<Policy>) {
    if (slices.tail) {
      bool const enough = plan.by == addition::cluster || plan.slices == most;
      plan = enough ? plan_tail<Policy>(p, plan) : split_plan{};
      plan.ld = tiles(p.n - plan.first_column, width) * width;
    }
  }
  if (plan.by == addition::cluster || plan.slices == 1) {
    return plan;
  }
  double const bytes = static_cast<double>(p.batch_count) * plan.slices * static_cast<double>(p.m) *
                       static_cast<double>(plan.ld) * sizeof(accum);
  plan.bytes = bytes < 1e18 ? static_cast<std::size_t>(p.batch_count * plan.slices * p.m * plan.ld) * sizeof(accum)
                            : std::numeric_limits<std::size_t>::max();  // which no device has
  return plan;
}

/// The product of every slice, [slice][batch]: of the columns that are split.
template <class Problem>
auto problem_of_slices(Problem const& p, split_plan const& plan, typename Problem::accum* sums) {
  using accum = typename Problem::accum;
  return problem<typename Problem::input, accum, typename Problem::storage, k_slices>{
      .m = p.m,
      .n = p.n - plan.first_column,
      .k = p.k,
      .a = p.a,
      .b = p.b + plan.first_column * (Problem::storage::b == major::mn ? 1 : p.ldb),
      .c = sums,
      .lda = p.lda,
      .ldb = p.ldb,
      .ldc = plan.ld,
      .batch_stride_a = p.batch_stride_a,
      .batch_stride_b = p.batch_stride_b,
      .batch_stride_c = p.m * plan.ld,
      .batch_count = p.batch_count * plan.slices,
      .alpha = accum(1),
      .beta = accum(0),
      .tiles_m = 0,
      .tiles_n = 0,
      .vector_c = false,
      .turned = p.turned,
      .epilogue = {.depth = plan.depth,
                   .count = plan.slices,
                   .first_longer = plan.first_longer,
                   .follows = plan.first_tile_n > 0}};
}

/// The problem whose blocks add the slices themselves.
template <class Problem>
cluster_problem<Problem> problem_of_cluster(Problem const& p, split_plan const& plan) {
  return {p, plan.depth, plan.slices, plan.first_tile_n};
}

/// Enqueues the addition of the slices into C.
template <int Groups, class Problem>
status enqueue_addition(slice_sums<Problem> const& sums, cudaStream_t stream) {
  dim3 const grid(static_cast<unsigned>(adding_blocks<Groups>(sums)), static_cast<unsigned>(sums.whole.batch_count));
  constexpr std::size_t shared = Groups > 1 ? sizeof(adding_storage<Groups, typename Problem::accum>) : 0;
  cudaError_t const error = launch(&add_slices_kernel<Groups, Problem>, grid, adding_threads<Groups>, shared, stream,
                                   sums, {.dependent = launches_dependents()});
  return error == cudaSuccess ? status{} : not_launched("the addition of the slices", error);
}

/// Enqueues the kernels for a problem that check_launch() has passed; `sums` has the plan's bytes.
template <class Policy, class Problem>
status enqueue_split(Problem p, split_plan const& plan, typename Problem::accum* sums, cudaStream_t stream,
                     panel_packing<typename Problem::input> const& packing) {
  constexpr int many = 16;  // slices that several warps add
  if (plan.first_tile_n > 0) {
    if (status result = enqueue<Policy>(p, stream, plan.first_tile_n, packing); !result) {
      return result;
    }
  }
  if (status result = enqueue<Policy>(problem_of_slices(p, plan, sums), stream, 0, packing); !result) {
    return result;
  }
  p.vector_c = allows_vectors<widest<typename Problem::output>>(p.c, p.ldc, p.batch_stride_c);
  slice_sums<Problem> const s{
      .whole = p, .data = sums, .ld = plan.ld, .first_column = plan.first_column, .count = plan.slices};
  return plan.slices < many ? enqueue_addition<1>(s, stream) : enqueue_addition<8>(s, stream);
}

/// The caller's workspace, or memory from the device's default pool for the time of a call, both in stream order; no
/// memory where none is needed.
class scratch {
 public:
  scratch(workspace const& given, std::size_t bytes, cudaStream_t stream) : data_(given.data), stream_(stream) {
    if (data_ == nullptr && bytes > 0) {
      error_ = cudaMallocAsync(&data_, bytes, stream);
      owned_ = error_ == cudaSuccess;
    }
  }
  scratch(scratch const&) = delete;
  scratch& operator=(scratch const&) = delete;
  ~scratch() {
    if (owned_) {
      static_cast<void>(cudaFreeAsync(data_, stream_));
    }
  }

  void* data() const { return data_; }
  cudaError_t error() const { return error_; }

 private:
  void* data_;
  cudaStream_t stream_;
  cudaError_t error_ = cudaSuccess;
  bool owned_ = false;
};

}  // namespace gemm::detail

// SPDX-License-Identifier: BSL-1.0
//! @file
//! The steps that calls of several ranks are made of: plan a product of shards, meet, copy shards, add parts.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/block/problem.cuh>
#include <gemm/choose/call.cuh>
#include <gemm/distributed/rules.hpp>
#include <gemm/distributed/side_stream.hpp>
#include <gemm/extremes.hpp>
#include <gemm/kernel/add_partials.cuh>
#include <gemm/kernel/meet_peers.cuh>
#include <gemm/launch/access_width.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_kernel.cuh>
#include <gemm/launch/repack.cuh>
#include <gemm/launch/scratch.cuh>
#include <gemm/launch/sharded.cuh>
#include <gemm/launch/split_k.cuh>
#include <gemm/launch/stream_write.hpp>
#include <gemm/options.hpp>
#include <gemm/peers.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

inline status status_of_copy(cudaError_t error) {
  if (error == cudaSuccess) {
    return {};
  }
  static_cast<void>(cudaGetLastError());  // reported here
  return {status_code::cuda_failure, error, "a shard was not copied: %s", cudaGetErrorString(error)};
}

inline std::uint64_t nanoseconds_of(double seconds) {
  return seconds > 0 ? static_cast<std::uint64_t>(seconds * 1e9) + 1 : 0;
}

/// Has a kernel loaded on the current device. Its first launch would do so, and may wait for kernels that wait for
/// other ranks, whose calls the same thread is to make. Every thread remembers some.
[[gnu::noinline]] static inline status load_kernel(void const* kernel) {
  struct known_kernel {
    void const* kernel = nullptr;
    int device = 0;
  };
  constexpr std::size_t remembered = 32;
  static thread_local known_kernel all[remembered];
  static thread_local std::size_t next = 0;
  int device = 0;
  cudaError_t error = current_device(device);
  for (known_kernel const& other : all) {
    if (other.kernel == kernel && other.device == device) {
      return {};
    }
  }
  cudaFuncAttributes attributes;
  error = error == cudaSuccess ? cudaFuncGetAttributes(&attributes, kernel) : error;
  if (error == cudaSuccess) {
    all[next] = {kernel, device};
    next = (next + 1) % remembered;
  }
  return status_of_launch("a kernel", error);
}
template <class... Parameter>
status load_kernel(void (*kernel)(Parameter...)) {
  return load_kernel(reinterpret_cast<void const*>(kernel));
}

/// What a plan does before its product, and the product: as enqueue_plan() does both.
template <class Policy, splits Splits, class Problem>
struct plan_steps {
  static auto packed(Problem const& p, call_plan const& plan, void* memory) {
    if constexpr (repacks<Policy>) {
      return problem_of_packed<Policy>(p, plan.packing, memory);
    } else {
      return p;
    }
  }
  static status prepare(Problem const& p, call_plan const& plan, void* memory, cudaStream_t stream) {
    auto const kernels = kernels_of<Policy, std::remove_cvref_t<decltype(packed(p, plan, memory))>>();
    status const result = load_kernel(plan.launch.better ? kernels.better : kernels.always);
    if constexpr (repacks<Policy>) {
      return result ? enqueue_repack<Policy>(p, plan.packing, memory, stream) : result;
    } else {
      return result;
    }
  }
  static status multiply(Problem const& p, call_plan const& plan, void* memory, cudaStream_t stream) {
    void* const slices = static_cast<unsigned char*>(memory) + plan.slices_begin;
    return enqueue_product<Policy, Splits>(packed(p, plan, memory), plan.launch, plan.split, slices, stream);
  }
};

/// Those of each kernel of a list, by plan::index.
template <class Problem>
struct plan_functions {
  enqueue_function<Problem> prepare, multiply;
};
template <class Problem, class... Policies, splits... Splits>
static plan_functions<Problem> plan_functions_of(candidate_list<candidate<Policies, Splits>...>, int index) {
  static constexpr plan_functions<Problem> all[] = {
      {&plan_steps<Policies, Splits, Problem>::prepare, &plan_steps<Policies, Splits, Problem>::multiply}...};
  return all[index];
}

/// A product of shards with its plan and memory, before anything is launched.
template <class Policy, class Problem>
class planned_product {
 public:
  planned_product(Problem const& p, workspace const& given, cudaStream_t stream)
      : p_(p),
        stream_(stream),
        result_(plan_call<Policy>(p, prepacked_terms{}, &given, plan_)),
        memory_(given, result_ ? plan_.bytes : 0, stream) {
    if (result_ && memory_.error() != cudaSuccess) {
      result_ = plan_without_memory<Policy>(p_, prepacked_terms{}, memory_.error(), plan_);
    }
    if (awaits_a<Problem> && result_ && plan_.packing.a.matrices > 0) {
      result_ = broken_rule("%s would copy A before it is there: use automatic, sm80_mma or pipelined",
                            plan_.kernel->name.data());
    }
  }
  gemm::status const& status() const { return result_; }
  /// What may be done before ranks meet, so that nothing has to be loaded or allocated after it.
  gemm::status prepare() { return functions().prepare(p_, plan_, memory_.data(), stream_); }
  gemm::status multiply() { return functions().multiply(p_, plan_, memory_.data(), stream_); }

 private:
  auto functions() const {
    return plan_functions_of<Problem>(typename kernels_of_call<Policy, Problem>::type{}, plan_.index);
  }

  Problem p_;
  cudaStream_t stream_;
  call_plan plan_;
  gemm::status result_;
  scratch memory_;
};

/// The streams of all ranks meet. `results`: bytes from the start of each rank's memory to this rank's part there.
static inline status enqueue_meeting(peers const& all, double time_out, std::size_t results, cudaStream_t stream) {
  peer_meeting meeting{
      .rank = all.rank, .ranks = all.ranks, .time_out = nanoseconds_of(time_out), .flags = {}, .results = {}};
  for (int rank = 0; rank < all.ranks; ++rank) {
    meeting.flags[rank] = all.flags[rank];
    meeting.results[rank] = static_cast<unsigned char*>(all.pointers[rank]) + results;
  }
  status const result = load_kernel(&meet_peers_kernel<peer_meeting>);
  if (!result) {
    return result;
  }
  return status_of_launch("the meeting of the ranks",
                          launch(&meet_peers_kernel<peer_meeting>, dim3(1), most_peers, 0, stream, meeting));
}

/// Copies rows that lie apart; none if there are none.
template <class T>
status enqueue_rows(T* to, std::int64_t ld_to, T const* from, std::int64_t ld_from, std::int64_t rows,
                    std::int64_t length, cudaStream_t stream) {
  if (rows == 0 || length == 0) {
    return {};
  }
  constexpr std::size_t size = sizeof(T);
  auto const bytes = [](std::int64_t elements) { return static_cast<std::size_t>(elements) * size; };
  bool const together = ld_to == ld_from;
  return status_of_copy(together
                            ? cudaMemcpyAsync(to, from, bytes((rows - 1) * ld_to + length), cudaMemcpyDefault, stream)
                            : cudaMemcpy2DAsync(to, bytes(ld_to), from, bytes(ld_from), bytes(length),
                                                static_cast<std::size_t>(rows), cudaMemcpyDefault, stream));
}

/// Pulls the others' shards of rows to where they belong, the next rank's first, and says of each that it is here.
template <class T>
status enqueue_pulls(peers const& all, std::int64_t rows, std::int64_t length, side_stream& side) {
  std::int64_t const ld = ld_of_shards<T>(length);
  status result;
  for (int i = 1; i < all.ranks && result; ++i) {
    int const rank = (all.rank + i) % all.ranks;
    peer_rows const shard = rows_of_rank(rows, all.ranks, rank);
    auto const of_rank = [&](int owner) { return static_cast<T*>(all.pointers[owner]) + shard.first * ld; };
    result = enqueue_rows<T>(of_rank(all.rank), ld, of_rank(rank), ld, shard.count, length, side.stream());
    result = result && shard.count > 0 ? enqueue_write(side.stream(), &all.flags[all.rank]->here[rank], 1) : result;
  }
  return result;
}

/// Adds the ranks' parts of rows of C from `first` on.
template <class Partial, class Problem>
static status enqueue_sum(Problem p, peers const& all, std::int64_t each, peer_rows const& rows, cudaStream_t stream) {
  constexpr std::int64_t most_blocks = 1 << 16;
  if (rows.count == 0) {
    return {};
  }
  p.vector_c = stores_vectors(p);
  std::int64_t const ld = ld_of_shards<Partial>(p.n), pieces = rows.count * tiles(p.n, widest<Partial>);
  partial_sums<Problem, Partial> const parts{.whole = p,
                                             .data = static_cast<Partial const*>(all.pointers[all.rank]),
                                             .ld = ld,
                                             .stride = each * ld,
                                             .first = rows.first,
                                             .rows = rows.count,
                                             .ranks = all.ranks};
  dim3 const grid(static_cast<unsigned>(lesser(tiles(pieces, partials_threads), most_blocks)));
  return status_of_launch("the reduction of the ranks' parts",
                          launch(&add_partials_kernel<Problem, Partial>, grid, partials_threads, 0, stream, parts));
}

}  // namespace gemm::detail

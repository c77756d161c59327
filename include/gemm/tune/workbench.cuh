// SPDX-License-Identifier: BSL-1.0
//! @file
//! Memory to measure in: operands like the caller's with values of their own, and results.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gemm/block/problem.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/options.hpp>
#include <gemm/status.hpp>
#include <gemm/tune/kernels.cuh>

namespace gemm::detail {

/// The outcome of a call of the runtime while tuning; `what` was going on.
inline status tuning_step(cudaError_t error, char const* what) {
  if (error == cudaSuccess) {
    return {};
  }
  static_cast<void>(cudaGetLastError());  // reported here: must not surface in the caller's next check
  return {status_code::cuda_failure, error, "%s failed: %s", what, cudaGetErrorString(error)};
}

/// Memory for as long as the object lives; a device may have no pool to take it from.
class workbench_memory {
 public:
  explicit workbench_memory(std::size_t bytes) : error_(cudaMalloc(&data_, bytes)) {}
  workbench_memory(workbench_memory const&) = delete;
  workbench_memory& operator=(workbench_memory const&) = delete;
  ~workbench_memory() { static_cast<void>(cudaFree(data_)); }

  void* data() const { return data_; }
  cudaError_t error() const { return error_; }

 private:
  void* data_ = nullptr;
  cudaError_t error_;
};

/// The elements from the first in memory of a batch of matrices to the last, and which of them its pointer names.
struct memory_span {
  std::int64_t count, first;

  memory_span(std::int64_t lines, std::int64_t length, std::int64_t ld, std::int64_t batch, std::int64_t stride)
      : count((lines - 1) * ld + length + (batch - 1) * (stride < 0 ? -stride : stride)),
        first(stride < 0 ? (batch - 1) * -stride : 0) {}
};

/// Bytes that an array takes whose copies lie one behind the other, each aligned as the caller's is up to 256 bytes.
template <class T>
struct copies {
  std::size_t shift, each, all;  // of the pointer within a copy; of a copy; of all
  std::int64_t first;

  copies(T const* like, memory_span const& span, int count)
      : shift(reinterpret_cast<std::uintptr_t>(like) % 256),
        each((shift + static_cast<std::size_t>(span.count) * sizeof(T) + 255) / 256 * 256),
        all(each * static_cast<std::size_t>(count)),
        first(span.first) {}

  T* pointer(std::byte* begin, int copy) const {
    return reinterpret_cast<T*>(begin + static_cast<std::size_t>(copy) * each + shift) + first;
  }
};

namespace {

/// Memory for a problem like another one: of the same sizes and strides, aligned like it. Of one translation unit, as
/// the kernels are that it launches.
template <class Problem>
class workbench {
 public:
  using element_a = typename Problem::element_a;
  using element_b = typename Problem::element_b;
  using output = typename Problem::output;

  /// Fills the operands, `sets` of them and of results, with values; takes all memory in one piece.
  workbench(Problem const& like, int sets, std::size_t workspace_bytes, cudaStream_t stream)
      : problem_(like),
        sets_(sets),
        stream_(stream),
        a_(like.a.data, span_a(like), sets),
        b_(like.b.data, span_b(like), sets),
        c_(like.c.data, span_c(like), sets),
        workspace_bytes_(workspace_bytes),
        memory_(a_.all + b_.all + c_.all + c_.each + counter_bytes + workspace_bytes) {}

  /// Bytes of one set.
  static double bytes(Problem const& like) {
    return static_cast<double>(copies<element_a>(like.a.data, span_a(like), 1).all) +
           static_cast<double>(copies<element_b>(like.b.data, span_b(like), 1).all) +
           static_cast<double>(copies<output>(like.c.data, span_c(like), 1).all);
  }

  status memory() const { return tuning_step(memory_.error(), "allocating the memory to tune in"); }
  int sets() const { return sets_; }
  gemm::workspace workspace() const {
    return {workspace_bytes_ > 0 ? at(a_.all + b_.all + c_.all + c_.each + counter_bytes) : nullptr, workspace_bytes_};
  }

  /// The problem on one of the sets.
  Problem problem(int set) const {
    Problem p = problem_;
    p.a.data = a_.pointer(at(0), set);
    p.b.data = b_.pointer(at(a_.all), set);
    p.c.data = c_.pointer(at(a_.all + b_.all), set);
    return p;
  }

  /// The problem on the first set, with its result as the reference.
  Problem reference() const {
    Problem p = problem(0);
    p.c.data = c_.pointer(at(a_.all + b_.all + c_.all), 0);
    return p;
  }

  /// Fills the operands of all sets.
  status fill(operand_values values) const {
    status const a = fill_array<element_a>(at(0), a_.all, 1, values);
    return a ? fill_array<element_b>(at(a_.all), b_.all, 2, values) : a;
  }

  /// Makes the reference's memory defined before it is computed, gaps between its rows included.
  status clear_reference() const {
    return tuning_step(cudaMemsetAsync(at(a_.all + b_.all + c_.all), 0, c_.each, stream_), "clearing the reference");
  }

  /// Spoils the first set's result, so that no element is as in the reference.
  status spoil_result() const {
    std::byte* const result = at(a_.all + b_.all);
    complement_request const request{reinterpret_cast<std::uint64_t const*>(result + c_.all),
                                     reinterpret_cast<std::uint64_t*>(result), static_cast<std::int64_t>(c_.each / 8)};
    return tuning_step(
        launch(&complement_kernel<complement_request>, grid_for(request.count), workbench_threads, 0, stream_, request),
        "spoiling a result");
  }

  /// Keeps the stream busy for about so long.
  status stall(double seconds) const {
    constexpr double step = 2e-9;  // four at 2 GHz
    stall_request const request{reinterpret_cast<float*>(at(a_.all + b_.all + c_.all + c_.each)),
                                static_cast<std::int64_t>(seconds / step)};
    return tuning_step(launch(&stall_kernel<stall_request>, dim3(1), 32, 0, stream_, request), "stalling the stream");
  }

  /// Counts the elements of the first set's result that are not as in the reference. Waits for the stream.
  status count_wrong(std::int64_t& wrong) const {
    Problem const got = problem(0), want = reference();
    dim3 const grid = grid_for(got.m * got.n * got.batch_count);
    std::vector<std::uint32_t> counts(grid.x * workbench_threads);
    auto* const counters = reinterpret_cast<std::uint32_t*>(at(a_.all + b_.all + c_.all + c_.each));
    comparison_request<output> const request{got.c.data, want.c.data,        got.m,           got.n,
                                             got.c.ld,   got.c.batch_stride, got.batch_count, counters};
    cudaError_t error = launch(&comparison_kernel<output>, grid, workbench_threads, 0, stream_, request);
    if (error == cudaSuccess) {
      error =
          cudaMemcpyAsync(counts.data(), counters, counts.size() * sizeof(counts[0]), cudaMemcpyDeviceToHost, stream_);
    }
    if (error == cudaSuccess) {
      error = cudaStreamSynchronize(stream_);
    }
    wrong = 0;
    for (std::uint32_t const count : counts) {
      wrong += count;
    }
    return tuning_step(error, "the comparison of a result");
  }

 private:
  static constexpr int most_blocks = 1024;
  static constexpr std::size_t counter_bytes = std::size_t{most_blocks} * workbench_threads * sizeof(std::uint32_t);

  static dim3 grid_for(std::int64_t elements) {
    return dim3(static_cast<unsigned>(std::min<std::int64_t>(tiles(elements, workbench_threads), most_blocks)));
  }
  template <class T>
  static memory_span operand_span(bool k_major, strided<T> const& operand, std::int64_t extent, std::int64_t k,
                                  std::int64_t batch) {
    return {k_major ? extent : k, k_major ? k : extent, operand.ld, operand.batch_stride == 0 ? 1 : batch,
            operand.batch_stride};
  }
  static memory_span span_a(Problem const& p) {
    return operand_span(Problem::storage::a == major::k, p.a, p.m, p.k, p.batch_count);
  }
  static memory_span span_b(Problem const& p) {
    return operand_span(Problem::storage::b == major::k, p.b, p.n, p.k, p.batch_count);
  }
  static memory_span span_c(Problem const& p) { return {p.m, p.n, p.c.ld, p.batch_count, p.c.batch_stride}; }

  std::byte* at(std::size_t offset) const { return static_cast<std::byte*>(memory_.data()) + offset; }

  template <class T>
  status fill_array(std::byte* begin, std::size_t bytes, std::uint64_t seed, operand_values values) const {
    fill_request<T> const request{reinterpret_cast<T*>(begin), static_cast<std::int64_t>(bytes / sizeof(T)), seed,
                                  values};
    return tuning_step(launch(&fill_kernel<T>, grid_for(request.count), workbench_threads, 0, stream_, request),
                       "filling an operand");
  }

  Problem problem_;
  int sets_;
  cudaStream_t stream_;
  copies<element_a> a_;
  copies<element_b> b_;
  copies<output> c_;
  std::size_t workspace_bytes_;
  workbench_memory memory_;
};

}  // namespace

}  // namespace gemm::detail

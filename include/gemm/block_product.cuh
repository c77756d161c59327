// SPDX-License-Identifier: BSL-1.0
//! @file
//! block_product: one block's product of one tile, into the registers of its threads, in kernels of your own.
//!
//!     using product = gemm::block_product<gemm::sm80_mma_64x64x64, gemm::matrix<__half const, gemm::order::row>,
//!                                         gemm::matrix<__half const, gemm::order::row>>;
//!
//!     __global__ void __launch_bounds__(product::threads) kernel(product::view_a a, product::view_b b, float* c) {
//!       auto& shared = gemm::arch::dynamic_shared_memory<product::shared_storage>();
//!       std::int64_t const row0 = blockIdx.y * product::block_m, column0 = blockIdx.x * product::block_n;
//!       product p(shared);
//!       p.multiply(a, b, row0, column0);
//!       p.visit([&](int row, int column, float& value) { c[(row0 + row) * b.columns + column0 + column] = value; });
//!     }
//!
//! Its launch asks for product::shared_bytes of dynamic shared memory. Above 48 KiB cudaFuncSetAttribute() must allow
//! them first.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/element.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/kernel/block_product_parts.cuh>
#include <gemm/matrix.hpp>
#include <gemm/policies.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// The multiples of bytes at which all of these are known to begin: A and B, their rows (columns), and what a tile has
/// of them, from its first row, column and k on. 16 lets copies be of 16 bytes; 1: no more than elements are.
template <int Bytes>
struct alignment {
  static constexpr int bytes = Bytes;  ///< 1 or 16
};

namespace detail {

/// Floats that a policy multiplies as tf32.
template <class Policy, class T>
using block_product_element = std::conditional_t<Policy::info.tf32 && std::is_same_v<T, float>, tf32, T>;

/// The rules of a block_product, one message for one mistake.
template <class Policy, class ElementA, class ElementB, class Alignment>
constexpr bool check_block_product() {
  constexpr bool known = has_block_product<Policy>;
  static_assert(known,
                "gemm: block_product takes policies of pipelined and sm80_mma, but none that splits k and not "
                "half_accum. Change the policy.");
  constexpr bool aligned = Alignment::bytes == 1 || Alignment::bytes == 16;
  static_assert(!known || aligned, "gemm: the alignment of a block_product must be 1 or 16.");
  if constexpr (known && aligned) {
    if constexpr (Policy::template check_operands<ElementA>() && Policy::template check_operands<ElementB>()) {
      constexpr bool agree = block_product_family_of<Policy>::template multiplies<Policy, ElementA, ElementB>;
      static_assert(agree,
                    "gemm: A and B of a block_product must have the same elements, or both fp8. Change the elements.");
      if constexpr (agree) {
        return Policy::template check<accumulator<ElementA>>();
      }
    }
  }
  return false;
}

/// Of types that break a rule none, so that its message is the only one.
template <bool Legal, class Policy, class A, class B, major MajorA, major MajorB, bool Wide>
struct block_product_of {
  using parts = no_block_product;
};
template <class Policy, class A, class B, major MajorA, major MajorB, bool Wide>
struct block_product_of<true, Policy, A, B, MajorA, MajorB, Wide> {
  using parts = typename block_product_family_of<Policy>::template parts<
      Policy, problem<operand<A, MajorA>, operand<B, MajorB>, accumulator<A>, identity>, Wide>;
};

}  // namespace detail

/// One tile of a product, block_m x block_n, by all threads of a one-dimensional block of `threads`. Each thread holds
/// its accumulators in registers: of sm80_mma policies by mma.sync, of pipelined ones by multiply-adds.
///
/// A and B are types of views: matrix<T const, order::row> and the like. Factors, batches and scales of views are not
/// looked at. As of a kernel of run(), errors are those of the policy (docs/accuracy.md).
///
/// Every member function but visit() is for all threads of the block together. multiply() and reduce_rows() have
/// barriers. After either, the memory of shared_storage is the caller's, until a barrier before the next.
template <policy Policy, matrix_view A, matrix_view B, class Alignment = alignment<1>>
class block_product {
  using element_a = detail::block_product_element<Policy, typename A::value_type>;
  using element_b = detail::block_product_element<Policy, typename B::value_type>;
  static constexpr major major_a = A::layout == order::row ? major::k : major::mn;
  static constexpr major major_b = B::layout == order::row ? major::mn : major::k;
  static constexpr bool legal = detail::check_block_product<Policy, element_a, element_b, Alignment>();
  using parts = typename detail::block_product_of<legal, Policy, element_a, element_b, major_a, major_b,
                                                  Alignment::bytes == 16>::parts;

 public:
  using view_a = A;                                ///< the m x k matrix
  using view_b = B;                                ///< the k x n matrix
  using accum = typename parts::accum;             ///< float, double or std::int32_t
  using shared_storage = typename parts::storage;  ///< what the block needs in shared memory, aligned as it says
  static constexpr int block_m = Policy::block_m;  ///< rows of the tile
  static constexpr int block_n = Policy::block_n;  ///< columns of the tile
  static constexpr int block_k = Policy::block_k;  ///< depth of a step; k need not be a multiple
  static constexpr int threads = Policy::threads;  ///< of the block, in x
  static constexpr int accumulators = parts::rows * parts::columns;    ///< of a thread
  static constexpr std::size_t shared_bytes = sizeof(shared_storage);  ///< for the launch

  /// For __launch_bounds__, as run() has it. Leave it out where ptxas then spills: the rest of a kernel needs
  /// registers, too.
  static constexpr int min_blocks = parts::min_blocks;

  /// Accumulators of 0. No barrier. Traps in blocks of another number of threads.
  __device__ explicit block_product(shared_storage& shared) : shared_(shared) {
    if (blockDim.x != threads || blockDim.y * blockDim.z != 1) {
      __trap();
    }
  }
  block_product(block_product const&) = delete;             ///< its accumulators stay where they are
  block_product& operator=(block_product const&) = delete;  ///< likewise

  /// Adds a's rows from row0 on times b's columns from column0 on. The tile may reach over the edges of a and b:
  /// elements outside are neither read nor visited.
  __device__ __forceinline__ void multiply(A const& a, B const& b, std::int64_t row0, std::int64_t column0) {
    multiply(a, b, row0, column0, 0, a.columns);
  }

  /// The same of k_begin <= k < k_end alone, which must lie in a and b; nothing where there is none. Calls add up: for
  /// slices of k, or for several products of one shape.
  __device__ __forceinline__ void multiply(A const& a, B const& b, std::int64_t row0, std::int64_t column0,
                                           std::int64_t k_begin, std::int64_t k_end) {
    std::int64_t const depth = k_end > k_begin ? k_end - k_begin : 0;
    parts_.multiply(shared_,
                    detail::part_of(detail::operand_view<element_a, major_a>{reinterpret_cast<element_a const*>(a.data),
                                                                             a.ld, a.rows, a.columns},
                                    k_begin, depth),
                    detail::part_of(detail::operand_view<element_b, major_b>{reinterpret_cast<element_b const*>(b.data),
                                                                             b.ld, b.columns, b.rows},
                                    k_begin, depth),
                    row0, column0);
    rows_ = bounded(a.rows - row0, block_m);
    columns_ = bounded(b.columns - column0, block_n);
  }

  /// Calls use(row, column, value) for each of the thread's accumulators whose row and column, counted in the tile, lie
  /// in the product. `value` may be changed. No barrier, and none may be in `use`.
  template <class Use>
  __device__ __forceinline__ void visit(Use use) {
#pragma unroll
    for (int i = 0; i < parts::rows; ++i) {
      visit_row(i, use);
    }
  }

  /// For each row of the tile, results[row] = what `combine` makes of map(row, column, value) over its columns in the
  /// product, from `identity` on, which a row outside has. In no particular order, the same each time. T: a number of
  /// 4 or 8 bytes. results is in shared memory, but not in shared_storage, and complete afterwards.
  template <class T, class Map, class Combine>
  __device__ __forceinline__ void reduce_rows(T (&results)[block_m], T identity, Map map, Combine combine) {
    static_assert(parts::warps_n * block_m * sizeof(T) <= shared_bytes,
                  "gemm: a result of each row and warp must fit into shared_storage. Take a smaller type.");
    T(&of_warp)[parts::warps_n][block_m] = reinterpret_cast<T(&)[parts::warps_n][block_m]>(shared_);
    __syncthreads();  // whatever was there has been read
#pragma unroll
    for (int i = 0; i < parts::rows; ++i) {
      T result = identity;
      visit_row(i, [&](int row, int column, accum& value) { result = combine(result, map(row, column, value)); });
#pragma unroll
      for (int lanes = 1; lanes < 32; lanes *= 2) {
        if ((parts::lanes_of_row & lanes) != 0) {
          result = combine(result, __shfl_xor_sync(0xffffffffU, result, lanes));
        }
      }
      if ((static_cast<int>(threadIdx.x) & parts::lanes_of_row) == 0) {
        of_warp[parts::warp_n()][parts::row(i)] = result;
      }
    }
    __syncthreads();  // the warps' results are there
    for (int row = static_cast<int>(threadIdx.x); row < block_m; row += threads) {
      T result = of_warp[0][row];
      for (int warp = 1; warp < parts::warps_n; ++warp) {
        result = combine(result, of_warp[warp][row]);
      }
      results[row] = result;
    }
    __syncthreads();  // the results are there
  }

 private:
  __device__ static int bounded(std::int64_t left, int most) { return left < most ? static_cast<int>(left) : most; }

  template <class Use>
  __device__ __forceinline__ void visit_row(int i, Use&& use) {
    int const row = parts::row(i);
#pragma unroll
    for (int j = 0; j < parts::columns; ++j) {
      int const column = parts::column(j);
      if (row < rows_ && column < columns_) {
        use(row, column, parts_.at(i, j));
      }
    }
  }

  shared_storage& shared_;
  parts parts_;
  int rows_ = 0, columns_ = 0;  // of the tile that lie in the product
};

}  // namespace gemm

// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products whose rows of A, or of C, are where an index in device memory says; and an operand of such rows.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/problem.cuh>

namespace gemm::detail {

/// Row i of the product is of row of_a[i] of A where it Gathers, and of row of_c[i] of C where it Scatters.
template <class Problem, bool Gathers, bool Scatters>
struct indexed_problem : Problem {
  static constexpr bool gathers = Gathers, scatters = Scatters;
  std::int32_t const* of_a;
  std::int32_t const* of_c;

  using common = Problem;
  static constexpr char const* kind = "indexed";
  /// Whose rows of A have been gathered, or are not read.
  template <class Other>
  auto around(Other const& p) const {
    if constexpr (Scatters) {
      return indexed_problem<Other, false, true>{p, nullptr, of_c};
    } else {
      return p;
    }
  }
};

/// A problem with such rows, be it one of ragged rows.
template <class Problem>
concept gathering = requires {
  requires Problem::gathers;
};
template <class Problem>
concept scattering = requires {
  requires Problem::scatters;
};

/// One operand whose outer index i is in row index[i] of memory. There is an index for each below `extent`.
template <class T>
struct gathered_view : operand_view<T, major::k> {
  std::int32_t const* index;
};

template <gathering Problem>
__device__ gathered_view<typename Problem::element_a> operand_a(Problem const& p, std::int64_t batch) {
  return {{p.a.data + batch * p.a.batch_stride, p.a.ld, p.m, p.k}, p.of_a};
}

template <class T>
__device__ gathered_view<T> part_of(gathered_view<T> whole, std::int64_t first, std::int64_t depth) {
  whole.data += first;
  whole.depth = depth;
  return whole;
}

/// From an outer index on, as the product's own first.
template <class T>
__device__ gathered_view<T> from_line(gathered_view<T> view, std::int64_t first) {
  view.index += first;
  view.extent -= first;
  return view;
}

/// What a problem's loaders of A read.
template <class Problem>
struct view_of_problem_a {
  using type = operand_view<typename Problem::element_a, Problem::storage::a>;
};
template <gathering Problem>
struct view_of_problem_a<Problem> {
  using type = gathered_view<typename Problem::element_a>;
};
template <class Problem>
using a_view = typename view_of_problem_a<Problem>::type;

template <class View>
inline constexpr bool is_gathered_view = false;
template <class T>
inline constexpr bool is_gathered_view<gathered_view<T>> = true;

/// The Count rows of a k-major operand, Step apart, that a thread copies from: a loader's base. Where a loader has no
/// registers for the index, it is read anew for each copy, not Held.
template <class View, int Count, bool Held>
struct rows_of_loader {
  /// Where its elements begin, from an outer index and a k on.
  template <int Step, class T, major Major>
  __device__ T const* begin(operand_view<T, Major> const& view, std::int64_t outer, std::int64_t k) {
    return view.at(outer, k);
  }
  /// The i-th of the rows; any address of the operand where it does not exist.
  template <int Step, class T>
  __device__ T const* line(T const* begin, int i, std::int64_t ld, bool) const {
    return begin + i * Step * ld;
  }
};
template <class E, int Count>
struct rows_of_loader<gathered_view<E>, Count, true> {
  template <int Step>
  __device__ E const* begin(gathered_view<E> const& view, std::int64_t outer, std::int64_t k) {
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      std::int64_t const own = outer + i * Step;
      row_[i] = own < view.extent ? view.index[own] : 0;
    }
    return view.data + k;
  }
  template <int Step>
  __device__ E const* line(E const* begin, int i, std::int64_t ld, bool) const {
    return begin + row_[i] * ld;
  }

 private:
  std::int32_t row_[Count] = {};
};
template <class E, int Count>
struct rows_of_loader<gathered_view<E>, Count, false> {
  template <int Step>
  __device__ E const* begin(gathered_view<E> const& view, std::int64_t outer, std::int64_t k) {
    index_ = view.index + outer;
    return view.data + k;
  }
  template <int Step>
  __device__ E const* line(E const* begin, int i, std::int64_t ld, bool exists) const {
    return begin + (exists ? index_[i * Step] : 0) * ld;
  }

 private:
  std::int32_t const* index_ = nullptr;
};

/// The row of C's memory that has a row of the product.
template <class Problem>
__device__ std::int64_t row_in_c(Problem const&, std::int64_t row) {
  return row;
}
template <scattering Problem>
__device__ std::int64_t row_in_c(Problem const& p, std::int64_t row) {
  return p.of_c[row];
}

}  // namespace gemm::detail

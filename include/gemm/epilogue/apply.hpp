// SPDX-License-Identifier: BSL-1.0
//! @file
//! How epilogues are called, checked and prepared.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

// nvcc only warns of a functor that is no __device__ function, constexpr or not, and what it computes is undefined.
#if defined(__NVCC_DIAG_PRAGMA_SUPPORT__)
#pragma nv_diagnostic push
#pragma nv_diag_error 20011, 20013, 20014, 20015
#endif

/// Calls an epilogue, with the batch index where it takes one; widens its result.
template <class Epilogue, class V>
__host__ __device__ auto apply(Epilogue const& epilogue, V value, std::int64_t row, std::int64_t column,
                               std::int64_t batch) {
  if constexpr (requires { epilogue(value, row, column, batch); }) {
    return widen(epilogue(value, row, column, batch));
  } else {
    return widen(epilogue(value, row, column));
  }
}

#if defined(__NVCC_DIAG_PRAGMA_SUPPORT__)
#pragma nv_diagnostic pop
#endif

template <class Epilogue>
status check_epilogue(Epilogue const& epilogue, std::int64_t rows, std::int64_t columns, std::int64_t batch_count) {
  if constexpr (requires { epilogue.check(rows, columns, batch_count); }) {
    return epilogue.check(rows, columns, batch_count);
  } else {
    return {};
  }
}

/// Has an epilogue enqueue what it needs before the product, where it does.
template <class Epilogue>
status prepare_epilogue(Epilogue const& epilogue, cudaStream_t stream) {
  if constexpr (requires { epilogue.prepare(stream); }) {
    return epilogue.prepare(stream);
  } else {
    return {};
  }
}

/// apply() for a float that is at once converted to Out. last(), where the epilogue has it, needs no more accuracy
/// than Out can tell, and may use the faster Functions.
template <class Out, class Functions, class Epilogue, class V>
__host__ __device__ auto apply_last(Epilogue const& epilogue, V value, std::int64_t row, std::int64_t column,
                                    std::int64_t batch) {
  if constexpr (std::is_same_v<V, float> && requires { epilogue.template last<Out, Functions>(value); }) {
    return epilogue.template last<Out, Functions>(value);
  } else if constexpr (requires { epilogue.template last<Out, Functions>(value, row, column, batch); }) {
    return epilogue.template last<Out, Functions>(value, row, column, batch);
  } else {
    return apply(epilogue, value, row, column, batch);
  }
}

/// What an epilogue keeps of several elements in a thread's registers, until flush(): its `partial`, nothing for most.
struct no_partial {};
template <class Epilogue>
struct partial_type {
  using type = no_partial;
};
template <class Epilogue>
requires requires {
  typename Epilogue::own_epilogue;
  typename Epilogue::partial;
}
struct partial_type<Epilogue> {
  using type = typename Epilogue::partial;
};
template <class Epilogue>
using partial_of = typename partial_type<Epilogue>::type;
template <class Epilogue>
inline constexpr bool keeps_partial = !std::is_same_v<partial_of<Epilogue>, no_partial>;

/// Whether an epilogue wants many elements at once, by accumulate_all(): its `takes_many` is true, because what it does
/// is a value, about which it decides once for all of them.
template <class Epilogue>
inline constexpr bool takes_many = requires {
  requires Epilogue::takes_many;
};

/// apply() and apply_last() of one of several elements; flush() comes after them.
template <class Epilogue, class V>
__host__ __device__ auto apply_partial(Epilogue const& epilogue, partial_of<Epilogue>& partial, V value,
                                       std::int64_t row, std::int64_t column, std::int64_t batch) {
  if constexpr (keeps_partial<Epilogue>) {
    return epilogue.accumulate(partial, value, row, column, batch);
  } else {
    return apply(epilogue, value, row, column, batch);
  }
}
template <class Out, class Functions, class Epilogue, class V>
__host__ __device__ auto apply_last_partial(Epilogue const& epilogue, partial_of<Epilogue>& partial, V value,
                                            std::int64_t row, std::int64_t column, std::int64_t batch) {
  if constexpr (!keeps_partial<Epilogue>) {
    return apply_last<Out, Functions>(epilogue, value, row, column, batch);
  } else if constexpr (requires {
                         epilogue.template accumulate_last<Out, Functions>(partial, value, row, column, batch);
                       }) {
    return epilogue.template accumulate_last<Out, Functions>(partial, value, row, column, batch);
  } else {
    return epilogue.accumulate(partial, value, row, column, batch);
  }
}
template <class Epilogue>
__host__ __device__ void flush(Epilogue const& epilogue, partial_of<Epilogue> const& partial) {
  if constexpr (keeps_partial<Epilogue>) {
    epilogue.flush(partial);
  }
}

}  // namespace gemm::detail

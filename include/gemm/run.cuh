// SPDX-License-Identifier: BSL-1.0
//! @file
//! The calls: run(), and what can be asked before it.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <gemm/element.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/host/call.cuh>
#include <gemm/host/choice.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/policies.cuh>
#include <gemm/policy.hpp>
#include <gemm/prepack.cuh>
#include <gemm/prepacked.hpp>
#include <gemm/status.hpp>

namespace gemm {

namespace detail {

/// The accumulator's type of views; float where they are not views, so that run() itself can say so.
template <class A>
struct scalar_of {
  using type = float;
};
template <matrix_view A>
requires requires { typename accumulator<typename A::value_type>::type; }
struct scalar_of<A> {
  using type = typename accumulator<typename A::value_type>::type;
};

template <class A>
using options_for = std::type_identity_t<options<typename scalar_of<A>::type>>;

/// Whether an epilogue can be called with what the product of such matrices gives it.
template <class Epilogue, class In, class Out>
constexpr bool takes_value() {
  using value = epilogue_value<In, Out>;
  if constexpr (has_device_lambda<Epilogue>) {
    return true;
  } else {
    return std::is_invocable_v<Epilogue const&, value, std::int64_t, std::int64_t> ||
           std::is_invocable_v<Epilogue const&, value, std::int64_t, std::int64_t, std::int64_t>;
  }
}

/// The rules that types must keep, asserted one after the other, before any kernel is named: one mistake, one message.
template <class Policy, class A, class B, class C, class Epilogue>
constexpr bool check_types() {
  constexpr bool view_a = matrix_view<A>, view_b = matrix_view<B>, view_c = matrix_view<C>;
  static_assert(view_a, "gemm: A must be a view, row_major(pointer, rows, columns) or the like, no raw pointer.");
  static_assert(!view_a || view_b,
                "gemm: B must be a view, row_major(pointer, rows, columns) or the like, no raw pointer.");
  static_assert(!view_a || !view_b || view_c,
                "gemm: C must be a view, row_major(pointer, rows, columns) or the like, no raw pointer.");
  if constexpr (view_a && view_b && view_c) {
    constexpr bool writable = !std::is_const_v<typename C::element>;
    static_assert(writable, "gemm: C is written, its elements must not be const. Make C's view of a T*.");
    using input = typename A::value_type;
    using output = typename C::value_type;
    constexpr bool inputs = std::is_same_v<input, typename B::value_type> && input_element<input>;
    static_assert(!writable || inputs,
                  "gemm: A and B must have one element type: float, tf32, double, __half, __nv_bfloat16 or int8_t.");
    constexpr bool types = inputs && legal_output<input, output>;
    static_assert(!writable || !inputs || types,
                  "gemm: C's elements must be double for double; float, __half or __nv_bfloat16 for all others, or "
                  "int32_t or int8_t for int8_t.");
    constexpr bool callable = [] {
      if constexpr (types) {
        return takes_value<Epilogue, input, output>();
      }
      return false;
    }();
    static_assert(!types || !writable || callable,
                  "gemm: an epilogue is called as value(value, row, column) or value(value, row, column, batch).");
    constexpr bool real = [] {
      if constexpr (callable) {
        return gets_real_numbers<Epilogue, epilogue_value<input, output>>();
      }
      return false;
    }();
    static_assert(
        !callable || real,
        "gemm: an activation needs a floating-point value, but sums of integers are integers. Put gemm::scale "
        "or gemm::column_scale before it.");
    constexpr bool known = policy<Policy> || is_choice<Policy>;
    static_assert(known, "gemm: run<Policy> needs a policy, such as gemm::pipelined_128x128x16 or gemm::automatic.");
    if constexpr (writable && real && is_choice<Policy>) {
      constexpr bool floats = std::is_same_v<Policy, automatic> || std::is_same_v<input, float>;
      static_assert(floats, "gemm: fp32_emulated takes floats. Use gemm::automatic for other types.");
      return floats;
    } else if constexpr (writable && real && known) {
      using accum = typename accumulator<input>::type;
      if constexpr (!requires { Policy::template check_operands<input>(); }) {
        return Policy::template check<accum>();
      } else if constexpr (Policy::template check_operands<input>()) {
        return Policy::template check<accum>();
      }
    }
  }
  return false;
}

/// Of prepacked operands those, and then those of what they were made of.
template <class Policy, class A, class B, class C, class Epilogue>
requires(is_prepacked<A> || is_prepacked<B>) constexpr bool check_types() {
  if constexpr (check_prepacked<Policy, A, B>()) {
    return check_types<Policy, viewed<A>, viewed<B>, C, Epilogue>();
  }
  return false;
}

}  // namespace detail

/// C = epilogue(alpha * A B + beta * C), enqueued on the stream of the options.
///
/// Shapes: A is m x k, B is k x n, C is m x n, each row- or column-major with any leading dimension, alignment and
/// size; batches agree in their count, and an A or B of a single matrix serves all of C's. Where the policy is
/// fp32_emulated, or an fp16x3, bf16x6 or tf32x3 policy, A or B, or both, may be prepacked (see prepacked_a()).
///
/// Types: those of element.hpp's table. Floats are multiplied as they are, unless as_tf32() or a policy that is named
/// says that they are to be rounded. Sums are formed in the accumulator's type in an order that the policy and k
/// decide: that of k, or where k is split that of the slices. So results are bitwise the same from run to run, and with
/// a policy that is named (but tail_split_k, stream_k, checked, balanced, and fp16x3_sliced without a number of slices)
/// a row of C does not depend on what other rows there are; each sum is rounded once, when it becomes an element of C.
/// Products of two __half are exact in float, and those of __nv_bfloat16 short of underflow and overflow; on sm_90
/// their sums may be the tensor cores', which cut off where a float's addition rounds (see tensor_core). Floats go
/// there only where a policy that is named says so (see fp16x3), or fp32_emulated in a policy's place: then with the
/// error that `checked` says. Sums of int8_t, and their products with alpha and beta, are taken modulo 2^32.
///
/// As in BLAS: nothing happens where m or n is 0; with k = 0 or alpha = 0, A and B are not read and C becomes
/// epilogue(beta * C); with beta = 0, C is not read, so a NaN in it disappears. All other Inf and NaN propagate as IEEE
/// arithmetic says. C must not overlap A or B.
///
/// Policy: the kernel, at compile time; without one the library chooses (see chosen()). Views, options and epilogue are
/// copied; what they point to must live until the stream has done the work. Does not synchronise, allocates nothing but
/// the workspace where none is given (see workspace_size()), may be captured into a graph, and may be called from
/// several threads at once. Not in a process that has called cudaDeviceReset() since its first call: the pool of
/// workspaces and what kernels have been granted are remembered.
///
/// Returns a status that names the argument, its value and the rule where something is wrong; then nothing was launched
/// or written (see status for the one exception).
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] status run(A a, B b, C c, detail::options_for<A> opts = {}, Epilogue epilogue = {}) {
  if constexpr (detail::check_types<Policy, A, B, C, Epilogue>()) {
    return detail::with_problem<Policy>(a, b, c, opts, epilogue,
                                        detail::check_and_enqueue{opts.workspace, opts.stream});
  }
  return {};
}

/// The status that run() with the same arguments would return, short of the launch itself.
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] status can_run(A a, B b, C c, detail::options_for<A> opts = {}, Epilogue epilogue = {}) {
  if constexpr (detail::check_types<Policy, A, B, C, Epilogue>()) {
    return detail::with_problem<Policy>(a, b, c, opts, epilogue, detail::check_only{opts.workspace});
  }
  return {};
}

/// Bytes of device memory that run() with the same arguments uses as workspace: 0 where k is not split and no operand
/// is packed, and where run() would refuse. A workspace among the options does not count: how large one should be is
/// what is asked.
///
/// The options of run() may leave the workspace out: then it takes as much from a memory pool of the library's, in
/// stream order, and gives it back; the pool keeps up to a 128th of the device's memory from call to call. With one,
/// `automatic` keeps to what fits into it, and a policy that needs more refuses. Where there is no memory left for one,
/// `automatic` does without.
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] std::size_t workspace_size(A a, B b, C c, detail::options_for<A> opts = {}, Epilogue epilogue = {}) {
  std::size_t bytes = 0;
  if constexpr (detail::check_types<Policy, A, B, C, Epilogue>()) {
    opts.workspace = {};
    static_cast<void>(detail::with_problem<Policy>(a, b, c, opts, epilogue, detail::measure_workspace{bytes}));
  }
  return bytes;
}

/// What run() with the same arguments runs, without a policy or with fp32_emulated, and what the model predicts or
/// tuning has measured; see choice. Beta, an epilogue and a workspace that is given matter: without them it may be
/// another policy. Empty where there is nothing to compute or run() would refuse: can_run() says why.
template <class Choice = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] choice chosen(A a, B b, C c, detail::options_for<A> opts = {}, Epilogue epilogue = {}) {
  static_assert(detail::is_choice<Choice>, "gemm: chosen is asked of gemm::automatic or gemm::fp32_emulated.");
  choice best;
  if constexpr (detail::check_types<Choice, A, B, C, Epilogue>()) {
    if (!detail::with_problem<Choice>(a, b, c, opts, epilogue, detail::check_only{opts.workspace}, &best)) {
      return {};
    }
    if constexpr (C::layout == order::column) {  // kernels compute the transpose of C, whose A is B's
      std::swap(best.packs_a, best.packs_b);
    }
  }
  return best;
}

}  // namespace gemm

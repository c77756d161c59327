// SPDX-License-Identifier: BSL-1.0
//! @file
//! The calls: run(), and what can be asked before it.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/emulation/prepacked_call.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/host/call.cuh>
#include <gemm/host/call_log.hpp>
#include <gemm/host/choice.hpp>
#include <gemm/host/device.hpp>
#include <gemm/host/plan.hpp>
#include <gemm/host/scratch.cuh>
#include <gemm/host/type_rules.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/policies.cuh>
#include <gemm/policy.hpp>
#include <gemm/prepack.cuh>
#include <gemm/prepacked.hpp>
#include <gemm/status.hpp>

namespace gemm {

namespace detail {

/// One line for a call that GEMM_LOG asks for.
template <class Policy, class A, class B, class C>
[[gnu::cold]] void log_call_of(C const& c, std::int64_t k, plan const& how, status const& result) {
  choice told;
  if constexpr (is_choice<Policy>) {
    told = choice_of(how, C::layout == order::column);
  } else if (how.kernel != nullptr) {
    told.policy = name<Policy>();
  }
  log_call({c.rows, c.columns, k, c.batch_count, element_traits<typename A::value_type>::name,
            element_traits<typename C::value_type>::name, A::layout, B::layout, C::layout},
           told, result);
}

}  // namespace detail

/// C = epilogue(alpha * A B + beta * C), enqueued on the stream of the options.
///
/// Shapes: A is m x k, B is k x n, C is m x n, each row- or column-major with any leading dimension, alignment and
/// size; batches agree in their count, and an A or B of a single matrix serves all of C's. Where the policy is
/// fp32_emulated, or an fp16x3 or bf16x6 policy, A or B, or both, may be prepacked (see prepacked_a()).
///
/// Types: those of element.hpp's table. Floats are multiplied as they are, unless as_tf32() or a policy that is named
/// says that they are to be rounded. Sums are formed in the accumulator's type in an order that the policy and k
/// decide: that of k, or where k is split that of the slices. So results are bitwise the same from run to run, and with
/// a policy that is named (but stream_k, with_fallback, equilibrated, and fp16x3_sliced without a number of slices) a
/// row of C does not depend on what other rows there are; each sum is rounded once, when it becomes an element of C.
/// Products of two __half are exact in float, and those of __nv_bfloat16 short of underflow and overflow; on sm_90
/// their sums may be the tensor cores', which cut off where a float's addition rounds (see tensor_core). Floats go
/// there only where a policy that is named says so (see fp16x3), or fp32_emulated in a policy's place: then with the
/// error that `with_fallback` says. Sums of int8_t, and their products with alpha and beta, are taken modulo 2^32.
///
/// As in BLAS: nothing happens where m or n is 0; with k = 0 or alpha = 0, A and B are not read and C becomes
/// epilogue(beta * C), whatever they hold and alpha is; with beta = 0, C is not read, so a NaN in it disappears. All
/// other Inf and NaN propagate as IEEE arithmetic says.
///
/// C must not overlap A or B, and where these are read a C with the pointer of one is refused; all other overlaps are
/// for the caller to avoid. What an epilogue adds may be C (see residual()).
///
/// Policy: the kernel, at compile time; without one the library chooses (see chosen()). Views, options and epilogue are
/// copied; what they point to must live until the stream has done the work. Does not synchronise, allocates nothing but
/// the workspace where none is given (see workspace_size()), may be captured into a graph, and may be called from
/// several threads at once. Not in a process that has called cudaDeviceReset() since its first call: the pool of
/// workspaces and what kernels have been granted are remembered.
///
/// With GEMM_LOG=1 in the environment, which is read at the first call, each call prints a line on stderr: sizes,
/// types, orders, the policy, how k is split, what is packed, the predicted or measured time, and choice::note.
///
/// Returns a status that names the argument, its value and the rule where something is wrong; then nothing was launched
/// or written (see status for the one exception).
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] status run(A a, B b, C c, detail::options_for<A> opts = {}, Epilogue epilogue = {}) {
  status result;
  if constexpr (detail::check_types<Policy, A, B, C, Epilogue>()) {
    detail::plan how;
    result = detail::validate_call(a, b, c, opts, epilogue);
    if (result && !detail::is_empty(c)) {
      detail::known_device const device;
      auto const p = detail::problem_of_call<Policy>(a, b, c, opts, epilogue);
      detail::prepacked_terms const prepacked = detail::terms_of_call(a, b, p.swapped_ab);
      result = detail::plan_call<Policy>(p, prepacked, &opts.workspace, how);
      if (result) {
        detail::scratch const memory(opts.workspace, how.bytes, opts.stream);
        if (memory.error() != cudaSuccess) {
          result = detail::plan_without_memory<Policy>(p, prepacked, memory.error(), how);
        }
        using problem = std::remove_const_t<decltype(p)>;
        using kernels = typename detail::kernels_of_call<Policy, problem>::type;
        result = result
                     ? detail::enqueue_functions<kernels, problem>::all[how.index](p, how, memory.data(), opts.stream)
                     : result;
      }
    }
    if (detail::logs_calls()) {
      detail::log_call_of<Policy, detail::viewed<A>, detail::viewed<B>>(c, detail::view_of(a).columns, how, result);
    }
  }
  return result;
}

/// The same without options.
template <class Policy = automatic, class A, class B, class C, class Epilogue>
requires(!std::is_convertible_v<Epilogue, detail::options_for<A>>) [[nodiscard]] status
    run(A a, B b, C c, Epilogue epilogue) {
  if constexpr (detail::check_fourth<Epilogue>()) {
    return run<Policy>(a, b, c, detail::options_for<A>{}, epilogue);
  }
  return {};
}

/// The status that run() with the same arguments would return, short of the launch itself.
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] status can_run(A a, B b, C c, detail::options_for<A> opts = {}, Epilogue epilogue = {}) {
  if constexpr (detail::check_types<Policy, A, B, C, Epilogue>()) {
    detail::plan how;
    return detail::plan_arguments<Policy>(a, b, c, opts, epilogue, &opts.workspace, how);
  }
  return {};
}

/// The same without options.
template <class Policy = automatic, class A, class B, class C, class Epilogue>
requires(!std::is_convertible_v<Epilogue, detail::options_for<A>>) [[nodiscard]] status
    can_run(A a, B b, C c, Epilogue epilogue) {
  if constexpr (detail::check_fourth<Epilogue>()) {
    return can_run<Policy>(a, b, c, detail::options_for<A>{}, epilogue);
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
  if constexpr (detail::check_types<Policy, A, B, C, Epilogue>()) {
    opts.workspace = {};
    detail::plan how;
    return detail::plan_arguments<Policy>(a, b, c, opts, epilogue, nullptr, how) ? how.bytes : 0;
  }
  return 0;
}

/// The same without options.
template <class Policy = automatic, class A, class B, class C, class Epilogue>
requires(!std::is_convertible_v<Epilogue, detail::options_for<A>>) [[nodiscard]] std::size_t
    workspace_size(A a, B b, C c, Epilogue epilogue) {
  if constexpr (detail::check_fourth<Epilogue>()) {
    return workspace_size<Policy>(a, b, c, detail::options_for<A>{}, epilogue);
  }
  return 0;
}

/// What run() with the same arguments runs, without a policy or with fp32_emulated, and what the model predicts or
/// tuning has measured; see choice. Beta, an epilogue and a workspace that is given matter: without them it may be
/// another policy. Empty where there is nothing to compute or run() would refuse: can_run() says why.
template <class Choice = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] choice chosen(A a, B b, C c, detail::options_for<A> opts = {}, Epilogue epilogue = {}) {
  static_assert(detail::is_choice<Choice>, "gemm: chosen is asked of gemm::automatic or gemm::fp32_emulated.");
  if constexpr (detail::check_types<Choice, A, B, C, Epilogue>()) {
    detail::plan how;
    if (detail::plan_arguments<Choice>(a, b, c, opts, epilogue, &opts.workspace, how)) {
      return detail::choice_of(how, C::layout == order::column);
    }
  }
  return {};
}

/// The same without options.
template <class Choice = automatic, class A, class B, class C, class Epilogue>
requires(!std::is_convertible_v<Epilogue, detail::options_for<A>>) [[nodiscard]] choice
    chosen(A a, B b, C c, Epilogue epilogue) {
  if constexpr (detail::check_fourth<Epilogue>()) {
    return chosen<Choice>(a, b, c, detail::options_for<A>{}, epilogue);
  }
  return {};
}

}  // namespace gemm

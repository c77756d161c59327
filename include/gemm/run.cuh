// SPDX-License-Identifier: BSL-1.0
//! @file
//! The calls: run(), and the queries can_run(), workspace_size() and chosen().
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/choose/arguments.hpp>
#include <gemm/choose/call.cuh>
#include <gemm/choose/call_log.hpp>
#include <gemm/choose/choice.hpp>
#include <gemm/choose/group_rules.hpp>
#include <gemm/choose/plan.hpp>
#include <gemm/choose/type_rules.hpp>
#include <gemm/element.hpp>
#include <gemm/emulation/prepacked_call.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/launch/scratch.cuh>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/policies.cuh>
#include <gemm/policy.hpp>
#include <gemm/prepack.cuh>
#include <gemm/prepacked.hpp>
#include <gemm/status.hpp>

namespace gemm {

namespace detail {

/// Writes the call's line in the log.
template <class Policy, class A, class B, class C>
[[gnu::cold]] void format_call_of(char* text, std::size_t size, C const& c, std::int64_t k, call_plan const& plan,
                                  status const& result) {
  choice reported;
  if constexpr (is_choice<Policy>) {
    reported = choice_of(plan, C::layout == order::column);
  } else if (plan.kernel != nullptr) {
    reported.policy = name<Policy>();
  }
  format_call(text, size,
              {c.rows, c.columns, k, c.batch_count, element_traits<typename A::value_type>::name,
               element_traits<typename B::value_type>::name, element_traits<typename C::value_type>::name, A::layout,
               B::layout, C::layout},
              reported, result);
}

}  // namespace detail

/// C = epilogue(alpha * A B + beta * C), enqueued on the stream of the options.
///
/// Shapes: A is m x k, B is k x n, C is m x n. Each is row- or column-major, with any size, leading dimension and
/// alignment. Batches agree in their count; an A or B of a single matrix serves all products. For fp32_emulated and
/// policies of fp16x3 or bf16x6, A or B or both may be prepacked (see prepacked_a()).
///
/// Types: A and B are both of float, double, __half, __nv_bfloat16, std::int8_t or tf32 (by as_tf32()); or each of
/// __nv_fp8_e4m3 or __nv_fp8_e5m2. C is of float, __half, __nv_bfloat16 or fp8; of double for double; for std::int8_t
/// of std::int32_t, std::int8_t, float, __half or __nv_bfloat16. The accumulator is float, double for double,
/// std::int32_t for std::int8_t.
///
/// Arithmetic: each element of C is rounded once, to nearest even, when it is stored. A C of integers or fp8 saturates,
/// infinities too; NaN stays NaN in fp8. Floats are multiplied exactly as they are, unless the caller asks for tf32 or
/// emulation. Products of __half are exact in float; so are those of
/// __nv_bfloat16 short of underflow and overflow. Tensor cores truncate where a float's addition rounds (see
/// sm90_wgmma). int8 products, alpha and beta included, wrap modulo 2^32.
///
/// Order: the policy and k decide the order of additions, so results are bitwise the same from run to run. With a named
/// policy, and with batch_invariant, a row of C does not depend on the other rows. The exceptions are stream_k,
/// with_fallback, equilibrated, and fp16x3_sliced without a number of slices.
///
/// As in BLAS: nothing happens where m or n is 0. With k = 0 or alpha = 0, A, B and their scales are not read, and C
/// becomes epilogue(beta * C). With beta = 0, C is not read, so a NaN in it disappears. All other Inf and NaN propagate
/// as IEEE arithmetic says.
///
/// C must not overlap A or B. A C with the pointer of an A or B that is read is refused; other overlaps are for the
/// caller to avoid. The matrix of residual() may be C.
///
/// Device: the stream's, whichever is current. There the memory of the arguments must be accessible.
///
/// Lifetime: views, options and epilogue are copied; the memory they point to must live until the stream has done the
/// work. The call does not synchronise, may be captured into a graph, and may be made by several threads at once. It
/// allocates only the workspace, where none is given (see workspace_size()). After cudaDeviceReset() a process must not
/// call it again: the pool of workspaces and the attributes of kernels are remembered.
///
/// With GEMM_LOG=1 in the environment, which is read at the first call, each call prints a line to stderr: sizes,
/// types, orders and policy; split of k, packing, predicted or measured time, and choice::note. With GEMM_NVTX defined
/// before the library is included, what a call enqueues is in a range of NVTX's domain gemm that has this line as name.
///
/// @tparam Policy  the kernel; `automatic` lets the library choose (see chosen()), and so do batch_invariant and
///     fp32_emulated
/// @param a  m x k: a matrix, a scaled_matrix or a prepacked_matrix
/// @param b  k x n: a matrix, a scaled_matrix or a prepacked_matrix
/// @param c  m x n: a matrix that is read where beta is not 0, and written
/// @param opts  alpha, beta, stream and workspace, see options; or instead of them the epilogue
/// @param epilogue  applied to each element before it is stored; see epilogue.hpp
/// @return a status that names the argument, its value and the rule that it breaks; then nothing was launched or
///     written (see status for the one exception)
template <class Policy = automatic, class A, class B, class C, class Options = detail::options_for<A>,
          class Epilogue = identity>
[[nodiscard]] static status run(A a, B b, C c, Options opts = {}, Epilogue epilogue = {}) {
  status result;
  if constexpr (!detail::are_options<A, Options>) {
    if constexpr (detail::check_fourth<A, Options, Epilogue>()) {
      result = run<Policy>(a, b, c, detail::options_in<A>(opts), detail::epilogue_in<A>(opts, epilogue));
    }
  } else if constexpr (detail::check_types<Policy, A, B, C, Epilogue>()) {
    detail::call_plan plan;
    auto const line = [&](char* text, std::size_t size) {
      detail::format_call_of<Policy, detail::viewed<A>, detail::viewed<B>>(text, size, c, detail::view_of(a).columns,
                                                                           plan, result);
    };
    result = detail::validate_call(a, b, c, opts, epilogue);
    if (result && !detail::is_empty(c)) {
      detail::known_device const device(opts.stream);
      auto const p = detail::problem_of_call<Policy>(a, b, c, opts, epilogue);
      detail::prepacked_terms const prepacked = detail::terms_of_call(a, b, p.swapped_ab);
      result = device.status();
      result = result ? detail::plan_call<Policy>(p, prepacked, &opts.workspace, plan) : result;
      if (result) {
        detail::scratch const memory(opts.workspace, plan.bytes, opts.stream);
        if (memory.error() != cudaSuccess) {
          result = detail::plan_without_memory<Policy>(p, prepacked, memory.error(), plan);
        }
        [[maybe_unused]] detail::call_range const range(line);
        result = result ? detail::prepare_epilogue(epilogue, opts.stream) : result;
        result = result ? detail::enqueue_call<Policy>(p, plan, memory.data(), opts.stream) : result;
        result = result ? detail::enqueue_rest(p, opts.zero_rest, opts.stream) : result;
      }
    }
    if (detail::logs_calls()) {
      detail::log_call(line);
    }
  }
  return result;
}

/// The status that run() with the same arguments would return, short of the launch itself.
template <class Policy = automatic, class A, class B, class C, class Options = detail::options_for<A>,
          class Epilogue = identity>
[[nodiscard]] static status can_run(A a, B b, C c, Options opts = {}, Epilogue epilogue = {}) {
  if constexpr (!detail::are_options<A, Options>) {
    if constexpr (detail::check_fourth<A, Options, Epilogue>()) {
      return can_run<Policy>(a, b, c, detail::options_in<A>(opts), detail::epilogue_in<A>(opts, epilogue));
    }
  } else if constexpr (detail::check_types<Policy, A, B, C, Epilogue>()) {
    detail::call_plan plan;
    return detail::plan_arguments<Policy>(a, b, c, opts, epilogue, &opts.workspace, plan);
  }
  return {};
}

/// Bytes of device memory that run() with the same arguments uses as workspace. It is 0 where k is not split and no
/// operand is packed, and where run() would refuse. A workspace among the options is ignored.
///
/// Without a workspace run() takes these bytes from the library's memory pool, in stream order, and gives them back.
/// The pool keeps up to a 128th of the device's memory between calls. With a workspace, `automatic` chooses among the
/// plans that fit into it, and a named policy that needs more refuses. Where the pool has no memory, `automatic` does
/// without.
template <class Policy = automatic, class A, class B, class C, class Options = detail::options_for<A>,
          class Epilogue = identity>
[[nodiscard]] static std::size_t workspace_size(A a, B b, C c, Options opts = {}, Epilogue epilogue = {}) {
  if constexpr (!detail::are_options<A, Options>) {
    if constexpr (detail::check_fourth<A, Options, Epilogue>()) {
      return workspace_size<Policy>(a, b, c, detail::options_in<A>(opts), detail::epilogue_in<A>(opts, epilogue));
    }
  } else if constexpr (detail::check_types<Policy, A, B, C, Epilogue>()) {
    opts.workspace = {};
    detail::call_plan plan;
    return detail::plan_arguments<Policy>(a, b, c, opts, epilogue, nullptr, plan) ? plan.bytes : 0;
  }
  return 0;
}

/// The plan that run() with the same arguments follows, for a policy that the library chooses, with its predicted or
/// measured time; see choice. It depends on beta, epilogue and workspace as well. Empty where there is nothing to
/// compute or run() would refuse: can_run() says why.
template <class Choice = automatic, class A, class B, class C, class Options = detail::options_for<A>,
          class Epilogue = identity>
[[nodiscard]] static choice chosen(A a, B b, C c, Options opts = {}, Epilogue epilogue = {}) {
  static_assert(detail::is_choice<Choice>,
                "gemm: chosen is asked of gemm::automatic, gemm::batch_invariant or gemm::fp32_emulated.");
  if constexpr (!detail::are_options<A, Options>) {
    if constexpr (detail::check_fourth<A, Options, Epilogue>()) {
      return chosen<Choice>(a, b, c, detail::options_in<A>(opts), detail::epilogue_in<A>(opts, epilogue));
    }
  } else if constexpr (detail::check_types<Choice, A, B, C, Epilogue>()) {
    detail::call_plan plan;
    if (detail::plan_arguments<Choice>(a, b, c, opts, epilogue, &opts.workspace, plan)) {
      return detail::choice_of(plan, C::layout == order::column);
    }
  }
  return {};
}

}  // namespace gemm

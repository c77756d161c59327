// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tuning: measures the candidates of run() for a problem, and makes run() follow the fastest; not part of
//! <gemm/gemm.cuh>.
//!
//!     gemm::load_tuning("gemm.tuning");                          // at the start: run() follows the plans of the file
//!     gemm::tune(A, B, C, {.cache = "gemm.tuning"});             // once for a problem: adds a plan to it
//!     gemm::chosen(A, B, C).source                               // choice_source::tuned
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <gemm/choose/call.cuh>
#include <gemm/choose/plan_memo.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/launch/make_problem.hpp>
#include <gemm/options.hpp>
#include <gemm/policy.hpp>
#include <gemm/run.cuh>
#include <gemm/scales.hpp>
#include <gemm/status.hpp>
#include <gemm/tune/cache_file.hpp>
#include <gemm/tune/candidates.cuh>
#include <gemm/tune/load.hpp>
#include <gemm/tune/measure.cuh>
#include <gemm/tune/record.hpp>
#include <gemm/tune/result.hpp>
#include <gemm/tune/workbench.cuh>
#include <gemm/tune/write_cache.hpp>

namespace gemm {

namespace detail {

inline status check_options(tune_options const& opts) {
  if (opts.repetitions < 1) {
    return broken_rule("repetitions is %d, needs at least 1", opts.repetitions);
  }
  if (!(opts.within >= 1)) {
    return broken_rule("within is %g, needs at least 1", opts.within);
  }
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (cudaError_t const error = cudaStreamIsCapturing(opts.stream, &capture); error != cudaSuccess) {
    return tuning_step(error, "asking the stream for a capture");
  }
  return capture == cudaStreamCaptureStatusNone
             ? status{}
             : status{status_code::invalid_argument, cudaSuccess,
                      "the stream is being captured, needs to be one that runs what is enqueued"};
}

/// The rules of tune() beyond those of run(), asserted first: one mistake, one message.
template <class A, class B, class... Policies>
constexpr bool check_tuned() {
  constexpr bool named = (!is_choice<Policies> && ...);
  static_assert(named, "gemm: tune<Policies...> takes policies by name. For the candidates of run(A, B, C) name none.");
  constexpr bool as_they_are = [] {
    if constexpr (is_prepacked<A> || is_prepacked<B>) {
      return false;
    } else if constexpr (matrix_view<A>) {
      return !std::is_same_v<typename A::value_type, float> || !(multiplies_tf32<Policies> || ...);
    }
    return true;  // check_types() says what is wrong
  }();
  static_assert(
      !named || as_they_are,
      "gemm: tune takes matrices as they are multiplied. Pass the matrix itself, not a prepacked one, and for "
      "policies of tf32 as_tf32(matrix).");
  return named && as_they_are;
}

/// The sets of operands that are together twice as large as the L2.
template <class Problem>
status count_sets(Problem const& p, bool rotate, int& sets) {
  constexpr double most = 200;  // the most launches of a sample
  int l2_bytes = 0;
  status const result = device_attribute(l2_bytes, cudaDevAttrL2CacheSize);
  sets = rotate ? static_cast<int>(std::clamp(std::ceil(2.0 * l2_bytes / workbench<Problem>::bytes(p)), 1.0, most)) : 1;
  return result;
}

/// Measures the policies of the list for a problem that is not empty, the fastest first.
template <class List, class Problem>
static status measure_list(List list, Problem const& p, tune_options const& opts, std::vector<measurement>& measured) {
  device_info device;
  int sets = 1;
  status result = current_device_info(device);
  result = result ? count_sets(p, opts.rotate, sets) : result;
  if (!result) {
    return result;
  }
  std::vector<contender<Problem>> all =
      contenders_of(decltype(policies_of(list)){}, p, device, limit_of(opts.workspace), opts.within);
  if (all.empty()) {
    return {status_code::unsupported_device, cudaSuccess, "no policy of the list is eligible for the problem"};
  }
  std::size_t bytes = 0;
  for (contender<Problem> const& c : all) {
    bytes = (std::max)(bytes, c.plan.bytes);
  }
  workbench<Problem> const bench(p, sets, opts.workspace.data == nullptr ? bytes : 0, opts.stream);
  result = bench.memory();
  result =
      result ? measure(all, bench, opts.workspace.data == nullptr ? bench.workspace() : opts.workspace, opts) : result;
  std::stable_sort(all.begin(), all.end(), [](contender<Problem> const& x, contender<Problem> const& y) {
    bool const right_x{x.found.outcome}, right_y{y.found.outcome};
    return right_x != right_y ? right_x : right_x && x.found.seconds < y.found.seconds;
  });
  for (contender<Problem>& c : all) {
    measured.push_back(std::move(c.found));
  }
  return result ? measured.front().outcome : result;
}

/// Makes run() follow the fastest plan that it can choose, and keeps it in the cache. Where there is none, a cache
/// would remain as it was, which is a failure.
template <class Problem>
static void adopt(Problem const& p, std::string const& path, tune_result& result) {
  auto const best = std::find_if(result.measured.begin(), result.measured.end(),
                                 [](measurement const& m) { return m.automatic && m.outcome; });
  if (best == result.measured.end()) {
    if (!path.empty()) {
      result.status = broken_rule("the tuning cache %s keeps no plan: run() can choose none of the policies measured",
                                  path.c_str());
    }
    return;
  }
  int device = 0;
  gpu_identity gpu;
  result.status = tuning_step(cudaGetDevice(&device), "asking for the device");
  result.status = result.status ? identify_gpu(device, gpu) : result.status;
  if (!result) {
    return;
  }
  tuning_record const record{.gpu = gpu.name,
                             .multiprocessors = gpu.multiprocessors,
                             .problem = key_of(p),
                             .plan = {.policy = best->policy,
                                      .slices = best->slices,
                                      .in_cluster = best->in_cluster,
                                      .tail = best->tail,
                                      .nanoseconds = std::max<std::int64_t>(1, std::llround(best->seconds * 1e9))}};
  add_plan(device, static_cast<int>(code_of_device()), record.problem, record.plan);
  result.followed = static_cast<int>(best - result.measured.begin());
  if (!path.empty()) {
    result.status = write_cache(path, record);
    result.cache = result ? path : std::string{};
  }
}

}  // namespace detail

/// Measures the candidates of `automatic` for views like these, on the stream's device, and makes run() follow the
/// fastest. The plan serves every problem with the same types, orders, sizes, batch and alignment of rows; options,
/// epilogue and scales in device memory may differ. Elements may then be accumulated in another order.
///
/// With named policies, tune<mine, yours>(A, B, C) measures those: all are in the result, and run() follows the fastest
/// that it can choose. Those of split terms (fp16x3, bf16x6) are measured with all of their passes.
///
/// Only the views' sizes, strides and alignment count. Their memory is neither read nor written: tune() allocates as
/// much again, C twice, and for small problems up to twice the L2. Before a candidate is timed, its product of small
/// integers must equal that of a simple kernel in every element.
///
/// Waits for the stream, which must not be capturing, and takes milliseconds to seconds. Nothing else should run on the
/// device meanwhile. May be called from several threads and processes with one cache.
///
/// @tparam Policies  the candidates; none: those of run()
/// @param a  m x k, as run() takes it, but not prepacked; for policies of tf32 as_tf32()
/// @param b  k x n, likewise
/// @param c  m x n
/// @param opts  stream, workspace, cache and how to measure
/// @return a failure where an argument breaks a rule (those of run(), and sizes of 0), the cache cannot be written,
///     memory is missing, no candidate was right, or there is a cache and run() can choose none of those that were.
///     Whether the cache can be written is tried first. Where only keeping fails, the result has all measurements, and
///     `followed` is the plan of run()
template <class... Policies, class A, class B, class C>
[[nodiscard]] static tune_result tune(A a, B b, C c, tune_options const& opts = {}) {
  tune_result result;
  if constexpr (detail::is_scaled<A> || detail::is_scaled<B>) {
    return tune<Policies...>(detail::without_scales(a), detail::without_scales(b), c, opts);
  } else if constexpr (!detail::check_tuned<A, B, Policies...>()) {
    return result;
  } else if constexpr ((detail::check_types<automatic, A, B, C, identity>() && ... &&
                        detail::check_types<Policies, A, B, C, identity>())) {
    detail::options_for<A> const call{.workspace = opts.workspace};
    result.status = detail::validate_call(a, b, c, call, identity{});
    result.status = result ? detail::check_options(opts) : result.status;
    if (result && (c.rows == 0 || c.columns == 0 || c.batch_count == 0 || a.columns == 0)) {
      using wide = long long;
      result.status = detail::broken_rule(
          "the product is %lld x %lld x %lld, a batch of %lld, needs sizes of 1 or more to be tuned", wide{c.rows},
          wide{c.columns}, wide{a.columns}, wide{c.batch_count});
    }
    std::string const cache = detail::cache_path(opts.cache);
    if (result && !cache.empty()) {
      result.status = detail::check_cache(cache);
    }
    detail::current_device_of const device(opts.stream);
    if (result) {
      result.status = detail::tuning_step(device.error(), "asking for the stream's device");
    }
    if (result) {
      using scalar = typename detail::scalar_of<A>::type;
      auto const p = detail::problem_of(a, b, c, scalar(1), scalar(0), identity{});
      using problem = std::remove_const_t<decltype(p)>;
      using list = std::conditional_t<sizeof...(Policies) == 0, detail::candidates<automatic, problem>,
                                      detail::policy_list<Policies...>>;
      result.status = detail::measure_list(list{}, p, opts, result.measured);
      if (result) {
        detail::adopt(p, cache, result);
      }
    }
  }
  return result;
}

}  // namespace gemm

// SPDX-License-Identifier: BSL-1.0
//! @file
//! Loading a tuning cache: from then on run() without a policy follows its plans.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include <gemm/choose/tuned.hpp>
#include <gemm/status.hpp>
#include <gemm/tune/cache_file.hpp>
#include <gemm/tune/record.hpp>

namespace gemm {

/// The report of load_tuning().
struct tuning_report {
  std::string path{};         ///< of the cache
  int plans = 0;              ///< plans that run() follows from now on
  int foreign = 0;            ///< plans for other GPUs than this process has
  int ignored = 0;            ///< records that cannot be read
  std::string first_wrong{};  ///< what is wrong with the first of them: "line 7: the field m is missing"
};

namespace detail {

/// A device as caches name it.
struct gpu_identity {
  std::string name;
  int multiprocessors = 0;
};

inline status identify_gpu(int device, gpu_identity& identity) {
  cudaDeviceProp properties{};
  if (cudaError_t const error = cudaGetDeviceProperties(&properties, device); error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // must not surface in the caller's next check
    return {status_code::cuda_failure, error, "device %d has no properties: %s", device, cudaGetErrorString(error)};
  }
  identity = {properties.name, properties.multiProcessorCount};
  std::replace(identity.name.begin(), identity.name.end(), ' ', '_');
  return {};
}

inline std::mutex plan_writers;
inline plan_table::node const* newest_plan = nullptr;

/// Adds a plan that tune() has found with the code of its translation unit, or for any_code one of a cache.
inline void add_plan(int device, int code, tuned_problem const& problem, recorded_plan const& recorded) {
  std::lock_guard const lock(plan_writers);
  tuned_plan plan{.policy = recorded.policy,
                  .slices = recorded.slices,
                  .in_cluster = recorded.in_cluster,
                  .tail = recorded.tail,
                  .nanoseconds = recorded.nanoseconds};
  if (tuned_plan const* const known = tuned_plans.find(device, code, problem); known != nullptr && *known == plan) {
    return;  // so that loading a cache again costs no memory
  }
  struct owner : plan_table::node {
    std::string name;
  };
  plan_table::node const*& head = tuned_plans.buckets[plan_table::bucket_of(device, problem)];
  auto* const added = new owner{{device, code, problem, plan, head, newest_plan}, recorded.policy};
  added->plan.policy = added->name;
  newest_plan = added;
  __atomic_store_n(&head, newest_plan, __ATOMIC_RELEASE);
  tuned_plans.note_change();
}

inline void clear_plans() {
  std::lock_guard const lock(plan_writers);
  for (plan_table::node const*& head : tuned_plans.buckets) {
    __atomic_store_n(&head, nullptr, __ATOMIC_RELAXED);
  }
  tuned_plans.note_change();
}

}  // namespace detail

/// Loads the plans of a cache for the GPUs of this process. A plan replaces an earlier one for the same problem;
/// elements may then be accumulated in another order. The format: gemm/tune/record.hpp.
///
/// @param path  by default that of the environment's GEMM_TUNING_CACHE
/// @param report  filled on success, if not null
/// @return a failure where there is no such file or it is no tuning cache of this version; then nothing changes. An
///     empty file is a cache without plans. Records that cannot be read are skipped and reported
inline status load_tuning(std::string const& path = {}, tuning_report* report = nullptr) {
  tuning_report found{.path = detail::cache_path(path)};
  if (found.path.empty()) {
    return {status_code::invalid_argument, cudaSuccess,
            "the path of the tuning cache is empty, needs one, or GEMM_TUNING_CACHE in the environment"};
  }
  detail::cache_lines lines;
  if (status const read = detail::read_cache(found.path, lines); !read) {
    return read;
  }
  int devices = 0;
  if (cudaError_t const error = cudaGetDeviceCount(&devices); error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // likewise
    return {status_code::cuda_failure, error, "no usable CUDA device: %s", cudaGetErrorString(error)};
  }
  status result;
  std::vector<detail::gpu_identity> gpus(static_cast<std::size_t>(devices));
  for (int device = 0; result && device < devices; ++device) {
    result = detail::identify_gpu(device, gpus[static_cast<std::size_t>(device)]);
  }
  if (!result) {
    return result;
  }
  auto const ignore = [&](std::size_t line, std::string const& wrong) {
    found.first_wrong = found.ignored++ == 0 ? "line " + std::to_string(line + 2) + ": " + wrong : found.first_wrong;
  };
  for (std::size_t i = 0; i < lines.whole.size(); ++i) {
    detail::tuning_record record;
    if (!detail::has_record(lines.whole[i])) {
      continue;
    }
    if (std::string const wrong = detail::parse_record(lines.whole[i], record); !wrong.empty()) {
      ignore(i, wrong);
      continue;
    }
    bool here = false;
    for (std::size_t device = 0; device < gpus.size(); ++device) {
      if (gpus[device].name == record.gpu && gpus[device].multiprocessors == record.multiprocessors) {
        detail::add_plan(static_cast<int>(device), detail::plan_table::any_code, record.problem, record.plan);
        here = true;
      }
    }
    ++(here ? found.plans : found.foreign);
  }
  if (lines.cut_off) {
    ignore(lines.whole.size(), "it is cut off");
  }
  if (report != nullptr) {
    *report = found;
  }
  return {};
}

/// Forgets all plans that were loaded or tuned: run() chooses by price again.
inline void forget_tuning() { detail::clear_plans(); }

}  // namespace gemm

// SPDX-License-Identifier: BSL-1.0
//! @file
//! explain: what a policy does with a problem, as an account and as a picture.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>

#include "../device_memory.hpp"
#include "../support/arguments.hpp"
#include "../support/gpus.hpp"
#include "options.hpp"
#include "page.hpp"
#include "page_policies.cuh"
#include "picture.hpp"
#include "picture_mma.hpp"
#include "price.hpp"
#include "report.hpp"
#include "ring.hpp"
#include "rungs.cuh"
#include "text.hpp"

namespace {

/// Those of the rungs up to pipelined, and those with rings.
std::vector<std::string> all_names() {
  std::vector<std::string> names = explain::names_of(explain::all_policies{});
  std::vector<std::string> const rings = explain::ring_policies();
  names.insert(names.end(), rings.begin(), rings.end());
  return names;
}

bool one_of(std::string const& value, std::vector<std::string> const& allowed) {
  return std::find(allowed.begin(), allowed.end(), value) != allowed.end();
}

#if defined(__CUDACC__)
/// The GPU that this runs on; its rates by its clocks.
explain::device_limits this_device() {
  explain::device_limits d;
  auto const attribute = [](cudaDeviceAttr which) {
    int device = 0, value = 0;
    example::require(cudaGetDevice(&device));
    example::require(cudaDeviceGetAttribute(&value, which, device));
    return value;
  };
  d.name = example::device_name();
  d.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  d.registers = attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
  d.threads = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  d.blocks = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
  d.shared_bytes = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  d.shared_bytes_per_block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  d.reserved_shared_bytes = attribute(cudaDevAttrReservedSharedMemoryPerBlock);
  d.clock = attribute(cudaDevAttrClockRate) * 1e3;
  int const major = attribute(cudaDevAttrComputeCapabilityMajor), minor = attribute(cudaDevAttrComputeCapabilityMinor);
  gemm::tables::arithmetic const& lanes = gemm::tables::arithmetic_of(major, minor);
  d.has_wgmma = major == 9 && minor == 0;
  d.flops_f32 = 2 * d.clock * d.multiprocessors * lanes.f32;
  d.flops_f64 = 2 * d.clock * d.multiprocessors * lanes.f64;
  d.ops_i32 = 2 * d.clock * d.multiprocessors * lanes.i8;
  d.bandwidth = 2e3 * attribute(cudaDevAttrMemoryClockRate) * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  return d;
}
#else
explain::device_limits this_device() { return explain::h200(); }
#endif

explain::study study_of(explain::command const& c, std::string const& policy) {
  explain::request request = c.request;
  request.policy = policy;
  return c.type == "f64"    ? explain::study_policy<double>(request)
         : c.type == "f16"  ? explain::study_policy<__half>(request)
         : c.type == "bf16" ? explain::study_policy<__nv_bfloat16>(request)
         : c.type == "i8"   ? explain::study_policy<std::int8_t>(request)
                            : explain::study_policy<float>(request);
}

int explain_ring(explain::command const& c, explain::device_limits const& device) {
  explain::ring_study const s = explain::study_ring(c.request.policy, c.request.size);
  std::fputs(explain::report_of(s, device).c_str(), stdout);
  return c.svg.empty() || explain::save_picture(c.request.policy, explain::picture_of(s), c.svg) ? 0 : 1;
}

int write_page(explain::command const& c, explain::device_limits const& device) {
  std::vector<explain::study> studies;
  for (auto const& name : names_of(explain::page_policies{})) {
    studies.push_back(study_of(c, name));
    if (studies.back().facts.from == explain::feed::async) {
      studies.back().when = explain::recorded_copies(name);
    }
  }
  std::vector<explain::ring_study> rings;
  for (auto const& name : explain::ring_policies()) {
    rings.push_back(explain::study_ring(name, c.request.size));
    rings.back().tile.when = explain::recorded_ring(rings.back());
  }
  return explain::save(explain::page_of(studies, rings, device), c.html) ? 0 : 1;
}

int explain_prices(explain::command const& c, explain::device_limits const& device) {
#if defined(__CUDACC__)
  if (c.device != "this") {
    throw tools::refused("--price is for the GPU of this machine, or needs explain built for the CPU device");
  }
#else
  cpu_device::scoped_options with;
  if (c.device != "this") {
    tools::pretend(tools::gpu_of(c.device), with->device);
  }
#endif
  constexpr std::size_t most = 6;
  explain::prices const found = explain::prices_of(c.type, c.request.storage, c.request.size, c.batch_invariant);
  std::printf("%s, on %s\n", explain::problem_text(c.request.size, std::string(found.type), c.request.storage).c_str(),
              device.name.c_str());
  std::fputs(explain::report_of(found, most).c_str(), stdout);
  return 0;
}

int explain_all(int count, char** arguments) {
  auto const given = explain::read_command(count, arguments, all_names(), explain::ring_policies());
  if (!given) {
    return 0;
  }
  explain::command const& c = *given;
  if (c.list) {
    for (auto const& name : all_names()) {
      std::printf("%s\n", name.c_str());
    }
    return 0;
  }
  auto const device = c.device == "this" ? this_device() : explain::limits_of(c.device);
  if (c.price) {
    return explain_prices(c, device);
  }
  if (!c.html.empty()) {
    return write_page(c, device);
  }
  if (one_of(c.request.policy, explain::ring_policies())) {
    return explain_ring(c, device);
  }
  if (!c.request.policy.empty()) {
    explain::study const s = study_of(c, c.request.policy);
    std::fputs(explain::report_of(s, device).c_str(), stdout);
    return c.svg.empty() || explain::save_picture(s.policy, explain::picture_of(s), c.svg) ? 0 : 1;
  }
  std::vector<explain::study> studies;
  int rung = 0;
  for (auto const& name : names_of(explain::all_policies{})) {
    studies.push_back(study_of(c, name));
    explain::study const& s = studies.back();
    if (!c.svg.empty() && s.facts.number > rung && !explain::save_picture(s.policy, explain::picture_of(s), c.svg)) {
      return 1;
    }
    rung = s.facts.number;
  }
  std::vector<explain::ring_study> rings;
  for (auto const& name : explain::ring_policies()) {
    rings.push_back(explain::study_ring(name, c.request.size));
    if (!c.svg.empty() && !explain::save_picture(name, explain::picture_of(rings.back()), c.svg)) {
      return 1;
    }
  }
  if (!c.svg.empty() && !explain::save_picture("mma_bf16", explain::picture_of_mma(), c.svg)) {
    return 1;
  }
  std::printf("%s, on %s\n\n", explain::problem_text(studies.front()).c_str(), device.name.c_str());
  std::fputs(explain::summary_of(studies, device).c_str(), stdout);
  if (!rings.empty()) {
    std::printf("\n%s", explain::summary_of(rings, device).c_str());
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  return tools::run_main("explain", [&] { return explain_all(count, arguments); });
}

// SPDX-License-Identifier: BSL-1.0
//! @file
//! explain: what a policy does with a problem, as an account and as a picture.

#include <cuda_runtime.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>

#include "../device_memory.hpp"
#include "picture.hpp"
#include "report.hpp"
#include "ring.hpp"
#include "rungs.cuh"
#include "text.hpp"

namespace {

constexpr char usage[] =
    "explain: what a policy does with C = A B, without timing it\n"
    "\n"
    "  --policy=NAME         this policy in full; without it, a table of all\n"
    "  --type=NAME           of A, B and C: f32, f64, f16, bf16, or i8 with C in int32 (f32)\n"
    "  --storage=nn|nt|tn|tt storage of A and B: n row-major, t transposed (nn)\n"
    "                        (both of rungs 1 to 8; later ones are told in those that they were measured in)\n"
    "  --m= --n= --k=        sizes (4096)\n"
    "  --device=NAME         h200, a6000, or this: the GPU of this machine (this, without a GPU h200)\n"
    "  --registers=N         registers of a thread, where the compiler's are not known\n"
    "  --svg=DIRECTORY       also draw DIRECTORY/NAME.svg; without --policy, one for each rung of the ladder\n"
    "  --list                the names of the policies\n"
    "  --help                this\n";

struct command {
  explain::request request;
  std::string type = "f32", device = "this", svg;
  bool list = false, help = false;
  bool operands = false;  ///< are said: their type or storage
};

/// Says what is wrong with the command line; the exit code of such a call.
int refuse(std::string const& reason) {
  std::fprintf(stderr, "explain: %s\nexplain --help lists the options.\n", reason.c_str());
  return 2;
}

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

template <class Number>
bool parse(std::string const& value, long long most, Number& number) {
  auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size() && number >= 1 && number <= most;
}

/// The options into `c`; what is wrong with them, if anything.
std::optional<std::string> read_options(int count, char** arguments, command& c) {
  constexpr long long most = 1 << 30;
  for (int i = 1; i < count; ++i) {
    std::string const argument = arguments[i];
    std::size_t const equals = std::min(argument.find('='), argument.size());
    std::string const name = argument.substr(0, equals);
    std::string const value = argument.substr(std::min(equals + 1, argument.size()));
    auto const choice = [&](std::string& to, std::vector<std::string> const& allowed) -> std::optional<std::string> {
      if (one_of(value, allowed)) {
        to = value;
        return {};
      }
      std::string all;
      for (auto const& a : allowed) {
        all += (all.empty() ? "" : ", ") + a;
      }
      return name + " is \"" + value + "\", needs one of " + all;
    };
    auto const size = [&](auto& to, long long limit) -> std::optional<std::string> {
      return parse(value, limit, to)
                 ? std::nullopt
                 : std::optional(name + " is \"" + value + "\", needs a number from 1 to " + std::to_string(limit));
    };
    std::optional<std::string> wrong;
    if (name == "--policy") {
      wrong = choice(c.request.policy, all_names());
    } else if (name == "--type") {
      wrong = choice(c.type, {"f32", "f64", "f16", "bf16", "i8"});
      c.operands = true;
    } else if (name == "--storage") {
      wrong = choice(c.request.storage, {"nn", "nt", "tn", "tt"});
      c.operands = true;
    } else if (name == "--device") {
      wrong = choice(c.device, {"this", "h200", "a6000"});
    } else if (name == "--m" || name == "--n" || name == "--k") {
      auto& size_of = name == "--m" ? c.request.size.m : name == "--n" ? c.request.size.n : c.request.size.k;
      wrong = size(size_of, most);
    } else if (name == "--registers") {
      wrong = size(c.request.registers, 255);
    } else if (name == "--svg") {
      c.svg = value;
      wrong = value.empty() ? std::optional<std::string>("--svg needs a directory") : std::nullopt;
    } else if (argument == "--list") {
      c.list = true;
    } else if (argument == "--help") {
      c.help = true;
    } else {
      wrong = "\"" + argument + "\" is not an option";
    }
    if (wrong) {
      return wrong;
    }
  }
  if (c.request.registers > 0 && c.request.policy.empty()) {
    return "--registers needs --policy";
  }
  if (one_of(c.request.policy, explain::ring_policies()) && (c.operands || c.request.registers > 0)) {
    return "--policy=" + c.request.policy + " goes without --type, --storage and --registers";
  }
  return {};
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
  bool const sm_80 = major == 8 && minor == 0;
  d.has_wgmma = major == 9 && minor == 0;
  int const lanes_f32 = sm_80 ? 64 : 128, lanes_i32 = 64;
  int const lanes_f64 = sm_80 ? 32 : minor == 0 && (major == 9 || major == 10) ? 64 : 2;
  d.flops_f32 = 2 * d.clock * d.multiprocessors * lanes_f32;
  d.flops_f64 = 2 * d.clock * d.multiprocessors * lanes_f64;
  d.ops_i32 = 2 * d.clock * d.multiprocessors * lanes_i32;
  d.bandwidth = 2e3 * attribute(cudaDevAttrMemoryClockRate) * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  return d;
}
#else
explain::device_limits this_device() { return explain::h200(); }
#endif

explain::study study_of(command const& c, std::string const& policy) {
  explain::request request = c.request;
  request.policy = policy;
  return c.type == "f64"    ? explain::study_policy<double>(request)
         : c.type == "f16"  ? explain::study_policy<__half>(request)
         : c.type == "bf16" ? explain::study_policy<__nv_bfloat16>(request)
         : c.type == "i8"   ? explain::study_policy<std::int8_t>(request)
                            : explain::study_policy<float>(request);
}

int explain_ring(command const& c, explain::device_limits const& device) {
  explain::ring_study const s = explain::study_ring(c.request.policy, c.request.size);
  std::fputs(explain::report_of(s, device).c_str(), stdout);
  return c.svg.empty() || explain::save_picture(c.request.policy, explain::picture_of(s), c.svg) ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  command c;
  if (auto const wrong = read_options(count, arguments, c)) {
    return refuse(*wrong);
  }
  if (c.help) {
    std::fputs(usage, stdout);
    return 0;
  }
  if (c.list) {
    for (auto const& name : all_names()) {
      std::printf("%s\n", name.c_str());
    }
    return 0;
  }
  auto const device = c.device == "h200" ? explain::h200() : c.device == "a6000" ? explain::a6000() : this_device();
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
  auto const [m, n, k] = c.request.size;
  std::printf("C (%lld x %lld) = A (%lld x %lld) B (%lld x %lld), %s, %s, on %s\n\n", static_cast<long long>(m),
              static_cast<long long>(n), static_cast<long long>(m), static_cast<long long>(k),
              static_cast<long long>(k), static_cast<long long>(n), studies.front().type.c_str(),
              c.request.storage.c_str(), device.name.c_str());
  std::fputs(explain::summary_of(studies, device).c_str(), stdout);
  if (!rings.empty()) {
    std::printf("\n%s", explain::summary_of(rings, device).c_str());
  }
  return 0;
}

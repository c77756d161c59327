// SPDX-License-Identifier: BSL-1.0
//! @file
//! Collects the context of the output.

#include "context.hpp"

#include <benchmark/benchmark.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "cuda.hpp"

namespace bench {

namespace {

/// gemm_bench's. To be raised by whoever changes what the numbers mean. bench/README.md describes it.
constexpr char method[] =
    "3: medians of samples of about 1 ms between CUDA events, interleaved with the best of 16 cublasLt heuristics, of "
    "8 "
    "bits with the copies that they need; epilogues with the same policy without one; uniform random data, buffers "
    "rotated over 256 MiB, verified first";

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

/// 13000 is 13.0.
std::string cuda_version(int number) {
  return std::to_string(number / 1000) + '.' + std::to_string(number % 1000 / 10);
}

std::string cublas_version() {
  int major = 0, minor = 0, patch = 0;
  static_cast<void>(cublasGetProperty(MAJOR_VERSION, &major));
  static_cast<void>(cublasGetProperty(MINOR_VERSION, &minor));
  static_cast<void>(cublasGetProperty(PATCH_LEVEL, &patch));
  char text[48];
  std::snprintf(text, sizeof(text), "%d.%d.%d", major, minor, patch);
  return text;
}

std::string commit() {
  char const* const at_run_time = std::getenv("GEMM_COMMIT");
  return at_run_time != nullptr && *at_run_time != '\0' ? at_run_time : GEMM_BENCH_COMMIT;
}

}  // namespace

void add_device_context(gauges const& g, std::string const& method) {
  int device = 0, runtime = 0, driver = 0, multiprocessors = 0, memory_kilohertz = 0;
  cudaDeviceProp properties{};
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  require(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  require(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  require(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "multiprocessors");
  require(cudaDeviceGetAttribute(&memory_kilohertz, cudaDevAttrMemoryClockRate, device), "memory clock");
  benchmark::AddCustomContext("gpu", properties.name);
  benchmark::AddCustomContext("multiprocessors", std::to_string(multiprocessors));
  benchmark::AddCustomContext("memory_mhz", std::to_string(memory_kilohertz / 1000));
  benchmark::AddCustomContext("driver", g.driver_version().empty() ? "unknown" : g.driver_version());
  benchmark::AddCustomContext("cuda_driver", cuda_version(driver));
  benchmark::AddCustomContext("cuda_runtime", cuda_version(runtime));
  benchmark::AddCustomContext("cublas", cublas_version());
  benchmark::AddCustomContext("commit", commit());
  benchmark::AddCustomContext("method", method);
}

void add_context(options const& o, gauges const& g, double bare_launch) {
  add_device_context(g, method);
  benchmark::AddCustomContext("suite", o.suite == suite::policies    ? "policies"
                                       : o.suite == suite::epilogues ? "epilogues"
                                                                     : "scales");
  benchmark::AddCustomContext("budget_s", text_of(o.budget));
  benchmark::AddCustomContext("soak_s", text_of(o.soak));
  benchmark::AddCustomContext("warm_s", text_of(o.warm));
  benchmark::AddCustomContext("bare_launch_us", text_of(bare_launch * 1e6));
  benchmark::AddCustomContext("bandwidth_tbps", text_of(o.bandwidth));
  for (auto const& [dtype, peak] : o.peaks) {
    benchmark::AddCustomContext("peak_tflops_" + dtype, text_of(peak));
  }
}

}  // namespace bench

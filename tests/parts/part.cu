// SPDX-License-Identifier: BSL-1.0
//! @file
//! A part of a program: PART_FUNCTION reports what the library does in it. Every part has the same calls.

#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"
#include "part.hpp"

namespace {

void note(part_report& report, gemm::status const& result) {
  if (!result && report.failure[0] == '\0') {
    std::snprintf(report.failure, sizeof(report.failure), "%s", result.message());
  }
}

/// Slices of k that a second kernel adds: where it is launched as a dependent one, it must wait for the first.
void multiply_often(part_report& report) {
  constexpr std::int64_t m = 512, n = 512, k = 2048;
  constexpr int times = 50;
  using policy = gemm::split_k<gemm::pipelined_32x64x32, 4>;
  test::stream const stream;
  test::device_array<float> const ones(std::vector<float>(m * k, 1)), twos(std::vector<float>(k * n, 2));
  std::vector<test::device_array<float>> results;
  for (int i = 0; i < times; ++i) {
    results.emplace_back(std::vector<float>(m * n, 7));
  }
  for (int i = 0; i < times; ++i) {
    float const* const a = i % 2 == 0 ? ones.data() : twos.data();
    note(report, gemm::run<policy>(gemm::row_major(a, m, k), gemm::row_major(twos.data(), k, n),
                                   gemm::row_major(results[static_cast<std::size_t>(i)].data(), m, n),
                                   {.stream = stream.get()}));
  }
  stream.synchronize();
  for (int i = 0; i < times; ++i) {
    float const wanted = static_cast<float>(i % 2 == 0 ? 2 * k : 4 * k);
    report.wrong_products +=
        results[static_cast<std::size_t>(i)].download() == std::vector<float>(m * n, wanted) ? 0 : 1;
  }
}

}  // namespace

extern "C" void PART_FUNCTION(part_report* report) {
  constexpr std::int64_t m = 256, n = 512, k = 256;
  using policy = gemm::sm90_wgmma_128x256x64_2x1;
  test::device_array<__nv_bfloat16> const a(std::vector<__nv_bfloat16>(m * k, __float2bfloat16(1.0f))),
      b(std::vector<__nv_bfloat16>(k * n, __float2bfloat16(1.0f)));
  test::device_array<float> const c(std::vector<float>(m * n, 7));
  auto const x = gemm::row_major(a.data(), m, k);
  auto const y = gemm::row_major(b.data(), k, n);
  auto const z = gemm::row_major(c.data(), m, n);
  gemm::status const can = gemm::can_run<policy>(x, y, z);
  report->can_run_wgmma = static_cast<bool>(can);
  gemm::choice const chosen = gemm::chosen(x, y, z);
  report->chooses_wgmma = chosen.policy.find("sm90_wgmma") != std::string_view::npos;
  if (can) {
    note(*report, gemm::run<policy>(x, y, z));
    report->wrong_products += c.download() == std::vector<float>(m * n, static_cast<float>(k)) ? 0 : 1;
  }
  multiply_often(*report);
}
